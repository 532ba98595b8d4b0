package baselines

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"gonum.org/v1/gonum/mat"

	"r2lmlbench/r2lml"
)

// samplesFixture is the part that the fixtures of every method share: labeled
// samples, matrices as lists of rows, and what 5-NN makes of the test samples.
type samplesFixture struct {
	X     [][]float64
	Y     []int
	XTest [][]float64 `json:"X_test"`
	YTest []int       `json:"y_test"`
}

func (f samplesFixture) problem() r2lml.Problem {
	p := r2lml.Problem{X: denseOf(f.X), Y: f.Y, Query: denseOf(f.X)}
	if f.XTest != nil {
		p.Query = denseOf(f.XTest)
	}
	return p
}

// checkCorrect counts the test samples that 5-NN under d labels right.
func (f samplesFixture) checkCorrect(t *testing.T, d r2lml.Metric, want int) {
	t.Helper()
	if f.XTest == nil {
		return
	}
	correct := 0
	for m, label := range r2lml.Classify(f.problem(), d, 5) {
		if label == f.YTest[m] {
			correct++
		}
	}
	if correct != want {
		t.Errorf("%d test samples are labeled right, want %d", correct, want)
	}
}

// sharedFolder is where the reference collection is, "" when it is not there.
func sharedFolder() string { return os.Getenv("R2LMLBENCH_SHARED") }

// eachFixture runs test on the fixtures of a method: the reference collection
// or, without it, the part of it under testdata.
func eachFixture[F any](t *testing.T, method string, test func(t *testing.T, f F)) {
	t.Helper()
	if shared := sharedFolder(); shared != "" {
		runFixtures(t, filepath.Join(shared, "golden", method), test)
		return
	}
	runFixtures(t, filepath.Join("testdata", method), test)
	t.Run("all", func(t *testing.T) {
		t.Skip("set R2LMLBENCH_SHARED to the folder of the reference fixtures to run the others")
	})
}

func runFixtures[F any](t *testing.T, folder string, test func(t *testing.T, f F)) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no fixture in %s (%v)", folder, err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			var f F
			readFixture(t, file, &f)
			test(t, f)
		})
	}
}

func readFixture(t testing.TB, file string, v any) {
	t.Helper()
	b, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(b, v)
	}
	if err != nil {
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

// relative returns ‖a − b‖/‖b‖ in the Frobenius norm.
func relative(a, b mat.Matrix) float64 {
	var diff mat.Dense
	diff.Sub(a, b)
	return mat.Norm(&diff, 2) / mat.Norm(b, 2)
}

func checkMatrix(t *testing.T, name string, got, want mat.Matrix, tolerance float64) {
	t.Helper()
	if d := relative(got, want); !(d <= tolerance) {
		t.Errorf("%s differs by %.2g, want at most %g", name, d, tolerance)
	}
}

func checkValue(t *testing.T, name string, got, want, tolerance float64) {
	t.Helper()
	if d := (got - want) / want; !(d <= tolerance && d >= -tolerance) {
		t.Errorf("%s is %.15g, want %.15g (differs by %.2g)", name, got, want, d)
	}
}
