package kernel

import "fmt"

// Margins computes how far the pairs of tiles are from crossing distance 1. Fill takes
// the samples z = L x and their half squared norms h, from Map, and the samples x and
// their half squared norms hx. The margin of a tile is at most the minimum over its
// marked pairs of
//
//	[|√E − 1| − rounding]₊ / √(|x_i − x_j|² + roundingX),  E = |z_i − z_j|²
//
// where E is first moved toward 1 by rounding. The margin of a tile without a
// marked pair is +Inf.
//
// Let rounding and roundingX bound the rounding errors of E and of |x_i − x_j|².
// Both are below 1/4. Then a marked pair stays on its side of 1 under any L′ with
// ‖L′ − L‖₂ below its margin:
//
//	| |L′ D| − |L D| | ≤ ‖L′ − L‖₂ |D|
//
// On levels with a kernel in float32, margins are smaller than that minimum by the
// errors of float32, see fillNarrow, and by 0.4 %. On the others they are the minimum.
type Margins struct {
	n, d                int
	rounding, roundingX float64
	z, h, x, hx         []float64 // owned by the caller
	e                   []float64 // scratch: the values of a tile row, with and without the map
	narrow              marginSamples
}

// tileSize is the number of pairs in a tile.
const tileSize = TileRow * Panel

// marginLimit bounds half squared norms: nothing overflows below it.
const marginLimit = 0x1p39

// Fill sets the n samples of d features for Measure. It keeps the slices.
// No half squared norm may reach 2³⁹.
func (m *Margins) Fill(z, h, x, hx []float64, n, d int, rounding, roundingX float64) {
	*m = Margins{n, d, rounding, roundingX, z[:PanelLen(n, d)], h[:PanelLen(n, 1)], x[:PanelLen(n, d)], hx[:PanelLen(n, 1)], m.e, m.narrow}
	for i, v := range m.h {
		if !(max(v, m.hx[i]) < marginLimit) {
			panic(fmt.Sprintf("kernel: margins of sample %d of half squared norms %g and %g", i, v, m.hx[i]))
		}
	}
	if active.narrowMargins != nil {
		m.fillNarrow()
	}
}

// Measure sets the margins of the tile rows t = 0, every, 2·every, ... for the pairs
// marked in masks. Bits that are no pairs must be 0, see Trim.
func (m *Margins) Measure(margins []float64, masks []uint64, every int) {
	tiles := TileOffset(TileRows(m.n))
	margins, masks = margins[:tiles], masks[:tiles]
	if active.narrowMargins != nil {
		m.measureNarrow(margins, masks, every)
		return
	}
	m.e = resized(m.e, 2*tileSize*Panels(m.n))
	for t := 0; t < TileRows(m.n); t += every {
		count := t/4 + 1
		at, lane := t/4*Panel, t%4*TileRow
		ez, ex := m.e[:tileSize*count], m.e[tileSize*count:2*tileSize*count]
		active.values(ez, m.z[at*m.d+lane:], m.h[at+lane:], m.z[:count*Panel*m.d], m.h[:count*Panel], m.d)
		active.values(ex, m.x[at*m.d+lane:], m.hx[at+lane:], m.x[:count*Panel*m.d], m.hx[:count*Panel], m.d)
		active.margins(margins[TileOffset(t):TileOffset(t+1)], masks[TileOffset(t):TileOffset(t+1)], ez, ex, m.rounding, 1+m.roundingX)
	}
}

// marginSamples are samples in float32.
type marginSamples struct {
	z, x []float32 // in panels
	side []float32 // by panels: h − 1/4, c, and the half squared norm of x with its share of bounds
}

// sideRows is the number of rows that a panel has in side.
const sideRows = 3

// smallestHalf is added to half a squared distance by each sample, so that it is not 0.
const smallestHalf = 0x1p-41

// fillNarrow makes the samples in float32. With u = 2⁻²⁴ and b_i = 1.05 (d + 8) u (2 h_i + 1/4),
// the float32 value of v = (E − 1)/2 errs by less than b_i + b_j beside the float64 one, see
// Prefilter.Fill, so that |E − 1| is at least Q = 2|v| − 2(b_i + b_j) − rounding. Where Q is
// positive, let f(Q) = |√(1 ± Q) − 1| with the sign of v. As f rises by at least 1/2 for E < 1 and by
// 1/(2√E) for E > 1, and rounding is at most 1/4,
//
//	f(Q) − rounding ≥ (1 − rounding/2) f(Q − 3 rounding),  f(Q) = Q/(√(1 ± Q) + 1)
//
// So the kernel takes q = [|v| − c_i − c_j]₊ with c_i = b_i + rounding, and divides f(2q) by the root of
// a bound 2X of the squared distance of x. The sum X starts from terms that are larger than hx_i by
//
//	1.05 (d + 8) u 2 hx_i + roundingX/4 + 2⁻⁴¹
//
// each. That covers its roundings in float32, and roundingX.
func (m *Margins) fillNarrow() {
	s := &m.narrow
	s.z, s.x, s.side = resized(s.z, len(m.z)), resized(s.x, len(m.x)), resized(s.side, PanelLen(m.n, sideRows))
	for i, v := range m.z {
		s.z[i], s.x[i] = float32(v), float32(m.x[i])
	}
	unit := 1.05 * float64(m.d+8) * 0x1p-24
	for p := range Panels(m.n) {
		side := s.side[p*sideRows*Panel:][:sideRows*Panel]
		for j := range Panel {
			h, hx := m.h[p*Panel+j], m.hx[p*Panel+j]
			side[j] = float32(h - 0.25)
			side[Panel+j] = float32((unit*(2*h+0.25) + m.rounding) * (1 + 0x1p-20))
			side[2*Panel+j] = float32(hx + unit*2*hx + m.roundingX/4 + smallestHalf)
		}
	}
}

// measureNarrow is Measure in float32, by blocks of columns that stay in the cache. It multiplies
// the squared margins of the kernel by 2 and by a factor that covers rounding, see fillNarrow.
// 2⁻¹⁶ of the factor is for the roundings of the kernel, each of at most 2⁻²⁴ of a normal number
// above 0. A squared margin near the smallest normal number is rounded more coarsely: at 2⁻¹³⁰, the
// smallest in 8 million trials, by some 2⁻¹⁹.
func (m *Margins) measureNarrow(margins []float64, masks []uint64, every int) {
	n, d, s := m.n, m.d, &m.narrow
	scale := float32(2 * (1 - 0x1p-16) * (1 - m.rounding))
	block := max(1, columnBytes/(4*Panel*(2*d+sideRows)))
	for p := 0; p < Panels(n); p += block {
		for t := 0; t < TileRows(n); t += every {
			from, end := TileOffset(t)+p, min(p+block, t/4+1)
			if p >= end {
				continue
			}
			at, lane, to := t/4*Panel, t%4*TileRow, from+end-p
			active.narrowMargins(margins[from:to], masks[from:to], s.z[at*d+lane:], s.x[at*d+lane:], s.side[at*sideRows+lane:],
				s.z[p*Panel*d:end*Panel*d], s.x[p*Panel*d:], s.side[p*Panel*sideRows:], d, scale)
		}
	}
}

// ActiveTiles writes to dst the tiles whose margin is not above displacement, in
// ascending order, and returns their number. dst has an entry for every tile.
func ActiveTiles(dst []int32, margins []float64, displacement float64) int {
	count := 0
	dst = dst[:len(margins)]
	for tile, margin := range margins {
		dst[count] = int32(tile)
		if !(margin > displacement) {
			count++
		}
	}
	return count
}
