package linalg

import (
	"errors"

	"gonum.org/v1/gonum/mat"
)

// RowSpan returns an orthonormal basis of the span of the rows of x, N×D, as the columns of
// a D×R matrix: the right singular vectors of the R singular values that are at least share
// times the largest; all min(N, D) for share 0.
func RowSpan(x *mat.Dense, share float64) (*mat.Dense, error) {
	var svd mat.SVD
	if !svd.Factorize(x, mat.SVDThin) {
		return nil, errors.New("the singular values of the samples did not converge")
	}
	var v mat.Dense
	svd.VTo(&v)
	values, rank := svd.Values(nil), 0
	for rank < len(values) && values[rank] >= share*values[0] {
		rank++
	}
	d, _ := v.Dims()
	return v.Slice(0, d, 0, rank).(*mat.Dense), nil
}
