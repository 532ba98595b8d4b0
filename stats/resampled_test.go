package stats

import (
	"math"
	"slices"
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
		sameInterval(t, c.name, got, [2]float64{c.want.Low, c.want.High}, 1e-5)
	}
}

// The reference values are those of scipy 1.10.1:
//
//	t = mean(d) / sqrt((1/R + test/train) * var(d, ddof=1)); p = 2*scipy.stats.t.sf(abs(t), R-1)
func TestResampledT(t *testing.T) {
	for _, c := range []struct {
		name        string
		differences []float64
		train, test int
		t, p        float64
	}{
		{"three splits", []float64{1, 2, 3}, 4, 1, 2.618614682831909, 0.12011730987188023},
		{"hardly any test samples: scipy.stats.ttest_1samp([1, 2, 3], 0)", []float64{1, 2, 3}, 1_000_000_000, 1, 3.464101615137755, 0.07417990022744853},
		{"ten folds", []float64{0.02, -0.01, 0.03, 0.04, 0.01, 0, 0.02, 0.05, -0.02, 0.03}, 90, 10, 1.6714574896283787, 0.12896540746041316},
		{"five folds, sums", []float64{3, 5, 4, 6, 2}, 200, 50, 3.771236166328254, 0.019583524603801403},
		{"as many test samples", []float64{10, 11, 10, 9, 10.5, 10, 9.5, 10.2, 9.9, 10.1}, 50, 50, 17.927189487461053, 2.377836591641431e-08},
		{"no mean", []float64{-1, 1}, 10, 10, 0, 1},
		{"no difference", []float64{0, 0, 0}, 10, 10, 0, 1},
		{"no spread", []float64{-0.1, -0.1, -0.1}, 10, 10, math.NaN(), math.NaN()},
	} {
		got := ResampledT(c.differences, c.train, c.test)
		near := func(a, b float64) bool {
			return a == b || math.IsNaN(a) && math.IsNaN(b) || math.Abs(a-b) <= 1e-8*(math.Abs(b)+1e-8)
		}
		if !near(got.T, c.t) || !near(got.P, c.p) || got.DF != len(c.differences)-1 {
			t.Errorf("%s: %+v, want t %v and p %v", c.name, got, c.t, c.p)
		}
	}
}

// hundredths are differences of percentages. The properties do not hold of numbers such
// as 1e-158, whose squares underflow.
var hundredths = rapid.Map(rapid.IntRange(-5000, 5000), func(v int) float64 { return float64(v) / 100 })

// The test rejects at a level exactly when the interval of that confidence leaves 0
// out, whatever the units, and turns with the signs.
func TestResampledTProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.SliceOfN(hundredths, 2, 20).Draw(t, "x")
		train, test := rapid.IntRange(1, 500).Draw(t, "train"), rapid.IntRange(1, 500).Draw(t, "test")
		got := ResampledT(x, train, test)
		if math.IsNaN(got.P) {
			if slices.Min(x) != slices.Max(x) || x[0] == 0 {
				t.Errorf("no p-value for %v", x)
			}
			return
		}
		i := ResampledMean(x, train, test, 0.95)
		if outside := i.Low > 0 || i.High < 0; outside != (got.P < 0.05) && math.Abs(got.P-0.05) > 1e-9 {
			t.Errorf("p %v with the interval %v", got.P, i)
		}
		scaled := make([]float64, len(x))
		for i, v := range x {
			scaled[i] = -4 * v
		}
		if s := ResampledT(scaled, train, test); math.Abs(s.P-got.P) > 1e-9 || math.Signbit(s.T) == math.Signbit(got.T) && got.T != 0 {
			t.Errorf("%+v times -4: %+v", got, s)
		}
		if more := ResampledT(x, train, test+1); more.P < got.P-1e-12 {
			t.Errorf("%d test samples: p %v, with one more %v", test, got.P, more.P)
		}
	})
}

// The interval moves with its numbers, turns with their signs and grows with the share
// of the test samples. It is never as narrow as that of independent differences, and
// wider than that of one more split as soon as there are more test samples.
func TestResampledMeanProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.SliceOfN(hundredths, 2, 20).Draw(t, "x")
		train, test := rapid.IntRange(1, 500).Draw(t, "train"), rapid.IntRange(1, 500).Draw(t, "test")
		got := ResampledMean(x, train, test, 0.95)
		moved, turned := make([]float64, len(x)), make([]float64, len(x))
		for i, v := range x {
			moved[i], turned[i] = v+7, -v
		}
		rounding := 1e-9 * (1 + min(math.Abs(got.Low), math.Abs(got.High)))
		sameInterval(t, "moved by 7", ResampledMean(moved, train, test, 0.95), [2]float64{got.Low + 7, got.High + 7}, rounding)
		sameInterval(t, "turned", ResampledMean(turned, train, test, 0.95), [2]float64{-got.High, -got.Low}, rounding)
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

// With one split more a difference is found, with one less it is not; where the
// correlation of the splits is too large, never.
func TestResampledSplits(t *testing.T) {
	for _, c := range []struct {
		difference, sd, ratio, level float64
	}{{1, 1, 0.1, 0.05}, {-2, 3, 0.05, 0.05}, {1, 0.5, 0.6, 0.01}} {
		r, ok := ResampledSplits(c.difference, c.sd, c.ratio, c.level, 100000)
		if !ok || r < 3 {
			t.Errorf("%+v: %d, %t", c, r, ok)
			continue
		}
		if _, ok := ResampledSplits(c.difference, c.sd, c.ratio, c.level, r-1); ok {
			t.Errorf("%+v: %d splits are enough, too", c, r-1)
		}
	}
	if r, ok := ResampledSplits(1, 1, 0.6, 0.05, 10000); ok { // t √ratio > 1.96·0.77
		t.Errorf("%d splits tell 1 point with sd 1 and ratio 0.6", r)
	}
}
