package linalg

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"pgregory.net/rapid"

	"r2lmlbench/internal/fixture"
)

func TestProjectSimplex(t *testing.T) {
	for _, tt := range []struct {
		name    string
		v, want []float64
	}{
		{"empty", nil, nil},
		{"one entry", []float64{-7}, []float64{1}},
		{"on the simplex", []float64{0.25, 0.75, 0}, []float64{0.25, 0.75, 0}},
		{"a vertex", []float64{3, 0, 0}, []float64{1, 0, 0}},
		{"equal entries", []float64{5, 5, 5, 5}, []float64{0.25, 0.25, 0.25, 0.25}},
		{"two stay", []float64{0.5, -1, 1}, []float64{0.25, 0, 0.75}},
		// The 1 of the sum would vanish beside these entries.
		{"large entries", []float64{1e20, 1e20, 0}, []float64{0.5, 0.5, 0}},
		{"large negative entries", []float64{-1e20, -1e20}, []float64{0.5, 0.5}},
	} {
		got := slices.Clone(tt.v)
		ProjectSimplex(got)
		fixture.EqualSlice(t, tt.name, got, tt.want)
	}
}

// The projection p of v is the point of the simplex at which no other point
// of it is in an acute direction: (v − p)ᵀ(e_i − p) ≤ 0 for all vertices e_i.
func TestProjectSimplexIsNearest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.SliceOfN(rapid.Float64Range(-3, 3), 1, 12).Draw(t, "v")
		p := slices.Clone(v)
		ProjectSimplex(p)
		if slices.Min(p) < 0 || math.Abs(floats.Sum(p)-1) > 1e-14 {
			t.Fatalf("%v is not on the simplex", p)
		}
		var inner float64 // (v − p)ᵀ p
		for i := range p {
			inner += (v[i] - p[i]) * p[i]
		}
		for i := range p {
			if v[i]-p[i]-inner > 1e-13 {
				t.Fatalf("vertex %d is nearer to %v than %v", i, v, p)
			}
		}
	})
}

func TestProjectSimplexFixtures(t *testing.T) {
	type simplexFixture struct {
		Tolerance     float64
		Input, Output [][]float64
	}
	fixture.Each(t, "plml", "simplex*.json", func(t *testing.T, f simplexFixture) {
		for i, v := range f.Input {
			ProjectSimplex(v)
			if !floats.EqualApprox(v, f.Output[i], f.Tolerance) {
				t.Errorf("row %d: %v, want %v", i, v, f.Output[i])
			}
		}
	})
}
