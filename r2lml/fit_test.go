package r2lml

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

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
		x := normalDense(r, rows, d)
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
			if !slices.Equal(allDistances(p, f), allDistances(p, global)) {
				rt.Fatalf("%s: the metric of one map is not the global metric of that map", name)
			}
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
			if !mat.Equal(a.l[k], b.l[k]) {
				t.Errorf("K = %d: map %d differs", metrics, k)
			}
		}
		if !mat.Equal(a.g.Slice(0, 12, 0, metrics), b.g) {
			t.Errorf("K = %d: the training coefficients differ", metrics)
		}
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

// What a fit of R2LML tells of itself; one metric has no coefficients.
func TestFacts(t *testing.T) {
	p := twoClouds(12, 5, 2)
	names := func(m Method) []string {
		var all []string
		for _, f := range fit(t, m, p).Facts {
			if f.Count < 0 || f.Count > f.Of {
				t.Errorf("%q counts %d of %d", f.Name, f.Count, f.Of)
			}
			all = append(all, f.Name)
		}
		return all
	}
	one, two := Efficient{Step: 1e-4}, Efficient{Step: 1e-4, Metrics: 2}
	for _, test := range []struct {
		name   string
		method Method
		want   []string
	}{
		{"e, one metric", one, []string{MovedFact}},
		{"e, two metrics", two, []string{"coefficients at vertices", MovedFact}},
		{"t, one metric", Transductive(one), []string{MovedFact, "similar pairs chosen"}},
		{"t, two metrics", Transductive(two), []string{"coefficients at vertices", MovedFact, "similar pairs chosen"}},
	} {
		fixture.EqualSlice(t, test.name, names(test.method), test.want)
	}
}
