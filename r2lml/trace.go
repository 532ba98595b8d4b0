package r2lml

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// roundingTolerance is the relative rise of F that counts as rounding.
const roundingTolerance = 1e-12

// A Trace is the objective F (Eq. 4) along a run of the plain solver. Without
// momentum the iterates of block 1 are P⁺ of the paper's text; with momentum they
// are the extrapolated points Y, and block 1 returns the last Y.
type Trace struct {
	Start  float64     // F at the start
	Values []float64   // F after every iteration of block 1, all epochs and metrics in order
	Blocks []BlockStep // every block that ran, in order
}

// A BlockStep is F around one run of a block: block 1 of one metric, or block
// 2 or 3. With one metric there is no block 2.
type BlockStep struct {
	Epoch         int     // from 1
	Block         int     // 1 maps, 2 coefficients, 3 similarities
	Metric        int     // block 1: from 1, or 0 for all at once (regularized variant); other blocks: 0
	Iterations    int     // block 1: number of its Trace.Values; other blocks: 0
	Before, After float64 // F
}

// TraceEfficient runs the plain solver of E-R2LML on p and records F. It starts like
// m.Fit. momentum turns Nesterov's momentum of block 1 on or off, whatever the variant
// says; the variant decides on block 2. With the variant's own momentum the run is that
// of m.Fit, to rounding. The errors are those of m.Fit, and one if F overflows.
//
// It is slow: every iteration visits all pairs.
func TraceEfficient(ctx context.Context, p Problem, m Efficient, momentum bool) (Trace, error) {
	t, err := traced(ctx, p, m, false, momentum)
	if err != nil {
		return Trace{}, err
	}
	return t.trace, nil
}

// TraceTransductive is [TraceEfficient] for T-R2LML; the variant also decides on
// block 3.
func TraceTransductive(ctx context.Context, p Problem, m Transductive, momentum bool) (Trace, error) {
	t, err := traced(ctx, p, Efficient(m), true, momentum)
	if err != nil {
		return Trace{}, err
	}
	return t.trace, nil
}

// traced runs the plain solver of either method.
func traced(ctx context.Context, p Problem, m Efficient, transductive, momentum bool) (*tracer, error) {
	m, err := m.Resolve()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", nameOf(transductive), err)
	}
	c, err := newShared(p, transductive, false)
	if err != nil {
		return nil, err
	}
	t := newTracer(c.start(ctx, m), momentum)
	c.minimize(ctx, plain{}, []*blockDescent{t.fit}, func(*blockDescent) {})
	if t.fit.err != nil {
		return nil, fmt.Errorf("%s: %w", c.name, t.fit.err)
	}
	return t, nil
}

// A tracer records F along a plain fit; a nil tracer records nothing. F is a sum of
// one term per metric, and a descent of block 1 changes only one of them.
type tracer struct {
	fit        *blockDescent
	shares     []float64 // the terms of the metrics; they sum to F
	before     float64   // F after the last block that ended
	iterations int       // of block 1 since then
	trace      Trace
}

// newTracer attaches a tracer to a fit before its first block.
func newTracer(f *blockDescent, momentum bool) *tracer {
	t := &tracer{fit: f, shares: make([]float64, len(f.l))}
	f.momentum, f.tracer = momentum, t
	t.measure()
	t.before = t.value()
	t.trace.Start = t.before
	return t
}

// value returns F.
func (t *tracer) value() float64 { return floats.Sum(t.shares) }

// measure computes all terms.
func (t *tracer) measure() {
	for k, l := range t.fit.l {
		t.shares[k] = t.share(k, l)
	}
}

// share returns the term of metric k in F with the map l.
func (t *tracer) share(k int, l *mat.Dense) float64 {
	f := t.fit
	g := f.g.Slice(0, f.s.n, k, k+1).(*mat.Dense)
	return objective(f.x, f.s, []*mat.Dense{l}, g, f.setting.C, f.setting.Lambda) + f.pull*mat.Dot(f.g.ColView(k), f.g.ColView(k))
}

// redefined recomputes F after its weights have changed.
func (t *tracer) redefined() {
	if t == nil {
		return
	}
	t.measure()
	t.before = t.value()
}

// iterated records an iteration of block 1 that ended at the map y of metric k.
func (t *tracer) iterated(k int, y *mat.Dense) {
	if t == nil {
		return
	}
	t.shares[k] = t.share(k, y)
	t.trace.Values = append(t.trace.Values, t.value())
	t.iterations++
}

// blockEnded records the end of a block, of a metric (from 1) or of all (0).
func (t *tracer) blockEnded(block, metric int) error {
	if t == nil {
		return nil
	}
	if metric == 0 {
		t.measure()
	}
	step := BlockStep{Epoch: t.fit.epochs + 1, Block: block, Metric: metric, Iterations: t.iterations, Before: t.before, After: t.value()}
	if math.IsNaN(step.After) || math.IsInf(step.After, 0) {
		return fmt.Errorf("the objective is %g; take a smaller step", step.After)
	}
	t.trace.Blocks = append(t.trace.Blocks, step)
	t.before, t.iterations = step.After, 0
	return nil
}

// Best returns the smallest of the Values so far, after each iteration.
func (t Trace) Best() []float64 {
	best := make([]float64, len(t.Values))
	lowest := math.Inf(1)
	for i, v := range t.Values {
		lowest = min(lowest, v)
		best[i] = lowest
	}
	return best
}

// Raised counts the runs of a block (1, 2 or 3) that raised F by more than
// rounding, a relative 1e-12 of F before, and all runs of that block.
func (t Trace) Raised(block int) (raised, of int) {
	for _, step := range t.Blocks {
		if step.Block != block {
			continue
		}
		of++
		if rose(step.Before, step.After) {
			raised++
		}
	}
	return raised, of
}

// RaisedIterations counts the iterations of block 1 that raised F by more than
// rounding, as in Raised, and all iterations. The first iteration of a run of
// the block is compared with F before that run.
func (t Trace) RaisedIterations() (raised, of int) {
	values := t.Values
	for _, step := range t.Blocks {
		before := step.Before
		for _, v := range values[:step.Iterations] {
			if rose(before, v) {
				raised++
			}
			before = v
		}
		values = values[step.Iterations:]
	}
	return raised, len(t.Values)
}

func rose(before, after float64) bool {
	return after-before > roundingTolerance*math.Abs(before)
}

// A Rate is the curve A + B/√T nearest to a sequence by least squares.
type Rate struct {
	A, B float64 // of the curve
	R2   float64 // share of the variance that the curve explains; 0 for a constant sequence
}

// FitRate fits A + B/√T to the best objective best[T−1] after T = 1, 2, ..., n
// iterations. The bound that the paper's analysis gives for proximal
// subgradient descent (label eqn12 in its source) has this form for large T.
// FitRate checks the shape of the observed curve, not the bound: the theorem starts
// from L = 0, which is a stationary point, has a step that depends on T, and covers
// one block only. FitRate fails for fewer than three values and for values that are
// not finite.
func FitRate(best []float64) (Rate, error) {
	if len(best) < 3 {
		return Rate{}, fmt.Errorf("rate: %d values, need at least 3; run more iterations", len(best))
	}
	inverse := make([]float64, len(best))
	for i, v := range best {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return Rate{}, fmt.Errorf("rate: value %d is %g, want a finite objective", i+1, v)
		}
		inverse[i] = 1 / math.Sqrt(float64(i+1))
	}
	if floats.Min(best) == floats.Max(best) {
		return Rate{A: best[0]}, nil
	}
	a, b := stat.LinearRegression(inverse, best, nil, false)
	return Rate{A: a, B: b, R2: stat.RSquared(inverse, best, nil, a, b)}, nil
}
