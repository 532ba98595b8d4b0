package tabular

import (
	"crypto/sha256"
	"fmt"
	"strings"

	"r2lmlbench/internal/plainfile"
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

	Missing int // values that are
	Dropped int // rows that were left out, for a missing value

	RowNames bool // the first column has no name in the header and was left out: the names of the rows

	Layout Options // as it was found: format, delimiter, header and label
	SHA256 string  // of the file as it lies there, in hex
}

// Rows returns the number of rows.
func (t *Table) Rows() int { return len(t.Y) }

// Features returns the number of features.
func (t *Table) Features() int { return len(t.Names) }

// Row returns the features of a row, counted from 0.
func (t *Table) Row(i int) []float64 {
	d := len(t.Names)
	return t.X[i*d : (i+1)*d : (i+1)*d]
}

// Open reads a file. Faults of its content are [Faults].
func Open(path string, o Options) (*Table, error) {
	b, err := plainfile.Read(path, MaxBytes+1)
	if err != nil {
		return nil, err
	}
	return Read(path, b, o)
}

// Read reads the bytes of a file, packed with gzip or not. The name tells the
// format, where the options do not, and stands in faults.
func Read(name string, b []byte, o Options) (*Table, error) {
	if key, err := o.Check(name); err != nil {
		return nil, Faults{{File: name, Msg: key + ": " + err.Error()}}
	}
	r := &reporter{file: name}
	sum := fmt.Sprintf("%x", sha256.Sum256(b))
	if o.SHA256 != "" && !strings.EqualFold(o.SHA256, sum) {
		r.at(0, 0, "the file is another one than the stanza says: its sha256 is %s, not %s", sum, strings.ToLower(o.SHA256))
		return nil, r.err()
	}
	content, err := unpack(b)
	if err != nil {
		r.at(0, 0, "%v", err)
		return nil, r.err()
	}
	t := newBuilder(r, o)
	t.layout.Format = o.FormatOf(name)
	switch t.layout.Format {
	case NPZ:
		t.npz(content)
	default:
		if text, ok := r.text(content); ok {
			t.text(text)
		}
	}
	table, err := t.finish()
	if err != nil {
		return nil, err
	}
	table.SHA256 = sum
	return table, nil
}

// text reads a file of lines.
func (t *builder) text(text string) {
	switch t.layout.Format {
	case ARFF:
		t.arff(text)
	case LIBSVM:
		t.libsvm(text)
	default:
		t.delimited(text)
	}
}
