package kernel

import "math"

// distancesGo computes the distances of four query samples.
func distancesGo(dst []float64, ldd int, q []float64, ldq int, x []float64, d, panels int) {
	for r := range TileRow {
		distanceGo(dst[r*ldd:], q[r*ldq:], x, d, panels)
	}
}

// distanceGo computes the distances of one query sample.
func distanceGo(dst []float64, q []float64, x []float64, d, panels int) {
	for p := range panels {
		for c := 0; c < Panel; c += half {
			*(*[half]float64)(dst[p*Panel+c:]) = halfDistances(q[:d], x[p*Panel*d+c:])
		}
	}
}

// halfDistances returns the squared distances of a sample from eight of a panel, the
// squares added in the order of the features by fused multiply-add.
func halfDistances(q, x []float64) [half]float64 {
	var s0, s1, s2, s3, s4, s5, s6, s7 float64
	for k, w := range q {
		v := (*[half]float64)(x[k*Panel:])
		d0, d1, d2, d3, d4, d5, d6, d7 := w-v[0], w-v[1], w-v[2], w-v[3], w-v[4], w-v[5], w-v[6], w-v[7]
		s0, s1 = math.FMA(d0, d0, s0), math.FMA(d1, d1, s1)
		s2, s3 = math.FMA(d2, d2, s2), math.FMA(d3, d3, s3)
		s4, s5 = math.FMA(d4, d4, s4), math.FMA(d5, d5, s5)
		s6, s7 = math.FMA(d6, d6, s6), math.FMA(d7, d7, s7)
	}
	return [half]float64{s0, s1, s2, s3, s4, s5, s6, s7}
}
