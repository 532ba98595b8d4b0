package r2lml

import (
	"context"
	"fmt"
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
	"r2lmlbench/r2lml/internal/batch"
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

// groundOf is what fits of E-R2LML or T-R2LML share whose steps are given.
func groundOf(p Problem, transductive bool) *shared {
	c, _ := (&ground{p: p, transductive: transductive}).get(context.Background()) // only the scale of AutoStep can fail
	return c
}

// startEither starts a fit of E-R2LML or T-R2LML.
func startEither(p Problem, m Efficient, transductive bool) *blockDescent {
	return groundOf(p, transductive).start(context.Background(), m)
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
	fixture.NearMatrix(t, "coefficients", fixture.Must(ofNearest(context.Background(), g, p))(t), want, 0)
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
	refused := map[string][]Efficient{ // by a part of the message
		`variant is "paper"`: {{Variant: "paper", Step: 1}},
		"metrics":            {{Metrics: -1, Step: 1}},
		"epochs":             {{Epochs: -1, Step: 1}},
		"iterations":         {{Iterations: -1, Step: 1}},
		"step is not set":    {{}},
		"step is -1":         {{Step: -1}},
	}
	for _, v := range []float64{-1, math.NaN(), math.Inf(1)} {
		refused["lambda"] = append(refused["lambda"], Efficient{Lambda: v, Step: 1})
		refused["c is"] = append(refused["c is"], Efficient{C: v, Step: 1})
		refused["step"] = append(refused["step"], Efficient{Step: StepLength(v)})
	}
	for want, settings := range refused {
		for _, m := range settings {
			for name, method := range bothMethods(m) {
				fixture.Says(t, fixture.Error(method.Fit(t.Context(), twoClouds(12, 5, 2))), name+": ", want)
			}
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
		(&shared{transductive: true}).minimize(t.Context(), plain{}, []*blockDescent{f}, func(*blockDescent) {})
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

// A runFixture is a run of the authors' program, recorded block by block. Matrices are
// lists of rows; in X the samples are columns, g is K×N. Of T-R2LML the first N columns
// of X are labeled and the M others are the test samples.
type runFixture struct {
	K          int
	Lambda     float64
	Step       float64
	Iterations int
	C          float64
	Neighbors  int
	N, M       int // of T-R2LML
	X          [][]float64
	Y          []int
	XTest      [][]float64 `json:"X_test"` // of E-R2LML
	YTest      []int       `json:"y_test"`
	L0         [][][]float64
	G0         [][]float64 `json:"g0"`
	S0         [][]int     // of T-R2LML
	Objective0 float64     // this and the others: of E-R2LML
	Epoch      []struct {
		L                    [][][]float64
		G                    [][]float64 `json:"g"`
		S                    [][]int
		ObjectiveAfterBlock1 float64 `json:"objective_after_block1"`
		ObjectiveAfterBlock2 float64 `json:"objective_after_block2"`
	}
	Predicted []int
	Accuracy  float64
}

func transposed(rows [][]float64) *mat.Dense { return mat.DenseCopyOf(fixture.Dense(rows).T()) }

func densesOf(matrices [][][]float64) []*mat.Dense {
	var all []*mat.Dense
	for _, rows := range matrices {
		all = append(all, fixture.Dense(rows))
	}
	return all
}

// relative returns max|a − b| / max|b|.
func relative(a, b *mat.Dense) float64 {
	var diff mat.Dense
	diff.Sub(a, b)
	return largest(&diff) / largest(b)
}

// Tolerances of the fixtures: L to 1e-9; g to the bisection of the authors'
// program, whose coefficients sum to 1 only within 1e-3.
const (
	mapTolerance         = 1e-9
	coefficientTolerance = 5e-3
)

func (f runFixture) start(t *testing.T) *blockDescent {
	t.Helper()
	m := fixture.Must(Efficient{Metrics: f.K, Lambda: f.Lambda, Step: StepLength(f.Step), Iterations: f.Iterations, C: f.C}.Resolve())(t)
	d := &blockDescent{
		setting: m, momentum: m.Variant == Reference,
		x: transposed(f.X), y: f.Y, l: densesOf(f.L0), g: transposed(f.G0), s: labelSimilarity(f.Y, 0),
	}
	if f.S0 != nil {
		d.s = similarityOf(f.S0)
	}
	return d
}

// similarityOf reads a matrix of 0 and 1.
func similarityOf(rows [][]int) similarity {
	s := labelSimilarity(nil, len(rows))
	for m, row := range rows {
		for n, v := range row {
			if v == 1 {
				s.set(m, n)
			}
		}
	}
	return s
}

// eachRun holds the blocks of either solver against the runs of some fixtures.
func eachRun(t *testing.T, pattern string, check func(t *testing.T, want runFixture, f *blockDescent, s solver)) {
	fixture.Each(t, "r2lml", pattern, func(t *testing.T, want runFixture) {
		t.Run("plain", func(t *testing.T) { check(t, want, want.start(t), plain{}) })
		t.Run("batched", func(t *testing.T) {
			f := want.start(t)
			check(t, want, f, batchedFor(f))
		})
	})
}

// batchedFor returns a batched solver of the samples of a fit.
func batchedFor(f *blockDescent) batched {
	var byLabels *batch.Pairs
	if f.s.n == len(f.y) {
		byLabels = batch.PairsByClass(context.Background(), f.x, f.y, f.s.rows)
	}
	return newBatched(batch.Pack(f.x), byLabels)
}

func TestEfficientFixtures(t *testing.T) {
	eachRun(t, "e_*.json", func(t *testing.T, want runFixture, f *blockDescent, s solver) {
		if s == (plain{}) { // the batched objective starts from what a descent left
			checkObjective(t, "start", s.objective(f), want.Objective0)
		}
		for i, epoch := range want.Epoch {
			checkTransforms(t, f, s, i+1, epoch.L)
			checkObjective(t, "block 1", s.objective(f), epoch.ObjectiveAfterBlock1)
			checkCoefficientsBlock(t, f, s, i+1, epoch.G)
			// The next epoch starts from the program's own g.
			f.g = transposed(epoch.G)
			checkObjective(t, "block 2", s.objective(f), epoch.ObjectiveAfterBlock2)
		}
		p := Problem{X: f.x, Y: f.y, Query: transposed(want.XTest)}
		want.checkPredictions(t, p, NewLocalMetric(p, f.l, fixture.Must(ofNearest(context.Background(), f.g, p))(t), f.g))
	})
}

func TestTransductiveFixtures(t *testing.T) {
	eachRun(t, "t_*.json", func(t *testing.T, want runFixture, f *blockDescent, s solver) {
		for i, epoch := range want.Epoch {
			checkTransforms(t, f, s, i+1, epoch.L)
			checkCoefficientsBlock(t, f, s, i+1, epoch.G)
			// The rest starts from the program's own g and S.
			f.g = transposed(epoch.G)
			f.similarities(t.Context(), s)
			fixture.Check(t, f.err)
			fixture.EqualSlice(t, fmt.Sprintf("epoch %d: similar pairs", i+1), pairsOf(f.s), pairsOf(similarityOf(epoch.S)))
			checkObjective(t, "block 3", s.objective(f), plain{}.objective(f))
		}
		n, total := want.N, want.N+want.M
		rows := func(m *mat.Dense, from, to int) *mat.Dense {
			_, d := m.Dims()
			return mat.DenseCopyOf(m.Slice(from, to, 0, d))
		}
		p := Problem{X: rows(f.x, 0, n), Y: f.y, Query: rows(f.x, n, total)}
		want.checkPredictions(t, p, NewLocalMetric(p, f.l, rows(f.g, n, total), rows(f.g, 0, n)))
	})
}

// checkPredictions compares the labels, and the share of them that is right.
func (want runFixture) checkPredictions(t *testing.T, p Problem, d Metric) {
	t.Helper()
	got, right := Classify(p, d, want.Neighbors), 0
	fixture.EqualSlice(t, "predictions", got, want.Predicted)
	for i, label := range got {
		if label == want.YTest[i] {
			right++
		}
	}
	fixture.Near(t, "accuracy", float64(right)/float64(len(got)), want.Accuracy, 1e-12)
}

// checkTransforms runs block 1.
func checkTransforms(t *testing.T, f *blockDescent, s solver, epoch int, want [][][]float64) {
	t.Helper()
	s.transforms(t.Context(), []*blockDescent{f})
	fixture.Check(t, f.err)
	for k, w := range want {
		fixture.Near(t, fmt.Sprintf("epoch %d: what L of metric %d differs by", epoch, k+1), relative(f.l[k], fixture.Dense(w)), 0, mapTolerance)
	}
}

// checkCoefficientsBlock runs block 2; want is K×N.
func checkCoefficientsBlock(t *testing.T, f *blockDescent, s solver, epoch int, want [][]float64) {
	t.Helper()
	f.coefficients(t.Context(), s)
	fixture.Check(t, f.err)
	var diff mat.Dense
	diff.Sub(f.g, transposed(want))
	fixture.Near(t, fmt.Sprintf("epoch %d: what g differs by", epoch), largest(&diff), 0, coefficientTolerance)
}

func checkObjective(t *testing.T, where string, got, want float64) {
	t.Helper()
	fixture.Near(t, "objective after "+where, got, want, mapTolerance*math.Abs(want))
}
