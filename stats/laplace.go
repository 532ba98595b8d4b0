package stats

import "math"

// LaplaceLeftOut returns the logarithm of the likelihood of every residual under a
// Laplace distribution around 0 whose scale is estimated from the other residuals:
//
//	b_i = (1/(n-1)) Σ_{j≠i} |x_j|,   log p_i = -log(2 b_i) - |x_i| / b_i
//
// No residual has a part in its own scale, so that protocols with different spreads
// can be compared. Scales below least count as least, which stands for the rounding
// of the residuals and must be positive. It panics with fewer than two residuals or
// when one is not a number.
func LaplaceLeftOut(residuals []float64, least float64) []float64 {
	checkNumbers("LaplaceLeftOut", residuals)
	n := len(residuals)
	if n < 2 || !(least > 0) {
		panic("stats: LaplaceLeftOut needs at least two residuals and a positive least scale")
	}
	total := 0.0
	for _, x := range residuals {
		total += math.Abs(x)
	}
	logs := make([]float64, n)
	for i, x := range residuals {
		b := math.Max((total-math.Abs(x))/float64(n-1), least)
		logs[i] = -math.Log(2*b) - math.Abs(x)/b
	}
	return logs
}
