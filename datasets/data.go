package datasets

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/mat"
)

// Samples are labelled rows.
type Samples struct {
	X *mat.Dense // N×D, one sample per row
	Y []int      // their N class codes, 1..C
}

// At returns copies of these rows, counted from 0, in this order. For no rows X is empty.
func (s Samples) At(rows []int) Samples {
	picked := Samples{X: pickRows(s.X, rows), Y: make([]int, len(rows))}
	for i, row := range rows {
		picked.Y[i] = s.Y[row]
	}
	return picked
}

// repeated returns the data with the folds of a repeat, from 1.
func (d *Data) repeated(repeat int) *Data {
	if repeat < 2 {
		return d
	}
	of := *d
	of.Folds = d.More[repeat-2]
	return &of
}

// pickRows copies these rows into a new matrix, which is empty for no rows.
func pickRows(x *mat.Dense, rows []int) *mat.Dense {
	if len(rows) == 0 {
		return &mat.Dense{}
	}
	_, cols := x.Dims()
	picked := mat.NewDense(len(rows), cols, nil)
	for i, row := range rows {
		picked.SetRow(i, x.RawRowView(row))
	}
	return picked
}

// Data is a whole data set in the order of its files.
type Data struct {
	Samples
	Labels  []string // label texts in code order: Labels[0] has code 1
	Missing int      // number of missing values; X has 0 there, see Impute

	// Own data only. If Impute is not "", missing values are NaN in X.
	Lines   []int      // line of the file (of its part's file, with several) on which each row begins; nil: unknown
	Folds   []string   // part or fold of each row by the file; nil: the file has none
	More    [][]string // rule openml: likewise, of the second repeat and those after it
	Groups  []string   // group of each row, whose rows stay in one part of a split; nil: none
	Impute  string     // replacement of missing values: mean, median or zero of the training rows; "": none is missing
	Remarks []string   // remarks for the user
	Grave   []string   // those of Remarks that may make accuracies worthless
	Alike   []string   // those of Remarks to print before computing: labels that may mean the same, or that there is none

	// Categories holds the texts of each feature that is text; X has indices into them, from
	// 0, NaN for a missing text. The entry of a number is nil; Categories is nil without texts.
	// Cut makes one feature of each text of the training rows.
	Categories [][]string
}

// Digest returns the SHA-256 of the content in hex. The bytes hashed are, with
// every number in eight bytes, low byte first:
//
//	the number of classes; per class the length of its label text and the text;
//	the number of rows and of columns;
//	per row its class code and its values as IEEE 754 doubles.
//
// Data with missing values are prefixed by the word impute and its value. Before that comes,
// for each feature that is text, the word onehot, the index of the feature and its texts, and
// before these, of data with groups, the word groups and the group of each row, numbered from
// 0 by first appearance.
func (d *Data) Digest() string {
	var b []byte
	if numbers := map[string]int{}; d.Groups != nil {
		b = append(b, "groups"...)
		for _, name := range d.Groups {
			if _, known := numbers[name]; !known {
				numbers[name] = len(numbers)
			}
			b = strconv.AppendInt(append(b, ' '), int64(numbers[name]), 10)
		}
		b = append(b, '\n')
	}
	for j, texts := range d.Categories {
		if texts != nil {
			b = fmt.Appendf(b, "onehot %d %q\n", j, texts)
		}
	}
	if d.Impute != "" {
		b = append(b, "impute "+d.Impute...)
	}
	b = binary.LittleEndian.AppendUint64(b, uint64(len(d.Labels)))
	for _, label := range d.Labels {
		b = binary.LittleEndian.AppendUint64(b, uint64(len(label)))
		b = append(b, label...)
	}
	return contentDigest(b, d.Samples)
}

// Histogram returns the number of rows of each class, in code order.
func (d *Data) Histogram() []int {
	counts := make([]int, len(d.Labels))
	for _, code := range d.Y {
		counts[code-1]++
	}
	return counts
}

// contentDigest hashes a prefix and the samples of one or more parts.
func contentDigest(prefix []byte, parts ...Samples) string {
	h := sha256.New()
	h.Write(prefix)
	for _, s := range parts {
		rows, cols := s.X.Dims()
		b := binary.LittleEndian.AppendUint64(nil, uint64(rows))
		h.Write(binary.LittleEndian.AppendUint64(b, uint64(cols)))
		for i, code := range s.Y {
			b = binary.LittleEndian.AppendUint64(b[:0], uint64(code))
			for _, v := range s.X.RawRowView(i) {
				b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
			}
			h.Write(b)
		}
	}
	return hex.EncodeToString(h.Sum(nil))
}

// code converts the raw rows of a loader into samples with class codes.
func (r *Raw) code(labels []string) (*Data, error) {
	if len(r.X) == 0 {
		return nil, fmt.Errorf("no rows")
	}
	d := &Data{Labels: labels, Missing: r.Missing}
	d.X = mat.NewDense(len(r.X), len(r.X[0]), nil)
	d.Y = make([]int, len(r.X))
	for i, row := range r.X {
		code := slices.Index(labels, r.Labels[i]) + 1
		if code == 0 {
			return nil, fmt.Errorf("row %d has the unknown label %q, want one of %q", i+1, r.Labels[i], labels)
		}
		d.Y[i] = code
		d.X.SetRow(i, row)
	}
	return d, nil
}
