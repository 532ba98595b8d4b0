package stats

import "fmt"

// AtLeast is the probability that at least k of independent events happen that have
// these probabilities:
//
//	P(X ≥ k),  X = Σ X_i,  X_i ~ Bin(1, p_i),
//
// the Poisson binomial distribution, summed up event by event. It panics if a
// probability is none.
func AtLeast(k int, p []float64) float64 {
	if k <= 0 {
		return 1
	}
	if k > len(p) {
		return 0
	}
	exactly := make([]float64, k) // of fewer than k events
	exactly[0] = 1
	atLeast := 0.0
	for _, one := range p {
		if !(one >= 0 && one <= 1) {
			panic(fmt.Sprintf("stats: AtLeast: probability %g, want 0 to 1", one))
		}
		atLeast += one * exactly[k-1]
		for i := k - 1; i > 0; i-- {
			exactly[i] = exactly[i]*(1-one) + exactly[i-1]*one
		}
		exactly[0] *= 1 - one
	}
	return min(atLeast, 1)
}

// PoissonBinomial returns the distribution of the number of successes in independent
// trials with the given probabilities: element k is the probability of exactly k.
// Without trials it is 1 for none.
//
// It is the product of the generating functions (1 − p + p z), one trial after the
// other, in O(n²).
func PoissonBinomial(p []float64) []float64 {
	pmf := make([]float64, 1, len(p)+1)
	pmf[0] = 1
	for _, success := range p {
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
