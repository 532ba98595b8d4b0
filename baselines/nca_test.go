package baselines

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"r2lmlbench/internal/fixture"
	"r2lmlbench/r2lml"
)

type ncaFixture struct {
	samplesFixture
	Evaluations []struct {
		L         [][]float64
		Objective float64
		P         []float64
		Gradient  [][]float64
	}
	LBFGS struct{ Objective float64 }
}

// whole is f as fits of few samples have it.
func whole(p r2lml.Problem) neighborhoods {
	n := len(p.Y)
	return neighborhoods{ctx: context.Background(), x: p.X, y: p.Y, w: mat.NewDense(n, n, nil)}
}

func TestNCAFixtures(t *testing.T) {
	fixture.Each(t, "nca", "*.json", func(t *testing.T, f ncaFixture) {
		p := f.problem()
		n := whole(p)
		for _, want := range f.Evaluations {
			a := n.at(fixture.Dense(want.L))
			checkValue(t, "objective", a.value, want.Objective, 1e-9)
			checkMatrix(t, "p", mat.NewVecDense(len(a.p), a.p), mat.NewVecDense(len(want.P), want.P), 1e-9)
			checkMatrix(t, "gradient", a.gradient, fixture.Dense(want.Gradient), 1e-9)
		}
		fitted := fit(t, NCA{}, p)
		if got := n.at(mapOf(fitted)).value; got < 0.99*f.LBFGS.Objective {
			t.Errorf("L-BFGS reaches %g, want at least 99 %% of %g", got, f.LBFGS.Objective)
		}
	})
}

// f does not go down, and its gradient is that of differences.
func TestNCAProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawProblem(t)
		n := whole(p)
		_, d := p.X.Dims()
		l := drawMap(t, d)
		value := func(l []float64) float64 { return n.at(mat.NewDense(d, d, l)).value }
		slope := mat.NewDense(d, d, fd.Gradient(nil, value, l.RawMatrix().Data, &fd.Settings{Formula: fd.Central}))
		fixture.NearMatrix(t, "gradient", n.at(l).gradient, slope, 1e-6*(1+mat.Norm(slope, 2)))
		f := fit(t, NCA{Iterations: 5}, p)
		if before, after := n.at(identity(d)).value, n.at(mapOf(f)).value; after < before {
			t.Errorf("f falls from %g to %g", before, after)
		}
	})
}

// By blocks the terms and the gradient are those of W as a whole.
func TestNCAByBlocks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawProblem(t)
		_, d := p.X.Dims()
		l := drawMap(t, d)
		n := whole(p)
		want := n.at(l)
		n.w = nil
		got := n.at(l)
		fixture.Near(t, "f", got.value, want.value, 1e-9*(1+math.Abs(want.value)))
		fixture.NearMatrix(t, "gradient", got.gradient, want.gradient, 1e-9*(1+mat.Norm(want.gradient, 2)))
		for i, v := range got.p {
			fixture.Near(t, "term", v, want.p[i], 1e-9*(1+math.Abs(want.p[i])))
		}
	})
}

// rosenbrock has its minimum 0 at (1, 1).
func rosenbrock(x []float64) (float64, []float64) {
	a, b := 1-x[0], x[1]-x[0]*x[0]
	return a*a + 100*b*b, []float64{-2*a - 400*b*x[0], 200 * b}
}

// More iterations never raise the value, and in the end they find the minimum.
func TestLBFGS(t *testing.T) {
	start := []float64{-1.2, 1}
	before, _ := rosenbrock(start)
	for iterations := 1; iterations <= 100; iterations++ {
		b := lbfgs{function: rosenbrock, iterations: iterations, history: 3, gradient: 1e-8}
		x := fixture.Must(b.minimize(t.Context(), start))(t)
		value, _ := rosenbrock(x)
		if value > before {
			t.Errorf("iteration %d raises the value from %g to %g", iterations, before, value)
		}
		if before = value; iterations == 100 {
			fixture.Near(t, "distance from the minimum", floats.Distance(x, []float64{1, 1}, 2), 0, 1e-7)
		}
	}
	fixture.EqualSlice(t, "start", start, []float64{-1.2, 1})
}

// 50 x² at 0.1 has the slope 10. The first step has length 1 and overshoots, as do
// its half and its quarter; an eighth lowers the value.
func TestLBFGSHalvesTheStep(t *testing.T) {
	square := func(x []float64) (float64, []float64) { return 50 * x[0] * x[0], []float64{100 * x[0]} }
	b := lbfgs{function: square, iterations: 1, history: 3}
	x := fixture.Must(b.minimize(t.Context(), []float64{0.1}))(t)
	fixture.Near(t, "end", x[0], 0.1-0.125, 1e-12)
	// From 0.5 it lands at -0.5, whose value is the same: it must be lower by a share of the step
	// times the slope. Half of it finds the minimum.
	b = lbfgs{function: square, iterations: 1, history: 3}
	x = fixture.Must(b.minimize(t.Context(), []float64{0.5}))(t)
	fixture.Near(t, "end", x[0], 0, 1e-12)
}

// A function that lies about its slope leaves nothing to be found.
func TestLBFGSStopsWithoutProgress(t *testing.T) {
	up := func(x []float64) (float64, []float64) { return x[0], []float64{-1} }
	b := lbfgs{function: up, iterations: 10, history: 3}
	fixture.EqualSlice(t, "end", fixture.Must(b.minimize(t.Context(), []float64{2}))(t), []float64{2})
	nan := func(x []float64) (float64, []float64) { return math.NaN(), []float64{1} }
	if _, err := (&lbfgs{function: nan, iterations: 1}).minimize(t.Context(), []float64{2}); err == nil {
		t.Error("NaN at the start is accepted")
	}
}

// BenchmarkBeside climbs NCA's objective on the float64 that .ci/beside.py has put into
// files, until it rises by less than a share of itself, and counts.
func BenchmarkBeside(b *testing.B) {
	var d int
	var share float64
	folder := fixture.Beside(b, &d, &share)
	x, labels := fixture.Floats(b, folder+"/training"), fixture.Floats(b, folder+"/labels")
	n := neighborhoods{ctx: context.Background(), x: mat.NewDense(len(labels), d, x)}
	for _, label := range labels {
		n.y = append(n.y, int(label))
	}
	if len(n.y) <= NCAWhole {
		n.w = mat.NewDense(len(n.y), len(n.y), nil)
	}
	for b.Loop() {
		evaluations, highest := 0, 0.0
		climb := lbfgs{iterations: 1000, history: 10, gradient: share, decrease: share, function: func(l []float64) (float64, []float64) {
			a := n.at(mat.NewDense(d, d, l))
			evaluations, highest = evaluations+1, max(highest, a.value)
			a.gradient.Scale(-1, a.gradient)
			return -a.value, a.gradient.RawMatrix().Data
		}}
		fixture.Must(climb.minimize(n.ctx, identity(d).RawMatrix().Data))(b)
		b.ReportMetric(float64(climb.taken), "iterations")
		b.ReportMetric(float64(evaluations), "evaluations")
		b.ReportMetric(1000*highest, "milliobjective") // a report rounds to few decimals
	}
}
