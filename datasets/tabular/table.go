package tabular

import (
	"context"
	"crypto/sha256"
	"fmt"
	"strings"
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

// Read reads the bytes of a file, packed with gzip or not. The name tells the format,
// where the options do not, and stands in faults. The error is [Faults], or that of the
// context, which ends the reading.
func Read(ctx context.Context, name string, b []byte, o Options) (*Table, error) {
	if key, err := o.Check(name); err != nil {
		return nil, Faults{{File: name, Msg: key + ": " + err.Error()}}
	}
	sum := fmt.Sprintf("%x", sha256.Sum256(b))
	if o.SHA256 != "" && !strings.EqualFold(o.SHA256, sum) {
		return nil, Faults{{File: name, Msg: fmt.Sprintf("the file is another one than the stanza says: its sha256 is %s, not %s", sum, strings.ToLower(o.SHA256))}}
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

// FoldCounts lists the values of the column of folds and their rows, by first
// appearance.
func (t *Table) FoldCounts() (names []string, rows []int) {
	place := map[string]int{}
	for _, name := range t.Folds {
		i, ok := place[name]
		if !ok {
			i = len(names)
			place[name], names, rows = i, append(names, name), append(rows, 0)
		}
		rows[i]++
	}
	return names, rows
}
