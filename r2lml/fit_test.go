package r2lml

import (
	"context"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"r2lmlbench/internal/fixture"
)

// bothMethods returns the two methods with the same settings.
func bothMethods(m Efficient) map[string]Method {
	return map[string]Method{"e-r2lml": m, "t-r2lml": Transductive(m)}
}

// twoClouds has labeled and query samples of two Gaussian clouds, labels by turns.
func twoClouds(n, m, d int) Problem {
	r := rand.New(rand.NewPCG(1, 2))
	cloud := func(rows int) *mat.Dense {
		x := fixture.Normal(r, rows, d)
		for i := range rows {
			x.Set(i, 0, x.At(i, 0)+4*float64(i%2))
		}
		return x
	}
	y := make([]int, n)
	for i := range y {
		y[i] = 1 + i%2
	}
	return Problem{X: cloud(n), Y: y, Query: cloud(m), Seed: 3}
}

// allDistances returns the distances from every query to every training sample.
func allDistances(p Problem, d Metric) []float64 {
	n, m := len(p.Y), p.Query.RawMatrix().Rows
	all := make([]float64, n*m)
	for i := range m {
		d.SquaredDistances(all[i*n:(i+1)*n], i)
	}
	return all
}

// either returns E-R2LML or T-R2LML with the settings.
func either(m Efficient, transductive bool) Method {
	if transductive {
		return Transductive(m)
	}
	return m
}

// startEither starts a fit of E-R2LML or T-R2LML.
func startEither(p Problem, m Efficient, transductive bool) *blockDescent {
	if transductive {
		return startTransductive(context.Background(), p, m, stacked(p))
	}
	return startEfficient(p, p.X, m, labelSimilarity(p.Y, 0))
}

func fit(t testing.TB, m Method, p Problem) Fitted {
	t.Helper()
	return fixture.Must(m.Fit(t.Context(), p))(t)
}

func TestOneMetricIsGlobal(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		p, m := drawProblem(rt), drawSettings(rt)
		m.Metrics = 1
		for name, method := range bothMethods(m) {
			f := fit(t, method, p).Metric.(*LocalMetric)
			global := NewGlobal(p, f.L[0])
			fixture.EqualSlice(rt, name+": distances", allDistances(p, f), allDistances(p, global))
		}
	})
}

// The two methods begin with the same maps and the same coefficients of the
// training samples.
func TestMethodsShareTheirStart(t *testing.T) {
	p := twoClouds(12, 5, 3)
	for metrics := 1; metrics <= 3; metrics++ {
		m := Efficient{Metrics: metrics}
		a, b := startEither(p, m, true), startEither(p, m, false)
		for k := range b.l {
			fixture.NearMatrix(t, "map", a.l[k], b.l[k], 0)
		}
		fixture.NearMatrix(t, "training coefficients", a.g.Slice(0, 12, 0, metrics), b.g, 0)
	}
}

func TestQueryTakesCoefficientsOfTheNearest(t *testing.T) {
	p := Problem{
		X:     mat.NewDense(3, 1, []float64{0, 2, 2}),
		Y:     []int{1, 2, 2},
		Query: mat.NewDense(4, 1, []float64{-5, 1, 1.5, 9}), // 1 is as near to 0 as to 2
	}
	g := mat.NewDense(3, 2, []float64{0.1, 0.9, 0.2, 0.8, 0.3, 0.7})
	want := mat.NewDense(4, 2, []float64{0.1, 0.9, 0.1, 0.9, 0.2, 0.8, 0.2, 0.8})
	fixture.NearMatrix(t, "coefficients", ofNearest(context.Background(), g, p), want, 0)
}

func TestTooLargeAStepIsAnError(t *testing.T) {
	message := regexp.MustCompile(`^[et]-r2lml: epoch \d+: metric \d+: iteration \d+: .*smaller step`)
	for _, step := range []StepLength{1, 1e10, 1e300, math.MaxFloat64} {
		for name, method := range bothMethods(Efficient{Metrics: 2, Step: step}) {
			_, err := method.Fit(t.Context(), twoClouds(12, 5, 2))
			if err == nil || !message.MatchString(err.Error()) || !strings.HasPrefix(err.Error(), name) {
				t.Errorf("%s with step %g: error %v, want one like %v", name, step, err, message)
			}
		}
	}
}

// Whatever the step, and wherever the iterations end, distances are numbers or
// there is an error.
func TestDistancesAreNumbers(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		p, m := drawProblem(rt), drawSettings(rt)
		m.Step = rapid.SampledFrom([]StepLength{1e-300, 1, 1e20, 1e90, 1e99, 1e300}).Draw(rt, "step")
		for name, method := range bothMethods(m) {
			f, err := method.Fit(t.Context(), p)
			if err != nil {
				continue
			}
			for _, d := range allDistances(p, f.Metric) {
				if !(d >= 0 && d <= math.MaxFloat64) {
					rt.Fatalf("%s: a squared distance is %v", name, d)
				}
			}
		}
	})
}

func TestResolveFillsInDefaults(t *testing.T) {
	want := Efficient{Variant: Reference, Metrics: 1, Step: 0.5, C: 1, Epochs: 5, Iterations: 500}
	fixture.Equal(t, "e-r2lml", fixture.Must(Efficient{Step: 0.5}.Resolve())(t), want)
	fixture.Equal(t, "t-r2lml", fixture.Must(Transductive{Step: 0.5}.Resolve())(t), Transductive(want))
}

func TestResolveRefuses(t *testing.T) {
	for _, test := range []struct {
		change func(m *Efficient)
		want   string // part of the message
	}{
		{func(m *Efficient) { m.Variant = "paper" }, `variant is "paper"`},
		{func(m *Efficient) { m.Metrics = -1 }, "metrics"},
		{func(m *Efficient) { m.Epochs = -1 }, "epochs"},
		{func(m *Efficient) { m.Iterations = -1 }, "iterations"},
		{func(m *Efficient) { m.Lambda = -1 }, "lambda"},
		{func(m *Efficient) { m.Lambda = math.NaN() }, "lambda"},
		{func(m *Efficient) { m.Lambda = math.Inf(1) }, "lambda"},
		{func(m *Efficient) { m.C = -1 }, "c is"},
		{func(m *Efficient) { m.C = math.NaN() }, "c is"},
		{func(m *Efficient) { m.C = math.Inf(1) }, "c is"},
		{func(m *Efficient) { m.Step = 0 }, "step is not set"},
		{func(m *Efficient) { m.Step = -1 }, "step is -1"},
		{func(m *Efficient) { m.Step = StepLength(math.NaN()) }, "step"},
		{func(m *Efficient) { m.Step = StepLength(math.Inf(1)) }, "step"},
	} {
		m := Efficient{Step: 1}
		test.change(&m)
		for name, method := range bothMethods(m) {
			_, err := method.Fit(t.Context(), twoClouds(12, 5, 2))
			fixture.Says(t, err, name+": ", test.want)
		}
	}
}

// drawDense draws a matrix with entries in [−limit, limit].
func drawDense(t *rapid.T, name string, rows, cols int, limit float64) *mat.Dense {
	entries := rapid.SliceOfN(rapid.Float64Range(-limit, limit), rows*cols, rows*cols)
	return mat.NewDense(rows, cols, entries.Draw(t, name))
}

// drawProblem draws a small problem.
func drawProblem(t *rapid.T) Problem {
	n, m, d := rapid.IntRange(2, 10).Draw(t, "N"), rapid.IntRange(1, 5).Draw(t, "M"), rapid.IntRange(1, 3).Draw(t, "D")
	return Problem{
		X:     drawDense(t, "X", n, d, 3),
		Y:     rapid.SliceOfN(rapid.IntRange(1, 3), n, n).Draw(t, "Y"),
		Query: drawDense(t, "Query", m, d, 3),
		Seed:  rapid.Uint64().Draw(t, "seed"),
	}
}

// drawSettings draws settings of a short fit.
func drawSettings(t *rapid.T) Efficient {
	m := drawEfficient(t)
	m.C, m.Step = 1, 1e-3
	m.Epochs, m.Iterations = rapid.IntRange(1, 2).Draw(t, "epochs"), rapid.IntRange(1, 10).Draw(t, "iterations")
	return m
}

// drawDescent draws the state in which T-R2LML starts.
func drawDescent(t *rapid.T) *blockDescent {
	m, p := drawSettings(t), drawProblem(t)
	return startEither(p, m, true)
}

// checkSimplex fails unless every row of g has non-negative entries of sum 1.
func checkSimplex(t rapid.TB, g *mat.Dense) {
	n, _ := g.Dims()
	for i := range n {
		if row := g.RawRowView(i); !(slices.Min(row) >= 0) || !(math.Abs(floats.Sum(row)-1) <= 1e-12) {
			t.Fatalf("coefficients of sample %d are %v: not on the simplex", i, row)
		}
	}
}

func TestBlocksKeepTheirConstraints(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		f := drawDescent(rt)
		minimizeTransductive(t.Context(), plain{}, []*blockDescent{f}, func(*blockDescent) {})
		fixture.Check(rt, f.err)
		checkSimplex(rt, f.g)
		checkSimilarity(rt, f.s, f.y)
		for k, l := range f.l {
			if !(largest(l) < math.Inf(1)) {
				rt.Fatalf("map %d has the largest entry %v", k, largest(l))
			}
		}
	})
}

// checkSimilarity fails unless s is symmetric with a unit diagonal and says of
// the labeled samples what their labels say.
func checkSimilarity(t rapid.TB, s similarity, y []int) {
	for m := range s.n {
		for n := range s.n {
			switch labeled := m < len(y) && n < len(y); {
			case s.at(m, n) != s.at(n, m):
				t.Fatalf("s of (%d, %d) and of (%d, %d) differ", m, n, n, m)
			case m == n && !s.at(m, n):
				t.Fatalf("sample %d is not similar to itself", m)
			case labeled && s.at(m, n) != (y[m] == y[n]):
				t.Fatalf("s of (%d, %d) is %v for labels %d and %d", m, n, s.at(m, n), y[m], y[n])
			}
		}
	}
}
