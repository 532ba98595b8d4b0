package kernel

// SquaredDistances writes the squared distances of m query samples to n
// training samples: dst[i*ldd+j] = Σ_k (q_ik − x_jk)², k ascending from 0 by
// fused multiply-add of the rounded difference. Query sample i stands at
// q[i*ldq:], x are panels of n samples of d features. A row of dst has
// PanelLen(n, 1) entries, at most ldd; those from n on are padding.
// The relative error is at most about d+2 roundings.
func SquaredDistances(dst []float64, ldd int, q []float64, ldq, m int, x []float64, n, d int) {
	if m == 0 || n == 0 {
		return
	}
	dst, q = dst[:(m-1)*ldd+PanelLen(n, 1)], q[:(m-1)*ldq+d]
	x = x[:PanelLen(n, d)]
	block := max(1, columnBytes/(8*Panel*d))
	for p := 0; p < Panels(n); p += block {
		count := min(block, Panels(n)-p)
		xp := x[p*Panel*d : (p+count)*Panel*d]
		i := 0
		for ; i+TileRow <= m; i += TileRow {
			active.distances(dst[i*ldd+p*Panel:], ldd, q[i*ldq:], ldq, xp, d, count)
		}
		for ; i < m; i++ {
			active.distance(dst[i*ldd+p*Panel:], q[i*ldq:], xp, d, count)
		}
	}
}
