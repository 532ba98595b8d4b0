package baselines

import (
	"testing"

	"r2lmlbench/internal/fixture"
	"r2lmlbench/r2lml"
)

// Column 1 has the mean 2 and the deviation 2 over the training samples,
// column 2 is constant, column 3 varies by less than counts.
func TestStandardized(t *testing.T) {
	p := r2lml.Problem{
		X:     fixture.Dense([][]float64{{0, 5, 1}, {2, 5, 1 + 1e-6}, {4, 5, 1 - 1e-6}}),
		Query: fixture.Dense([][]float64{{6, 7, 1}, {1, 5, 2}}),
	}
	s := standardized(p)
	checkMatrix(t, "training samples", s.X, fixture.Dense([][]float64{{-1, 0, 0}, {0, 0, 1e-6}, {1, 0, -1e-6}}), 1e-15)
	checkMatrix(t, "queries", s.Query, fixture.Dense([][]float64{{2, 2, 0}, {-0.5, 0, 1}}), 1e-15)
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
