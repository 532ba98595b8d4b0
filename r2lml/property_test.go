package r2lml

import (
	"math"
	"slices"
	"testing"

	"r2lmlbench/internal/fixture"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// drawDense draws a matrix with entries in [−limit, limit].
func drawDense(t *rapid.T, name string, rows, cols int, limit float64) *mat.Dense {
	entries := rapid.SliceOfN(rapid.Float64Range(-limit, limit), rows*cols, rows*cols)
	return mat.NewDense(rows, cols, entries.Draw(t, name))
}

// drawProblem draws a small problem.
func drawProblem(t *rapid.T) Problem {
	n, m, d := rapid.IntRange(2, 10).Draw(t, "N"), rapid.IntRange(1, 5).Draw(t, "M"), rapid.IntRange(1, 3).Draw(t, "D")
	return Problem{
		X:     drawDense(t, "X", n, d, 3),
		Y:     rapid.SliceOfN(rapid.IntRange(1, 3), n, n).Draw(t, "Y"),
		Query: drawDense(t, "Query", m, d, 3),
		Seed:  rapid.Uint64().Draw(t, "seed"),
	}
}

// drawSettings draws settings of a short fit.
func drawSettings(t *rapid.T) Efficient {
	return Efficient{
		Variant:    rapid.SampledFrom([]Variant{Reference, Published}).Draw(t, "variant"),
		Metrics:    rapid.IntRange(1, 3).Draw(t, "K"),
		Lambda:     rapid.SampledFrom([]float64{0, 0.1, 10}).Draw(t, "lambda"),
		C:          1,
		Step:       1e-3,
		Epochs:     rapid.IntRange(1, 2).Draw(t, "epochs"),
		Iterations: rapid.IntRange(1, 10).Draw(t, "iterations"),
	}
}

// drawDescent draws the state in which T-R2LML starts.
func drawDescent(t *rapid.T) *blockDescent {
	m, p := drawSettings(t), drawProblem(t)
	return startEither(p, m, true)
}

// checkSimplex fails unless every row of g has non-negative entries of sum 1.
func checkSimplex(t rapid.TB, g *mat.Dense) {
	n, _ := g.Dims()
	for i := range n {
		if row := g.RawRowView(i); !(slices.Min(row) >= 0) || !(math.Abs(floats.Sum(row)-1) <= 1e-12) {
			t.Fatalf("coefficients of sample %d are %v: not on the simplex", i, row)
		}
	}
}

func TestBlocksKeepTheirConstraints(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		f := drawDescent(rt)
		minimizeTransductive(t.Context(), plain{}, []*blockDescent{f}, func(*blockDescent) {})
		fixture.Check(rt, f.err)
		checkSimplex(rt, f.g)
		checkSimilarity(rt, f.s, f.y)
		for k, l := range f.l {
			if !(largest(l) < math.Inf(1)) {
				rt.Fatalf("map %d has the largest entry %v", k, largest(l))
			}
		}
	})
}

// checkSimilarity fails unless s is symmetric with a unit diagonal and says of
// the labeled samples what their labels say.
func checkSimilarity(t rapid.TB, s similarity, y []int) {
	for m := range s.n {
		for n := range s.n {
			switch labeled := m < len(y) && n < len(y); {
			case s.at(m, n) != s.at(n, m):
				t.Fatalf("s of (%d, %d) and of (%d, %d) differ", m, n, n, m)
			case m == n && !s.at(m, n):
				t.Fatalf("sample %d is not similar to itself", m)
			case labeled && s.at(m, n) != (y[m] == y[n]):
				t.Fatalf("s of (%d, %d) is %v for labels %d and %d", m, n, s.at(m, n), y[m], y[n])
			}
		}
	}
}
