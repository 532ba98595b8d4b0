package datasets

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack"
	"gonum.org/v1/gonum/lapack/lapack64"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// principalScores returns the rows of x in the coordinates of the first k
// principal components of a sample, after subtracting the mean of the sample.
// Components are ordered by descending variance; their sign makes the loading of
// largest size positive.
func principalScores(x, sample *mat.Dense, k int) (*mat.Dense, error) {
	rows, cols := x.Dims()
	n, _ := sample.Dims()
	if n < 2 || k > cols {
		return nil, fmt.Errorf("pca: %d components of %d features from %d rows", k, cols, n)
	}
	// The eigenvectors of the covariance with the k largest eigenvalues, as columns.
	var covariance mat.SymDense
	stat.CovarianceMatrix(&covariance, sample, nil)
	vectors, ok := eigenvectors(&covariance)
	if !ok {
		return nil, errors.New("pca: the eigenvalues of the covariance did not converge")
	}
	axes := mat.NewDense(cols, k, nil)
	for c := range k {
		axes.SetCol(c, upright(mat.Col(nil, cols-1-c, vectors)))
	}
	centered := mat.NewDense(rows, cols, nil)
	mean := columnMeans(sample)
	centered.Apply(func(_, j int, v float64) float64 { return v - mean[j] }, x)
	scores := mat.NewDense(rows, k, nil)
	scores.Mul(centered, axes)
	return scores, nil
}

// eigenvectors returns the eigenvectors of s as columns, by ascending eigenvalue,
// like mat.EigenSym. mat.EigenSym stores rows without a gap; for the 1024 columns
// of COIL20 the entries of a column then compete for the same cache lines. With a
// few unused numbers after each row it takes 1.5 seconds instead of 11.
func eigenvectors(s *mat.SymDense) (vectors *mat.Dense, ok bool) {
	const gap = 8
	n := s.SymmetricDim()
	a := blas64.Symmetric{N: n, Stride: n + gap, Data: make([]float64, n*(n+gap)), Uplo: blas.Upper}
	for i := range n {
		for j := i; j < n; j++ {
			a.Data[i*a.Stride+j] = s.At(i, j)
		}
	}
	values, size := make([]float64, n), []float64{0}
	lapack64.Syev(lapack.EVCompute, a, values, size, -1) // queries the size of the workspace
	work := make([]float64, int(size[0]))
	ok = lapack64.Syev(lapack.EVCompute, a, values, work, len(work))
	vectors = mat.NewDense(n, n+gap, a.Data).Slice(0, n, 0, n).(*mat.Dense)
	return vectors, ok
}

// upright turns v so that its entry of largest size, the first of several, is
// positive.
func upright(v []float64) []float64 {
	largest := 0.0
	for _, a := range v {
		if math.Abs(a) > math.Abs(largest) {
			largest = a
		}
	}
	if largest < 0 {
		for i := range v {
			v[i] = -v[i]
		}
	}
	return v
}

func columnMeans(x *mat.Dense) []float64 {
	rows, cols := x.Dims()
	mean := make([]float64, cols)
	for i := range rows {
		for j, v := range x.RawRowView(i) {
			mean[j] += v
		}
	}
	for j := range mean {
		mean[j] /= float64(rows)
	}
	return mean
}
