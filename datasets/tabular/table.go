package tabular

import (
	"context"
	"crypto/sha256"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"r2lmlbench/internal/strictyaml"
)

// A Table is what a file holds once its columns are told apart: features as
// numbers, a class code and perhaps a fold for each row.
type Table struct {
	Names  []string  // of the features, in file order: those of the header, or x1, x2, ...
	X      []float64 // row by row; NaN where a value is missing
	Y      []int     // class codes from 1
	Labels []string  // in code order
	Folds  []string  // of the rows; nil without a column of folds
	Lines  []int     // of the file on which the rows begin; rows from 1 for NPZ

	// Categories are, for each feature that is text, its texts; X has their places, from 0.
	// nil for a number, and as a whole where no feature is text. See Options.Encode.
	Categories [][]string

	Missing int // values that are
	Dropped int // rows that were left out, for a missing value

	RowNames bool // the first column has no name in the header and was left out: the names of the rows

	Layout Options // as it was found: format, delimiter, header and label
	SHA256 string  // of the file as it lies there, in hex

	Aside []Aside // columns that are no features and have one class for each value
}

// Rows returns the number of rows.
func (t *Table) Rows() int { return len(t.Y) }

// Features returns the number of features.
func (t *Table) Features() int { return len(t.Names) }

// Encoded returns the number of features where each text that rows have is one.
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

// Read reads the bytes of a file, packed with gzip or not. The name tells the format,
// where the options do not, and stands in faults. The error is [strictyaml.Errors], or that of the
// context, which ends the reading.
func Read(ctx context.Context, name string, b []byte, o Options) (*Table, error) {
	if key, err := o.Check(name); err != nil {
		return nil, refused(name, key+": "+err.Error())
	}
	sum := fmt.Sprintf("%x", sha256.Sum256(b))
	if o.SHA256 != "" && !strings.EqualFold(o.SHA256, sum) {
		return nil, refused(name, "the file is another one than the stanza says: its sha256 is "+sum+", not "+strings.ToLower(o.SHA256))
	}
	t := newBuilder(ctx, name, b, o)
	t.read()
	table, err := t.finish()
	if err != nil {
		return nil, err
	}
	table.SHA256 = sum
	return table, nil
}

// refused is the only fault of a file that is not read.
func refused(name, why string) error { return strictyaml.Errors{{File: name, Msg: why}} }

// A Wanted is a column that ReadFeatures looks for.
type Wanted struct {
	Name  string
	Texts []string // of a column of text, of which a value is a place; nil for numbers
	Open  bool     // values may be missing
}

// ReadFeatures reads the features that a model needs from delimited text, whatever other columns it has, such as
// one of classes. The values stand row by row in the order of the features: a text that is
// not known is -1, a missing value NaN if the feature may have such, or else a fault. A file
// without a header has these columns alone, and is taken only where the features have no
// names either, but x1, x2, ... The options say how it is laid out; those of columns are not
// used.
func ReadFeatures(ctx context.Context, name string, b []byte, o Options, features []Wanted) ([]float64, error) {
	o = Options{Format: o.Format, Delimiter: o.Delimiter, Decimal: o.Decimal, Missing: o.Missing, Impute: "zero"} // faults of its own
	if format := o.FormatOf(name); format != CSV && format != "" {
		return nil, refused(name, "the file is no delimited text, and columns are found by name in that alone")
	}
	if slices.ContainsFunc(features, func(f Wanted) bool { return !numberedName.MatchString(f.Name) }) {
		o.Header = new(true)
	}
	t := newBuilder(ctx, name, b, o)
	t.wanted, t.layout.Format = features, CSV
	t.delimited()
	var columns []*column // of the features
	if t.err() == nil {
		for _, f := range features {
			c := &t.columns[t.find(Column{Name: f.Name})]
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
