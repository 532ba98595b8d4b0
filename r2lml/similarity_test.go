package r2lml

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"r2lmlbench/internal/fixture"
)

// pairsOf lists the pairs m > n of different samples that are similar.
func pairsOf(s similarity) [][2]int {
	var pairs [][2]int
	for m := range s.n {
		for n := range m {
			if s.at(m, n) {
				pairs = append(pairs, [2]int{m, n})
			}
		}
	}
	return pairs
}

// With 40 labeled and 60 unlabeled samples 4170 coins are flipped; a fair one
// shows 2085 ± 32 heads, and six standard deviations are allowed.
func TestCoinSimilarityIsFair(t *testing.T) {
	y := make([]int, 40)
	for i := range y {
		y[i] = 1 + i%2
	}
	for seed := range uint64(5) {
		s := coinSimilarity(context.Background(), rand.New(rand.NewPCG(seed, 0)), y, 60)
		f := similarPairs(s, len(y))
		if f.Of != 4170 || math.Abs(float64(f.Count)-2085) > 6*32.3 {
			t.Errorf("seed %d: %d of %d pairs are similar, want about 2085 of 4170", seed, f.Count, f.Of)
		}
		checkSimilarity(t, s, y)
	}
	for _, total := range []int{1, 63, 64, 65, 130} { // up to and beyond whole words
		y := make([]int, total/3)
		checkSimilarity(t, coinSimilarity(context.Background(), rand.New(rand.NewPCG(uint64(total), 0)), y, total-total/3), y)
	}
}

// Five points on a line, L = 1 and g = 1: ψ = E − [1 − E]₊ of E = (x_m − x_n)².
// Samples 0 and 1 are labeled. Only 0 and 2 are nearer than ψ = 0.
//
//	sample  0    1    2    3    4
//	x       0   10   0.5   3   30
//
// The smallest entries of the rows without a negative one: sample 1 has 49
// with 3, sample 3 has 6.25 with 2, sample 4 has 400 with 1.
func TestSimilaritiesByHand(t *testing.T) {
	x := mat.NewDense(5, 1, []float64{0, 10, 0.5, 3, 30})
	ones := mat.NewDense(5, 1, []float64{1, 1, 1, 1, 1})
	for _, test := range []struct {
		name    string
		variant Variant
		labels  []int
		want    [][2]int
	}{
		{"reference: labeled sample 1 finds a partner, 4 stays alone", Reference, []int{1, 2}, [][2]int{{2, 0}, {3, 1}}},
		{"published: unlabeled samples 3 and 4 find partners", Published, []int{1, 2}, [][2]int{{2, 0}, {3, 2}, {4, 1}}},
		{"reference: equal labels stay similar", Reference, []int{1, 1}, [][2]int{{1, 0}, {2, 0}, {3, 1}}},
		{"published: equal labels stay similar", Published, []int{1, 1}, [][2]int{{1, 0}, {2, 0}, {3, 2}, {4, 1}}},
	} {
		f := &blockDescent{
			setting: Efficient{C: 1, Variant: test.variant},
			x:       x, y: test.labels, l: []*mat.Dense{nil}, g: ones, s: labelSimilarity(test.labels, 3),
		}
		f.similarities(t.Context(), plain{})
		fixture.Check(t, f.err)
		fixture.EqualSlice(t, test.name, pairsOf(f.s), test.want)
	}
}

// fromMatrix is block 3 by way of the whole matrix Ψ: the entries that may not
// be taken are infinite, and rows without a negative entry take their smallest.
func fromMatrix(f *blockDescent) similarity {
	total, _ := f.g.Dims()
	variant, labeled := f.setting.Variant, len(f.y)
	psi, rows := mat.NewDense(total, total, nil), plain{}.psi(f)
	for m := range total {
		for n, v := range rows(m) {
			switch {
			case m < labeled && n < labeled, m == n && variant == Published:
				psi.Set(m, n, math.Inf(1))
			case m != n:
				psi.Set(m, n, v)
			}
		}
	}
	s := labelSimilarity(f.y, total-labeled)
	for m := range total {
		row := psi.RawRowView(m)
		for n, v := range row {
			if v < 0 {
				s.set(m, n)
			}
		}
		smallest := slices.Min(row)
		if smallest >= 0 && (variant == Reference || m >= labeled) {
			s.set(m, slices.Index(row, smallest))
		}
	}
	return s
}

func TestSimilaritiesAgreeWithTheMatrix(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		f := drawDescent(rt)
		want := fromMatrix(f)
		f.similarities(t.Context(), plain{})
		fixture.Check(rt, f.err)
		checkSimilarity(rt, f.s, f.y)
		fixture.EqualSlice(rt, "similar pairs", pairsOf(f.s), pairsOf(want))
	})
}

// Taking the pairs with ψ < 0 and no others cannot raise F; a partner taken at
// ψ ≥ 0 costs 2ψ, since its pair counts in both orders.
func TestSimilaritiesLowerTheObjective(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		f := drawDescent(rt)
		before, psi := plain{}.objective(f), plain{}.psi(f)
		f.similarities(t.Context(), plain{})
		fixture.Check(rt, f.err)
		allowance := 1e-9 * (1 + math.Abs(before))
		for _, pair := range pairsOf(f.s) {
			if pair[0] >= len(f.y) {
				allowance += 2 * max(0, psi(pair[0])[pair[1]])
			}
		}
		if after := (plain{}).objective(f); !(after <= before+allowance) {
			rt.Fatalf("F went from %v to %v, want a rise of at most %v", before, after, allowance)
		}
	})
}
