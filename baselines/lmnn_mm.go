package baselines

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"r2lmlbench/internal/linalg"
	"r2lmlbench/internal/strictyaml"
	"r2lmlbench/r2lml"
)

// LMNNMM is LMNN with one metric per class (Weinberger and Saul, ICML 2008).
// The distance to a sample is measured with the metric of that sample's class,
//
//	d(i, j) = (x_i − x_j)ᵀ M_{y_j} (x_i − x_j)
//
// both in the objective of LMNN and between query and training samples. All
// metrics start at that of LMNN and descend together,
//
//	M_c ← R(M_c − step (0.8 Σ_e G_e + 0.2 G_c)),  G_c = ∂ε/∂M_c
//
// The common part of the step and R, which takes the absolute values of the
// eigenvalues where the publication projects onto the cone of positive
// semi-definite matrices, are those of the published toolbox; with the paper's
// settings the metrics hardly leave that of LMNN.
type LMNNMM struct {
	Neighbors  int     `yaml:"neighbors" jsonschema:"minimum=0,maximum=1000" jsonschema_description:"target neighbors per sample, also for the LMNN before; 0 means 1"`
	Iterations int     `yaml:"iterations" jsonschema:"minimum=0,maximum=100000" jsonschema_description:"most steps of the descent; 0 means 50"`
	Step       float64 `yaml:"step" jsonschema:"minimum=0" jsonschema_description:"length of the first step; 0 means 1e-7"`
}

var _ r2lml.Method = LMNNMM{}

// Resolve fills in the defaults of zero fields and refuses values that no fit
// could use.
func (m LMNNMM) Resolve() (LMNNMM, error) {
	err := strictyaml.CheckBounds(m)
	m.Neighbors = cmp.Or(m.Neighbors, 1)
	m.Iterations = cmp.Or(m.Iterations, 50)
	m.Step = cmp.Or(m.Step, 1e-7)
	return m, err
}

// Fit implements r2lml.Method. The LMNN it starts from has the default settings
// but for the number of neighbors, and the same random draws.
func (m LMNNMM) Fit(ctx context.Context, p r2lml.Problem) (r2lml.Fitted, error) {
	return fitTwoSteps(ctx, p, m)
}

func (LMNNMM) id() string { return "lmnn-mm" }

// shared: settings with the same neighbors start from one LMNN.
func (m LMNNMM) shared() LMNNMM { return LMNNMM{Neighbors: m.Neighbors} }

// lmnnStart is a problem and the map of its LMNN fit.
type lmnnStart struct {
	r2lml.Problem
	l        *mat.Dense
	warnings []string
}

func (m LMNNMM) first(ctx context.Context, p r2lml.Problem) (lmnnStart, error) {
	l, warnings, err := LMNN{Neighbors: m.Neighbors}.learn(ctx, p)
	return lmnnStart{p, l, warnings}, err
}

func (m LMNNMM) second(ctx context.Context, s lmnnStart) (r2lml.Fitted, error) {
	d := newClassDescent(ctx, s.Problem, m, s.l)
	if err := d.run(ctx, m.Iterations); err != nil {
		return r2lml.Fitted{}, err
	}
	return r2lml.Fitted{Metric: r2lml.NewLocalMetric(s.Problem, d.l, nil, ofClass(s.Problem)), Warnings: s.warnings}, nil
}

// ofClass returns the N×C coefficients of the training samples: 1 for the
// metric of their class.
func ofClass(p r2lml.Problem) *mat.Dense {
	v := mat.NewDense(len(p.Y), p.Classes(), nil)
	for n, y := range p.Y {
		v.Set(n, y-1, 1)
	}
	return v
}

const (
	// commonShare is the share of a step along the sum of all gradients.
	commonShare = 0.8
	// riseAllowed: the step is halved when the objective rises by more.
	riseAllowed = 1e-5
	// shortestStep is the step length at which halving stops.
	shortestStep = 1e-10
)

// A classDescent is the joint descent of the metrics M_c = L_cᵀL_c.
type classDescent struct {
	margins *margins
	step    float64
	m       []*mat.SymDense
	l       []*mat.Dense
	trace   []float64 // objective before every step, raised where it was halved
}

// newClassDescent starts all metrics at LᵀL.
func newClassDescent(ctx context.Context, p r2lml.Problem, m LMNNMM, l *mat.Dense) *classDescent {
	classes := p.Classes()
	metric := make([]int, len(p.Y))
	for n, y := range p.Y {
		metric[n] = y - 1
	}
	d := &classDescent{margins: newMargins(ctx, p.X, p.Y, m.Neighbors, metric, classes), step: m.Step}
	d.margins.closed = true
	for range classes {
		d.m, d.l = append(d.m, linalg.Gram(l)), append(d.l, l)
	}
	return d
}

func (d *classDescent) run(ctx context.Context, iterations int) error {
	for t := 1; t <= iterations && !d.stalled(); t++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := d.iterate(); err != nil {
			return fmt.Errorf("iteration %d: %w", t, err)
		}
	}
	return nil
}

// iterate makes a step, unless the objective has risen: then it keeps the current
// metrics, even if the ones before were better, and halves the step.
func (d *classDescent) iterate() error {
	e := d.margins.evaluate(d.l)
	if err := d.margins.ctx.Err(); err != nil {
		return err
	}
	if !e.finite() {
		return errors.New("the distances of the training samples are not finite; take a smaller step")
	}
	if t := len(d.trace); t == 0 || e.value < d.trace[t-1]+riseAllowed {
		if err := d.move(e.gradient); err != nil {
			return err
		}
		d.step *= 1.01
	} else {
		d.step *= 0.5
		e.value += riseAllowed
	}
	d.step = math.Max(d.step, shortestStep)
	d.trace = append(d.trace, e.value)
	return nil
}

// move takes every metric a step along its own and the common gradient.
func (d *classDescent) move(g []*mat.Dense) error {
	_, cols := d.m[0].Dims()
	common := mat.NewDense(cols, cols, nil)
	for _, ge := range g {
		common.Add(common, ge)
	}
	common.Scale(-commonShare*d.step, common)
	for c := range d.m {
		var next mat.Dense
		next.Scale(-(1-commonShare)*d.step, g[c])
		next.Add(&next, common)
		next.Add(&next, d.m[c])
		var err error
		if d.m[c], d.l[c], err = absolute(linalg.Symmetrize(&next)); err != nil {
			return fmt.Errorf("metric of class %d: %w", c+1, err)
		}
	}
	return nil
}

// absolute returns R(M), M with the absolute values of its eigenvalues, and a map
// L with R(M) = LᵀL.
func absolute(m *mat.SymDense) (*mat.SymDense, *mat.Dense, error) {
	values, v, err := linalg.Eigen(m)
	if err != nil {
		return nil, nil, err
	}
	for i, value := range values {
		values[i] = math.Abs(value)
	}
	return linalg.FromEigen(values, v), linalg.Root(values, v), nil
}

// stalled reports whether the last ten changes of the objective nearly cancel,
// from iteration 21 on.
func (d *classDescent) stalled() bool {
	t := len(d.trace)
	if t < 21 {
		return false
	}
	change := (d.trace[t-1] - d.trace[t-11]) / 10
	return math.Abs(change) < 1e-5*d.trace[t-1]
}
