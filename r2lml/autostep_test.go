package r2lml

import (
	"context"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"r2lmlbench/internal/fixture"
)

// inUnits returns the problem with its features times c.
func inUnits(p Problem, c float64) Problem {
	for _, x := range []**mat.Dense{&p.X, &p.Query} {
		var scaled mat.Dense
		scaled.Scale(c, *x)
		*x = &scaled
	}
	return p
}

// Features in other units give the same fit: the same labels, and distances that
// differ by rounding.
func TestAutoStepDoesNotDependOnUnits(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		p := twoClouds(rapid.IntRange(8, 20).Draw(rt, "n"), 5, rapid.IntRange(2, 5).Draw(rt, "d"))
		c := rapid.SampledFrom([]float64{0x1p-30, 0.125, 4, 1024, 0x1p40}).Draw(rt, "units")
		m := Efficient{Metrics: rapid.IntRange(1, 3).Draw(rt, "metrics"), Lambda: 0.1, Step: AutoStep, Epochs: 2, Iterations: 30}
		for name, method := range bothMethods(m) {
			first := fixture.Must(method.Fit(t.Context(), p))(rt)
			other := fixture.Must(method.Fit(t.Context(), inUnits(p, c)))(rt)
			fixture.EqualSlice(rt, name+": labels", Classify(inUnits(p, c), other.Metric, 3), Classify(p, first.Metric, 3))
			a, b := allDistances(p, first.Metric), allDistances(inUnits(p, c), other.Metric)
			for i := range a {
				if !near(a[i], b[i]) {
					rt.Fatalf("%s: distance %d is %g, want %g", name, i, b[i], a[i])
				}
			}
		}
	})
}

// The step is the reciprocal of a bound of the gradient's slope: no fit of these
// diverges, and no step is halved.
func TestAutoStepConverges(t *testing.T) {
	for _, scale := range []float64{1e-6, 1, 1e6} {
		for name, method := range bothMethods(Efficient{Metrics: 2, Lambda: 1, Step: AutoStep, Epochs: 2, Iterations: 100}) {
			f := fixture.Must(method.Fit(t.Context(), inUnits(twoClouds(20, 5, 3), scale)))(t)
			at := slices.IndexFunc(f.Facts, func(f Fact) bool { return f.Name == HalvingsFact })
			if at < 0 || f.Facts[at].Count != 0 {
				t.Errorf("%s, features times %g: facts %v, want no halving", name, scale, f.Facts)
			}
		}
	}
}

// With a step too long by far, the step is halved until the fit converges.
func TestAutoStepHalves(t *testing.T) {
	p := twoClouds(12, 3, 6)
	g := grounds(p.X, func(ctx context.Context, s scale) fitter { return newInductive(ctx, p, s) })
	g.step = 1e3
	g.fit(t.Context(), []Efficient{{Step: AutoStep, Lambda: 1}}, func(_ int, f Fitted, err error) {
		fixture.Check(t, err)
		if last := f.Facts[len(f.Facts)-1]; last.Name != HalvingsFact || last.Count == 0 {
			t.Errorf("facts %v, want some halvings", f.Facts)
		}
	})
}

// The step of a fit is 1/(4 λmax) of the sum of D_mn D_mnᵀ over pairs of its samples,
// taken here pair by pair.
func TestAutoStepSeries(t *testing.T) {
	p := inUnits(twoClouds(12, 5, 3), 10)
	for name, method := range bothMethods(Efficient{Step: AutoStep, Epochs: 1, Iterations: 5}) {
		x := p.X
		if name == "t-r2lml" {
			x = stacked(p)
		}
		n, d := x.Dims()
		sum := mat.NewSymDense(d, nil)
		for i := range n {
			for j := range i {
				var move mat.VecDense
				move.SubVec(x.RowView(i), x.RowView(j))
				sum.SymRankOne(sum, 1, &move)
			}
		}
		var eigen mat.EigenSym
		eigen.Factorize(sum, false)
		got, want := fit(t, method, p).Series, 1/(4*eigen.Values(nil)[d-1])
		if len(got) != 1 || got[0].Name != StepSeries || len(got[0].Values) != 1 || !near(got[0].Values[0]/want, 1) {
			t.Errorf("%s: series %v, want the step %g", name, got, want)
		}
	}
}
