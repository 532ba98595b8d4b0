package baselines

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"r2lmlbench/internal/linalg"
	"r2lmlbench/internal/strictyaml"
	"r2lmlbench/r2lml"
)

// RFM is the metric of a recursive feature machine (Radhakrishnan, Beaglehole,
// Pandit, Belkin, Science 383, 2024): a kernel machine learns the labels, and the
// mean outer product of its gradients is the metric of the next kernel machine.
// It starts at M = I. With δ the distances under M,
//
//	K_ij = exp(−δ_ij/h),   (K + ridge I) α = Y, one column per class
//	g_ic = (1/h) M Σ_{j: δ_ij > 0} α_jc (K_ij/δ_ij) (x_j − x_i)
//	G = Σ_ic g_ic g_icᵀ,   M ← G / its largest entry
//
// h is the bandwidth times the lower median of the δ of all pairs.
type RFM struct {
	Bandwidth      float64 `yaml:"bandwidth" jsonschema:"minimum=0" jsonschema_description:"width of the kernel as a multiple of the median distance; 0 means 1"`
	FixedBandwidth float64 `yaml:"fixed_bandwidth" jsonschema:"minimum=0" jsonschema_description:"width of the kernel itself, in place of bandwidth; 0 means that bandwidth counts"`
	Ridge          float64 `yaml:"ridge" jsonschema:"minimum=0" jsonschema_description:"weight of the squared norm of the kernel machine; 0 means 1e-3"`
	Iterations     int     `yaml:"iterations" jsonschema:"minimum=0,maximum=1000" jsonschema_description:"kernel machines one after another; 0 means 5"`
}

var _ r2lml.Method = RFM{}

// Resolve fills in defaults and refuses impossible values.
func (m RFM) Resolve() (RFM, error) {
	err := strictyaml.CheckBounds(m)
	if m.FixedBandwidth == 0 {
		m.Bandwidth = cmp.Or(m.Bandwidth, 1)
	} else if err == nil && m.Bandwidth != 0 {
		err = fmt.Errorf("bandwidth is %g and fixed_bandwidth is %g; set one of them", m.Bandwidth, m.FixedBandwidth)
	}
	m.Ridge = cmp.Or(m.Ridge, 1e-3)
	m.Iterations = cmp.Or(m.Iterations, 5)
	return m, err
}

// Fit implements r2lml.Method.
func (m RFM) Fit(ctx context.Context, p r2lml.Problem) (r2lml.Fitted, error) {
	return fitTwoSteps(ctx, p, m)
}

func (RFM) id() string { return "rfm" }

// shared: settings that differ in iterations only share the iterations.
func (m RFM) shared() RFM {
	m.Iterations = 1
	return m
}

func (m RFM) first(ctx context.Context, p r2lml.Problem) (*featureMachine, error) {
	if classCount(p.Y) < 2 {
		return nil, errOneClass
	}
	return newFeatureMachine(p, m), ctx.Err()
}

func (m RFM) second(ctx context.Context, f *featureMachine) (r2lml.Fitted, error) {
	metric, warnings, err := f.after(ctx, m.Iterations)
	if err != nil {
		return r2lml.Fitted{}, err
	}
	l, err := positiveRoot(metric)
	if err != nil {
		return r2lml.Fitted{}, err
	}
	return linear(f.p, l, warnings...), nil
}

// A featureMachine runs the iterations of RFM on demand.
type featureMachine struct {
	p       r2lml.Problem
	setting RFM

	x, targets *mat.Dense // N×D centered samples; N×C, 1 in the column of the class
	metrics    []*mat.SymDense
	widths     []float64 // h of every iteration
	flat       int       // the first iteration without a gradient, from 1; 0: none
}

func newFeatureMachine(p r2lml.Problem, m RFM) *featureMachine {
	n, d := p.X.Dims()
	f := &featureMachine{p: p, setting: m, x: mat.DenseCopyOf(p.X), targets: mat.NewDense(n, p.Classes(), nil)}
	center(f.x, upTo(n))
	for i, y := range p.Y {
		f.targets.Set(i, y-1, 1)
	}
	f.metrics = []*mat.SymDense{scaledIdentity(d, 1)}
	return f
}

// after returns M after this number of iterations, and warnings.
func (f *featureMachine) after(ctx context.Context, iterations int) (*mat.SymDense, []string, error) {
	for t := len(f.metrics); t <= iterations; t++ {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		if err := f.iterate(ctx); err != nil {
			return nil, nil, fmt.Errorf("iteration %d: %w", t, err)
		}
	}
	var warnings []string
	if f.flat > 0 && f.flat <= iterations {
		warnings = append(warnings, fmt.Sprintf("the kernel machine of iteration %d has no gradient; the metric stays as it was", f.flat))
	}
	return f.metrics[iterations], warnings, ctx.Err()
}

func (f *featureMachine) iterate(ctx context.Context) error {
	metric := f.metrics[len(f.metrics)-1]
	delta, err := f.distances(ctx, metric)
	if err != nil {
		return err
	}
	width, err := f.width(ctx, delta)
	if err != nil {
		return err
	}
	alpha, err := f.dual(ctx, delta, width)
	if err != nil {
		return err
	}
	var next *mat.SymDense
	if err := linalg.Until(ctx, func() { next = f.gradients(ctx, metric, delta, alpha, width) }); err != nil {
		return err
	}
	if largest := mat.Max(next); largest > 0 {
		next.ScaleSym(1/largest, next)
	} else {
		next = metric
		if f.flat == 0 {
			f.flat = len(f.metrics)
		}
	}
	f.metrics, f.widths = append(f.metrics, next), append(f.widths, width)
	return nil
}

// distances returns δ_ij = ‖L(x_i − x_j)‖ with LᵀL = M.
func (f *featureMachine) distances(ctx context.Context, metric *mat.SymDense) (*mat.SymDense, error) {
	l, err := linalg.FromPSD(metric)
	if err != nil {
		return nil, err
	}
	z := linalg.MapRows(l, f.x)
	n, _ := z.Dims()
	delta := mat.NewSymDense(n, nil)
	for i := range linalg.Rows(ctx, n) {
		for j := range i {
			delta.SetSym(i, j, math.Sqrt(linalg.SquaredDistance(z.RawRowView(i), z.RawRowView(j))))
		}
	}
	return delta, ctx.Err()
}

// width returns h: FixedBandwidth, or Bandwidth times the lower median of the
// distances of all pairs.
func (f *featureMachine) width(ctx context.Context, delta *mat.SymDense) (float64, error) {
	if f.setting.FixedBandwidth > 0 {
		return f.setting.FixedBandwidth, nil
	}
	n := delta.SymmetricDim()
	all := make([]float64, 0, n*(n-1)/2)
	for i := range linalg.Rows(ctx, n) {
		for j := range i {
			all = append(all, delta.At(i, j))
		}
	}
	if err := linalg.Until(ctx, func() { slices.Sort(all) }); err != nil {
		return 0, err
	}
	median := all[(len(all)-1)/2]
	if math.IsInf(median, 1) || math.IsNaN(median) {
		return 0, fmt.Errorf("distances of the samples: %w; scale the features", linalg.ErrNotFinite)
	}
	if !(median > 0) {
		return 0, errors.New("half of the distances are 0, which leaves no bandwidth; set fixed_bandwidth")
	}
	return f.setting.Bandwidth * median, nil
}

// dual solves (K + ridge I) α = Y.
func (f *featureMachine) dual(ctx context.Context, delta *mat.SymDense, width float64) (*mat.Dense, error) {
	n := delta.SymmetricDim()
	k := mat.NewSymDense(n, nil)
	for i := range linalg.Rows(ctx, n) {
		for j := range i {
			k.SetSym(i, j, math.Exp(-delta.At(i, j)/width))
		}
		k.SetSym(i, i, 1+f.setting.Ridge)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	var alpha mat.Dense
	var factorized bool
	var fault error
	err := linalg.Until(ctx, func() {
		var factor mat.Cholesky
		if factorized = factor.Factorize(k); factorized {
			fault = factor.SolveTo(&alpha, f.targets)
		}
	})
	var condition mat.Condition
	switch {
	case err != nil:
		return nil, err
	case !factorized:
		return nil, fmt.Errorf("the kernel is singular to rounding with ridge %g; take a larger one", f.setting.Ridge)
	case errors.As(fault, &condition): // a large condition number is no failure
		fault = nil
	}
	return &alpha, fault
}

// gradients returns G = Σ_c B_cᵀ B_c, where row i of B_c is g_ic.
func (f *featureMachine) gradients(ctx context.Context, metric, delta *mat.SymDense, alpha *mat.Dense, width float64) *mat.SymDense {
	n, d := f.x.Dims()
	w := mat.NewSymDense(n, nil) // K_ij/δ_ij
	for i := range linalg.Rows(ctx, n) {
		for j := range i {
			if v := delta.At(i, j); v > 0 {
				w.SetSym(i, j, math.Exp(-v/width)/v)
			}
		}
	}
	_, classes := alpha.Dims()
	var sums mat.Dense // Σ_j w_ij α_jc
	sums.Mul(w, alpha)
	total := mat.NewSymDense(d, nil)
	var weighted, pulls, b mat.Dense
	for c := range classes {
		if ctx.Err() != nil {
			break
		}
		weighted.CloneFrom(f.x)
		for j := range n {
			floats.Scale(alpha.At(j, c), weighted.RawRowView(j))
		}
		pulls.Mul(w, &weighted)
		for i := range n {
			floats.AddScaled(pulls.RawRowView(i), -sums.At(i, c), f.x.RawRowView(i))
		}
		b.Mul(&pulls, metric)
		b.Scale(1/width, &b)
		var outer mat.SymDense
		outer.SymOuterK(1, b.T())
		total.AddSym(total, &outer)
	}
	return total
}
