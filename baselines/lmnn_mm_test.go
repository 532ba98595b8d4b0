package baselines

import (
	"context"
	"fmt"
	"testing"

	"gonum.org/v1/gonum/mat"

	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/linalg"
	"r2lmlbench/r2lml"
)

type lmnnMMFixture struct {
	samplesFixture
	Targets [][]int `json:"target_neighbors"`
	Params  struct {
		K  int
		L0 string
	}
	Evaluation struct {
		Objective float64
		Active    int           `json:"active_triplets"`
		Norms     []float64     `json:"gradient_norms"`
		Gradient  [][][]float64 `json:"gradient_M"`
	}
	Reflection struct {
		M      [][]float64
		R      [][]float64 `json:"R_of_M"`
		Values []float64   `json:"eigenvalues"`
	} `json:"R_example"`
	Runs []struct {
		Step       float64 `json:"step0"`
		Iterations int
		Objective  []float64
		Active     []int `json:"active_triplets"`
		knn5
		Trace     []float64 `json:"trace_M"`
		Frobenius []float64 `json:"frobenius_M"`
		M         [][][]float64
	}
}

func (f lmnnMMFixture) descent(t *testing.T, step float64) *classDescent {
	t.Helper()
	return newClassDescent(context.Background(), f.problem(), LMNNMM{Neighbors: f.Params.K, Step: step}, startOf(t, f.Params.L0, len(f.X[0])))
}

func TestLMNNMMFixtures(t *testing.T) {
	fixture.Each(t, "lmnn_mm", "*.json", func(t *testing.T, f lmnnMMFixture) {
		f.checkEvaluation(t)
		f.checkReflection(t)
		f.checkRuns(t)
	})
}

const lmnnMMTolerance = 1e-7

func (f lmnnMMFixture) checkEvaluation(t *testing.T) {
	t.Helper()
	d := f.descent(t, 1)
	checkTargets(t, d.margins, f.Targets)
	e := d.margins.evaluate(d.l)
	checkValue(t, "objective", e.value, f.Evaluation.Objective, lmnnMMTolerance)
	fixture.Equal(t, "active triplets", e.active, f.Evaluation.Active)
	for c, want := range f.Evaluation.Norms {
		checkValue(t, "norm of a gradient", mat.Norm(e.gradient[c], 2), want, lmnnMMTolerance)
	}
	for c, want := range f.Evaluation.Gradient {
		checkMatrix(t, "gradient", e.gradient[c], fixture.Dense(want), lmnnMMTolerance)
	}
}

func (f lmnnMMFixture) checkReflection(t *testing.T) {
	t.Helper()
	if f.Reflection.M == nil {
		return
	}
	got, l, err := absolute(linalg.Symmetrize(fixture.Dense(f.Reflection.M)))
	fixture.Check(t, err)
	values, _, err := linalg.Eigen(linalg.Symmetrize(fixture.Dense(f.Reflection.M)))
	fixture.Check(t, err)
	fixture.NearMatrix(t, "eigenvalues", mat.NewVecDense(len(values), values), mat.NewVecDense(len(values), f.Reflection.Values), lmnnMMTolerance)
	checkMatrix(t, "R(M)", got, fixture.Dense(f.Reflection.R), lmnnMMTolerance)
	checkMatrix(t, "LᵀL", linalg.Gram(l), fixture.Dense(f.Reflection.R), lmnnMMTolerance)
}

func (f lmnnMMFixture) checkRuns(t *testing.T) {
	t.Helper()
	for _, want := range f.Runs {
		d := f.descent(t, want.Step)
		for i := range want.Iterations {
			e := d.margins.evaluate(d.l)
			fixture.Equal(t, "active triplets", e.active, want.Active[i])
			if d.stalled() {
				t.Fatalf("the descent stops after %d iterations", i)
			}
			fixture.Check(t, d.iterate())
			checkValue(t, fmt.Sprintf("objective of iteration %d", i+1), d.trace[i], want.Objective[i], lmnnMMTolerance)
		}
		for c := range d.m {
			checkValue(t, "trace of M", mat.Trace(d.m[c]), want.Trace[c], lmnnMMTolerance)
			checkValue(t, "norm of M", mat.Norm(d.m[c], 2), want.Frobenius[c], lmnnMMTolerance)
		}
		for c := range want.M {
			checkMatrix(t, "M", d.m[c], fixture.Dense(want.M[c]), lmnnMMTolerance)
		}
		p := f.problem()
		f.checkKNN(t, r2lml.NewLocalMetric(p, d.l, nil, ofClass(p)), want.knn5)
	}
}

// From the map of LMNN, with the paper's settings, the metrics hardly move.
func TestLMNNMMStaysNearLMNN(t *testing.T) {
	p := iris(t)
	many, want := fit(t, LMNNMM{}, p), metricOf(t, LMNN{}, p)
	for _, l := range many.Metric.(*r2lml.LocalMetric).L {
		if d := relative(linalg.Gram(l), want); d == 0 || d > 1e-3 {
			t.Errorf("a metric has moved by %.2g, want some but at most 1e-3", d)
		}
	}
}

// The distance to a training sample is that of its class, whatever the query.
func TestLMNNMMDistances(t *testing.T) {
	p := r2lml.Problem{X: fixture.Dense([][]float64{{0}, {2}}), Y: []int{1, 2}, Query: fixture.Dense([][]float64{{1}})}
	maps := []*mat.Dense{fixture.Dense([][]float64{{1}}), fixture.Dense([][]float64{{3}})}
	got := make([]float64, 2)
	r2lml.NewLocalMetric(p, maps, nil, ofClass(p)).SquaredDistances(got, 0)
	fixture.EqualSlice(t, "distances", got, []float64{1, 9})
}

// A rise of the objective leaves the metrics where they are, halves the step
// and raises the mark for the next.
func TestLMNNMMRise(t *testing.T) {
	d := newClassDescent(context.Background(), iris(t), LMNNMM{Neighbors: 1, Step: 0.5}, shrunk(4))
	d.trace = []float64{0}
	before := d.m[0]
	fixture.Check(t, d.iterate())
	value := d.margins.evaluate(d.l).value
	if d.m[0] != before || d.step != 0.25 || d.trace[1] != value+1e-5 {
		t.Errorf("step %g and mark %g, want 0.25 and %g", d.step, d.trace[1], value+1e-5)
	}
	d.step, d.trace = 1e-10, []float64{0}
	fixture.Check(t, d.iterate())
	fixture.Equal(t, "the shortest step", d.step, 1e-10)
}
