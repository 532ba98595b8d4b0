package stats

import (
	"fmt"

	"gonum.org/v1/gonum/floats"
)

// AtLeast is the probability that at least k of independent events happen that have
// these probabilities:
//
//	P(X ≥ k),  X = Σ X_i,  X_i ~ Bin(1, p_i),
//
// the tail of [PoissonBinomial]. It panics as that does.
func AtLeast(k int, p []float64) float64 {
	if k <= 0 {
		return 1
	}
	return min(floats.Sum(PoissonBinomial(p)[min(k, len(p)+1):]), 1)
}

// PoissonBinomial returns the distribution of the number of successes in independent
// trials with the given probabilities: element k is the probability of exactly k.
// Without trials it is 1 for none. It panics if a probability is none.
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
