package baselines

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/linalg"
	"r2lmlbench/r2lml"
)

type rcaFixture struct {
	samplesFixture
	knn5
	C      [][]float64 `json:"within_class_covariance"`
	Params struct {
		Cut float64 `json:"relative_eigenvalue_cut"`
	}
	Rank int
	A    [][]float64
}

func TestRCAFixtures(t *testing.T) {
	fixture.Each(t, "rca", "*.json", func(t *testing.T, f rcaFixture) {
		p := f.problem()
		if f.C != nil {
			checkMatrix(t, "C", withinClassCovariance(p), fixture.Dense(f.C), 1e-8)
		}
		fitted := fit(t, RCA{}, p)
		checkMatrix(t, "A", linalg.Gram(mapOf(fitted)), fixture.Dense(f.A), 1e-8)
		fixture.Equal(t, "rank", fitted.Facts[0].Count, f.Rank)
		f.checkKNN(t, fitted.Metric, f.knn5)
	})
}

// Class 1 varies by ±1 along the first feature, class 2 by ±2 along the
// second, class 3 has one sample; the third feature is constant. By hand:
// C = diag(2, 8, 0)/5.
func TestRCAByHand(t *testing.T) {
	x := fixture.Dense([][]float64{{0.1, 5, 7}, {2.1, 5, 7}, {9, 1, 7}, {9, 5, 7}, {-4, -4, 7}})
	p := r2lml.Problem{X: x, Y: []int{1, 1, 2, 2, 3}, Query: fixture.Dense([][]float64{{0.1, 5, 100}})}
	a := metricOf(t, RCA{}, p)
	checkMatrix(t, "A", a, mat.NewDiagDense(3, []float64{2.5, 0.625, 0}), 1e-14)
	fixture.Equal(t, "weight of a constant feature", a.At(2, 2), 0)
}
