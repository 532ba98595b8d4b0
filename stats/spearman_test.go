package stats

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"r2lmlbench/internal/fixture"
)

func TestSpearman(t *testing.T) {
	for _, c := range []struct {
		name string
		x, y []float64
		want float64
	}{
		// Wikipedia, "Spearman's rank correlation coefficient": ρ = 1 - 6·194/(10·99) = -29/165
		{"IQ and hours of television",
			[]float64{106, 100, 86, 101, 99, 103, 97, 113, 112, 110}, []float64{7, 27, 2, 50, 28, 29, 20, 12, 6, 17}, -29.0 / 165},
		{"one order", []float64{1, 2, 3, 50}, []float64{-3, -2, 0.5, 0.75}, 1},
		{"the reverse", []float64{1, 2, 3, 50}, []float64{9, 8, 7, -7}, -1},
		// Ranks 1 2.5 2.5 4 and 1 3 2 4: Σ = 4.5, squares 4.5 and 5, ρ = 4.5/√22.5 = √0.9
		{"a tie on one side", []float64{1, 2, 2, 3}, []float64{1, 3, 2, 4}, math.Sqrt(0.9)},
		// Ranks 1.5 1.5 3.5 3.5 and 2 2 2 4: Σ = 1, squares 4 and 3, ρ = 2/√12 = 1/√3
		{"ties on both sides", []float64{0, 0, 7, 7}, []float64{5, 5, 5, 9}, 1 / math.Sqrt(3)},
		{"infinities are the ends", []float64{math.Inf(-1), 0, math.Inf(1)}, []float64{1, 2, 3}, 1},
	} {
		fixture.Near(t, c.name, Spearman(c.x, c.y), c.want, 1e-12)
	}
	for name, sides := range map[string][2][]float64{
		"constant": {{1, 2, 3}, {4, 4, 4}}, "both constant": {{1, 1}, {2, 2}}, "one pair": {{1}, {2}}, "no pairs": {nil, nil},
	} {
		near(t, name, Spearman(sides[0], sides[1]), nil, 0)
	}
	mustPanic(t, map[string]func(){
		"lengths":      func() { Spearman([]float64{1, 2}, []float64{1, 2, 3}) },
		"NaN":          func() { Spearman([]float64{1, math.NaN()}, []float64{1, 2}) },
		"NaN opposite": func() { Spearman([]float64{1, 2}, []float64{math.NaN(), 2}) },
	})
}

// Without ties ρ = 1 - 6 Σd²/(n³-n). It has no direction, and a monotone map of one
// side leaves it as it is.
func TestSpearmanProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 12).Draw(t, "n")
		order := rapid.Permutation(upTo(n)).Draw(t, "ranks")
		x, y, cubes, d2 := make([]float64, n), make([]float64, n), make([]float64, n), 0.0
		for i, rank := range order {
			x[i], y[i] = float64(i), float64(rank)
			cubes[i] = y[i]*y[i]*y[i] - 100
			d2 += (x[i] - y[i]) * (x[i] - y[i])
		}
		want := 1 - 6*d2/float64(n*n*n-n)
		for name, got := range map[string]float64{"plain": Spearman(x, y), "exchanged": Spearman(y, x), "cubes": Spearman(x, cubes)} {
			fixture.Near(t, name, got, want, 1e-12)
		}
	})
}
