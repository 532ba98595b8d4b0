package stats

import (
	"fmt"
	"math"
	"sort"

	"gonum.org/v1/gonum/stat/distuv"
)

// CriticalGap is the smallest |b-c| at which McNemar's test rejects at level
// alpha when b+c samples are discordant. Where no outcome rejects, as for the
// exact test at 0.05 with up to five, ok is false.
func CriticalGap(t Variant, discordant int, alpha float64) (gap int, ok bool) {
	odd := discordant % 2 // b-c is odd or even as b+c is
	steps := sort.Search(discordant/2+1, func(i int) bool {
		half := (discordant - odd) / 2
		return McNemar(t, half+odd+i, half-i).P <= alpha
	})
	return odd + 2*steps, steps <= discordant/2
}

// MinGap is the smallest difference in correct samples that can be significant
// at level alpha on a test set of n samples, as the first of a family of tests
// under [Holm]: so many samples must be right by one method only, and none by the
// other only, as any of those makes p larger. Where even n samples are too few,
// ok is false.
func MinGap(t Variant, n, family int, alpha float64) (gap int, ok bool) {
	gap = 1 + sort.Search(n, func(i int) bool {
		return McNemar(t, i+1, 0).P*float64(family) <= alpha
	})
	return gap, gap <= n
}

// Power is the probability that McNemar's test rejects at level alpha on a test
// set of n samples, each of which only the first classifier labels correctly with
// probability first and only the second with probability second:
//
//	Σ_D P(D) P(b ≤ m or b ≥ D-m),  D ~ Bin(n, first+second),  b ~ Bin(D, first/(first+second)),
//
// where D-2m is the [CriticalGap]. It panics if a probability is negative, their
// sum exceeds 1, n is negative or alpha is not between 0 and 1.
func Power(t Variant, n int, first, second, alpha float64) float64 {
	discordant := first + second
	if !(first >= 0 && second >= 0 && discordant <= 1 && n >= 0) {
		panic(fmt.Sprintf("stats: Power: %d samples, probabilities %v and %v", n, first, second))
	}
	checkLevel("Power", alpha)
	if discordant == 0 {
		return 0
	}
	power := 0.0
	for d := 1; d <= n; d++ {
		weight := binomialPoint(n, d, discordant)
		if weight < 1e-20 {
			continue
		}
		if gap, ok := CriticalGap(t, d, alpha); ok {
			m := (d - gap) / 2
			power += weight * (binomialAtMost(d, m, first/discordant) + binomialAtMost(d, m, second/discordant))
		}
	}
	return power
}

// binomialPoint is P(X = k), X ~ Bin(n, p), p > 0.
func binomialPoint(n, k int, p float64) float64 {
	if p == 1 {
		if k == n {
			return 1
		}
		return 0
	}
	return math.Exp(distuv.Binomial{N: float64(n), P: p}.LogProb(float64(k)))
}

// binomialAtMost is P(X ≤ k), X ~ Bin(n, p).
func binomialAtMost(n, k int, p float64) float64 {
	return distuv.Binomial{N: float64(n), P: p}.CDF(float64(k))
}
