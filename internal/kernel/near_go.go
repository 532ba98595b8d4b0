package kernel

import "math"

// nearGo computes len(masks) tiles of one tile row, untrimmed. zi and hi start
// at the row's first sample, z and h at the first tile's first column.
//
// Sums without fused multiply-add decide most pairs: math.FMA checks the processor in each
// call and is slow without the instruction. Sums of squared differences may end early, once
// they are above 1; sums of products take fewer operations. Each tile uses the kind of sum
// that was best for the tile before. No bit changes. With u = 2⁻⁵³ and
//
//	S = h_i + h_j + 1/2 + Σ_k |z_ik z_jk| ≤ 2 (h_i + h_j) + 1/2
//
// up to rounding, half a sum of squares errs by less than 1.01 (d + 3) u S, and a sum of
// products by less than 1.01 (2 d + 2) u S. The value by definition is off by less than
// 1.01 (d + 2) u S, and by 1.01 d u S/2 more from squares, through the roundings of h. A
// row of a tile is computed by definition where a sum is not further from 1 than twice
// the bound of all; an infinite or undefined bound has the same effect.
func nearGo(masks []uint64, zi, hi, z, h []float64, d int) {
	unit := 2 * 1.05 * float64(3*d+8) * 0x1p-53
	far := true // all pairs of the tile before were far
	for p := range masks {
		zp, hp := z[p*Panel*d:], (*[Panel]float64)(h[p*Panel:])
		top := largest(hp)
		var m uint64
		for r := range TileRow {
			bound := unit * (2*(hi[r]+top) + 0.5)
			var low, high uint64
			var sure, sureToo bool
			if far {
				low, sure = halfNear(zi[r:], zp, d, bound)
				high, sureToo = halfNear(zi[r:], zp[half:], d, bound)
			} else {
				low, sure = halfProducts(zi[r:], hi[r], zp, hp[:half], d, bound)
				high, sureToo = halfProducts(zi[r:], hi[r], zp[half:], hp[half:], d, bound)
			}
			row := low | high<<half
			if !(sure && sureToo) {
				row = nearRow(zi[r:], hi[r], zp, hp, d)
			}
			m |= row << (r * Panel)
		}
		masks[p], far = m, m == 0
	}
}

// largest returns the largest of the half squared norms h, or NaN if one is NaN:
// numbers without a sign are in the order of their bits.
func largest(h *[Panel]float64) float64 {
	top := uint64(0)
	for _, v := range h {
		top = max(top, math.Float64bits(v))
	}
	return math.Float64frombits(top)
}

// halfNear compares one sample with eight others: bit j of m is 1 if the squared
// distance is below 1. It is sure if each is further from 1 than bound. The
// compiler may or may not fuse the products and sums.
func halfNear(w, x []float64, d int, bound float64) (m uint64, sure bool) {
	far := 1 + bound
	var s0, s1, s2, s3, s4, s5, s6, s7 float64
	for k, end := 0, min(d, firstFeatures); k < d; end = min(d, 2*end) {
		for ; k < end; k++ {
			f, v := w[k*Panel], (*[half]float64)(x[k*Panel:])
			s0 += (f - v[0]) * (f - v[0])
			s1 += (f - v[1]) * (f - v[1])
			s2 += (f - v[2]) * (f - v[2])
			s3 += (f - v[3]) * (f - v[3])
			s4 += (f - v[4]) * (f - v[4])
			s5 += (f - v[5]) * (f - v[5])
			s6 += (f - v[6]) * (f - v[6])
			s7 += (f - v[7]) * (f - v[7])
		}
		if s0 > far && s1 > far && s2 > far && s3 > far && s4 > far && s5 > far && s6 > far && s7 > far {
			return 0, true
		}
	}
	return decided(s0-1, s1-1, s2-1, s3-1, s4-1, s5-1, s6-1, s7-1, bound)
}

// halfProducts is halfNear by sums of products.
func halfProducts(w []float64, hi float64, x, h []float64, d int, bound float64) (m uint64, sure bool) {
	hi -= 0.5
	h = h[:half]
	s0, s1, s2, s3 := hi+h[0], hi+h[1], hi+h[2], hi+h[3]
	s4, s5, s6, s7 := hi+h[4], hi+h[5], hi+h[6], hi+h[7]
	for k := range d {
		f, v := w[k*Panel], (*[half]float64)(x[k*Panel:])
		s0 -= f * v[0]
		s1 -= f * v[1]
		s2 -= f * v[2]
		s3 -= f * v[3]
		s4 -= f * v[4]
		s5 -= f * v[5]
		s6 -= f * v[6]
		s7 -= f * v[7]
	}
	return decided(2*s0, 2*s1, 2*s2, 2*s3, 2*s4, 2*s5, 2*s6, 2*s7, bound)
}

// decided returns the signs of eight numbers, and whether each is larger than bound.
func decided(s0, s1, s2, s3, s4, s5, s6, s7, bound float64) (m uint64, sure bool) {
	b0, b1, b2, b3 := math.Float64bits(s0), math.Float64bits(s1), math.Float64bits(s2), math.Float64bits(s3)
	b4, b5, b6, b7 := math.Float64bits(s4), math.Float64bits(s5), math.Float64bits(s6), math.Float64bits(s7)
	m = b0>>63 | b1>>63<<1 | b2>>63<<2 | b3>>63<<3 | b4>>63<<4 | b5>>63<<5 | b6>>63<<6 | b7>>63<<7
	// Twice the bits of a number are those of its magnitude.
	least := min(b0<<1, b1<<1, b2<<1, b3<<1, b4<<1, b5<<1, b6<<1, b7<<1) >> 1
	return m, math.Float64frombits(least) > bound
}

// firstFeatures is the number of features that halfNear sums before it tests whether all
// samples are far.
const firstFeatures = 4

// nearRow compares one sample with a panel by definition.
func nearRow(zi []float64, hi float64, z []float64, h *[Panel]float64, d int) (m uint64) {
	for j, v := range valueRow(zi, hi, z, h, d) {
		if v < 0 {
			m |= 1 << j
		}
	}
	return m
}

// valueRow returns the values of one sample and a panel.
func valueRow(zi []float64, hi float64, z []float64, h *[Panel]float64, d int) (e [Panel]float64) {
	for j, v := range h {
		e[j] = (hi - 0.5) + v
	}
	addChains((*[half]float64)(e[:]), zi, Panel, z, d, -1)
	addChains((*[half]float64)(e[half:]), zi, Panel, z[half:], d, -1)
	return e
}
