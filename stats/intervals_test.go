package stats

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
	"pgregory.net/rapid"

	"r2lmlbench/internal/fixture"
)

func TestIntervalsGolden(t *testing.T) {
	eachGolden(t, "intervals*.json", func(t *testing.T, f struct {
		Single []struct {
			Correct, N     int
			Accuracy       float64
			Wilson         [2]float64 `json:"wilson95"`
			ClopperPearson [2]float64 `json:"clopper_pearson95"`
		}
		Paired []struct {
			BothRight   int `json:"both_right"`
			OnlyFirst   int `json:"a_right_b_wrong"`
			OnlySecond  int `json:"a_wrong_b_right"`
			BothWrong   int `json:"both_wrong"`
			Difference  float64
			Wald        [2]float64 `json:"wald_95"`
			Newcombe    [2]float64 `json:"newcombe10_95"`
			BonettPrice [2]float64 `json:"bonett_price_95"`
		} `json:"paired_difference"`
	}) {
		if len(f.Single)+len(f.Paired) == 0 {
			t.Fatal("no cases")
		}
		for _, c := range f.Single {
			fixture.Near(t, fmt.Sprintf("%d of %d", c.Correct, c.N), float64(c.Correct)/float64(c.N), c.Accuracy, 1e-12)
			sameInterval(t, "Wilson", Wilson(c.Correct, c.N, 0.95), c.Wilson, 1e-9)
			sameInterval(t, "ClopperPearson", ClopperPearson(c.Correct, c.N, 0.95), c.ClopperPearson, 1e-9)
		}
		for _, c := range f.Paired {
			p := Paired{c.BothRight, c.OnlyFirst, c.OnlySecond, c.BothWrong}
			n := c.BothRight + c.OnlyFirst + c.OnlySecond + c.BothWrong
			fixture.Near(t, fmt.Sprintf("%+v: difference", p), float64(p.OnlyFirst-p.OnlySecond)/float64(n), c.Difference, 1e-12)
			if math.Abs(c.Wald[0]+c.Wald[1]-2*c.Difference) > 1e-9 { // not ours: it only has to be about the same difference
				t.Errorf("%+v: Wald's interval %v is not around %v", p, c.Wald, c.Difference)
			}
			for name, got := range map[string]Interval{"Newcombe": Newcombe(p, 0.95), "BonettPrice": BonettPrice(p, 0.95)} {
				if got.Low > c.Difference || got.High < c.Difference {
					t.Errorf("%s: %v leaves out the difference %v", name, got, c.Difference)
				}
			}
			sameInterval(t, "Newcombe", Newcombe(p, 0.95), c.Newcombe, 1e-9)
			sameInterval(t, "BonettPrice", BonettPrice(p, 0.95), c.BonettPrice, 1e-9)
		}
	})
}

func sameInterval(t rapid.TB, name string, got Interval, want [2]float64, tolerance float64) {
	t.Helper()
	fixture.Near(t, name+": low", got.Low, want[0], tolerance)
	fixture.Near(t, name+": high", got.High, want[1], tolerance)
}

// The definitions: at a Wilson limit the observed count is z deviations off; at
// a Clopper-Pearson limit its tail has probability 2.5 %.
func TestAccuracyIntervalProperties(t *testing.T) {
	z := distuv.UnitNormal.Quantile(0.975)
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 6000).Draw(t, "n")
		k := rapid.IntRange(0, n).Draw(t, "correct")
		p, m := float64(k)/float64(n), float64(n)
		w, c := Wilson(k, n, 0.95), ClopperPearson(k, n, 0.95)
		if w.Low < 0 || w.Low > p || w.High < p || w.High > 1 || c.Low < 0 || c.Low > p || c.High < p || c.High > 1 {
			t.Errorf("%d of %d: Wilson %v, Clopper-Pearson %v", k, n, w, c)
		}
		for _, limit := range []float64{w.Low, w.High} {
			if limit == 0 || limit == 1 {
				continue
			}
			fixture.Near(t, "deviations of a Wilson limit", math.Abs(p-limit)/math.Sqrt(limit*(1-limit)/m), z, 1e-6)
		}
		if k > 0 {
			fixture.Near(t, "tail at the lower limit", distuv.Binomial{N: m, P: 1 - c.Low}.CDF(m-float64(k)), 0.025, 1e-8)
		}
		if k < n {
			fixture.Near(t, "tail at the upper limit", distuv.Binomial{N: m, P: c.High}.CDF(float64(k)), 0.025, 1e-8)
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
		for name, interval := range map[string]func(Paired, float64) Interval{"Newcombe": Newcombe, "BonettPrice": BonettPrice} {
			got, mirror := interval(p, 0.95), interval(swapped, 0.95)
			sameInterval(t, name+" exchanged", mirror, [2]float64{-got.High, -got.Low}, 1e-12)
			if got.Low < -1-1e-12 || got.High > 1+1e-12 || !(got.Low < got.High) {
				t.Errorf("%s: %v", name, got)
			}
			if name == "Newcombe" && (got.Low > d || got.High < d) {
				t.Errorf("%v does not hold %v", got, d)
			}
			if wide := interval(p, 0.99); wide.Low > got.Low || wide.High < got.High {
				t.Errorf("%s: %v at 0.99 and %v at 0.95", name, wide, got)
			}
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
