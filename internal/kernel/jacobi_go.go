package kernel

import "math"

// orthogonal is the square of the cosine below which two columns are left as
// they are: |w_p·w_q| ≤ 1e-14 |w_p| |w_q|.
const orthogonal = 1e-28

// sweepGo does one sweep of rotations in the lanes where active is 1. Columns
// whose squared norm is not above floor are left as they are.
func sweepGo(columns []float64, order []int32, d int, active, floor *[Lanes]float64) {
	ld := columnStride(d) * Lanes
	for ; len(order) >= 2; order = order[2:] {
		p, q := columns[int(order[0])*ld:], columns[int(order[1])*ld:]
		rotate(p[:2*d*Lanes], q[:2*d*Lanes], d, active, floor)
	}
}

// rotate makes the first d vectors of columns p and q orthogonal, and applies
// the rotation to all 2d. With α = |p|², β = |q|², γ = p·q and δ = β − α,
//
//	t = sign(δ) 2γ / (|δ| + √(δ² + 4γ²)),  c = 1/√(1 + t²),  s = t c
//	p ← c p − s q,  q ← c q + s p
//
// except that (s, −c) stands for (c, s) if δ > 0: then the larger column comes
// first, which saves sweeps.
func rotate(p, q []float64, d int, active, floor *[Lanes]float64) {
	alpha, beta, gamma := lanesDot(p, 1, p, 1, d), lanesDot(q, 1, q, 1, d), lanesDot(p, 1, q, 1, d)
	turnColumns(p, q, d, &alpha, &beta, &gamma, active, floor)
}

// turnColumns applies the rotation of rotate where one is needed.
func turnColumns(p, q []float64, d int, alpha, beta, gamma, active, floor *vector) {
	for l := range Lanes {
		small := !(alpha[l] > floor[l] && beta[l] > floor[l])
		if active[l] == 0 || small || !(gamma[l]*gamma[l] > float64(alpha[l]*beta[l])*orthogonal) {
			continue
		}
		c, s := rotation(alpha[l], beta[l], gamma[l])
		for i := range 2 * d {
			x, y := p[i*Lanes+l], q[i*Lanes+l]
			p[i*Lanes+l] = math.FMA(-s, y, c*x)
			q[i*Lanes+l] = math.FMA(s, x, c*y)
		}
	}
}

// rotation returns the cosine and the sine for rotate.
func rotation(alpha, beta, gamma float64) (c, s float64) {
	delta, twice := beta-alpha, gamma+gamma
	h := math.Sqrt(math.FMA(delta, delta, float64(twice*twice)))
	t := twice / (math.Abs(delta) + h)
	if math.Signbit(delta) {
		t = -t
	}
	c = 1 / math.Sqrt(math.FMA(t, t, 1))
	if delta > 0 {
		return t * c, -c
	}
	return c, t * c
}
