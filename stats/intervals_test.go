package stats

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp/cmpopts"
	"gonum.org/v1/gonum/stat/distuv"
	"pgregory.net/rapid"

	"r2lmlbench/internal/fixture"
)

func TestIntervalsGolden(t *testing.T) {
	fixture.Each(t, "stats", "intervals*.json", func(t *testing.T, f struct {
		Single []struct {
			Correct, N int
			Accuracy   float64
			Wilson     [2]float64 `json:"wilson95"`
		}
		Paired []struct {
			BothRight  int `json:"both_right"`
			OnlyFirst  int `json:"a_right_b_wrong"`
			OnlySecond int `json:"a_wrong_b_right"`
			BothWrong  int `json:"both_wrong"`
			Difference float64
			Newcombe   [2]float64 `json:"newcombe10_95"`
		} `json:"paired_difference"`
	}) {
		if len(f.Single)+len(f.Paired) == 0 {
			t.Fatal("no cases")
		}
		for _, c := range f.Single {
			fixture.Near(t, fmt.Sprintf("%d of %d", c.Correct, c.N), float64(c.Correct)/float64(c.N), c.Accuracy, 1e-12)
			sameInterval(t, "Wilson", Wilson(c.Correct, c.N, 0.95), c.Wilson, 1e-9)
		}
		for _, c := range f.Paired {
			p := Paired{c.BothRight, c.OnlyFirst, c.OnlySecond, c.BothWrong}
			n := c.BothRight + c.OnlyFirst + c.OnlySecond + c.BothWrong
			fixture.Near(t, fmt.Sprintf("%+v: difference", p), float64(p.OnlyFirst-p.OnlySecond)/float64(n), c.Difference, 1e-12)
			sameInterval(t, "Newcombe", Newcombe(p, 0.95), c.Newcombe, 1e-9)
		}
	})
}

func sameInterval(t rapid.TB, name string, got Interval, want [2]float64, tolerance float64) {
	t.Helper()
	fixture.Near(t, name+": low", got.Low, want[0], tolerance)
	fixture.Near(t, name+": high", got.High, want[1], tolerance)
}

// The definition: at a Wilson limit the observed count is z deviations off.
func TestAccuracyIntervalProperties(t *testing.T) {
	z := distuv.UnitNormal.Quantile(0.975)
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 6000).Draw(t, "n")
		k := rapid.IntRange(0, n).Draw(t, "correct")
		p, m := float64(k)/float64(n), float64(n)
		w := Wilson(k, n, 0.95)
		if w.Low < 0 || w.Low > p || w.High < p || w.High > 1 {
			t.Errorf("%d of %d: Wilson %v", k, n, w)
		}
		for _, limit := range []float64{w.Low, w.High} {
			if limit == 0 || limit == 1 {
				continue
			}
			fixture.Near(t, "deviations of a Wilson limit", math.Abs(p-limit)/math.Sqrt(limit*(1-limit)/m), z, 1e-6)
		}
	})
}

func TestDifferenceIntervalProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		count := rapid.IntRange(0, 2000)
		p := Paired{count.Draw(t, "a"), count.Draw(t, "b"), count.Draw(t, "c"), count.Draw(t, "d")}
		swapped := Paired{p.BothRight, p.OnlySecond, p.OnlyFirst, p.BothWrong}
		n := p.BothRight + p.OnlyFirst + p.OnlySecond + p.BothWrong
		if n == 0 {
			return
		}
		d := float64(p.OnlyFirst-p.OnlySecond) / float64(n)
		got, mirror := Newcombe(p, 0.95), Newcombe(swapped, 0.95)
		sameInterval(t, "exchanged", mirror, [2]float64{-got.High, -got.Low}, 1e-12)
		if got.Low < -1-1e-12 || got.High > 1+1e-12 || got.Low > d || got.High < d || !(got.Low < got.High) {
			t.Errorf("%v of %v", got, d)
		}
		if wide := Newcombe(p, 0.99); wide.Low > got.Low || wide.High < got.High {
			t.Errorf("%v at 0.99 and %v at 0.95", wide, got)
		}
	})
}

// sleep are the differences of R's data set sleep, group 2 less group 1 (Student 1908).
var sleep = []float64{1.2, 2.4, 1.3, 1.3, 0, 1, 1.8, 0.8, 4.6, 1.4}

func TestMeanInterval(t *testing.T) {
	// R: t.test(sleep$extra[11:20] - sleep$extra[1:10])$conf.int
	sameInterval(t, "of the sleepers", MeanInterval(sleep, 0.95), [2]float64{0.7001142, 2.4598858}, 1e-7)
	if i := MeanInterval(sleep[:1], 0.95); !math.IsNaN(i.Low) || !math.IsNaN(i.High) {
		t.Errorf("of one number %+v", i)
	}
}

// The ranks are those of tables of the sign test: k is 2 of 10 numbers (coverage 0.9785),
// 1 of 6 (0.9688), and there is none of 5 (0.9375); 5 of 18 (0.9691).
func TestMedianInterval(t *testing.T) {
	fixture.Equal(t, "of the sleepers", MedianInterval(sleep, 0.95), Interval{0.8, 2.4})
	for n, k := range map[int]int{0: 0, 1: 0, 5: 0, 6: 1, 18: 5} {
		x := make([]float64, n)
		for j := range x {
			x[j] = float64(n - j) // n to 1
		}
		i := MedianInterval(x, 0.95)
		if k == 0 && (!math.IsNaN(i.Low) || !math.IsNaN(i.High)) || k > 0 && i != (Interval{float64(k), float64(n + 1 - k)}) {
			t.Errorf("of %d numbers %+v, want the rank %d", n, i, k)
		}
	}
}

func TestResampledInterval(t *testing.T) {
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
		// t(0.975; 2) = 4.302653, sd 1/√3 in place of 0, √(1/3 + 1).
		{"no spread", []float64{5, 5, 5}, 1, 1, Interval{5 - 2.868435, 5 + 2.868435}},
		{"no difference", []float64{0, 0, 0}, 1, 1, Interval{0, 0}},
	} {
		got := ResampledT(c.differences, c.train, c.test, 1).Interval(0.95)
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
		// d[0] / (sqrt(1/R + test/train) * step / sqrt(R)): one split may be off by a step.
		{"no spread", []float64{-0.1, -0.1, -0.1}, 10, 10, -1.5, 0.2723931248910011},
	} {
		want := ResampledTest{T: c.t, P: c.p, DF: len(c.differences) - 1}
		fixture.Same(t, c.name, ResampledT(c.differences, c.train, c.test, 0.1), want,
			cmpopts.IgnoreFields(want, "Mean", "SD", "Error"), cmpopts.EquateApprox(1e-8, 1e-16))
	}
}

// hundredths are differences of percentages. The properties do not hold of numbers such
// as 1e-158, whose squares underflow.
var hundredths = rapid.Map(rapid.IntRange(-5000, 5000), func(v int) float64 { return float64(v) / 100 })

// The interval turns and moves with its numbers and grows with the share of the test samples. The
// test rejects at a level exactly when the interval of that confidence leaves 0 out, and on that side.
func TestResampledProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.SliceOfN(hundredths, 2, 20).Draw(t, "x")
		train, test := rapid.IntRange(1, 500).Draw(t, "train"), rapid.IntRange(1, 500).Draw(t, "test")
		r := ResampledT(x, train, test, 0.01)
		got := r.Interval(0.95)
		turned := make([]float64, len(x))
		for i, v := range x {
			turned[i] = -4 * v
		}
		rounding := 4e-9 * (1 + min(math.Abs(got.Low), math.Abs(got.High)))
		sameInterval(t, "turned and scaled", ResampledT(turned, train, test, 0.04).Interval(0.95), [2]float64{-4 * got.High, -4 * got.Low}, rounding)
		if more := ResampledT(x, train, test+1, 0.01).Interval(0.95); more.High-more.Low < got.High-got.Low {
			t.Errorf("%d test samples: %v, with one more %v", test, got, more)
		}
		if (got.Low > 0 || got.High < 0) != (r.P < 0.05) && math.Abs(r.P-0.05) > 1e-9 || r.T*(got.Low+got.High) < 0 || !(r.P > 0 && r.P <= 1) {
			t.Errorf("%+v with the interval %v", r, got)
		}
	})
}

// A difference that is the same on every split has a p-value between those of its neighbors,
// of which one split is one test sample nearer to 0 and farther from it; none at all has p = 1.
func TestResampledWithoutSpread(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, splits := rapid.IntRange(1, 300).Draw(t, "n"), rapid.IntRange(2, 50).Draw(t, "splits")
		train, right := rapid.IntRange(1, 1000).Draw(t, "train"), rapid.IntRange(1, n).Draw(t, "right")
		p := func(first, others int) float64 {
			x := slices.Repeat([]float64{float64(100*others) / float64(n)}, splits)
			x[0] = float64(100*first) / float64(n)
			return ResampledT(x, train*splits, n*splits, 100/float64(n)).P
		}
		if nearer, same, farther := p(right-1, right), p(right, right), p(right+1, right); !(farther < same && same < nearer) {
			t.Errorf("p %v, one sample nearer to 0 %v, farther %v", same, nearer, farther)
		}
		fixture.Equal(t, "p turned", p(-right, -right), p(right, right))
		fixture.Equal(t, "p of no difference", p(0, 0), 1)
	})
}

// R splits with the mean and deviation that were asked for reach the level, R - 1 do not;
// where the correlation of the splits is too large, no number does.
func TestResampledSplits(t *testing.T) {
	p := func(splits int, difference, sd, ratio float64) float64 { // of the formula of ResampledT
		return 2 * distuv.StudentsT{Sigma: 1, Nu: float64(splits - 1)}.CDF(-difference/(sd*math.Sqrt(1/float64(splits)+ratio)))
	}
	rapid.Check(t, func(t *rapid.T) {
		difference, sd := rapid.Float64Range(0.1, 5).Draw(t, "difference"), rapid.Float64Range(0.1, 5).Draw(t, "sd")
		ratio, level := rapid.Float64Range(0, 1).Draw(t, "ratio"), rapid.Float64Range(0.0001, 0.1).Draw(t, "level")
		const most = 100
		r, ok := ResampledSplits(-difference, sd, ratio, level, most)
		switch {
		case !ok && p(most, difference, sd, ratio) < level*(1-1e-9):
			t.Errorf("%d splits are enough", most)
		case ok && (p(r, difference, sd, ratio) > level*(1+1e-9) || r > 2 && p(r-1, difference, sd, ratio) < level*(1-1e-9)):
			t.Errorf("%d splits for %v: p %v, with one less %v", r, level, p(r, difference, sd, ratio), p(r-1, difference, sd, ratio))
		}
	})
	fewest := 2
	for p(fewest, 1, 1, 0.1) > 0.05 {
		fewest++
	}
	if r, ok := ResampledSplits(1, 1, 0.1, 0.05, 10000); !ok || r != fewest {
		t.Errorf("%d splits tell 1 point with sd 1 and ratio 0.1, by trying each number %d", r, fewest)
	}
	if r, ok := ResampledSplits(1, 1, 0.6, 0.05, 10000); ok { // t √ratio > 1.96·0.77
		t.Errorf("%d splits tell 1 point with sd 1 and ratio 0.6, whose p never falls below 0.05", r)
	}
}
