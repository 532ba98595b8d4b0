package kernel

import "math"

// distancesGo treats four query samples.
func distancesGo(dst []float64, ldd int, q []float64, ldq int, x []float64, d, panels int) {
	for r := range TileRow {
		distanceGo(dst[r*ldd:], q[r*ldq:], x, d, panels)
	}
}

// distanceGo treats one query sample.
func distanceGo(dst []float64, q []float64, x []float64, d, panels int) {
	for p := range panels {
		var sum [Panel]float64
		xp := x[p*Panel*d:]
		for k, w := range q[:d] {
			xk := (*[Panel]float64)(xp[k*Panel:])
			for j := range sum {
				diff := w - xk[j]
				sum[j] = math.FMA(diff, diff, sum[j])
			}
		}
		copy(dst[p*Panel:], sum[:])
	}
}
