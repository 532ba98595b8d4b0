// Package tabular reads a data file of the user into a [Table] of numbers with a class code per row.
//
// A file goes one way, whatever its format:
//
//	bytes      of the file, perhaps packed: gzip, bzip2, or a zip file with one table (container.go)
//	format     by the content; the name of the file counts where the content says nothing (formats.go)
//	sheet      each format gives rows of cells: a number, a text, or nothing (delimited.go, arff.go, ...)
//	header     of delimited text: the first line, if its fields are names
//	columns    numbers, categories, or no features; what the format or [Layout] declare is not guessed
//	label      a column, or what the format has beside the columns
//	checks     of columns, rows and classes
//
// Nothing is guessed about values. A field that is neither a number nor stated to be missing is a fault with its line and
// column in the file, and a file with faults gives no table. [Guess] proposes options for a file by a list of
// proposers, and says each guess with the key that undoes it.
//
// Codes number the labels by their first appearance, or as Options.Classes lists them. Missing values are NaN in the
// table; the caller fills them in from training rows.
package tabular

import (
	"context"
	"crypto/sha256"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"r2lmlbench/internal/strictyaml"
)

// A Table is the content of a file: for each row the features as numbers, a class
// code, and perhaps a fold.
type Table struct {
	Names  []string  // of the features, in file order: those of the header, or x1, x2, ...
	X      []float64 // row by row; NaN where a value is missing
	Y      []int     // class codes from 1
	Labels []string  // in code order
	Folds  []string  // of the rows; nil without a column of folds
	Groups []string  // of the rows; nil without a column of groups
	Lines  []int     // line on which each row begins; for NPZ the row, from 1

	// Categories holds the texts of each feature that is text; X has indices into them, from
	// 0. The entry of a number is nil; Categories is nil without texts. See Options.Encode.
	Categories [][]string

	Missing int    // number of missing values
	Dropped int    // number of rows dropped for what they lack
	Lacking string // values or labels; "" where no rows are dropped

	Notes    []string // what the format says and is not used
	RowNames bool     // the first column has no name in the header and was left out: the names of the rows

	Layout Layout // as detected: format, delimiter, header and label
	SHA256 string // of the stored file, in hex

	Aside []Aside // dropped columns with one class for each value
}

// Rows returns the number of rows.
func (t *Table) Rows() int { return len(t.Y) }

// Features returns the number of features.
func (t *Table) Features() int { return len(t.Names) }

// Encoded returns the number of features if each text becomes a feature.
func (t *Table) Encoded() int {
	n := t.Features()
	for j, texts := range t.Categories {
		if texts == nil {
			continue
		}
		there := map[float64]bool{}
		for i := range t.Rows() {
			if v := t.Row(i)[j]; !math.IsNaN(v) {
				there[v] = true
			}
		}
		n += len(there) - 1
	}
	return n
}

// Row returns the features of a row, counted from 0.
func (t *Table) Row(i int) []float64 {
	d := len(t.Names)
	return t.X[i*d : (i+1)*d : (i+1)*d]
}

// Read reads the bytes of a file, packed or not. The content tells the format, where the options do not, and
// the name where the content says nothing; it stands in faults. The error is [strictyaml.Errors], or that of the
// context, which ends the reading.
func Read(ctx context.Context, name string, b []byte, o Layout) (*Table, error) {
	return newBuilder(ctx, name, b, o).table()
}

// ReadGuessed reads a file by the options that Guess proposes for it. What Guess has seen of the values is not
// looked at again.
func ReadGuessed(ctx context.Context, name string, b []byte, given Layout) (Proposal, *Table, error) {
	g := proposed(ctx, name, b, given)
	t := newBuilder(ctx, name, b, g.Options)
	if g.err() == nil {
		t.seen = g.builder
	}
	table, err := t.table()
	return g.Proposal, table, err
}

// table reads the file.
func (t *builder) table() (*Table, error) {
	name, o := t.file, t.options
	if key, err := o.Check(name); err != nil && o.Format != "" {
		return nil, refused(name, key+": "+err.Error())
	}
	sum := fmt.Sprintf("%x", sha256.Sum256(t.raw))
	if o.SHA256 != "" && !strings.EqualFold(o.SHA256, sum) {
		return nil, refused(name, "the file is another one than the stanza says: its sha256 is "+sum+", not "+strings.ToLower(o.SHA256))
	}
	t.read()
	table, err := t.finish()
	if err != nil {
		return nil, err
	}
	table.SHA256 = sum
	return table, nil
}

// refused returns the fault of a file that Read does not read.
func refused(name, why string) error { return strictyaml.Errors{{File: name, Msg: why}} }

// A Wanted is a column that ReadFeatures looks for.
type Wanted struct {
	Name  string
	Texts []string // texts of a column of text, values are indices into them; nil for numbers
	Open  bool     // values may be missing
}

// laidOut adds to options what a file of delimited text tells of itself: comments, lines before the table, and decimal commas or points.
// Those of the options count where the numbers of the features that are wanted have neither.
func laidOut(ctx context.Context, name string, b []byte, o Layout, features []Wanted) Layout {
	g := guesser{Proposal: Proposal{Options: o}, given: o}
	g.Options.Decimal = ""
	g.propose(func() *builder {
		t := newBuilder(ctx, name, b, g.Options)
		t.survey = true
		return t
	}, 1_000, []func(*guesser){(*guesser).comments, (*guesser).titles, (*guesser).decimals})
	points := slices.ContainsFunc(g.columns, func(c column) bool {
		return c.seen.points && slices.ContainsFunc(features, func(f Wanted) bool { return f.Name == c.name })
	})
	if g.layout.Format == CSV && g.Options.Decimal == "" && !points {
		g.Options.Decimal = o.Decimal
	}
	return g.Options
}

// ReadFeatures reads the features that a model needs, whatever other columns the file has, such as
// one of classes. The values stand row by row in the order of the features: a text that is
// not known is -1, a missing value NaN if the feature may have such, or else a fault. A file
// without a header has these columns alone, and is taken only where the features have no
// names either, but x1, x2, ... The options say how it is laid out; those of columns are not
// used.
func ReadFeatures(ctx context.Context, name string, b []byte, o Layout, features []Wanted) ([]float64, error) {
	o = Layout{Format: o.Format, Delimiter: o.Delimiter, Decimal: o.Decimal, Missing: o.Missing, Comment: o.Comment}
	o = laidOut(ctx, name, b, o, features)
	o.Impute = "zero" // faults of its own
	for _, f := range features {
		index, err := strconv.Atoi(strings.TrimPrefix(f.Name, "x"))
		switch {
		case !numberedName.MatchString(f.Name) || err != nil:
			o.Header = new(true)
		case o.Indices == nil:
			o.Indices = &[2]int{index, index}
		default:
			*o.Indices = [2]int{min(o.Indices[0], index), max(o.Indices[1], index)}
		}
	}
	t := newBuilder(ctx, name, b, o)
	t.wanted = features
	t.read()
	var columns []*column // the columns of the features
	if t.err() == nil {
		for _, f := range features {
			c := &t.columns[t.find(ColumnRef{Name: f.Name})]
			columns = append(columns, c)
			t.checkWanted(c, f)
		}
	}
	if err := t.err(); err != nil {
		return nil, err
	}
	x := make([]float64, 0, len(t.x))
	for i := range len(t.x) / len(features) {
		for _, c := range columns {
			x = append(x, t.x[i*len(features)+c.place])
		}
	}
	return x, nil
}

// numberedName is the name of a feature of a file without names.
var numberedName = regexp.MustCompile(`^x[0-9]+$`)
