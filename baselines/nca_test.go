package baselines

import (
	"context"
	"errors"
	"math"
	"strings"
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

func TestNCAFixtures(t *testing.T) {
	fixture.Each(t, "nca", "*.json", func(t *testing.T, f ncaFixture) {
		p := f.problem()
		n := neighborhoods{ctx: context.Background(), x: p.X, y: p.Y}
		for _, want := range f.Evaluations {
			a := n.at(fixture.Dense(want.L))
			checkValue(t, "objective", a.value, want.Objective, 1e-9)
			checkMatrix(t, "p", mat.NewVecDense(len(a.p), a.p), mat.NewVecDense(len(want.P), want.P), 1e-9)
			checkMatrix(t, "gradient", a.gradient, fixture.Dense(want.Gradient), 1e-9)
		}
		fitted := fit(t, NCA{}, p)
		if got := n.at(fitted.Metric.(*r2lml.LocalMetric).L[0]).value; got < 0.99*f.LBFGS.Objective {
			t.Errorf("L-BFGS reaches %g, want at least 99 %% of %g", got, f.LBFGS.Objective)
		}
	})
}

// f does not go down, and its gradient is that of differences.
func TestNCAProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, loss := drawProblem(t), rapid.SampledFrom([]NCALoss{"", LogLoss}).Draw(t, "loss")
		n := neighborhoods{ctx: context.Background(), x: p.X, y: p.Y, loss: loss}
		_, d := p.X.Dims()
		l := drawMap(t, d)
		value := func(l []float64) float64 { return n.at(mat.NewDense(d, d, l)).value }
		slope := mat.NewDense(d, d, fd.Gradient(nil, value, l.RawMatrix().Data, &fd.Settings{Formula: fd.Central}))
		if got := n.at(l).gradient; !mat.EqualApprox(got, slope, 1e-6*(1+mat.Norm(slope, 2))) {
			t.Errorf("gradient is\n%v\nwant\n%v", mat.Formatted(got), mat.Formatted(slope))
		}
		f := fit(t, NCA{Iterations: 5, Loss: loss}, p)
		if before, after := n.at(identity(d)).value, n.at(f.Metric.(*r2lml.LocalMetric).L[0]).value; after < before {
			t.Errorf("f falls from %g to %g", before, after)
		}
	})
}

// The terms of the log loss are the logarithms of the p_i, but for samples that are
// alone in their class.
func TestNCALogTerms(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawProblem(t)
		_, d := p.X.Dims()
		l := drawMap(t, d)
		n := neighborhoods{ctx: context.Background(), x: p.X, y: p.Y}
		plain := n.at(l).p
		n.loss = LogLoss
		for i, got := range n.at(l).p {
			want := math.Log(plain[i])
			if n.alone(i) {
				want = 0
			}
			if plain[i] > 1e-300 && math.Abs(got-want) > 1e-12*(1+math.Abs(want)) || math.IsInf(got, 0) {
				t.Errorf("term %d is %g, want %g", i, got, want)
			}
		}
	})
}

// A sample so far from its class that p_i is 0 as a number still has a logarithm and
// pulls the map; the accuracy loss does not see it.
func TestNCALogLossFarFromItsClass(t *testing.T) {
	p := r2lml.Problem{X: fixture.Dense([][]float64{{0, 0}, {100, 0}, {1, 1}, {101, 1}}), Y: []int{1, 1, 2, 2}}
	p.Query = p.X
	n := neighborhoods{ctx: context.Background(), x: p.X, y: p.Y}
	if a := n.at(identity(2)); a.value != 0 || mat.Norm(a.gradient, 2) > 1e-300 {
		t.Errorf("accuracy loss %g with the gradient %v, want 0", a.value, mat.Formatted(a.gradient))
	}
	n.loss = LogLoss
	before := n.at(identity(2))
	if math.Abs(before.value+4*(1e4-2)) > 1e-9 || !(mat.Norm(before.gradient, 2) > 1e3) {
		t.Errorf("log loss %g with the gradient %v, want %g and a long one", before.value, mat.Formatted(before.gradient), -4*(1e4-2.))
	}
	f := fit(t, NCA{Loss: LogLoss}, p)
	n.loss = ""
	if after := n.at(f.Metric.(*r2lml.LocalMetric).L[0]).value; after < 1.9 {
		t.Errorf("Σ p_i is %g after the fit, want near 2 or more", after)
	}
}

// The default loss has no name in a resolved setting, whose cells were stored before
// there was another.
func TestNCALossIsOptional(t *testing.T) {
	for loss, want := range map[NCALoss]NCALoss{"": "", AccuracyLoss: "", LogLoss: LogLoss} {
		if m, err := (NCA{Loss: loss}).Resolve(); err != nil || m.Loss != want {
			t.Errorf("loss %q is resolved to %q, %v; want %q", loss, m.Loss, err, want)
		}
	}
}

func TestNCAEdgeCases(t *testing.T) {
	tests := []struct {
		name string
		x    [][]float64
		y    []int
		err  string
		p    []float64 // at the identity
	}{
		{name: "one row", x: [][]float64{{1, 2}}, y: []int{1}, p: []float64{0}},
		{name: "all rows equal", x: [][]float64{{1, 2}, {1, 2}, {1, 2}}, y: []int{1, 1, 2}, p: []float64{0.5, 0.5, 0}},
		{name: "a class of one row", x: [][]float64{{0, 0}, {0, 0}, {9, 9}}, y: []int{1, 1, 2}, p: []float64{1, 1, 0}},
		// exp(−1e6) is 0: without the least distance taken off, p is 0/0.
		{name: "far apart", x: [][]float64{{0, 0}, {1e3, 0}, {0, 2e3}}, y: []int{1, 1, 2}, p: []float64{1, 1, 0}},
		{name: "constant feature", x: [][]float64{{0, 7}, {math.Sqrt(math.Ln2), 7}, {0, 7}}, y: []int{1, 1, 2}, p: []float64{1. / 3, 0.5, 0}},
		{name: "huge features", x: [][]float64{{1e200, 0}, {-1e200, 0}}, y: []int{1, 1}, err: "nca: the function is not finite at the start"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := r2lml.Problem{X: fixture.Dense(tt.x), Y: tt.y, Query: fixture.Dense(tt.x)}
			for _, loss := range []NCALoss{"", LogLoss} {
				f, err := NCA{Loss: loss}.Fit(t.Context(), p)
				checkOutcome(t, f, err, tt.err, "")
			}
			got := (neighborhoods{ctx: context.Background(), x: p.X, y: p.Y}).at(identity(2)).p
			for i, want := range tt.p {
				if math.Abs(got[i]-want) > 1e-15 {
					t.Errorf("p is %v, want %v", got, tt.p)
				}
			}
		})
	}
}

func TestNCARefusals(t *testing.T) {
	if _, err := (NCA{Iterations: -1}).Fit(t.Context(), iris(t)); err == nil {
		t.Error("iterations -1 is accepted")
	}
	if _, err := (NCA{Loss: "hinge"}).Fit(t.Context(), iris(t)); err == nil || !strings.Contains(err.Error(), `loss is "hinge"`) {
		t.Errorf("loss hinge: error %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := (NCA{}).Fit(ctx, iris(t)); !errors.Is(err, context.Canceled) {
		t.Errorf("error is %v, want that of the context", err)
	}
}
