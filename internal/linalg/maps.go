package linalg

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"r2lmlbench/internal/kernel"
)

// MapRows maps every row of x by the linear map l: row n of the result is l x_n.
// For a nil map, the identity, the result is x itself.
func MapRows(l, x *mat.Dense) *mat.Dense {
	if l == nil {
		return x
	}
	var z mat.Dense
	z.Mul(x, l.T())
	return &z
}

// MapByEach returns the rows of x under each of the maps l, see [MapRows].
func MapByEach(l []*mat.Dense, x *mat.Dense) []*mat.Dense {
	z := make([]*mat.Dense, len(l))
	for k, lk := range l {
		z[k] = MapRows(lk, x)
	}
	return z
}

// Panels returns the rows of x in the panels of package kernel.
func Panels(x *mat.Dense) []float64 {
	n, d := x.Dims()
	panels := make([]float64, kernel.PanelLen(n, d))
	kernel.Pack(panels, x.RawMatrix().Data, x.RawMatrix().Stride, n, d)
	return panels
}

// NuclearNorm returns ‖a‖_*, the sum of the singular values of a. It is NaN if
// the decomposition does not converge.
func NuclearNorm(a *mat.Dense) float64 {
	var svd mat.SVD
	if !svd.Factorize(a, mat.SVDNone) {
		return math.NaN()
	}
	return floats.Sum(svd.Values(nil))
}
