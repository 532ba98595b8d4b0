package baselines

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"r2lmlbench/internal/kernel"
	"r2lmlbench/internal/linalg"
)

// A basisProblem is the second problem of PLML: positive semi-definite basis
// metrics M_b that bring samples nearer to their own class than to others. With
// d² under the metric of the first sample, M(x_i) = Σ_b W_ib M_b,
//
//	min  α₁ Σ_b ‖M_b‖² + Σ_(i,j,k) [1 + d²(i,j) − d²(i,k)]₊ + α₂ Σ_(i,j) d²(i,j)
//
// over the triplets (i,j,k) and their pairs (i,j). It is solved in the dual, with
// one variable γ in [0, 1] per triplet:
//
//	K_b = Σ_p c_p W_ib v_p v_pᵀ,   v_p = x_i − x_j for the pairs p of i
//	c_p = −α₂ − Σ γ for pairs of one class, Σ γ for the others (over their triplets)
//	min  h(γ) = −Σ γ + 1/(4α₁) Σ_b ‖(K_b)₊‖²,   M_b = (K_b)₊/(2α₁)
//
// where (.)₊ keeps the positive eigenvalues.
type basisProblem struct {
	ctx            context.Context // when it ends, sums over the samples return early
	x              *mat.Dense
	w              *mat.Dense // N×m weights of the basis metrics
	around         []surrounding
	alpha1, alpha2 float64
}

// A basis holds the basis metrics of a γ.
type basis struct {
	gamma   []float64
	values  [][]float64  // positive eigenvalues of the M_b
	vectors []*mat.Dense // all eigenvectors, as columns
	h       float64
}

// at evaluates h at gamma.
func (p *basisProblem) at(gamma []float64) (*basis, error) {
	b := &basis{gamma: gamma, h: -floats.Sum(gamma)}
	for _, k := range p.sums(gamma) {
		values, v, err := linalg.EigenInPlace(k)
		if err != nil {
			return nil, err
		}
		keepPositive(values)
		b.h += floats.Dot(values, values) / (4 * p.alpha1)
		floats.Scale(1/(2*p.alpha1), values)
		b.values, b.vectors = append(b.values, values), append(b.vectors, v)
	}
	return b, nil
}

// rankCut is the share of the largest absolute eigenvalue up to which a
// positive one counts as rounding.
const rankCut = 1e-12

// keepPositive sets eigenvalues that are not positive to 0.
func keepPositive(values []float64) {
	cut := rankCut * largestAbs(values)
	for i, v := range values {
		if v <= cut {
			values[i] = 0
		}
	}
}

// sums returns K_b for every b.
func (p *basisProblem) sums(gamma []float64) []*mat.SymDense {
	_, d := p.x.Dims()
	_, m := p.w.Dims()
	size := packedLen(d)
	sums := make(packed, m*size)
	own := make(packed, size) // Σ_p c_p v_p v_pᵀ over the pairs of i
	var c, v, factors []float64
	for i := range linalg.Rows(p.ctx, len(p.around)) {
		around := p.around[i]
		if around.count() == 0 {
			continue
		}
		c, v = p.coefficients(c[:0], i, gamma[:around.count()]), p.differences(v[:0], i)
		gamma = gamma[around.count():]
		factors = slices.Grow(factors[:0], len(c))[:len(c)]
		clear(own)
		own.addOuters(d, c, v, factors)
		weights := p.w.RawRowView(i)
		for b, weight := range weights {
			if weight != 0 {
				kernel.AddRows(sums[b*size:(b+1)*size], weights[b:b+1], own, size)
			}
		}
	}
	all := make([]*mat.SymDense, m)
	for b := range all {
		all[b] = sums[b*size:].unpacked(d)
	}
	return all
}

// coefficients appends c_p for the pairs of sample i, pairs of one class first. Sample i has
// triplets, and gamma holds their γ.
func (p *basisProblem) coefficients(c []float64, i int, gamma []float64) []float64 {
	around := p.around[i]
	width := len(around.other)
	for a := range around.same {
		c = append(c, -p.alpha2-floats.Sum(gamma[a*width:(a+1)*width]))
	}
	for o := range around.other {
		var sum float64
		for a := range around.same {
			sum += gamma[a*width+o]
		}
		c = append(c, sum)
	}
	return c
}

// differences appends v_p for the same pairs, one after the other.
func (p *basisProblem) differences(v []float64, i int) []float64 {
	around := p.around[i]
	for _, rows := range [][]int{around.same, around.other} {
		for _, row := range rows {
			v = appendDifference(v, p.x.RawRowView(i), p.x.RawRowView(row))
		}
	}
	return v
}

// slopes returns the gradient of h at the γ of b, one entry per triplet, and
// the value of the problem at the metrics of b:
//
//	∂h/∂γ_(i,j,k) = d²(i,k) − d²(i,j) − 1
func (p *basisProblem) slopes(b *basis) (gradient []float64, primal float64) {
	for _, values := range b.values {
		primal += p.alpha1 * floats.Dot(values, values)
	}
	gradient = make([]float64, 0, p.triplets())
	pairs := p.measures(b)
	for i := range linalg.Rows(p.ctx, len(p.around)) {
		around := p.around[i]
		if around.count() == 0 {
			continue
		}
		distances := pairs.from(i)
		near, far := distances[:len(around.same)], distances[len(around.same):]
		primal += p.alpha2 * floats.Sum(near)
		for _, dj := range near {
			for _, dk := range far {
				gradient = append(gradient, dk-dj-1)
				primal += max(0, 1+dj-dk)
			}
		}
	}
	return gradient, primal
}

// A pairMeasure computes d² of pairs of samples under basis metrics.
type pairMeasure struct {
	*basisProblem
	metrics packed // all M_b
	own     packed // the metric of one sample

	v, distances, products []float64 // scratch
}

func (p *basisProblem) measures(b *basis) *pairMeasure {
	_, d := p.x.Dims()
	m := &pairMeasure{basisProblem: p, own: make(packed, packedLen(d))}
	for _, metric := range b.metrics() {
		m.metrics = pack(m.metrics, metric)
	}
	return m
}

// from returns d² from sample i to its neighbors in triplets, those of its class first. The
// result is valid until the next call.
func (m *pairMeasure) from(i int) []float64 {
	_, d := m.x.Dims()
	clear(m.own)
	kernel.AddRows(m.own, m.w.RawRowView(i), m.metrics, len(m.own))
	m.v = m.differences(m.v[:0], i)
	n := len(m.v) / d
	m.distances, m.products = slices.Grow(m.distances[:0], n)[:n], slices.Grow(m.products[:0], n)[:n]
	m.own.quadratics(m.distances, d, m.v, m.products)
	return m.distances
}

// metrics returns the M_b.
func (b *basis) metrics() []*mat.SymDense {
	all := make([]*mat.SymDense, len(b.values))
	for i, l := range b.maps() {
		all[i] = linalg.Gram(l)
	}
	return all
}

// maps returns L_b with L_bᵀ L_b = M_b, in as many rows as M_b has positive
// eigenvalues; one row of zeros when it has none.
func (b *basis) maps() []*mat.Dense {
	all := make([]*mat.Dense, len(b.values))
	for i, values := range b.values {
		d := len(values)
		first := slices.IndexFunc(values, func(v float64) bool { return v > 0 })
		if first < 0 {
			first = d - 1
		}
		all[i] = mat.DenseCopyOf(linalg.Root(values, b.vectors[i]).Slice(first, d, 0, d))
	}
	return all
}

const (
	basisCheck      = 10 // iterations between two evaluations of the duality gap
	backtrackGrowth = 2
	backtrackDecay  = 0.9
)

// minimize runs FISTA on the dual, with backtracking and without momentum after
// a step that raised h, until the relative duality gap is below tolerance or the
// iterations are used up; gap is the one reached. It starts at γ = 1, which is the solution when α₁ is so
// large that no triplet is satisfied.
func (p *basisProblem) minimize(ctx context.Context, tolerance float64, iterations int) (now *basis, gap float64, err error) {
	if now, err = p.at(ones(p.triplets())); err != nil {
		return nil, 0, err
	}
	ahead, momentum, lipschitz := now, 1.0, 1.0
	for i := 0; ; i++ {
		if err := ctx.Err(); err != nil {
			return nil, 0, err
		}
		if i%basisCheck == 0 {
			gap = p.gap(now)
			if err := ctx.Err(); err != nil {
				return nil, 0, err
			}
			if gap < tolerance || i >= iterations {
				return now, gap, nil
			}
		}
		var next *basis
		if next, lipschitz, err = p.backtrack(ahead, lipschitz); err != nil {
			return nil, 0, err
		}
		if next.h > now.h && momentum > 1 {
			ahead, momentum = now, 1
			continue
		}
		before := momentum
		momentum = (1 + math.Sqrt(1+4*momentum*momentum)) / 2
		ahead = next // the first step has no momentum
		if before > 1 {
			beyond := make([]float64, len(next.gamma))
			extrapolate(beyond, next.gamma, now.gamma, (before-1)/momentum)
			if ahead, err = p.at(beyond); err != nil {
				return nil, 0, err
			}
		}
		now, lipschitz = next, lipschitz*backtrackDecay
	}
}

// gap returns the relative duality gap at b: the value of the problem is at least
// −h at any γ.
func (p *basisProblem) gap(b *basis) float64 {
	_, primal := p.slopes(b)
	return (primal + b.h) / primal
}

func (p *basisProblem) triplets() int {
	count := 0
	for _, around := range p.around {
		count += around.count()
	}
	return count
}

// backtrack takes a projected gradient step from b. It doubles the Lipschitz
// constant until the quadratic model of h is not below h at the end of the step,
// and returns that constant.
func (p *basisProblem) backtrack(b *basis, lipschitz float64) (*basis, float64, error) {
	gradient, _ := p.slopes(b)
	for {
		if err := p.ctx.Err(); err != nil {
			return nil, 0, err
		}
		gamma := make([]float64, len(gradient))
		var model, move float64
		for i, slope := range gradient {
			gamma[i] = min(1, max(0, b.gamma[i]-slope/lipschitz))
			change := gamma[i] - b.gamma[i]
			model += slope * change
			move += change * change
		}
		next, err := p.at(gamma)
		if err != nil {
			return nil, 0, err
		}
		if next.h <= b.h+model+lipschitz/2*move+rounding*math.Abs(b.h) {
			return next, lipschitz, nil
		}
		lipschitz *= backtrackGrowth
		if math.IsInf(lipschitz, 1) {
			return nil, 0, fmt.Errorf("no step lowers the dual from %g", b.h)
		}
	}
}

// rounding is the relative rounding error allowed in h.
const rounding = 1e-13
