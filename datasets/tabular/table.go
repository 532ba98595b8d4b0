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

// A Table is the content of a file: for each row the features as numbers, a class
// code, and perhaps a fold.
type Table struct {
	Names  []string  // of the features, in file order: those of the header, or x1, x2, ...
	X      []float64 // row by row; NaN where a value is missing
	Y      []int     // class codes from 1
	Labels []string  // in code order
	Folds  []string  // of the rows; nil without a column of folds
	Lines  []int     // line on which each row begins; for NPZ the row, from 1

	// Categories holds the texts of each feature that is text; X has indices into them, from
	// 0. The entry of a number is nil; Categories is nil without texts. See Options.Encode.
	Categories [][]string

	Missing int // number of missing values
	Dropped int // number of rows dropped for a missing value

	RowNames bool // the first column has no name in the header and was dropped: the names of the rows

	Layout Options // as detected: format, delimiter, header and label
	SHA256 string  // of the stored file, in hex

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

// Read reads the bytes of a file, packed with gzip or not. The name gives the format, unless
// the options do, and is quoted in faults. The error is [strictyaml.Errors], or that of the
// context if it ends.
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

// refused returns the fault of a file that Read does not read.
func refused(name, why string) error { return strictyaml.Errors{{File: name, Msg: why}} }

// A Wanted is a column that ReadFeatures looks for.
type Wanted struct {
	Name  string
	Texts []string // texts of a column of text, values are indices into them; nil for numbers
	Open  bool     // values may be missing
}

// ReadFeatures reads the features of a model from delimited text and ignores other columns,
// such as the classes. It returns the values row by row, in the order of the features: an
// unknown text is -1; a missing value is NaN if the feature is Open, and otherwise a fault. A
// file without a header must have exactly these columns, and the features the names x1, x2,
// ... It uses the options of the layout and not those of columns.
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
	var columns []*column // the columns of the features
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
