package kernel

import "math"

// orthogonal is the squared cosine below which two columns are not rotated: |w_p·w_q| ≤ 1e-14 |w_p|
// |w_q|.
const orthogonal = 1e-28

// sweepGo does one sweep of rotations in the lanes where active is 1. It does not rotate columns
// whose squared norm is at most floor.
func sweepGo(columns []float64, pairs, quads []int32, d int, active, floor *[Lanes]float64) {
	ld := columnStride(d) * Lanes
	forRotations(pairs, quads, func(p, q int) {
		rotate(columns[p*ld:][:2*d*Lanes], columns[q*ld:][:2*d*Lanes], d, active, floor)
	})
}

// forRotations calls rotate with the columns of every rotation of a sweep, in order.
func forRotations(pairs, quads []int32, rotate func(p, q int)) {
	for ; len(pairs) >= 2; pairs = pairs[2:] {
		rotate(int(pairs[0]), int(pairs[1]))
	}
	for ; len(quads) >= 4; quads = quads[4:] {
		p1, q1, p2, q2 := int(quads[0]), int(quads[1]), int(quads[2]), int(quads[3])
		rotate(p1, q1)
		rotate(p2, q2)
		rotate(p1, q2)
		rotate(p2, q1)
	}
}

// rotate makes the first d vectors of columns p and q orthogonal, and applies
// the rotation to all 2d. With α = |p|², β = |q|², γ = p·q and δ = β − α,
//
//	t = sign(δ) 2γ / (|δ| + √(δ² + 4γ²)),  c = 1/√(1 + t²),  s = t c
//	p ← c p − s q,  q ← c q + s p
//
// except that (c, s) is replaced by (s, −c) if δ > 0: then the larger column comes
// first, which saves sweeps.
func rotate(p, q []float64, d int, active, floor *[Lanes]float64) {
	alpha, beta, gamma := lanesDot(p, 1, p, 1, d), lanesDot(q, 1, q, 1, d), lanesDot(p, 1, q, 1, d)
	turnColumns(p, q, d, &alpha, &beta, &gamma, active, floor)
}

// turnColumns applies the rotation of rotate in the lanes that need one.
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
