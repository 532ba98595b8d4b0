package r2lml

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"r2lmlbench/internal/linalg"
)

// valueTolerance ends block 2 when a step changes gᵀ S̃ g by no more.
const valueTolerance = 1e-3

// A majorization is block 2: minimize gᵀ S̃ g over the coefficients, where
// S̃ = blockdiag(S̄^1, ..., S̄^K) and s̄^k_mn = s_mn E^k_mn (Eqs. 5-7). Each step
// minimizes a majorizer (Eq. 8), whose minimizer (Theorem 1) is the Euclidean
// projection of each sample's K coefficients onto the simplex:
//
//	g ← Π( w (g − S̃ g / λmax(S̃)) )
//
// w = 1 in the paper. The authors' program drops the factor 2 of the linear
// term of Eq. 8, which gives w = 1/2: it thereby minimizes gᵀ S̃ g + λmax |g|²,
// a convex problem with an interior solution. With w = 1 coefficients run to
// vertices of the simplex, and samples at different vertices are at distance 0.
//
// The regularized variant minimizes gᵀ S̃ g + μ|g|² with the same μ all along, by
// steps of the length 1/(λmax + μ), which never raise it:
//
//	g ← Π( (λmax g − S̃ g) / (λmax + μ) )
//
// Proof. Let q(g) = gᵀ S̃ g + μ|g|² and t = 1/(2(λmax + μ)). The argument of Π is
// g − t∇q(g), so that the projection gives ⟨∇q(g), d⟩ ≤ −|d|²/t for the displacement d.
// The Hessian 2(S̃ + μI) has no eigenvalue above 1/t, hence q(g + d) ≤ q(g) − |d|²/(2t);
// q need not be convex. Lanczos' method approaches λmax from below, which does no harm
// while 2(value + μ) > λmax + μ. Block 1 keeps a new map only if its term of the
// objective does not rise, and block 3 gives every similarity the better of its two
// values, so that no block raises the objective. We do not prove that the limit is
// stationary.
//
// S̃ is never stored; multiply applies it.
type majorization struct {
	multiply func(dst, v []float64, k int) // dst = S̄^k v
	lmax     float64                       // the largest eigenvalue of S̃
	weight   float64                       // w
	pull     float64                       // μ of the regularized variant
	steps    int                           // limit of the number of steps
}

// coefficients is block 2. With one metric it does nothing: the simplex of one
// coefficient is the point 1.
func (f *blockDescent) coefficients(ctx context.Context, s solver) {
	if f.err != nil || len(f.l) == 1 {
		return
	}
	b, err := newMajorization(ctx, f.setting.Variant, f.s.n, len(f.l), s.products(f))
	if err != nil {
		f.err = err
		return
	}
	if f.setting.Variant == Regularized && f.pull == 0 {
		f.pull = f.setting.Regularization * b.lmax
		f.tracer.redefined()
	}
	b.pull = f.pull
	next, err := b.run(ctx, f.g)
	if err != nil {
		f.err = err
		return
	}
	f.g = next
	f.err = f.tracer.blockEnded(2, 0)
}

// newMajorization returns block 2 for n samples and this number of metrics.
func newMajorization(ctx context.Context, v Variant, n, metrics int, multiply func(dst, v []float64, k int)) (*majorization, error) {
	b := &majorization{multiply: multiply, weight: v.weight(), steps: v.steps()}
	for k := range metrics {
		value, err := linalg.LargestEigenvalue(ctx, n, func(dst, v []float64) { multiply(dst, v, k) })
		if err != nil {
			return nil, fmt.Errorf("block %d of S̃: %w", k+1, err)
		}
		b.lmax = max(b.lmax, value)
	}
	return b, nil
}

// run returns the N×K coefficients reached from g. They stay g when all
// similar samples are at distance 0, where every g is a minimizer.
func (b *majorization) run(ctx context.Context, g *mat.Dense) (*mat.Dense, error) {
	g = mat.DenseCopyOf(g)
	if b.lmax == 0 {
		return g, nil
	}
	sg := b.times(g)
	value := b.value(g, sg)
	for range b.steps {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		b.step(g, sg)
		sg = b.times(g)
		before := value
		value = b.value(g, sg)
		if math.Abs(value-before) <= valueTolerance {
			break
		}
	}
	return g, nil
}

// step replaces g by Π( w (g − sg/λmax) ), where sg = S̃ g.
func (b *majorization) step(g, sg *mat.Dense) {
	n, _ := g.Dims()
	for i := range n {
		row := g.RawRowView(i)
		for k, v := range sg.RawRowView(i) {
			if b.pull > 0 {
				row[k] = (b.lmax*row[k] - v) / (b.lmax + b.pull)
			} else {
				row[k] = b.weight * (row[k] - v/b.lmax)
			}
		}
		linalg.ProjectSimplex(row) // Eq. 10; the authors' program bisects to 1e-3
	}
}

// value returns gᵀ S̃ g + μ|g|².
func (b *majorization) value(g, sg *mat.Dense) float64 {
	if b.pull == 0 {
		return dot(g, sg)
	}
	return dot(g, sg) + b.pull*dot(g, g)
}

// times returns S̃ g as an N×K matrix.
func (b *majorization) times(g *mat.Dense) *mat.Dense {
	n, k := g.Dims()
	sg := mat.NewDense(n, k, nil)
	column := make([]float64, n)
	for i := range k {
		b.multiply(column, mat.Col(nil, i, g), i)
		sg.SetCol(i, column)
	}
	return sg
}

// dot returns Σ a_ij b_ij.
func dot(a, b *mat.Dense) float64 {
	var sum float64
	other := b.RawMatrix().Data
	for i, v := range a.RawMatrix().Data {
		sum += v * other[i]
	}
	return sum
}
