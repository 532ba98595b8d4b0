package stats

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestHolmGolden(t *testing.T) {
	type file struct {
		Cases []struct {
			ID       string    `json:"id"`
			P        []float64 `json:"p"`
			Adjusted []float64 `json:"adjusted"`
			Reject   []bool    `json:"reject_005"`
		} `json:"cases"`
	}
	eachGolden(t, "holm*.json", func(t *testing.T, f file) {
		if len(f.Cases) == 0 {
			t.Fatal("no cases")
		}
		for _, c := range f.Cases {
			t.Run(c.ID, func(t *testing.T) {
				got := Holm(c.P)
				if len(got) != len(c.Adjusted) {
					t.Fatalf("%d values, want %d", len(got), len(c.Adjusted))
				}
				for i := range got {
					if !near(got[i], &c.Adjusted[i], 1e-12) {
						t.Errorf("%d: %v, want %v", i, got[i], c.Adjusted[i])
					}
					if i < len(c.Reject) && (got[i] <= 0.05) != c.Reject[i] {
						t.Errorf("%d: rejected at 0.05: %v, want %v", i, got[i] <= 0.05, c.Reject[i])
					}
				}
			})
		}
	})
}

// drawP draws lists with many ties, zeros and ones.
func drawP(t *rapid.T) []float64 {
	value := rapid.OneOf(
		rapid.SampledFrom([]float64{0, 1e-300, 0.001, 0.01, 0.05 / 28, 0.05, 0.5, 1}),
		rapid.Float64Range(0, 0.1),
		rapid.Float64Range(0, 1),
	)
	return rapid.SliceOfN(value, 1, 30).Draw(t, "p")
}

func TestHolmFollowsPermutations(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawP(t)
		index := make([]int, len(p))
		for i := range index {
			index[i] = i
		}
		index = rapid.Permutation(index).Draw(t, "permutation")
		shuffled := make([]float64, len(p))
		for to, from := range index {
			shuffled[to] = p[from]
		}
		want, got := Holm(p), Holm(shuffled)
		for to, from := range index {
			if got[to] != want[from] {
				t.Errorf("%v: %v, in another order %v", p[from], want[from], got[to])
			}
		}
	})
}

// Holm's procedure as he states it: walk up the sorted values and stop at the
// first one above alpha/(m-i+1).
func TestHolmAgainstStepDown(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawP(t)
		const alpha = 0.05
		sorted := slices.Sorted(slices.Values(p))
		rejected := 0
		for rejected < len(p) && float64(len(p)-rejected)*sorted[rejected] <= alpha {
			rejected++
		}
		for i, a := range Holm(p) {
			if want := rejected > 0 && p[i] <= sorted[rejected-1]; (a <= alpha) != want {
				t.Errorf("p[%d] = %v, adjusted %v: rejected %v, want %v", i, p[i], a, !want, want)
			}
		}
	})
}

// Values that are not known take no part in the correction.
func TestHolmKnown(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct{ p, want []float64 }{
		{nil, nil},
		{[]float64{nan}, []float64{nan}},
		{[]float64{0.02, nan, 0.01, nan}, []float64{0.02, nan, 0.02, nan}},
	} {
		got := HolmKnown(c.p)
		if !slices.EqualFunc(got, c.want, func(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }) {
			t.Errorf("%v: %v, want %v", c.p, got, c.want)
		}
	}
}
