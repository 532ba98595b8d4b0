package stats

import (
	"fmt"
	"math"
)

// NemenyiP is the p-value of Nemenyi's test for two of k methods whose average
// ranks over n data sets differ by the given amount, adjusted for all pairs:
//
//	P(Q > √2 |difference| / √(k(k+1)/6n)),
//
// Q the studentized range of k groups with infinite degrees of freedom. It panics
// if k < 2 or n < 1.
func NemenyiP(difference float64, k, n int) float64 {
	return rangeTail(math.Sqrt2*math.Abs(difference)/rankError(k, n), k)
}

// CriticalDifference is the smallest difference of two average ranks over n data
// sets that Nemenyi's test of k methods finds significant at level alpha:
//
//	CD = q_α/√2 · √(k(k+1)/6n).
//
// Tables usually print q_α/√2: 3.031 for eight methods at 0.05. It panics if
// k < 2, n < 1 or alpha is not between 0 and 1.
func CriticalDifference(alpha float64, k, n int) float64 {
	checkLevel("CriticalDifference", alpha)
	return rankError(k, n) * rangeQuantile(alpha, k) / math.Sqrt2
}

// rankError is the standard error √(k(k+1)/6n) of a difference of average ranks.
func rankError(k, n int) float64 {
	if k < 2 || n < 1 {
		panic(fmt.Sprintf("stats: Nemenyi: %d methods on %d data sets, want at least 2 on 1", k, n))
	}
	return math.Sqrt(float64(k) * float64(k+1) / float64(6*n))
}
