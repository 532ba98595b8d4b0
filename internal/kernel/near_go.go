package kernel

import "math"

// nearGo computes len(masks) tiles of one tile row, untrimmed. zi and hi start
// at the row's first sample, z and h at the first tile's first column.
//
// Sums without fused multiply-add decide most pairs: math.FMA asks each time
// what the processor can do, and is slow where it cannot. No bit changes. With
// u = 2⁻⁵³, the roundings of such a sum come to less than 1.01 (d + 3) u S, and
// those of the value by definition to less than 1.01 (d + 2) u S, where
//
//	S = h_i + h_j + 1/2 + Σ_k |z_ik z_jk| ≤ 2 (h_i + h_j) + 1/2
//
// up to rounding. A row of a tile is computed by definition where a sum is not
// above the bound of both; an infinite or undefined bound has the same effect.
func nearGo(masks []uint64, zi, hi, z, h []float64, d int) {
	unit := 1.05 * float64(2*d+8) * 0x1p-53
	for p := range masks {
		zp, hp := z[p*Panel*d:], (*[Panel]float64)(h[p*Panel:])
		top := hp[0]
		for _, v := range hp[1:] {
			top = max(top, v)
		}
		var m uint64
		for r := range TileRow {
			bits, least := signs(zi[r:], hi[r], zp, hp, d)
			if !(least > unit*(2*(hi[r]+top)+0.5)) {
				bits = nearRow(zi[r:], hi[r], zp, hp, d)
			}
			m |= bits << (r * Panel)
		}
		masks[p] = m
	}
}

// signs returns which of the values of one sample and a panel are negative, all
// but for rounding, and the least magnitude.
func signs(zi []float64, hi float64, z []float64, h *[Panel]float64, d int) (m uint64, least float64) {
	low, lowest := halfSigns(zi, hi-0.5, z, h[:half], d)
	high, highest := halfSigns(zi, hi-0.5, z[half:], h[half:], d)
	return low | high<<half, math.Float64frombits(min(lowest, highest))
}

// halfSigns treats eight samples, and returns the bits of the least magnitude. The
// compiler may or may not fuse its products and sums. On amd64 it takes less than
// half the time of sums by math.FMA.
func halfSigns(w []float64, start float64, x, h []float64, d int) (m, least uint64) {
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
	g := (*[half]float64)(h)
	b0, b1 := math.Float64bits(start+g[0]-s0), math.Float64bits(start+g[1]-s1)
	b2, b3 := math.Float64bits(start+g[2]-s2), math.Float64bits(start+g[3]-s3)
	b4, b5 := math.Float64bits(start+g[4]-s4), math.Float64bits(start+g[5]-s5)
	b6, b7 := math.Float64bits(start+g[6]-s6), math.Float64bits(start+g[7]-s7)
	m = b0>>63 | b1>>63<<1 | b2>>63<<2 | b3>>63<<3 | b4>>63<<4 | b5>>63<<5 | b6>>63<<6 | b7>>63<<7
	// Twice the bits of a number are those of its magnitude.
	return m, min(b0<<1, b1<<1, b2<<1, b3<<1, b4<<1, b5<<1, b6<<1, b7<<1) >> 1
}

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
