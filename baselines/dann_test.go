package baselines

import (
	"fmt"
	"testing"

	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/linalg"
	"r2lmlbench/r2lml"
)

type dannFixture struct {
	queriesFixture
	Runs []struct {
		Neighbors    int `json:"KM"`
		Epsilon, Rho float64
		Iterations   int
		Metrics      [][][]float64
		predicted
	}
}

func TestDANNFixtures(t *testing.T) {
	fixture.Each(t, "dann", "*.json", func(t *testing.T, f dannFixture) {
		p := f.problem()
		for _, run := range f.Runs {
			m := DANN{Neighbors: run.Neighbors, Epsilon: run.Epsilon, Shrinkage: run.Rho, Iterations: run.Iterations}
			fitted := fit(t, m, p)
			for q, want := range run.Metrics {
				checkMatrix(t, "Σ", linalg.Gram(fitted.Metric.(*queryMetric).basis[q]), fixture.Dense(want), 1e-8)
			}
			run.check(t, p, fitted.Metric, 5)
		}
	})
}

// Queries at 0 with neighbors at −1 and 1 (class 1) and at 9 and 11 (class 2)
// of one feature: W = 1, B = 25, so that Σ = 25 + ε with weights of 1. The
// farthest neighbor has tri-cube weight 0.
func TestDANNByHand(t *testing.T) {
	p := r2lml.Problem{X: fixture.Dense([][]float64{{-1}, {1}, {9}, {11}}), Y: []int{1, 1, 2, 2}, Query: fixture.Dense([][]float64{{0}})}
	f := fit(t, DANN{Weights: Uniform, Epsilon: 2}, p)
	got := distances(p, f)
	for n, x := range []float64{-1, 1, 9, 11} {
		checkValue(t, "squared distance", got[n], 27*x*x, 1e-14)
	}
	near := neighborhoodOf(p, fixture.Dense([][]float64{{1}}), []float64{0}, 4, TriCube)
	for i, want := range []float64{tricube(1.0 / 11), tricube(1.0 / 11), tricube(9.0 / 11), 0} {
		fixture.Near(t, fmt.Sprintf("weight of neighbor %d", i), near.weight[i], want, 1e-15)
	}
}

func tricube(d float64) float64 {
	rest := 1 - d*d*d
	return rest * rest * rest
}

// Column 1 has the mean 2 and the deviation 2 over the training samples, column 2 is constant,
// column 3 is so but for rounding, and column 4 is column 1 in a small unit.
func TestStandardized(t *testing.T) {
	p := r2lml.Problem{
		X:     fixture.Dense([][]float64{{0, 5, 0.3, 0}, {2, 5, 0.30000000000000004, 0x1p-59}, {4, 5, 0.3, 0x1p-58}}),
		Query: fixture.Dense([][]float64{{6, 7, 0.3, 3 * 0x1p-59}, {1, 5, 1.3, 0x1p-60}}),
	}
	s := standardized(p)
	checkMatrix(t, "training samples", s.X, fixture.Dense([][]float64{{-1, 0, 0, -1}, {0, 0, 0, 0}, {1, 0, 0, 1}}), 1e-15)
	checkMatrix(t, "queries", s.Query, fixture.Dense([][]float64{{2, 2, 0, 2}, {-0.5, 0, 1, -0.5}}), 1e-15)
	if p.X.At(0, 0) != 0 || p.Query.At(0, 0) != 6 {
		t.Error("the problem was changed")
	}
	single := standardized(r2lml.Problem{X: fixture.Dense([][]float64{{3, 4}}), Query: fixture.Dense([][]float64{{4, 6}})})
	checkMatrix(t, "query of a single sample", single.Query, fixture.Dense([][]float64{{1, 2}}), 1e-15)
}

func TestUnitLength(t *testing.T) {
	p := unitLength(r2lml.Problem{X: fixture.Dense([][]float64{{3, 4}, {0, 0}}), Query: fixture.Dense([][]float64{{0, -2}})})
	fixture.NearMatrix(t, "training samples", p.X, fixture.Dense([][]float64{{0.6, 0.8}, {0, 0}}), 1e-15)
	fixture.Near(t, "query", p.Query.At(0, 1), -1, 1e-15)
}
