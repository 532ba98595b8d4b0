package kernel

import "math"

// half is the number of sums that one pass keeps in registers.
const half = 8

// addChains adds d terms to eight sums, s_j ← s_j + sign·w_k x_kj for ascending
// k, by fused multiply-add. w_k stands at w[k·step], x_kj at x[k·Panel + j].
// sign is 1 or −1.
func addChains(s *[half]float64, w []float64, step int, x []float64, d int, sign float64) {
	s0, s1, s2, s3, s4, s5, s6, s7 := s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7]
	for k := range d {
		f, v := sign*w[k*step], (*[half]float64)(x[k*Panel:])
		s0, s1 = math.FMA(f, v[0], s0), math.FMA(f, v[1], s1)
		s2, s3 = math.FMA(f, v[2], s2), math.FMA(f, v[3], s3)
		s4, s5 = math.FMA(f, v[4], s4), math.FMA(f, v[5], s5)
		s6, s7 = math.FMA(f, v[6], s6), math.FMA(f, v[7], s7)
	}
	*s = [half]float64{s0, s1, s2, s3, s4, s5, s6, s7}
}

// dots returns Σ_k w_k x_kj of one sample and eight others. The compiler may or
// may not fuse its products and sums, so that its last bits are not defined. On
// amd64 it takes less than half the time of addChains.
func dots(w, x []float64, d int) [half]float64 {
	var s0, s1, s2, s3, s4, s5, s6, s7 float64
	for k := range d {
		f, v := w[k*Panel], (*[half]float64)(x[k*Panel:])
		s0 += f * v[0]
		s1 += f * v[1]
		s2 += f * v[2]
		s3 += f * v[3]
		s4 += f * v[4]
		s5 += f * v[5]
		s6 += f * v[6]
		s7 += f * v[7]
	}
	return [half]float64{s0, s1, s2, s3, s4, s5, s6, s7}
}
