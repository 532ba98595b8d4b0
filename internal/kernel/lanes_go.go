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
			var sum vector
			for t := range k {
				x, y := at(a, i*s.a.row+t*s.a.col), at(b, t*s.b.row+j*s.b.col)
				for p := range sum {
					sum[p] = math.FMA(x[p], y[p], sum[p])
				}
			}
			place := i*s.c.row + j*s.c.col
			if base != nil {
				from := at(base, place)
				for p := range sum {
					sum[p] = from[p] - sum[p]
				}
			}
			*at(c, place) = sum
		}
	}
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
