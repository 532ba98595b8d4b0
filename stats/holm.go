package stats

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// Holm adjusts the p-values of a family of tests by the step-down procedure of
// Holm (1979). Rejecting the hypotheses whose adjusted value is at most alpha
// keeps the probability of any false rejection in the family at alpha or below,
// whatever the dependence between the tests.
//
// The i-th smallest of m values becomes
//
//	adj₍ᵢ₎ = max(adj₍ᵢ₋₁₎, min(1, (m-i+1) p₍ᵢ₎)).
//
// The result is in the order of p, which stays unchanged. Equal values get equal adjusted values,
// and lowering a value never raises an adjusted one. The family is p: leaving out a test changes
// the others. Holm panics if a value is not in [0,1].
func Holm(p []float64) []float64 {
	order := make([]int, len(p))
	for i, v := range p {
		if !(v >= 0 && v <= 1) {
			panic(fmt.Sprintf("stats: Holm: p-value %d is %v, want 0 to 1", i, v))
		}
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(p[i], p[j]) })

	adjusted := make([]float64, len(p))
	running := 0.0
	for step, i := range order {
		remaining := float64(len(p) - step)
		running = max(running, min(1, remaining*p[i]))
		adjusted[i] = running
	}
	return adjusted
}

// Bonferroni multiplies each p-value by the number of tests, up to 1. It controls the same error
// rate as [Holm], and never rejects more.
func Bonferroni(p []float64) []float64 {
	adjusted := make([]float64, len(p))
	for i, v := range p {
		adjusted[i] = min(1, float64(len(p))*v)
	}
	return adjusted
}

// HolmKnown is Holm over the values other than NaN; NaN stays.
func HolmKnown(p []float64) []float64 {
	adjusted := slices.Clone(p)
	known := slices.DeleteFunc(slices.Clone(p), math.IsNaN)
	holm := Holm(known)
	for i, x := range p {
		if !math.IsNaN(x) {
			adjusted[i], holm = holm[0], holm[1:]
		}
	}
	return adjusted
}
