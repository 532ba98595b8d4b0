package baselines

import (
	"context"
	"errors"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"r2lmlbench/internal/kernel"
	"r2lmlbench/internal/linalg"
	"r2lmlbench/r2lml"
)

// defaultShrinkage is the default ρ of the closed-form methods.
const defaultShrinkage = 1e-3

// towardsIdentity returns (1−ρ) A + ρ (tr A / D) I.
func towardsIdentity(a *mat.SymDense, rho float64) *mat.SymDense {
	d := a.SymmetricDim()
	s := mat.NewSymDense(d, nil)
	s.ScaleSym(1-rho, a)
	s.AddSym(s, scaledIdentity(d, rho*mat.Trace(a)/float64(d)))
	return s
}

// inversionFloor is the least eigenvalue of a matrix, relative to the largest;
// smaller ones are raised to it before inversion.
const inversionFloor = 1e-12

// power returns A^t of a positive definite A, with eigenvalues raised to
// inversionFloor.
func power(a *mat.SymDense, t float64) (*mat.SymDense, error) {
	return linalg.MapEigenvalues(a, func(values []float64) {
		floor := inversionFloor * values[len(values)-1]
		for i, v := range values {
			values[i] = math.Pow(max(v, floor), t)
		}
	})
}

// A generalized spectrum solves B v = l A v for symmetric B and positive definite A.
type generalized struct {
	values  []float64  // l, ascending
	vectors *mat.Dense // v as rows, with vᵀAv = 1
}

// newGeneralized returns v = A^(−1/2) u for the eigenvectors u of A^(−1/2) B A^(−1/2).
func newGeneralized(b, a *mat.SymDense) (generalized, error) {
	half, err := power(a, -0.5)
	if err != nil {
		return generalized{}, err
	}
	var product, vectors mat.Dense
	product.Product(half, b, half)
	values, u, err := linalg.Eigen(linalg.Symmetrize(&product))
	if err != nil {
		return generalized{}, err
	}
	vectors.Mul(u.T(), half)
	return generalized{values, &vectors}, nil
}

// weightedRows returns a map L whose rows are the rows b_i at these indices, each times the
// square root of its weight: LᵀL = Σ_i w_i b_i b_iᵀ.
func weightedRows(rows *mat.Dense, indices []int, weight func(i int) float64) *mat.Dense {
	l := pickRows(rows, indices)
	for r, i := range indices {
		floats.Scale(math.Sqrt(weight(i)), l.RawRowView(r))
	}
	return l
}

// positives returns the indices of the values above 0; nil if there is none.
func positives(values []float64) []int {
	var indices []int
	for i, v := range values {
		if v > 0 {
			indices = append(indices, i)
		}
	}
	return indices
}

// laplacianRows returns Xᵀ(diag(S1) − S)X, which for symmetric S is the sum over pairs
// i < j of S_ij (x_i−x_j)(x_i−x_j)ᵀ. It calls of for every row of S in turn.
func laplacianRows(ctx context.Context, x *mat.Dense, of func(i int) []float64) *mat.Dense {
	n, d := x.Dims()
	sx, form, columns := mat.NewDense(n, d, nil), mat.NewDense(d, d, nil), mat.DenseCopyOf(x.T())
	weights := make([]float64, n) // a copy, since floats.Sum adds in another order where memory is not aligned
	for i := range linalg.Rows(ctx, n) {
		row := sx.RawRowView(i)
		copy(weights, of(i))
		kernel.AddRows(row, weights, x.RawMatrix().Data, x.RawMatrix().Stride)
		floats.Scale(-1, row)
		floats.AddScaled(row, floats.Sum(weights), x.RawRowView(i))
	}
	for i := range d {
		kernel.AddRows(form.RawRowView(i), columns.RawRowView(i), sx.RawMatrix().Data, d)
	}
	return form
}

// atMost returns the first rank indices; rank 0 means all.
func atMost(rank int, indices []int) []int {
	if rank == 0 {
		return indices
	}
	return indices[:min(rank, len(indices))]
}

// linear returns the fit of the linear map l. If l is nil, the metric is Euclidean and
// a warning says so.
func linear(p r2lml.Problem, l *mat.Dense, warnings ...string) r2lml.Fitted {
	_, d := p.X.Dims()
	rank := 0
	if l != nil {
		rank, _ = l.Dims()
	} else {
		warnings = append(warnings, "no direction has a positive weight; the metric is Euclidean")
	}
	return r2lml.Fitted{
		Metric:   r2lml.NewGlobal(p, l),
		Facts:    []r2lml.Count{{Name: "rank of the metric", Count: rank, Of: d}},
		Warnings: warnings,
	}
}

// A ground holds a problem, its two scatters, and the values computed from them so far, by
// shrinkage.
type ground[V any] struct {
	r2lml.Problem
	pairScatters
	made memo[float64, V]
}

// A memo caches values that the settings of a task share. It is not safe for concurrent use.
type memo[K comparable, V any] map[K]V

// of returns the value of k; it computes it the first time.
func (m memo[K, V]) of(k K, compute func() (V, error)) (V, error) {
	if v, ok := m[k]; ok {
		return v, nil
	}
	v, err := compute()
	if err == nil {
		m[k] = v
	}
	return v, err
}

// pairScatters are mean outer products of differences of samples, over all pairs
// i < j,
//
//	S = mean over y_i = y_j of (x_i−x_j)(x_i−x_j)ᵀ,   D = mean over y_i ≠ y_j
type pairScatters struct {
	similar, dissimilar           *mat.SymDense // S, D
	similarPairs, dissimilarPairs int
}

var (
	errOneClass     = errors.New("all samples are of one class, so that no pair is dissimilar; give two classes")
	errNoPair       = errors.New("no class has two samples, so that no pair is similar; give more samples")
	errEqualSimilar = errors.New("the samples of every class are equal; give classes that vary")
)

// newPairScatters takes O(ND²): with the scatter T of all samples about their mean
// and T_c that of class c, of n_c samples, the sums over pairs are
//
//	Σ similar = Σ_c n_c T_c,   Σ dissimilar = N T − Σ_c n_c T_c
func newPairScatters(p r2lml.Problem) (pairScatters, error) {
	n, d := p.X.Dims()
	total := mat.NewSymDense(d, nil)
	centered := mat.DenseCopyOf(p.X)
	center(centered, upTo(n))
	total.SymOuterK(float64(n), centered.T())
	s := pairScatters{similar: mat.NewSymDense(d, nil), dissimilar: mat.NewSymDense(d, nil)}
	for label := 1; label <= p.Classes(); label++ {
		rows := rowsOf(p.Y, label)
		if len(rows) == 0 {
			continue
		}
		center(centered, rows)
		var own mat.SymDense
		own.SymOuterK(float64(len(rows)), pickRows(centered, rows).T())
		s.similar.AddSym(s.similar, &own)
		s.similarPairs += len(rows) * (len(rows) - 1) / 2
	}
	s.dissimilarPairs = n*(n-1)/2 - s.similarPairs
	s.dissimilar.ScaleSym(-1, s.similar)
	s.dissimilar.AddSym(total, s.dissimilar)
	return s, s.average()
}

// average divides the sums over pairs by the numbers of pairs.
func (s pairScatters) average() error {
	switch {
	case s.dissimilarPairs == 0:
		return errOneClass
	case s.similarPairs == 0:
		return errNoPair
	}
	s.similar.ScaleSym(1/float64(s.similarPairs), s.similar)
	s.dissimilar.ScaleSym(1/float64(s.dissimilarPairs), s.dissimilar)
	return nil
}

// shrunk returns both scatters drawn towards the identity, see [towardsIdentity].
func (s pairScatters) shrunk(rho float64) (similar, dissimilar *mat.SymDense, err error) {
	if mat.Trace(s.similar) == 0 {
		return nil, nil, errEqualSimilar
	}
	return towardsIdentity(s.similar, rho), towardsIdentity(s.dissimilar, rho), nil
}
