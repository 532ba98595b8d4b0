package baselines

import (
	"fmt"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"r2lmlbench/internal/fixture"
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
	p := r2lml.Problem{X: fixture.Dense(f.X), Y: f.Y, Query: fixture.Dense(f.X)}
	if f.XTest != nil {
		p.Query = fixture.Dense(f.XTest)
	}
	return p
}

// A knn5 is what 5-NN makes of the test samples.
type knn5 struct {
	Correct int     `json:"knn5_correct"`
	Percent float64 `json:"knn5_accuracy_percent"`
}

// checkKNN compares the count, and the recorded percentage of six decimals.
func (f samplesFixture) checkKNN(t *testing.T, d r2lml.Metric, want knn5) {
	t.Helper()
	if f.XTest == nil {
		return // a large one is without its test samples
	}
	fixture.Near(t, "percentage that is right", 100*float64(want.Correct)/float64(len(f.YTest)), want.Percent, 5e-7)
	correct := 0
	for m, label := range r2lml.Classify(f.problem(), d, 5) {
		if label == f.YTest[m] {
			correct++
		}
	}
	fixture.Equal(t, "test samples that are labeled right", correct, want.Correct)
}

// A queriesFixture has training and query samples of its own.
type queriesFixture struct {
	X      [][]float64 `json:"X_train"`
	Y      []int       `json:"y_train"`
	XQuery [][]float64 `json:"X_query"`
}

func (f queriesFixture) problem() r2lml.Problem {
	return r2lml.Problem{X: fixture.Dense(f.X), Y: f.Y, Query: fixture.Dense(f.XQuery)}
}

// A predicted has the nearest training samples of every query, and the labels.
type predicted struct {
	Nearest [][]int `json:"neighbours0"`
	Labels  []int
}

// check compares what k-NN makes of the queries under d.
func (want predicted) check(t *testing.T, p r2lml.Problem, d r2lml.Metric, k int) {
	t.Helper()
	all := distances(p, r2lml.Fitted{Metric: d})
	for q, near := range want.Nearest {
		fixture.EqualSlice(t, fmt.Sprintf("neighbors of query %d", q), closest(all[q*len(p.Y):(q+1)*len(p.Y)], k, everyRow), near)
	}
	fixture.EqualSlice(t, "labels", r2lml.Classify(p, d, k), want.Labels)
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

// checkVector compares entries, within a share of one more than the largest of them.
func checkVector(t *testing.T, name string, got, want []float64, tolerance float64) {
	t.Helper()
	if !floats.EqualApprox(got, want, tolerance*(1+largestAbs(want))) {
		t.Errorf("%s: got %v, want %v", name, got, want)
	}
}

// mapOf is the map of a global metric.
func mapOf(f r2lml.Fitted) *mat.Dense { return f.Metric.(*r2lml.LocalMetric).L[0] }

func checkValue(t *testing.T, name string, got, want, tolerance float64) {
	t.Helper()
	if d := (got - want) / want; !(d <= tolerance && d >= -tolerance) {
		t.Errorf("%s is %.15g, want %.15g (differs by %.2g)", name, got, want, d)
	}
}
