package r2lml

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// efficientFixture is a run of the authors' program, recorded block by block.
// Matrices are lists of rows; in X the samples are columns, g is K×N.
type efficientFixture struct {
	K          int
	Lambda     float64
	Step       float64
	Iterations int
	C          float64
	Neighbors  int
	X          [][]float64
	Y          []int
	XTest      [][]float64 `json:"X_test"`
	YTest      []int       `json:"y_test"`
	L0         [][][]float64
	G0         [][]float64 `json:"g0"`
	Objective0 float64
	Epoch      []struct {
		L                    [][][]float64
		G                    [][]float64 `json:"g"`
		ObjectiveAfterBlock1 float64     `json:"objective_after_block1"`
		ObjectiveAfterBlock2 float64     `json:"objective_after_block2"`
	}
	Predicted []int
}

// transductiveFixture is one of T-R2LML: the first N columns of X are labeled.
type transductiveFixture struct {
	K          int
	Lambda     float64
	Step       float64
	Iterations int
	C          float64
	Neighbors  int
	N, M       int
	X          [][]float64
	Y          []int
	L0         [][][]float64
	G0         [][]float64 `json:"g0"`
	S0         [][]int
	Epoch      []struct {
		L [][][]float64
		G [][]float64 `json:"g"`
		S [][]int
	}
	Predicted []int
}

// sharedFixtures returns the files of the reference that match pattern.
func sharedFixtures(t *testing.T, pattern string) []string {
	t.Helper()
	shared := os.Getenv("R2LMLBENCH_SHARED")
	if shared == "" {
		t.Skip("set R2LMLBENCH_SHARED to the folder of the reference fixtures to run this test")
	}
	files, err := filepath.Glob(filepath.Join(shared, "golden", "r2lml", pattern))
	if err != nil || len(files) == 0 {
		t.Fatalf("no fixture %s below %s (%v)", pattern, shared, err)
	}
	return files
}

func readJSON(t *testing.T, file string, v any) {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, v); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
}

func denseOf(rows [][]float64) *mat.Dense {
	m := mat.NewDense(len(rows), len(rows[0]), nil)
	for i, row := range rows {
		m.SetRow(i, row)
	}
	return m
}

func transposed(rows [][]float64) *mat.Dense { return mat.DenseCopyOf(denseOf(rows).T()) }

func densesOf(matrices [][][]float64) []*mat.Dense {
	var all []*mat.Dense
	for _, rows := range matrices {
		all = append(all, denseOf(rows))
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

func (f efficientFixture) start(t *testing.T) *alternation {
	t.Helper()
	m := Efficient{Metrics: f.K, Lambda: f.Lambda, Step: f.Step, Iterations: f.Iterations, C: f.C}
	return fixtureStart(t, m, f.X, f.Y, f.L0, f.G0)
}

func (f transductiveFixture) start(t *testing.T) *alternation {
	t.Helper()
	m := Efficient{Metrics: f.K, Lambda: f.Lambda, Step: f.Step, Iterations: f.Iterations, C: f.C}
	a := fixtureStart(t, m, f.X, f.Y, f.L0, f.G0)
	a.s = similarityOf(f.S0)
	return a
}

func fixtureStart(t *testing.T, m Efficient, x [][]float64, y []int, l [][][]float64, g [][]float64) *alternation {
	t.Helper()
	m, err := m.Resolve()
	if err != nil {
		t.Fatal(err)
	}
	return &alternation{m: m, x: transposed(x), y: y, l: densesOf(l), g: transposed(g), s: labelSimilarity(y, 0)}
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

// blocks is what the plain alternation and the members of a team have in common.
type blocks interface {
	transforms(context.Context) error
	coefficients(context.Context) error
	similarities(context.Context) error
	objective() float64
}

// A fastAlternation is a team of one member.
type fastAlternation struct {
	*member
	x *mat.Dense // all samples, centered
}

// newFast makes the fast form of a plain alternation, whose variables it shares.
func newFast(a *alternation) fastAlternation {
	scene := newScene(a.x)
	f := fastAlternation{&member{alternation: a, descent: newLaneDescent(scene)}, scene.x}
	f.usePairs(scene.x)
	if a.s.n == len(a.y) {
		f.pairs = newClassPairs(a.x, a.y)
	}
	return f
}

func (f fastAlternation) transforms(ctx context.Context) error {
	t := &team{descent: f.descent, members: []*member{f.member}}
	if err := t.transforms(ctx, t.members); err != nil {
		return err
	}
	for _, l := range f.lanes {
		if l.err != nil {
			return l.err
		}
	}
	return nil
}

// bothSolvers runs a test of a fixture with the plain and with the fast blocks.
func bothSolvers(t *testing.T, file string, test func(t *testing.T, fast bool)) {
	for _, fast := range []bool{false, true} {
		name := "plain"
		if fast {
			name = "fast"
		}
		t.Run(filepath.Base(file)+"/"+name, func(t *testing.T) { test(t, fast) })
	}
}

// solver returns the blocks of an alternation.
func solver(a *alternation, fast bool) blocks {
	if fast {
		return newFast(a)
	}
	return a
}

func TestEfficientFixtures(t *testing.T) {
	for _, file := range sharedFixtures(t, "e_*.json") {
		bothSolvers(t, file, func(t *testing.T, fast bool) {
			var f efficientFixture
			readJSON(t, file, &f)
			a := f.start(t)
			b := solver(a, fast)
			if !fast { // the fast objective starts from what a descent left
				checkObjective(t, "start", b.objective(), f.Objective0)
			}
			for i, want := range f.Epoch {
				checkTransforms(t, a, b, i+1, want.L)
				checkObjective(t, "block 1", b.objective(), want.ObjectiveAfterBlock1)
				checkCoefficientsBlock(t, a, b, i+1, want.G)
				// The next epoch starts from the program's own g.
				a.g = transposed(want.G)
				checkObjective(t, "block 2", b.objective(), want.ObjectiveAfterBlock2)
			}
			p := Problem{X: a.x, Y: f.Y, Query: transposed(f.XTest)}
			checkPredictions(t, p, NewLocalMetric(p, a.l, ofNearest(a.g, p), a.g), f.Neighbors, f.Predicted)
		})
	}
}

func TestTransductiveFixtures(t *testing.T) {
	for _, file := range sharedFixtures(t, "t_*.json") {
		bothSolvers(t, file, func(t *testing.T, fast bool) {
			var f transductiveFixture
			readJSON(t, file, &f)
			a := f.start(t)
			b := solver(a, fast)
			for i, want := range f.Epoch {
				checkTransforms(t, a, b, i+1, want.L)
				checkCoefficientsBlock(t, a, b, i+1, want.G)
				// The rest starts from the program's own g and S.
				a.g = transposed(want.G)
				checkSimilarities(t, a, b, i+1, similarityOf(want.S))
				checkObjective(t, "block 3", b.objective(), a.objective())
			}
			n, total := f.N, f.N+f.M
			rows := func(m *mat.Dense, from, to int) *mat.Dense {
				_, d := m.Dims()
				return mat.DenseCopyOf(m.Slice(from, to, 0, d))
			}
			p := Problem{X: rows(a.x, 0, n), Y: f.Y, Query: rows(a.x, n, total)}
			checkPredictions(t, p, NewLocalMetric(p, a.l, rows(a.g, n, total), rows(a.g, 0, n)), f.Neighbors, f.Predicted)
		})
	}
}

// checkTransforms runs block 1.
func checkTransforms(t *testing.T, a *alternation, b blocks, epoch int, want [][][]float64) {
	t.Helper()
	if err := b.transforms(t.Context()); err != nil {
		t.Fatal(err)
	}
	for k, w := range want {
		d := relative(a.l[k], denseOf(w))
		t.Logf("epoch %d: L of metric %d differs by %.2g", epoch, k+1, d)
		if !(d <= mapTolerance) {
			t.Errorf("epoch %d: L of metric %d differs by %.2g, want at most %g", epoch, k+1, d, mapTolerance)
		}
	}
}

// checkCoefficientsBlock runs block 2; want is K×N.
func checkCoefficientsBlock(t *testing.T, a *alternation, b blocks, epoch int, want [][]float64) {
	t.Helper()
	if err := b.coefficients(t.Context()); err != nil {
		t.Fatal(err)
	}
	var diff mat.Dense
	diff.Sub(a.g, transposed(want))
	d := largest(&diff)
	t.Logf("epoch %d: g differs by %.2g", epoch, d)
	if !(d <= coefficientTolerance) {
		t.Errorf("epoch %d: g differs by %.2g, want at most %g", epoch, d, coefficientTolerance)
	}
}

// checkSimilarities runs block 3.
func checkSimilarities(t *testing.T, a *alternation, b blocks, epoch int, want similarity) {
	t.Helper()
	if err := b.similarities(t.Context()); err != nil {
		t.Fatal(err)
	}
	for m := range want.n {
		for n := range want.n {
			if a.s.at(m, n) != want.at(m, n) {
				t.Errorf("epoch %d: s of samples %d and %d is %v, want %v", epoch, m, n, a.s.at(m, n), want.at(m, n))
			}
		}
	}
}

func checkObjective(t *testing.T, where string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= mapTolerance*math.Abs(want)) {
		t.Errorf("objective after %s is %.12g, want %.12g", where, got, want)
	}
}

func checkPredictions(t *testing.T, p Problem, d Metric, neighbors int, want []int) {
	t.Helper()
	if got := Classify(p, d, neighbors); !slices.Equal(got, want) {
		t.Errorf("predictions\n%v, want\n%v", got, want)
	}
}
