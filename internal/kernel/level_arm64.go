package kernel

import (
	"math"
	"math/bits"
)

// neonLevel is for every arm64 processor. It uses Go for the other kernels, where
// math.FMA compiles to one instruction.
var neonLevel = neon()

func neon() level {
	v := goLevel
	v.name = "neon"
	v.near, v.values, v.mapPanel = nearNEON, valuesNEON, mapPanelNEON
	v.distances, v.distance = distancesNEON, distanceNEON
	v.product, v.sweep = productNEON, sweepNEON
	return v
}

// available returns the levels this machine can run, the fastest last.
func available() []*level { return []*level{&goLevel, &neonLevel} }

// The functions in assembly need d ≥ 1 or k ≥ 1. Strides count entries, and in dotsNEON
// vectors of Lanes entries.

// addRowsNEON adds d terms to two times 16 sums, s_rj ← s_rj + w_rk x_kj for
// ascending k, by fused multiply-add. w_rk stands at w[r·row + k·step].
//
//go:noescape
func addRowsNEON(s *[2 * Panel]float64, w *float64, row, step int, x *float64, d int)

// subRowsNEON does the same with −w.
//
//go:noescape
func subRowsNEON(s *[2 * Panel]float64, w *float64, row, step int, x *float64, d int)

// squaresNEON writes Σ_k (q_k − x_kj)² of 16 samples.
//
//go:noescape
func squaresNEON(s *[Panel]float64, q, x *float64, d int)

// dotsNEON writes Σ_t a_rt b_tc in lanes, for r = 0, 1 and c = 0, 1.
//
//go:noescape
func dotsNEON(s *[4 * Lanes]float64, a *float64, arow, acol int, b *float64, bcol, brow, k int)

// values2 returns the values of two samples and a panel.
func values2(zi, hi, z, h []float64, d int) (e [2 * Panel]float64) {
	for j, v := range h[:Panel] {
		e[j], e[Panel+j] = (hi[0]-0.5)+v, (hi[1]-0.5)+v
	}
	subRowsNEON(&e, &zi[0], 1, Panel, &z[0], d)
	return e
}

func nearNEON(masks []uint64, zi, hi, z, h []float64, d int) {
	for p := range masks {
		var m uint64
		for r := 0; r < TileRow; r += 2 {
			e := values2(zi[r:], hi[r:], z[p*Panel*d:], h[p*Panel:], d)
			for j, v := range e {
				m |= negative(v) << (r*Panel + j)
			}
		}
		masks[p] = m
	}
}

// negative returns 1 if v < 0, else 0, also for −0 and NaN.
func negative(v float64) uint64 {
	const minusZero, infinity = 1 << 63, 0x7ff << 52
	_, borrow := bits.Sub64(math.Float64bits(v)-minusZero-1, infinity, 0)
	return borrow
}

func valuesNEON(e, zi, hi, z, h []float64, d int) {
	for at := 0; at < len(e); at += 2 * Panel {
		p, r := at/tileSize, at%tileSize/Panel
		*(*[2 * Panel]float64)(e[at:]) = values2(zi[r:], hi[r:], z[p*Panel*d:], h[p*Panel:], d)
	}
}

func mapPanelNEON(z, h, x, l []float64, d int) {
	var norm [Panel]float64
	for r := 0; r < d; r += 2 {
		// The last row of an odd number is computed twice.
		count, next := 2, d
		if r+1 == d {
			count, next = 1, 0
		}
		var sum [2 * Panel]float64
		addRowsNEON(&sum, &l[r*d], next, 1, &x[0], d)
		copy(z[r*Panel:], sum[:count*Panel])
		for i := range count * Panel {
			norm[i%Panel] = math.FMA(sum[i], sum[i], norm[i%Panel])
		}
	}
	for i, v := range norm {
		h[i] = v * 0.5
	}
}

func distancesNEON(dst []float64, ldd int, q []float64, ldq int, x []float64, d, panels int) {
	for r := range TileRow {
		distanceNEON(dst[r*ldd:], q[r*ldq:], x, d, panels)
	}
}

func distanceNEON(dst []float64, q []float64, x []float64, d, panels int) {
	for p := range panels {
		squaresNEON((*[Panel]float64)(dst[p*Panel:]), &q[0], &x[p*Panel*d], d)
	}
}

func productNEON(c, base, a, b []float64, n, k int, s strides) {
	var sums [4 * Lanes]float64
	for i := 0; i < productRows; i += 2 {
		for j := 0; j < n; j += 2 {
			// The last column of an odd number is computed twice.
			count, next := 2, s.b.col
			if j+1 == n {
				count, next = 1, 0
			}
			dotsNEON(&sums, &a[i*s.a.row*Lanes], s.a.row, s.a.col, &b[j*s.b.col*Lanes], next, s.b.row, k)
			for r := range 2 {
				for col := range count {
					setEntry(c, base, (i+r)*s.c.row+(j+col)*s.c.col, at(sums[:], 2*r+col))
				}
			}
		}
	}
}

func sweepNEON(columns []float64, pairs, quads []int32, d int, active, floor *[Lanes]float64) {
	ld := columnStride(d) * Lanes
	var sums [4 * Lanes]float64
	forRotations(pairs, quads, func(from, to int) {
		p, q := columns[from*ld:][:2*d*Lanes], columns[to*ld:][:2*d*Lanes]
		next := (to - from) * columnStride(d)
		dotsNEON(&sums, &p[0], next, 1, &p[0], next, 1, d)
		turnColumns(p, q, d, at(sums[:], 0), at(sums[:], 3), at(sums[:], 1), active, floor)
	})
}
