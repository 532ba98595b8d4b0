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
