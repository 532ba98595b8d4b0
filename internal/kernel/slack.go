package kernel

// Slacks measures how far the pairs of a tile are from being marked by Near or
// from not being it. For the samples z = L x of panels z, with half squared
// norms h as Map gives them, and x with norms hx, it sets slack[tile] to the
// least value, over the pairs marked in masks, of
//
//	[|√E − 1| − margin]₊ / √(|x_i − x_j|² + marginX),  E = |z_i − z_j|²
//
// where E is first taken toward 1 by margin, and to +Inf if masks marks none.
// With margins that bound the rounding errors of E and of |x_i − x_j|², a
// marked pair stays on its side of 1 under any L′ with ‖L′ − L‖₂ < slack:
// | |L′ D| − |L D| | ≤ ‖L′ − L‖₂ |D|. Margins are below 1/4. Bits of masks
// that are no pairs must be 0, see Trim. Only the tile rows t = 0, every,
// 2·every, ... are looked at. e has SlackScratch(n) places.
func Slacks(slack []float64, masks []uint64, z, h, x, hx []float64, n, d, every int, margin, marginX float64, e []float64) {
	active.slackAll(slack, masks, z, h, x, hx, n, d, every, margin, marginX, e)
}

// SlackScratch is the number of places of scratch that Slacks needs.
func SlackScratch(n int) int { return 2 * tileSize * Panels(n) }

// tileSize is the number of pairs in a tile.
const tileSize = TileRow * Panel

func (v *level) slackAll(slack []float64, masks []uint64, z, h, x, hx []float64, n, d, every int, margin, marginX float64, e []float64) {
	slack, masks = slack[:TileOffset(TileRows(n))], masks[:TileOffset(TileRows(n))]
	ez, ex := e[:tileSize*Panels(n)], e[tileSize*Panels(n):SlackScratch(n)]
	for t := 0; t < TileRows(n); t += every {
		count := t/4 + 1
		at, lane := t/4*Panel, t%4*TileRow
		ez, ex := ez[:tileSize*count], ex[:tileSize*count]
		v.values(ez, z[at*d+lane:], h[at+lane:], z[:count*Panel*d], h[:count*Panel], d)
		v.values(ex, x[at*d+lane:], hx[at+lane:], x[:count*Panel*d], hx[:count*Panel], d)
		v.slack(slack[TileOffset(t):TileOffset(t+1)], masks[TileOffset(t):TileOffset(t+1)], ez, ex, margin, 1+marginX)
	}
}

// Trim clears the bits of masks that are no pairs of n samples.
func Trim(masks []uint64, n int) {
	for t := range TileRows(n) {
		trim(masks, t, n)
	}
}

// NearTiles is Near for the given tiles, in ascending order. It leaves bits
// that are no pairs as they come, see Trim.
func NearTiles(masks []uint64, z, h []float64, s *Sieve, n, d int, tiles []int32) {
	active.nearTiles(masks, z, h, s, n, d, tiles)
}

func (v *level) nearTiles(masks []uint64, z, h []float64, s *Sieve, n, d int, tiles []int32) {
	z, h = z[:PanelLen(n, d)], h[:PanelLen(n, 1)]
	s.check(n, d)
	for t := 0; len(tiles) > 0; {
		for int(tiles[0]) >= TileOffset(t+1) {
			t++
		}
		// The tiles of a run are neighbors in tile row t.
		run, first := 1, int(tiles[0])
		for run < len(tiles) && int(tiles[run]) == first+run && first+run < TileOffset(t+1) {
			run++
		}
		tiles = tiles[run:]
		v.nearRun(masks[first:first+run], z, h, s, d, t, first-TileOffset(t))
	}
}

// Awake writes to dst the tiles whose slack is not above drift, in ascending
// order, and returns how many they are. dst has a place for every tile.
func Awake(dst []int32, slack []float64, drift float64) int {
	count := 0
	dst = dst[:len(slack)]
	for tile, s := range slack {
		dst[count] = int32(tile)
		if !(s > drift) {
			count++
		}
	}
	return count
}
