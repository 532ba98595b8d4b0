package kernel

import "math"

// nearGo computes len(masks) tiles of one tile row, untrimmed. zi and hi start
// at the row's first sample, z and h at the first tile's first column.
func nearGo(masks []uint64, zi, hi, z, h []float64, d int) {
	for p := range masks {
		zp, hp := z[p*Panel*d:], (*[Panel]float64)(h[p*Panel:])
		var m uint64
		for r := range TileRow {
			m |= nearRow(zi[r:], hi[r], zp, hp, d) << (r * Panel)
		}
		masks[p] = m
	}
}

// nearRow compares one sample with a panel.
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
	for k := range d {
		w, zk := -zi[k*Panel], (*[Panel]float64)(z[k*Panel:])
		for j := range e {
			e[j] = math.FMA(w, zk[j], e[j])
		}
	}
	return e
}
