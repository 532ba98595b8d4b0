package stats

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// An Interval holds the limits of an accuracy or of a difference, in the unit of its input:
// proportions for [Wilson] and [Newcombe].
type Interval struct{ Low, High float64 }

// Wilson returns the score interval of an accuracy (Wilson 1927) at the given confidence level,
// such as 0.95. Unlike p ± z √(p(1-p)/n) its width is not 0 when all samples are right, or none.
// For n = 0 it is [0,1]. It panics unless 0 ≤ correct ≤ n and 0 < level < 1.
func Wilson(correct, n int, level float64) Interval {
	checkProportion("Wilson", correct, n, level)
	if n == 0 {
		return Interval{0, 1}
	}
	z := normalQuantile(level)
	return Interval{wilsonLow(correct, n, z), 1 - wilsonLow(n-correct, n, z)}
}

// wilsonLow returns (2k + z² - z √(z² + 4k(n-k)/n)) / 2(n + z²).
func wilsonLow(correct, n int, z float64) float64 {
	if correct == 0 {
		return 0
	}
	k, m := float64(correct), float64(n)
	root := math.Sqrt(z*z + 4*k*(m-k)/m)
	return (2*k + z*z - z*root) / (2 * (m + z*z))
}

// Newcombe returns the interval of the difference in accuracy, first minus second, of two
// classifiers on the same samples: square-and-add of their Wilson limits with the
// continuity-corrected correlation φ of the 2×2 table (method 10 of Newcombe 1998). With accuracies
// p, limits l and u, and D = p₁-p₂ it is
//
//	D - √((p₁-l₁)² - 2φ(p₁-l₁)(u₂-p₂) + (u₂-p₂)²)
//	D + √((u₁-p₁)² - 2φ(u₁-p₁)(p₂-l₂) + (p₂-l₂)²).
//
// For no samples it is [-1,1]. It panics if a count is negative or level is not between 0 and 1.
func Newcombe(p Paired, level float64) Interval {
	n := checkPaired("Newcombe", p, level)
	if n == 0 {
		return Interval{-1, 1}
	}
	right1, right2 := p.BothRight+p.OnlyFirst, p.BothRight+p.OnlySecond
	p1, p2 := float64(right1)/float64(n), float64(right2)/float64(n)
	w1, w2 := Wilson(right1, n, level), Wilson(right2, n, level)
	phi := correlation(p)
	d := float64(p.OnlyFirst-p.OnlySecond) / float64(n)
	return Interval{
		Low:  d - squareAndAdd(p1-w1.Low, w2.High-p2, phi),
		High: d + squareAndAdd(w1.High-p1, p2-w2.Low, phi),
	}
}

// squareAndAdd returns √(x² - 2φxy + y²).
func squareAndAdd(x, y, phi float64) float64 {
	return math.Sqrt(max(0, x*x-2*phi*x*y+y*y))
}

// correlation returns Newcombe's φ. Let A be BothRight·BothWrong - OnlyFirst·OnlySecond. The
// numerator is max(0, A - n/2) if A > 0 and A otherwise; the denominator is the root of the product
// of the margins.
func correlation(p Paired) float64 {
	a, b, c, d := float64(p.BothRight), float64(p.OnlyFirst), float64(p.OnlySecond), float64(p.BothWrong)
	margins := (a + b) * (c + d) * (a + c) * (b + d)
	if margins == 0 {
		return 0
	}
	numerator := a*d - b*c
	if numerator > 0 {
		numerator = max(0, numerator-(a+b+c+d)/2)
	}
	return numerator / math.Sqrt(margins)
}

// normalQuantile returns z of a two-sided interval: 1.96 for level 0.95.
func normalQuantile(level float64) float64 {
	return distuv.UnitNormal.Quantile((1 + level) / 2)
}

func checkProportion(name string, correct, n int, level float64) {
	if correct < 0 || correct > n {
		panic(fmt.Sprintf("stats: %s: %d right of %d samples", name, correct, n))
	}
	checkLevel(name, level)
}

func checkPaired(name string, p Paired, level float64) (n int) {
	if min(p.BothRight, p.OnlyFirst, p.OnlySecond, p.BothWrong) < 0 {
		panic(fmt.Sprintf("stats: %s: negative count in %+v", name, p))
	}
	checkLevel(name, level)
	return p.N()
}

// checkLevel panics unless level is a probability other than 0 and 1.
func checkLevel(name string, level float64) {
	if !(level > 0 && level < 1) {
		panic(fmt.Sprintf("stats: %s: level %v, want one between 0 and 1", name, level))
	}
}
