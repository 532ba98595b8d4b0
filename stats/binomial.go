package stats

import (
	"fmt"
	"math"
	"math/big"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat/distuv"
)

// maxExact is the largest number of discordant samples whose tail is summed as
// integers. Its smallest value, 2⁻¹⁰⁰⁰, is still a normal float64.
const maxExact = 1000

// doubledTail returns 2 P(X ≤ m) - w P(X = m) and its decimal logarithm, for
// X ~ Bin(d, 1/2) and m < d/2. The weight w is 0 for the exact test, 1 for mid-p.
func doubledTail(d, m, w int) (p, log10p float64) {
	if d <= maxExact {
		p = summedTail(d, m, w)
		return p, math.Log10(p)
	}
	ln := logTail(float64(d), float64(m), float64(w))
	return math.Exp(ln), ln / math.Ln10
}

// summedTail is doubledTail as the integer 2 Σ C(d,k) - w C(d,m), k ≤ m, over
// 2^d, rounded to float64 only at the end.
func summedTail(d, m, w int) float64 {
	choose := big.NewInt(1) // C(d,k)
	sum := big.NewInt(1)
	for k := 1; k <= m; k++ {
		choose.Mul(choose, big.NewInt(int64(d-k+1)))
		choose.Quo(choose, big.NewInt(int64(k)))
		sum.Add(sum, choose)
	}
	sum.Lsh(sum, 1)
	sum.Sub(sum, choose.Mul(choose, big.NewInt(int64(w))))
	tail := new(big.Float).SetInt(sum)
	p, _ := tail.SetMantExp(tail, -d).Float64()
	return p
}

// logTail returns the natural logarithm of doubledTail, at most 0. It uses P(X ≤ m) = P(X = m) ·
// tailRatio.
func logTail(d, m, w float64) float64 {
	return min(0, logPoint(d, m)+math.Log(2*tailRatio(d, m)-w))
}

// tailRatio returns P(X ≤ m)/P(X = m), by P(X = k-1)/P(X = k) = k/(d-k+1). The terms fall ever
// faster; it stops when they no longer change the sum.
func tailRatio(d, m float64) float64 {
	sum, term := 1.0, 1.0
	for k := m; k > 0 && term > 1e-17*sum; k-- {
		term *= k / (d - k + 1)
		sum += term
	}
	return sum
}

// logPoint is ln P(X = m) for m < d/2. With n = d-m, Stirling's formula gives
//
//	P(X = m) = √(d/(2πmn)) (d/2m)^m (d/2n)^n e^(δ(d)-δ(m)-δ(n)),
//
// where large terms have cancelled on paper (Loader 2000, Fast and Accurate
// Computation of Binomial Probabilities); the difference of three log gammas
// would lose digits as d grows.
func logPoint(d, m float64) float64 {
	if m == 0 {
		return -d * math.Ln2
	}
	n := d - m
	gap := (n - m) / d // 2m/d = 1-gap, 2n/d = 1+gap
	powers := m*math.Log1p(-gap) + n*math.Log1p(gap)
	delta := stirlingError(d) - stirlingError(m) - stirlingError(n)
	return math.Log(d/(2*math.Pi*m*n))/2 - powers + delta
}

// stirlingError is δ(n) = ln n! - ln(√(2πn) (n/e)^n), n ≥ 1.
func stirlingError(n float64) float64 {
	if n < 16 {
		factorial, _ := math.Lgamma(n + 1)
		return factorial - (math.Log(2*math.Pi*n)/2 + n*math.Log(n) - n)
	}
	nn := n * n
	return (1.0/12 - (1.0/360-(1.0/1260-1.0/1680/nn)/nn)/nn) / n
}

// AtLeast returns the probability that at least k of independent events with the probabilities p
// happen:
//
//	P(X ≥ k),  X = Σ X_i,  X_i ~ Bin(1, p_i),
//
// the upper tail of [PoissonBinomial]. It panics as that does.
func AtLeast(k int, p []float64) float64 {
	if k <= 0 {
		return 1
	}
	return min(floats.Sum(PoissonBinomial(p)[min(k, len(p)+1):]), 1)
}

// PoissonBinomial returns the distribution of the number of successes in independent trials with
// the given probabilities: element k is P(X = k). For no trials it is [1]. It panics if a
// probability is not in [0,1].
//
// It is the product of the generating functions (1 − p + p z), one trial after the
// other, in O(n²).
func PoissonBinomial(p []float64) []float64 {
	pmf := make([]float64, 1, len(p)+1)
	pmf[0] = 1
	for _, success := range p {
		if !(success >= 0 && success <= 1) {
			panic(fmt.Sprintf("stats: PoissonBinomial: probability %g, want 0 to 1", success))
		}
		pmf = append(pmf, 0)
		for k := len(pmf) - 1; k >= 0; k-- {
			pmf[k] *= 1 - success
			if k > 0 {
				pmf[k] += success * pmf[k-1]
			}
		}
	}
	return pmf
}

// BinomialTest returns the exact two-sided p-value of k successes in n trials of probability p, 0 <
// p < 1: the total probability of the counts that are no more likely than k.
func BinomialTest(k, n int, p float64) float64 {
	own, sum := binomialPoint(n, k, p), 0.0
	for i := range n + 1 {
		if one := binomialPoint(n, i, p); one <= own*(1+1e-7) { // 1e-7: equally likely up to rounding
			sum += one
		}
	}
	return min(sum, 1)
}

// binomialPoint returns P(X = k), X ~ Bin(n, p), 0 < p < 1.
func binomialPoint(n, k int, p float64) float64 {
	return math.Exp(distuv.Binomial{N: float64(n), P: p}.LogProb(float64(k)))
}
