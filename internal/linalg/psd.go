package linalg

import (
	"errors"
	"math"
	"slices"
	"sync"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/lapack"
	"gonum.org/v1/gonum/lapack/lapack64"
	"gonum.org/v1/gonum/mat"
)

// ErrNotFinite is the error for a matrix with an infinity or a NaN.
var ErrNotFinite = errors.New("the matrix is not finite")

// Eigen returns the eigenvalues of a in ascending order and the orthonormal
// eigenvectors as the columns of v: A = V diag(values) Vᵀ. It returns
// ErrNotFinite, or an error when the iteration does not converge.
func Eigen(a mat.Symmetric) (values []float64, v *mat.Dense, err error) {
	s := mat.NewSymDense(a.SymmetricDim(), nil)
	s.CopySym(a)
	return EigenInPlace(s)
}

// EigenInPlace is Eigen with the eigenvectors in the memory of a; it destroys a.
func EigenInPlace(a *mat.SymDense) (values []float64, v *mat.Dense, err error) {
	raw := a.RawSymmetric()
	if raw.N == 0 {
		return nil, &mat.Dense{}, nil
	}
	largest := largestAbs(raw)
	if math.IsInf(largest, 1) {
		return nil, nil, ErrNotFinite
	}
	values = make([]float64, raw.N)
	best := []float64{0}
	lapack64.Syev(lapack.EVCompute, raw, values, best, -1)
	work, _ := workspaces.Get().(*[]float64)
	if work == nil {
		work = new([]float64)
	}
	defer workspaces.Put(work)
	*work = slices.Grow((*work)[:0], int(best[0]))[:int(best[0])]
	if !decompose(raw, scaleOf(largest), values, *work) {
		return nil, nil, errors.New("the eigenvalues did not converge")
	}
	return values, mat.NewDense(raw.N, raw.N, raw.Data), nil
}

// workspaces holds workspaces of LAPACK for reuse.
var workspaces sync.Pool

// largestAbs returns the largest absolute value of the upper triangle, +Inf when there is a NaN.
func largestAbs(a blas64.Symmetric) float64 {
	largest := 0.0
	for i := range a.N {
		for _, v := range a.Data[i*a.Stride+i : i*a.Stride+a.N] {
			if v-v != 0 { // an infinity or a NaN
				return math.Inf(1)
			}
			largest = max(largest, math.Abs(v))
		}
	}
	return largest
}

// FromEigen returns V diag(values) Vᵀ, the counterpart of Eigen.
func FromEigen(values []float64, v *mat.Dense) *mat.SymDense {
	scaled := mat.DenseCopyOf(v)
	for i := range values {
		floats.Mul(scaled.RawRowView(i), values)
	}
	var a mat.Dense
	a.Mul(scaled, v.T())
	return Symmetrize(&a)
}

// Root returns L = diag(√values) Vᵀ, so that LᵀL = V diag(values) Vᵀ. Negative
// values count as 0.
func Root(values []float64, v *mat.Dense) *mat.Dense {
	l := mat.DenseCopyOf(v.T())
	for i, value := range values {
		floats.Scale(math.Sqrt(math.Max(0, value)), l.RawRowView(i))
	}
	return l
}

// MapEigenvalues returns V diag(w) Vᵀ, where w are the ascending eigenvalues of a
// after change, which changes them in place.
func MapEigenvalues(a mat.Symmetric, change func(values []float64)) (*mat.SymDense, error) {
	values, v, err := Eigen(a)
	if err != nil {
		return nil, err
	}
	change(values)
	return FromEigen(values, v), nil
}

// FromPSD returns a linear map L such that LᵀL is the positive semi-definite
// matrix nearest to a in the Frobenius norm: its negative eigenvalues become 0.
// For a positive semi-definite A, ‖Lx‖² = xᵀAx.
func FromPSD(a mat.Symmetric) (*mat.Dense, error) {
	values, v, err := Eigen(a)
	if err != nil {
		return nil, err
	}
	return Root(values, v), nil
}

// Gram returns LᵀL, the matrix of the metric ‖Lx‖².
func Gram(l *mat.Dense) *mat.SymDense {
	_, d := l.Dims()
	a := mat.NewSymDense(d, nil)
	a.SymOuterK(1, l.T())
	return a
}

// Symmetrize returns (A + Aᵀ)/2.
func Symmetrize(a *mat.Dense) *mat.SymDense {
	n, _ := a.Dims()
	s := mat.NewSymDense(n, nil)
	from, to := a.RawMatrix(), s.RawSymmetric()
	for i := range n {
		row, column := from.Data[i*from.Stride:][:n], from.Data[i:]
		for j := i; j < n; j++ {
			to.Data[i*to.Stride+j] = (row[j] + column[j*from.Stride]) / 2
		}
	}
	return s
}
