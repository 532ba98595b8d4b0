package stats

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/stat/distuv"
)

// NemenyiP returns the p-value of Nemenyi's test for two of k methods whose average ranks over n
// data sets differ by difference, adjusted for all pairs:
//
//	P(Q > √2 |difference| / √(k(k+1)/6n)),
//
// where Q is the studentized range of k groups with infinite degrees of freedom. It panics if k < 2
// or n < 1.
func NemenyiP(difference float64, k, n int) float64 {
	return rangeTail(math.Sqrt2*math.Abs(difference)/rankError(k, n), k)
}

// CriticalDifference returns the smallest difference of two average ranks over n data sets that
// Nemenyi's test of k methods finds significant at level alpha:
//
//	CD = q_α/√2 · √(k(k+1)/6n).
//
// Tables usually print q_α/√2: 3.031 for eight methods at 0.05. It panics if
// k < 2, n < 1 or alpha is not between 0 and 1.
func CriticalDifference(alpha float64, k, n int) float64 {
	checkLevel("CriticalDifference", alpha)
	return rankError(k, n) * rangeQuantile(alpha, k) / math.Sqrt2
}

// rankError returns the standard error √(k(k+1)/6n) of a difference of average ranks.
func rankError(k, n int) float64 {
	if k < 2 || n < 1 {
		panic(fmt.Sprintf("stats: Nemenyi: %d methods on %d data sets, want at least 2 on 1", k, n))
	}
	return math.Sqrt(float64(k) * float64(k+1) / float64(6*n))
}

// rangePoints is the number of Gauss-Legendre nodes of rangeTail; twice as many
// change its value by less than 1e-12 for 50 groups, and by 1e-10 for 500.
const rangePoints = 200

// rangeTail returns P(Q > q) for the studentized range of k groups with infinite degrees of
// freedom, the range of k standard normal variables. From
//
//	P(Q ≤ q) = k ∫ φ(z) (Φ(z) - Φ(z-q))^(k-1) dz  and  1 = k ∫ φ(z) Φ(z)^(k-1) dz
//
// it integrates the difference, which keeps small tails accurate.
func rangeTail(q float64, k int) float64 {
	const edge = 8 // φ beyond it is below 1e-14
	switch {
	case q <= 0:
		return 1
	case q > 60:
		return 0 // below 1e-300
	}
	power := float64(k - 1)
	tail := quad.Fixed(func(z float64) float64 {
		all, far := distuv.UnitNormal.CDF(z), distuv.UnitNormal.CDF(z-q)
		return distuv.UnitNormal.Prob(z) * math.Pow(all, power) * -math.Expm1(power*math.Log1p(-far/all))
	}, -edge, edge+q, rangePoints, quad.Legendre{}, 0)
	return min(1, float64(k)*tail)
}

// rangeQuantile returns the q with P(Q > q) = alpha, by bisection.
func rangeQuantile(alpha float64, k int) float64 {
	low, high := 0.0, 1.0
	for rangeTail(high, k) > alpha {
		low, high = high, 2*high
	}
	for high-low > 1e-13*high {
		middle := (low + high) / 2
		if rangeTail(middle, k) > alpha {
			low = middle
		} else {
			high = middle
		}
	}
	return high
}
