package kernel

import "math"

// A vector is one number of every lane.
type vector = [Lanes]float64

// at returns vector i of s.
func at(s []float64, i int) *vector { return (*vector)(s[i*Lanes:]) }

// productGo computes productRows rows of n columns.
func productGo(c, base, a, b []float64, n, k int, s strides) {
	productAny(c, base, a, b, productRows, n, k, s)
}

// productAny computes rows×n entries.
func productAny(c, base, a, b []float64, rows, n, k int, s strides) {
	for i := range rows {
		for j := range n {
			sum := lanesDot(a[i*s.a.row*Lanes:], s.a.col, b[j*s.b.col*Lanes:], s.b.row, k)
			setEntry(c, base, i*s.c.row+j*s.c.col, &sum)
		}
	}
}

// setEntry writes one entry of a product, or of base minus the product.
func setEntry(c, base []float64, place int, sum *vector) {
	to := at(c, place)
	if base == nil {
		*to = *sum
		return
	}
	for p, v := range at(base, place) {
		to[p] = v - sum[p]
	}
}

// lanesDot returns Σ_t a_t b_t of k vectors each, t ascending, by fused
// multiply-add. The vectors are adown and bdown vectors apart.
func lanesDot(a []float64, adown int, b []float64, bdown, k int) vector {
	var s0, s1, s2, s3, s4, s5, s6, s7 float64
	for t := range k {
		x, y := at(a, t*adown), at(b, t*bdown)
		s0, s1 = math.FMA(x[0], y[0], s0), math.FMA(x[1], y[1], s1)
		s2, s3 = math.FMA(x[2], y[2], s2), math.FMA(x[3], y[3], s3)
		s4, s5 = math.FMA(x[4], y[4], s4), math.FMA(x[5], y[5], s5)
		s6, s7 = math.FMA(x[6], y[6], s6), math.FMA(x[7], y[7], s7)
	}
	return vector{s0, s1, s2, s3, s4, s5, s6, s7}
}

func stepGo(dst, y, g []float64, factor, largest *[Lanes]float64) {
	*largest = vector{}
	for i := range len(dst) / Lanes {
		to, from, slope := at(dst, i), at(y, i), at(g, i)
		for p := range to {
			if v := math.Abs(slope[p]); v > largest[p] {
				largest[p] = v
			}
			to[p] = math.FMA(-factor[p], slope[p], from[p])
		}
	}
}

func momentumGo(y, next, prev []float64, factor *[Lanes]float64) {
	for i := range len(y) / Lanes {
		to, a, b := at(y, i), at(next, i), at(prev, i)
		for p := range to {
			to[p] = math.FMA(factor[p], a[p]-b[p], a[p])
		}
	}
}
