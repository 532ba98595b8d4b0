package kernel

// TileRow is the number of rows in a tile of pairs.
//
// Pairs (i, j) of N samples, j < i, are kept as bits, one uint64 per tile of
// TileRow rows by Panel columns. Tile row t has the rows 4t..4t+3 and the
// tiles of the columns 0..15, 16..31, ... up to the diagonal, t/4+1 of them,
// starting at TileOffset(t). In the tile that starts at column c, bit
//
//	16·(i−4t) + (j−c)
//
// is the pair (i, j). Bits with j ≥ i or i ≥ N are 0.
const TileRow = 4

// TileRows returns the number of tile rows of n samples.
func TileRows(n int) int { return (n + TileRow - 1) / TileRow }

// TileOffset returns the index of the first tile of tile row t. So
// TileOffset(TileRows(n)) is the number of tiles of n samples, and TileOffset
// also serves to divide tile rows among workers evenly.
func TileOffset(t int) int {
	q, r := t/4, t%4
	return (q + 1) * (2*q + r)
}

// below holds the bits with j < i of the last tile in tile row t, by t%4.
var below = [4]uint64{
	0x0007_0003_0001_0000, 0x007f_003f_001f_000f, 0x07ff_03ff_01ff_00ff, 0x7fff_3fff_1fff_0fff,
}

// columnBytes is the size of the mapped samples of one pass over the rows: half of a
// common first-level cache.
const columnBytes = 1 << 14

// Near marks the pairs of mapped samples that are closer than 1: bit (i, j) of
// masks, laid out as TileRow says, becomes
//
//	|z_i|²/2 + |z_j|²/2 − z_i·z_j < 1/2
//
// that is |z_i − z_j|² < 1, for the tile rows from ≤ t < to; other tiles are
// left alone. masks covers all n samples; z and h come from Map. To keep
// cancellation small, the samples should be centered.
//
// One pair's value is ((h_i − 1/2) + h_j) − z_i0 z_j0 − z_i1 z_j1 − ..., from
// left to right by fused multiply-add. The bit says that it is negative. Its
// error is about d+2 roundings of h_i + h_j. A NaN gives 0. A prefilter of the
// same samples makes this faster and changes no bit; nil is none.
func Near(masks []uint64, z, h []float64, f *Prefilter, n, d, from, to int) {
	masks = masks[:TileOffset(TileRows(n))]
	z, h = z[:PanelLen(n, d)], h[:PanelLen(n, 1)]
	f.check(n, d)
	block := max(1, columnBytes/columnSize(f, d))
	for p := 0; p < Panels(n); p += block {
		for t := max(from, 4*p); t < min(to, TileRows(n)); t++ {
			end := min(p+block, t/4+1)
			nearRun(masks[TileOffset(t)+p:TileOffset(t)+end], z, h, f, d, t, p)
		}
	}
	for t := from; t < min(to, TileRows(n)); t++ {
		trim(masks, t, n)
	}
}

// columnSize returns the number of bytes of a panel that most tiles read.
func columnSize(f *Prefilter, d int) int {
	switch {
	case !f.used():
		return 8 * Panel * d
	case f.first > 0:
		return 4 * Panel * f.first
	}
	return 4 * Panel * d
}

// NearTiles is Near for the given tiles, in ascending order. It does not clear bits
// that are not pairs, see Trim.
func NearTiles(masks []uint64, z, h []float64, f *Prefilter, n, d int, tiles []int32) {
	z, h = z[:PanelLen(n, d)], h[:PanelLen(n, 1)]
	f.check(n, d)
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
		nearRun(masks[first:first+run], z, h, f, d, t, first-TileOffset(t))
	}
}

// Trim clears the bits of masks that are not pairs of n samples.
func Trim(masks []uint64, n int) {
	for t := range TileRows(n) {
		trim(masks, t, n)
	}
}

// trim clears the bits of tile row t that are not pairs.
func trim(masks []uint64, t, n int) {
	masks[TileOffset(t)+t/4] &= below[t%4]
	if missing := TileRow*(t+1) - n; missing > 0 {
		for at := TileOffset(t); at < TileOffset(t+1); at++ {
			masks[at] &= ^uint64(0) >> (Panel * missing)
		}
	}
}
