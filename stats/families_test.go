package stats

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
)

// simulated draws scores of k methods on 20 splits with test/train 0.6. Scores of a method on two
// splits have the correlation test/(train+test) that the corrected resampled t-test assumes, and
// the standard deviation 3 points. The last method is better by so many points.
func simulated(rng *rand.Rand, k int, better float64) []Sample {
	const ratio, sd = 0.6, 3
	common := math.Sqrt(ratio / (1 + ratio))
	samples := make([]Sample, k)
	for i := range samples {
		mean := 80 + sd*common*rng.NormFloat64()
		if i == k-1 {
			mean += better
		}
		for range 20 {
			samples[i].Scores = append(samples[i].Scores, mean+sd*math.Sqrt(1-common*common)*rng.NormFloat64())
		}
	}
	return samples
}

// The two families of a comparison hold their level where all methods are equal; testing against
// the leader alone, which the same data chose, does not. Shares of runs in which some method is
// called different.
func TestFamiliesHoldTheirLevel(t *testing.T) {
	runs, slack := 150, 0.036                                   // two standard errors of 5 % over 150 runs
	if os.Getenv("R2LMLBENCH_LONG") != "" && !testing.Short() { // short also where QEMU translates every instruction
		runs, slack = 3000, 0.01
	}
	for _, k := range []int{7, 19} {
		rng := rand.New(rand.NewPCG(19, uint64(k)))
		test := Resampled{Sizes: slices.Repeat([][2]int{{500, 300}}, 20), Step: 1. / 3}
		var control, pairs, leading, controlPower, pairsPower float64
		any := func(all []Outcome) float64 {
			if slices.ContainsFunc(all, func(o Outcome) bool { return o.Significant }) {
				return 1 / float64(runs)
			}
			return 0
		}
		for range runs {
			equal := simulated(rng, k, 0)
			control += any(Compare(test, 0.05, equal, Against(0, k)))
			pairs += any(Compare(test, 0.05, equal, AllPairs(k)))
			leading += any(Compare(test, 0.05, equal, Against(leader(equal), k)))
			better := simulated(rng, k, 5)
			last := Compare(test, 0.05, better, Against(0, k))
			controlPower += any(last[k-2:])
			all := Compare(test, 0.05, better, AllPairs(k))
			pairsPower += any([]Outcome{all[k-2]}) // {0, k-1}
		}
		said := fmt.Sprintf("k = %d, %d runs: false claims against a control %.3f, of all pairs %.3f, against the leader %.3f; "+
			"5 points are shown against a control in %.2f, among all pairs in %.2f", k, runs, control, pairs, leading, controlPower, pairsPower)
		t.Log(said)
		if control > 0.05+slack || pairs > 0.05+slack || leading < 0.08 {
			t.Error(said)
		}
		if controlPower <= pairsPower {
			t.Error("the family of a control is not the stronger one: " + said)
		}
	}
}

// leader is the sample with the highest mean.
func leader(samples []Sample) int {
	best, most := 0, math.Inf(-1)
	for i, s := range samples {
		sum := 0.0
		for _, x := range s.Scores {
			sum += x
		}
		if sum > most {
			best, most = i, sum
		}
	}
	return best
}

// An adjusted interval leaves 0 out if and only if the pair is significant, and is never narrower
// than that of the pair alone, which is at 95 %.
func TestAdjustedIntervalsAgreeWithHolm(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 7))
	test := Resampled{Sizes: slices.Repeat([][2]int{{500, 300}}, 20), Step: 1. / 3}
	significant := 0
	for k := range 60 {
		alpha := []float64{0.01, 0.05, 0.2}[k%3]
		samples := simulated(rng, 6, 8)
		samples[1].Scores = slices.Clone(samples[0].Scores) // the same in another order: equal means
		slices.Reverse(samples[1].Scores)
		for _, o := range Compare(test, alpha, samples, AllPairs(6)) {
			i := o.Adjusted(alpha)
			if o.Min < o.Max && !(i.Low < i.High) {
				t.Fatalf("differences from %g to %g with mean %g have the interval %v", o.Min, o.Max, o.Difference, i)
			}
			if o.Significant != (i.Low > 0 || i.High < 0) || alpha <= 0.05 && (i.Low > o.Interval.Low+1e-9 || i.High < o.Interval.High-1e-9) {
				t.Fatalf("p %g, after Holm %g, level %g: interval %v, alone %v", o.P, o.PHolm, alpha, i, o.Interval)
			}
			if o.Significant {
				significant++
			}
		}
	}
	if significant < 50 {
		t.Errorf("only %d significant pairs were tried", significant)
	}
	one := Outcome{T: 1, DF: 10, Error: 1, P: 0.01, PHolm: 0.04, Family: 4}
	underflow := one
	underflow.P, underflow.PHolm = 0, 0
	if got, want := underflow.Adjusted(0.05), one.Adjusted(0.05); got != want {
		t.Errorf("with p below the numbers there are the interval is %v, want %v", got, want)
	}
}
