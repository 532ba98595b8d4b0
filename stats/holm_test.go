package stats

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"r2lmlbench/internal/fixture"
)

func TestHolmGolden(t *testing.T) {
	eachCase(t, "holm*.json", func(t *testing.T, c struct {
		P, Adjusted []float64
		Reject      []bool `json:"reject_005"`
	}) {
		got := Holm(c.P)
		fixture.Equal(t, "values", len(got), len(c.Adjusted))
		for i, want := range c.Adjusted {
			near(t, "adjusted p", got[i], &want, 1e-12)
		}
		for i, want := range c.Reject {
			fixture.Equal(t, "rejected at 0.05", got[i] <= 0.05, want)
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

// Holm's procedure as he states it: walk up the sorted values and stop at the
// first one above alpha/(m-i+1). At every alpha, this leaves one adjusted value only.
func TestHolmAgainstStepDown(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawP(t)
		alpha := rapid.OneOf(rapid.Just(0.05), rapid.Float64Range(1e-9, 0.999)).Draw(t, "alpha")
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
