package datasets

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/mat"
)

// A Split is a set cut into three parts, ready for learning.
type Split struct {
	Train, Validation, Test Samples

	Rows   [3][]int // of Data, from 0, for Train, Validation and Test
	Groups []string // of the training rows; nil: none
	Digest string   // see Cut
}

// Cut divides the data of a set by a rule. If DataSet.PCA is not 0, it replaces the
// features by principal components. It fills missing values of own data from the
// training rows, and replaces a column of texts by a feature for each text of the
// training rows, in byte order; a row with another text is 0 in all of them.
//
// Digest is the SHA-256 in hex of the text
//
//	classes C
//	pca K centered fit=all
//	train ROW:CODE ROW:CODE ...
//	validation ROW:CODE ...
//	test ROW:CODE ...
//
// where every line ends in a line feed. The second line is "pca none" without principal
// components, and has "standardized" instead of "centered" if features are also scaled to
// standard deviation 1. The digest covers no feature values; Data.Digest does.
func Cut(e DataSet, d *Data, r Rule) (*Split, error) {
	rows, digest, err := Divide(e, d, r)
	if err != nil {
		return nil, err
	}
	x := d.X
	if e.PCA > 0 {
		fitted := func() *mat.Dense { // the rows of x for fitting components and scales
			if r.PCAFit == "train" {
				return pickRows(x, rows[0])
			}
			return x
		}
		if r.Standardized {
			x = ZScore.Learn(fitted()).Apply(x)
		}
		if x, err = principalScores(x, fitted(), e.PCA); err != nil {
			return nil, fmt.Errorf("datasets: %s: %w", e.ID, err)
		}
	}
	if x, err = NewEncoding(x, rows[0], d.Impute, d.Categories).Apply(x); err != nil {
		return nil, fmt.Errorf("datasets: %s: %w", e.ID, err)
	}
	s := &Split{Rows: rows, Digest: digest}
	for p, part := range []*Samples{&s.Train, &s.Validation, &s.Test} {
		*part = Samples{X: x, Y: d.Y}.At(rows[p])
	}
	if d.Groups != nil {
		for _, row := range rows[0] {
			s.Groups = append(s.Groups, d.Groups[row])
		}
	}
	return s, nil
}

// ByClass returns all rows in the order of a part of a split: classes in code order, rows of a
// class in file order.
func (d *Data) ByClass() (rows []int) {
	rows = make([]int, len(d.Y))
	for i := range rows {
		rows[i] = i
	}
	slices.SortStableFunc(rows, func(a, b int) int { return d.Y[a] - d.Y[b] })
	return rows
}

// Divide returns the rows of the three parts and the digest of the split that
// Cut makes, without computing principal components.
func Divide(e DataSet, d *Data, r Rule) (rows [3][]int, digest string, err error) {
	if r, err = r.settle(); err == nil {
		if e.filed != [3]string{} {
			d = e.byFiles(d)
		}
		if r.Kind == openmlRule {
			d = d.repeated(r.Repeat)
		}
		rows, err = r.rows(e.Sizes, d)
	}
	if err != nil {
		return rows, "", fmt.Errorf("datasets: %s: %w", e.ID, err)
	}
	b := fmt.Appendf(make([]byte, 0, 8*len(d.Y)), "classes %d\n", len(d.Labels))
	switch {
	case e.PCA > 0 && r.Standardized:
		b = fmt.Appendf(b, "pca %d standardized fit=%s\n", e.PCA, r.PCAFit)
	case e.PCA > 0:
		b = fmt.Appendf(b, "pca %d centered fit=%s\n", e.PCA, r.PCAFit)
	default:
		b = append(b, "pca none\n"...)
	}
	for p, name := range []string{"train", "validation", "test"} {
		b = append(b, name...)
		for _, row := range rows[p] {
			b = strconv.AppendInt(append(b, ' '), int64(row), 10)
			b = strconv.AppendInt(append(b, ':'), int64(d.Y[row]), 10)
		}
		b = append(b, '\n')
	}
	sum := sha256.Sum256(b)
	return rows, hex.EncodeToString(sum[:]), nil
}
