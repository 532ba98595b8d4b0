package stats

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
	"pgregory.net/rapid"
)

func TestIntervalsGolden(t *testing.T) {
	f := golden[struct {
		Single []struct {
			Correct, N int
			Wilson     [2]float64 `json:"wilson95"`
		}
		Paired []struct {
			BothRight  int        `json:"both_right"`
			OnlyFirst  int        `json:"a_right_b_wrong"`
			OnlySecond int        `json:"a_wrong_b_right"`
			BothWrong  int        `json:"both_wrong"`
			Newcombe   [2]float64 `json:"newcombe10_95"`
		} `json:"paired_difference"`
	}](t, "intervals")
	if len(f.Single) == 0 || len(f.Paired) == 0 {
		t.Fatal("no cases")
	}
	for _, c := range f.Single {
		sameInterval(t, "Wilson", Wilson(c.Correct, c.N, 0.95), c.Wilson)
	}
	for _, c := range f.Paired {
		p := Paired{c.BothRight, c.OnlyFirst, c.OnlySecond, c.BothWrong}
		sameInterval(t, "Newcombe", Newcombe(p, 0.95), c.Newcombe)
	}
}

func sameInterval(t *testing.T, name string, got Interval, want [2]float64) {
	t.Helper()
	if math.Abs(got.Low-want[0]) > 1e-9 || math.Abs(got.High-want[1]) > 1e-9 {
		t.Errorf("%s: %v, want %v", name, got, want)
	}
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
			t.Errorf("%d of %d: %v", k, n, w)
		}
		for _, limit := range []float64{w.Low, w.High} {
			if limit == 0 || limit == 1 {
				continue
			}
			if deviations := math.Abs(p-limit) / math.Sqrt(limit*(1-limit)/m); math.Abs(deviations-z) > 1e-6 {
				t.Errorf("%d of %d: Wilson limit %v is %v deviations off", k, n, limit, deviations)
			}
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
		if math.Abs(got.Low+mirror.High) > 1e-12 || math.Abs(got.High+mirror.Low) > 1e-12 {
			t.Errorf("%v, exchanged %v", got, mirror)
		}
		if got.Low < -1-1e-12 || got.High > 1+1e-12 || !(got.Low < got.High) || got.Low > d || got.High < d {
			t.Errorf("%v of the difference %v", got, d)
		}
		if wide := Newcombe(p, 0.99); wide.Low > got.Low || wide.High < got.High {
			t.Errorf("%v at 0.99 and %v at 0.95", wide, got)
		}
	})
}
