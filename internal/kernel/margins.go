package kernel

// Margins measures how far the pairs of a tile are from crossing distance 1.
// The samples z = L x are given with half squared norms h, as Map gives them,
// and the samples x with norms hx. The margin of a tile is the least value, over
// its pairs marked in masks, of
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
// Bits of masks that are no pairs must be 0, see Trim. Only the tile rows t = 0,
// every, 2·every, ... are looked at. e has MarginScratch(n) places.
func Margins(margins []float64, masks []uint64, z, h, x, hx []float64, n, d, every int, rounding, roundingX float64, e []float64) {
	active.allMargins(margins, masks, z, h, x, hx, n, d, every, rounding, roundingX, e)
}

// MarginScratch is the number of places of scratch that Margins needs.
func MarginScratch(n int) int { return 2 * tileSize * Panels(n) }

// tileSize is the number of pairs in a tile.
const tileSize = TileRow * Panel

func (v *level) allMargins(margins []float64, masks []uint64, z, h, x, hx []float64, n, d, every int, rounding, roundingX float64, e []float64) {
	margins, masks = margins[:TileOffset(TileRows(n))], masks[:TileOffset(TileRows(n))]
	ez, ex := e[:tileSize*Panels(n)], e[tileSize*Panels(n):MarginScratch(n)]
	for t := 0; t < TileRows(n); t += every {
		count := t/4 + 1
		at, lane := t/4*Panel, t%4*TileRow
		ez, ex := ez[:tileSize*count], ex[:tileSize*count]
		v.values(ez, z[at*d+lane:], h[at+lane:], z[:count*Panel*d], h[:count*Panel], d)
		v.values(ex, x[at*d+lane:], hx[at+lane:], x[:count*Panel*d], hx[:count*Panel], d)
		v.margins(margins[TileOffset(t):TileOffset(t+1)], masks[TileOffset(t):TileOffset(t+1)], ez, ex, rounding, 1+roundingX)
	}
}

// ActiveTiles writes to dst the tiles whose margin is not above displacement, in
// ascending order, and returns how many they are. dst has a place for every tile.
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
