package baselines

import (
	"math"
	"testing"

	"r2lmlbench/internal/fixture"
	"r2lmlbench/r2lml"
)

// TestThreeSamplesAClass fits every method to the real Glass and Breast Tissue
// splits: six classes of three training samples each, in nine features.
func TestThreeSamplesAClass(t *testing.T) {
	raw := fixture.Collected(t, "datasets", "raw")
	methods := map[string]r2lml.Method{
		"itml": ITML{Gamma: 1e4}, "lmnn": LMNN{}, "lmnn-mm": LMNNMM{}, "glml": GLML{}, "glml shrunk": GLML{Shrinkage: 1e-3},
		"plml": PLML{Alpha1: 0.01}, "nca": NCA{}, "nca log": NCA{Loss: LogLoss}, "rca": RCA{}, "dann": DANN{}, "scml-local": SCML{Beta: 1e-5, Bases: 50},
	}
	for _, set := range []string{"glass", "breasttissue"} {
		s, err := opened(raw, set)
		if err != nil {
			t.Fatal(err)
		}
		p := r2lml.Problem{X: s.Train.X, Y: s.Train.Y, Query: s.Validation.X, Seed: 1}
		for name, m := range methods {
			f, err := m.Fit(t.Context(), p)
			if err != nil {
				t.Errorf("%s on %s: %v", name, set, err)
				continue
			}
			distance := make([]float64, len(p.Y))
			for q := range s.Validation.Y {
				f.Metric.SquaredDistances(distance, q)
				for n, d := range distance {
					if !(d >= 0) || math.IsInf(d, 1) {
						t.Fatalf("%s on %s: squared distance of query %d to sample %d is %v", name, set, q, n, d)
					}
				}
			}
		}
	}
}

// TestLMNNMMSharedPull: a class without an active pair of its own still moves
// with the shared part of the gradient.
func TestLMNNMMSharedPull(t *testing.T) {
	// Class 1 and 2 lie among each other, class 3 is one point far away: it has
	// no target neighbor and no impostor.
	p := r2lml.Problem{
		X: fixture.Dense([][]float64{{0, 0}, {0.4, 0.1}, {0.2, 0.1}, {0.5, 0.3}, {90, 90}}),
		Y: []int{1, 1, 2, 2, 3}, Query: fixture.Dense([][]float64{{80, 70}}),
	}
	f := fit(t, LMNNMM{Step: 1e-3}, p)
	before := fit(t, LMNN{Step: 1e-7}, p)
	got, start := make([]float64, 5), make([]float64, 5)
	f.Metric.SquaredDistances(got, 0)
	before.Metric.SquaredDistances(start, 0)
	if got[4] == start[4] || got[4] == 10*10+20*20 {
		t.Errorf("the metric of the class apart did not move: squared distance %v, %v before", got[4], start[4])
	}
}
