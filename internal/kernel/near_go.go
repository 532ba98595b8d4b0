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
	low := uint64(math.MaxUint64)
	for j := 0; j < Panel; j += half {
		for i, dot := range dots(zi, z[j:], d) {
			v := math.Float64bits((hi - 0.5) + h[j+i] - dot)
			m |= v >> 63 << (j + i)
			low = min(low, v&^(1<<63))
		}
	}
	return m, math.Float64frombits(low)
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
