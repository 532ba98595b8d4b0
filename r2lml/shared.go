package r2lml

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"gonum.org/v1/gonum/mat"

	"r2lmlbench/r2lml/internal/batch"
)

// shared holds the inputs that all fits of E-R2LML, or of T-R2LML, to one problem use.
type shared struct {
	name         string // of the method; errors start with it
	p            Problem
	transductive bool
	step         StepLength // first step of AutoStep, on scaled samples; 0: the settings have the step
	scale        scale
	span         *mat.Dense // of the differences of x; x is in its coordinates. nil: all features, see wide.go
	x            *mat.Dense // scaled training samples and, in T-R2LML, the query samples below them
	// Similarities of the labels, which never change in E-R2LML. Every fit of T-R2LML has
	// similarities of its own.
	s similarity
	// Inputs of the batched solver, see pack.
	samples *batch.Samples
	pairs   *batch.Pairs // of s, for E-R2LML
}

// nameOf is the name of E-R2LML or T-R2LML in errors.
func nameOf(transductive bool) string {
	if transductive {
		return "t-r2lml"
	}
	return "e-r2lml"
}

// newShared prepares fits with numeric steps or, if auto is set, with AutoStep.
func newShared(p Problem, transductive, auto bool) (*shared, error) {
	c := &shared{name: nameOf(transductive), p: p, transductive: transductive, x: p.X}
	if transductive {
		c.x = stacked(p)
	}
	var err error
	if c.span, c.x, err = inSpan(c.x); err != nil {
		return nil, fmt.Errorf("%s: %w", c.name, err)
	}
	if auto {
		if c.scale, err = scaleOf(c.x); err != nil {
			return nil, err
		}
		n, _ := c.x.Dims()
		c.step = StepLength(1 / (4 * float64(n) * float64(n)))
		c.x = c.scale.of(c.x)
	}
	if !transductive {
		c.s = labelSimilarity(p.Y, 0)
	}
	return c, nil
}

// pack prepares the samples, and the pairs of E-R2LML, for the batched solver. The pairs
// are incomplete when ctx ends.
func (c *shared) pack(ctx context.Context) {
	c.samples = batch.Pack(c.x)
	if !c.transductive {
		c.pairs = batch.PairsByClass(ctx, c.x, c.p.Y, c.s.rows)
	}
}

// minimize is the paper's algorithm box: it solves Eq. 3, or Eq. 4 without block 3, for
// several fits side by side. It passes every fit to ended when it ends.
func (c *shared) minimize(ctx context.Context, s solver, fits []*blockDescent, ended func(*blockDescent)) {
	for len(fits) > 0 {
		transforms(ctx, s, fits) // block 1: every L^k, by proximal subgradient descent
		for _, f := range fits {
			f.coefficients(ctx, s) // block 2: every g^k, by majorization-minimization
			if c.transductive {
				f.similarities(ctx, s) // block 3: every s_mn with an unlabeled sample
			}
			f.endEpoch(s) // F: has the fit converged?
		}
		fits = unfinished(fits, ended)
	}
}

// start returns the start of a resolved setting: it draws maps, then coefficients and, in
// T-R2LML, similarities.
func (c *shared) start(ctx context.Context, m Efficient) *blockDescent {
	r := c.p.Rand()
	f := newBlockDescent(m, r, c.x, c.p.Y, c.span)
	f.s = c.s
	if c.transductive {
		n, _ := c.x.Dims()
		f.s = coinSimilarity(ctx, r, c.p.Y, n-len(c.p.Y))
	}
	return f
}

// fit fits the settings of a group with these indices side by side. With AutoStep it repeats
// fits that diverge with half the step.
func (c *shared) fit(ctx context.Context, group []Efficient, indices []int, done report) {
	auto, step := c.step > 0, c.step
	for halvings := 0; len(indices) > 0; halvings++ {
		var fits []*blockDescent
		for _, i := range indices {
			m := group[i]
			if auto {
				m.Step = step
			}
			m, err := m.Resolve()
			if err != nil {
				done(i, Fitted{}, fmt.Errorf("%s: %w", c.name, err))
				continue
			}
			f := c.start(ctx, m)
			f.index = i
			fits = append(fits, f)
		}
		var diverging []int
		c.minimize(ctx, newBatched(c.samples, c.pairs).until(ctx), fits, func(f *blockDescent) {
			fitted, err := c.fitted(ctx, f)
			err = cmp.Or(err, ctx.Err())
			switch {
			case auto && errors.Is(err, errDivergence) && halvings < mostHalvings:
				diverging = append(diverging, f.index)
				return
			case err != nil:
				err = fmt.Errorf("%s: %w", c.name, err)
			case auto:
				fitted.Facts = append(fitted.Facts, Count{Name: HalvingsFact, Count: halvings, Of: mostHalvings})
				fitted.Series = []Series{{StepSeries, []float64{float64(step) / float64(c.scale*c.scale)}}}
			}
			done(f.index, fitted, err)
		})
		indices, step = diverging, step/2
	}
}

// fitted returns the result of a fit, or its error.
func (c *shared) fitted(ctx context.Context, f *blockDescent) (Fitted, error) {
	if f.err != nil {
		return Fitted{}, f.err
	}
	l := lifted(c.scale.maps(f.l), c.span)
	if !c.transductive {
		u, err := ofNearest(ctx, f.g, c.p)
		return Fitted{Metric: NewLocalMetric(c.p, l, u, f.g), Facts: f.facts()}, err
	}
	n := len(c.p.Y)
	v := mat.DenseCopyOf(f.g.Slice(0, n, 0, f.setting.Metrics))
	u := mat.DenseCopyOf(f.g.Slice(n, f.s.n, 0, f.setting.Metrics))
	return Fitted{Metric: NewLocalMetric(c.p, l, u, v), Facts: append(f.facts(), similarPairs(f.s, n))}, nil
}

// A ground computes the shared inputs at the first fit that needs them. If the context of
// that fit ends before, the next fit computes them again.
type ground struct {
	p                  Problem
	transductive, auto bool

	mu   sync.Mutex
	made *shared
}

// fit fits the settings of a group with these indices.
func (g *ground) fit(ctx context.Context, group []Efficient, indices []int, done report) {
	if len(indices) == 0 {
		return
	}
	c, err := g.get(ctx)
	if err != nil {
		for _, i := range indices {
			done(i, Fitted{}, err)
		}
		return
	}
	c.fit(ctx, group, indices, done)
}

func (g *ground) get(ctx context.Context) (*shared, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.made != nil {
		return g.made, nil
	}
	made, err := newShared(g.p, g.transductive, g.auto)
	if err != nil {
		return nil, err
	}
	made.pack(ctx)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	g.made = made
	return made, nil
}

// A report takes the result of a setting of a group.
type report func(setting int, f Fitted, err error)

// tasks groups settings into tasks, each of which fits a group side by side.
func tasks(p Problem, transductive bool, settings []Efficient) []Task {
	given := &ground{p: p, transductive: transductive}
	scaled := &ground{p: p, transductive: transductive, auto: true}
	settings = slices.Clone(settings)
	metrics := make([]int, len(settings))
	for i, m := range settings {
		metrics[i] = max(m.Metrics, 1)
	}
	var tasks []Task
	for _, places := range batch.Groups(metrics) {
		var withStep, withAuto []int
		for _, i := range places {
			if settings[i].Step == AutoStep {
				withAuto = append(withAuto, i)
			} else {
				withStep = append(withStep, i)
			}
		}
		tasks = append(tasks, Task{Settings: places, Run: func(ctx context.Context, done func(int, Fitted, error)) {
			given.fit(ctx, settings, withStep, done)
			scaled.fit(ctx, settings, withAuto, done)
		}})
	}
	return tasks
}
