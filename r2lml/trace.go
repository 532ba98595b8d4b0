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

// A Trace is the objective F (Eq. 4) along a run of the plain solver. Block 1
// without momentum has the iterates P⁺ of the paper's text; with momentum the
// iterate is Y, the extrapolated point, which is also what the block returns.
type Trace struct {
	Start  float64     // F at the start
	Values []float64   // F after every iteration of block 1, all epochs and metrics in order
	Blocks []BlockStep // every block that ran, in order
}

// A BlockStep is F around one run of a block: block 1 of one metric, or block
// 2 or 3. With one metric there is no block 2.
type BlockStep struct {
	Epoch         int // from 1
	Block         int // 1 maps, 2 coefficients, 3 similarities
	Metric        int // of block 1, from 1; else 0
	Iterations    int // of block 1, which has as many of Trace.Values; else 0
	Before, After float64
}

// TraceEfficient runs the plain solver of E-R2LML on p and records F. The start
// is that of m.Fit. Block 1 uses Nesterov's momentum if momentum is set,
// whatever the variant says; the variant decides on block 2. With the
// variant's own momentum the run is that of m.Fit, to rounding. The errors are
// those of m.Fit, and one if F overflows.
//
// Its time is that of a naive solver: every iteration looks at all pairs.
func TraceEfficient(ctx context.Context, p Problem, m Efficient, momentum bool) (Trace, error) {
	t, err := traceEfficient(ctx, p, m, momentum)
	if err != nil {
		return Trace{}, fmt.Errorf("e-r2lml: %w", err)
	}
	return t.trace, nil
}

func traceEfficient(ctx context.Context, p Problem, m Efficient, momentum bool) (*tracer, error) {
	m, err := m.Resolve()
	if err != nil {
		return nil, err
	}
	t := newTracer(newEfficientScene(p).member(m).alternation, momentum)
	return t, t.minimize(ctx, t.transforms, t.coefficients)
}

// TraceTransductive is [TraceEfficient] for T-R2LML, where the variant decides
// on block 3, too.
func TraceTransductive(ctx context.Context, p Problem, m Transductive, momentum bool) (Trace, error) {
	t, err := traceTransductive(ctx, p, m, momentum)
	if err != nil {
		return Trace{}, fmt.Errorf("t-r2lml: %w", err)
	}
	return t.trace, nil
}

func traceTransductive(ctx context.Context, p Problem, m Transductive, momentum bool) (*tracer, error) {
	m, err := m.Resolve()
	if err != nil {
		return nil, err
	}
	t := newTracer(m.start(p), momentum)
	return t, t.minimize(ctx, t.transforms, t.coefficients, t.similarities)
}

// A tracer is an alternation whose blocks record F. Each metric has a share of
// F of its own, and only one of them changes in a descent of block 1.
type tracer struct {
	*alternation
	momentum bool
	epoch    int
	shares   []float64 // of the metrics; they sum to F
	trace    Trace
}

func newTracer(a *alternation, momentum bool) *tracer {
	t := &tracer{alternation: a, momentum: momentum, shares: make([]float64, len(a.l))}
	t.measure()
	t.trace.Start = t.value()
	return t
}

// value returns F.
func (t *tracer) value() float64 { return floats.Sum(t.shares) }

// measure takes all shares anew.
func (t *tracer) measure() {
	for k, l := range t.l {
		t.shares[k] = t.share(k, l)
	}
}

// share returns the share of F that metric k has with the map l: the objective
// of that metric alone.
func (t *tracer) share(k int, l *mat.Dense) float64 {
	g := t.g.Slice(0, t.s.n, k, k+1).(*mat.Dense)
	return objective(t.x, t.s, []*mat.Dense{l}, g, t.m.C, t.m.Lambda)
}

// transforms is block 1.
func (t *tracer) transforms(ctx context.Context) error {
	t.epoch++
	b := newDescent(t.x, t.s, t.m)
	b.momentum = t.momentum
	for k := range t.l {
		step := BlockStep{Epoch: t.epoch, Block: 1, Metric: k + 1, Before: t.value()}
		b.observe = func(y *mat.Dense) {
			t.shares[k] = t.share(k, y)
			t.trace.Values = append(t.trace.Values, t.value())
			step.Iterations++
		}
		if err := t.transform(ctx, b, k); err != nil {
			return err
		}
		if err := t.record(step); err != nil {
			return fmt.Errorf("metric %d: %w", k+1, err)
		}
	}
	return nil
}

// coefficients is block 2.
func (t *tracer) coefficients(ctx context.Context) error {
	if len(t.l) == 1 {
		return nil
	}
	return t.block(ctx, 2, t.alternation.coefficients)
}

// similarities is block 3.
func (t *tracer) similarities(ctx context.Context) error {
	return t.block(ctx, 3, t.alternation.similarities)
}

// block runs block 2 or 3, which changes the shares of all metrics.
func (t *tracer) block(ctx context.Context, number int, run func(context.Context) error) error {
	step := BlockStep{Epoch: t.epoch, Block: number, Before: t.value()}
	if err := run(ctx); err != nil {
		return err
	}
	t.measure()
	return t.record(step)
}

// record ends a step with the present F.
func (t *tracer) record(step BlockStep) error {
	step.After = t.value()
	if math.IsNaN(step.After) || math.IsInf(step.After, 0) {
		return fmt.Errorf("the objective is %g; take a smaller step", step.After)
	}
	t.trace.Blocks = append(t.trace.Blocks, step)
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
	A, B float64
	R2   float64 // share of the variance that the curve explains; 0 for a constant sequence
}

// FitRate fits A + B/√T to the best objective best[T−1] after T = 1, 2, ..., n
// iterations. The bound that the paper's analysis gives for proximal
// subgradient descent (label eqn12 in its source) has this form for large T.
// The bound itself is not checked here: its theorem starts from L = 0, which is
// a stationary point that no run may start from, takes a step that depends on
// T, and knows of one block only. What is checked is the shape of the observed
// curve. FitRate fails for fewer than three values and for values that are not
// finite.
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
