package baselines

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/diff/fd"
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
