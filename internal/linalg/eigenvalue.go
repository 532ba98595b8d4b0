package linalg

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

const (
	// eigenvalueTolerance bounds the relative error of LargestEigenvalue.
	eigenvalueTolerance = 1e-12
	// smallestNormal is its absolute error in the range where float64 loses
	// digits.
	smallestNormal = 0x1p-1022
)

// LargestEigenvalue returns the largest eigenvalue of a symmetric n×n matrix A
// with non-negative entries, given by its products: multiply writes A v to dst.
//
// It is Lanczos' method from the vector of ones, kept orthogonal in full.
// Some eigenvector of the largest eigenvalue is non-negative (Perron and
// Frobenius), so ones cannot be orthogonal to it. The power method can fail: far
// apart clusters make the smallest eigenvalue almost the negative of the largest.
// It returns the error of ctx when ctx ends.
func LargestEigenvalue(ctx context.Context, n int, multiply func(dst, v []float64)) (float64, error) {
	q := make([]float64, n)
	floats.AddConst(1/math.Sqrt(float64(n)), q)
	var basis [][]float64
	var diagonal, beside []float64 // diagonal and subdiagonal of the tridiagonal matrix Qᵀ A Q
	for {
		basis = append(basis, q)
		next := make([]float64, n)
		multiply(next, q)
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		diagonal = append(diagonal, floats.Dot(q, next))
		orthogonalize(next, basis)
		rest := floats.Norm(next, 2)
		value, last, err := tridiagonalTop(diagonal, beside)
		if err != nil {
			return 0, err
		}
		// An eigenvalue of A lies within rest·|last| of value.
		if len(basis) == n || rest*last <= eigenvalueTolerance*value+smallestNormal {
			return value, nil
		}
		beside = append(beside, rest)
		floats.Scale(1/rest, next)
		q = next
	}
}

// orthogonalize removes from v its parts along the orthonormal basis, twice
// against rounding.
func orthogonalize(v []float64, basis [][]float64) {
	for range 2 {
		for _, q := range basis {
			floats.AddScaled(v, -floats.Dot(q, v), q)
		}
	}
}

// tridiagonalTop returns the largest eigenvalue of a symmetric tridiagonal
// matrix and the absolute last entry of its unit eigenvector.
func tridiagonalTop(diagonal, beside []float64) (value, last float64, err error) {
	n := len(diagonal)
	t := mat.NewSymDense(n, nil)
	for i, v := range diagonal {
		t.SetSym(i, i, v)
	}
	for i, v := range beside {
		t.SetSym(i, i+1, v)
	}
	values, v, err := EigenInPlace(t)
	if err != nil {
		return 0, 0, err
	}
	return values[n-1], math.Abs(v.At(n-1, n-1)), nil
}
