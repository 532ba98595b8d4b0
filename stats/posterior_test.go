package stats

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// plainSignedRank is the share of draws as the formula of BayesSignedRank has it:
// one draw after the other, every pair in all three sums.
func plainSignedRank(first, second []float64, rope float64, s BayesSettings) Regions {
	s = s.resolve()
	pairs := pairRegions(first, second, rope)
	weights := newDirichlet(s, len(first))
	var won Regions
	for range s.Draws {
		w := weights.draw()
		var r Regions
		for i, row := range pairs {
			for j, p := range row[:i] {
				r.add(2*w[i]*w[j], p)
			}
			r.add(w[i]*w[i], row[i])
		}
		won.add(1, winner(r))
	}
	draws := float64(s.Draws)
	return Regions{won.First / draws, won.Equal / draws, won.Second / draws}
}

// TestPosteriorSameBits: the draws and sums of a posterior are those of the
// formula, whatever the number of draws and of comparisons that share them.
func TestPosteriorSameBits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 19).Draw(t, "n")
		s := BayesSettings{Draws: rapid.IntRange(1, 203).Draw(t, "draws"), Seed: rapid.Uint64().Draw(t, "seed")}
		p := NewPosterior(n, s)
		for range 3 {
			score := rapid.SliceOfN(rapid.Map(rapid.IntRange(-8, 8), func(v int) float64 { return float64(v) / 2 }), n, n)
			first, second, rope := score.Draw(t, "first"), score.Draw(t, "second"), float64(rapid.IntRange(0, 2).Draw(t, "rope"))
			if n > 0 && rapid.IntRange(0, 9).Draw(t, "infinite") == 0 {
				first[0] = math.Inf(1)
			}
			got, want := p.SignedRank(first, second, rope), plainSignedRank(first, second, rope, s)
			if got.P != want {
				t.Fatalf("%+v, want %+v", got.P, want)
			}
			if alone := BayesSignedRank(first, second, rope, s); alone != got {
				t.Fatalf("alone %+v, with others %+v", alone, got)
			}
		}
	})
}
