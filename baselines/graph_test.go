package baselines

import (
	"context"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/linalg"
)

type graphFixture struct {
	X      [][]float64
	Graphs []struct {
		K     int
		Tuner int         `json:"sigma_neighbour"`
		Sigma []float64   // of every sample
		S, L  [][]float64 // N×N
	}
}

// Rows 10 and 11 of the fixture are equal.
func TestGraphFixtures(t *testing.T) {
	fixture.Each(t, "plml", "graph*.json", func(t *testing.T, f graphFixture) {
		for _, want := range f.Graphs {
			_, scale := tunedNeighbors(context.Background(), fixture.Dense(f.X), want.K, want.Tuner)
			if raiseZeros(scale); !floats.EqualApprox(scale, want.Sigma, 1e-12) {
				t.Errorf("scales %v, want %v", scale, want.Sigma)
			}
			g := selfTuningGraph(context.Background(), fixture.Dense(f.X), want.K, want.Tuner)
			checkMatrix(t, "L", laplacian(g), fixture.Dense(want.L), 1e-10)
			for i, row := range want.S {
				for _, e := range g.edges[i] {
					row[e.to] -= e.weight
				}
				fixture.Near(t, "what a weight differs by", largestAbs(row), 0, 1e-10)
			}
		}
	})
}

func laplacian(g graph) *mat.Dense {
	n := len(g.edges)
	l := mat.NewDense(n, n, nil)
	g.addLaplacian(l, 1, mat.DenseCopyOf(scaledIdentity(n, 1)))
	return l
}

// Three samples on a line, one neighbor each, scaled by their second: 0 and 1
// are each other's nearest, 2 joins 1. s = (3, 2, 3), by hand.
func TestGraphByHand(t *testing.T) {
	g := selfTuningGraph(context.Background(), fixture.Dense([][]float64{{0}, {1}, {3}}), 1, 2)
	a, b := math.Exp(-1.0/6), math.Exp(-4.0/6)
	want := mat.NewDense(3, 3, []float64{a, -a, 0, -a, a + b, -b, 0, -b, b})
	checkMatrix(t, "L", laplacian(g), want, 1e-15)
}

func TestGraphBoundsItsEigenvalues(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Float64Range(-5, 5), 2, 30).Draw(t, "x")
		x := mat.NewDense(len(values), 1, slices.Clone(values))
		g := selfTuningGraph(context.Background(), x, rapid.IntRange(1, 6).Draw(t, "k"), 7)
		eigenvalues, _, err := linalg.Eigen(linalg.Symmetrize(laplacian(g)))
		fixture.Check(t, err)
		largest := eigenvalues[len(eigenvalues)-1]
		if bound := g.largestEigenvalue(); bound < largest*(1-1e-12) || bound > 2*largest+1e-12 {
			t.Errorf("bound %g of the eigenvalue %g", bound, largest)
		}
	})
}
