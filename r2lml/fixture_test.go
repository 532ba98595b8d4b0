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

func (f efficientFixture) settings(t *testing.T) Efficient {
	m, err := Efficient{Metrics: f.K, Lambda: f.Lambda, Step: f.Step, Iterations: f.Iterations, C: f.C}.Resolve()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Tolerances of the fixtures: L to 1e-9; g to the bisection of the authors'
// program, whose coefficients sum to 1 only within 1e-3.
const (
	mapTolerance         = 1e-9
	coefficientTolerance = 5e-3
)

func TestEfficientFixtures(t *testing.T) {
	for _, file := range sharedFixtures(t, "e_*.json") {
		t.Run(filepath.Base(file), func(t *testing.T) {
			var f efficientFixture
			readJSON(t, file, &f)
			m, x, s := f.settings(t), transposed(f.X), labelSimilarity(f.Y)
			l, g := densesOf(f.L0), transposed(f.G0)
			checkObjective(t, "start", objective(x, s, l, g, m.C, m.Lambda), f.Objective0)
			for i, want := range f.Epoch {
				blocks(t, m, x, s, l, g, want.ObjectiveAfterBlock1)
				for k, w := range want.L {
					if d := relative(l[k], denseOf(w)); d > mapTolerance {
						t.Errorf("epoch %d: L of metric %d differs by %.2g, want at most %g", i+1, k+1, d, mapTolerance)
					}
				}
				if f.K > 1 {
					checkCoefficientStep(t, x, s, l, g, transposed(want.G))
				}
				// The next epoch starts from the program's own g.
				g = transposed(want.G)
				checkObjective(t, "block 2", objective(x, s, l, g, m.C, m.Lambda), want.ObjectiveAfterBlock2)
			}
			checkPredictions(t, f, l, g)
		})
	}
}

// blocks runs block 1 on l and checks the objective behind it.
func blocks(t *testing.T, m Efficient, x *mat.Dense, s similarity, l []*mat.Dense, g *mat.Dense, want float64) {
	t.Helper()
	b := newDescent(x, s, m)
	for k := range l {
		b.g = mat.Col(nil, k, g)
		next, err := b.run(context.Background(), l[k])
		if err != nil {
			t.Fatal(err)
		}
		l[k] = next
	}
	checkObjective(t, "block 1", objective(x, s, l, g, m.C, m.Lambda), want)
}

func checkObjective(t *testing.T, where string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > mapTolerance*math.Abs(want) {
		t.Errorf("objective after %s is %.12g, want %.12g", where, got, want)
	}
}

func checkCoefficientStep(t *testing.T, x *mat.Dense, s similarity, l []*mat.Dense, g, want *mat.Dense) {
	t.Helper()
	mm, err := newMajorization(x, s, l, Reference)
	if err != nil {
		t.Fatal(err)
	}
	got, err := mm.run(context.Background(), g)
	if err != nil {
		t.Fatal(err)
	}
	var diff mat.Dense
	diff.Sub(got, want)
	if d := largest(&diff); d > coefficientTolerance {
		t.Errorf("g differs by %.2g, want at most %g", d, coefficientTolerance)
	}
}

func checkPredictions(t *testing.T, f efficientFixture, l []*mat.Dense, g *mat.Dense) {
	t.Helper()
	p := Problem{X: transposed(f.X), Y: f.Y, Query: transposed(f.XTest)}
	got := Classify(p, NewField(p, l, ofNearest(g, p), g), f.Neighbors)
	if !slices.Equal(got, f.Predicted) {
		t.Errorf("predictions\n%v, want\n%v", got, f.Predicted)
	}
}
