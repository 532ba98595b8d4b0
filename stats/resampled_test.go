package stats

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

func TestResampledMean(t *testing.T) {
	for _, c := range []struct {
		name        string
		differences []float64
		train, test int
		want        Interval
	}{
		// t(0.975; 2) = 4.302653, sd 1, √(1/3 + 1/4) = 0.763763.
		{"by hand", []float64{1, 2, 3}, 4, 1, Interval{2 - 3.286205, 2 + 3.286205}},
		// t(0.975; 1) = 12.706205, sd √2, √(1/2 + 2).
		{"two splits, more test samples", []float64{-1, 1}, 10, 20, Interval{-28.411938, 28.411938}},
		{"no spread", []float64{5, 5, 5}, 1, 1, Interval{5, 5}},
	} {
		got := ResampledMean(c.differences, c.train, c.test, 0.95)
		if math.Abs(got.Low-c.want.Low) > 1e-5 || math.Abs(got.High-c.want.High) > 1e-5 {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// The interval moves with its numbers, turns with their signs and grows with the share
// of the test samples. It is never as narrow as that of independent differences, and
// wider than that of one more split as soon as there are more test samples.
func TestResampledMeanProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.SliceOfN(rapid.Float64Range(-50, 50), 2, 20).Draw(t, "x")
		train, test := rapid.IntRange(1, 500).Draw(t, "train"), rapid.IntRange(1, 500).Draw(t, "test")
		got := ResampledMean(x, train, test, 0.95)
		moved, turned := make([]float64, len(x)), make([]float64, len(x))
		for i, v := range x {
			moved[i], turned[i] = v+7, -v
		}
		near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-9*(1+math.Abs(a)) }
		if m := ResampledMean(moved, train, test, 0.95); !near(m.Low, got.Low+7) || !near(m.High, got.High+7) {
			t.Errorf("moved by 7: %v, before %v", m, got)
		}
		if m := ResampledMean(turned, train, test, 0.95); !near(m.Low, -got.High) || !near(m.High, -got.Low) {
			t.Errorf("turned: %v, before %v", m, got)
		}
		width := func(i Interval) float64 { return i.High - i.Low }
		if more := ResampledMean(x, train, test+1, 0.95); width(more) < width(got) {
			t.Errorf("%d test samples: %v, with one more %v", test, got, more)
		}
		plain := NextRun(x, 0.95).HalfWidth * 2 / math.Sqrt(float64(len(x)+1))
		if width(got) < plain-1e-9 {
			t.Errorf("%v is narrower than that of independent differences, %v", got, plain)
		}
		if next := width(NextRun(x, 0.95).Interval); test > train && width(got) < next-1e-9 {
			t.Errorf("%v is narrower than that of one more split, %v", got, next)
		}
	})
}

func TestResampledMeanRefuses(t *testing.T) {
	two := []float64{1, 2}
	for name, f := range map[string]func(){
		"one":        func() { ResampledMean(two[:1], 1, 1, 0.95) },
		"NaN":        func() { ResampledMean([]float64{1, math.NaN()}, 1, 1, 0.95) },
		"training":   func() { ResampledMean(two, 0, 1, 0.95) },
		"test":       func() { ResampledMean(two, 1, 0, 0.95) },
		"confidence": func() { ResampledMean(two, 1, 1, 1) },
	} {
		if !panics(f) {
			t.Errorf("%s: no panic", name)
		}
	}
}
