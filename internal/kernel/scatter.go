package kernel

import "math/bits"

// scatterBlock is the number that row lengths of scatter matrices are multiples of.
const scatterBlock = 8

// ScatterStride returns the row length of a scatter matrix of d features, and of the samples added
// to it: d rounded up to a multiple of 8.
func ScatterStride(d int) int { return (d + scatterBlock - 1) / scatterBlock * scatterBlock }

// UpdateScatter updates the scatter matrix B = Σ (x_i − x_j)(x_i − x_j)ᵀ from the
// pairs marked in before to those marked in now, and copies now to before. Sample i
// is at x[i*ld:], ld = ScatterStride(d), padded with 0. B has d rows of ld entries;
// only its upper triangle is valid. scratch has ScatterScratch(n, d) entries.
//
// The changed pairs are processed by tile, then by bit. A few pairs are added one by
// one,
//
//	b_ij ← b_ij + (σ u_i) u_j,  u = x_m − x_n
//
// by fused multiply-add, with σ = 1 for a pair that enters and −1 for one that
// leaves. For more than 2n pairs, sums of differences come first:
//
//	Σ σ_ij (x_i − x_j)(x_i − x_j)ᵀ = Σ_i x_i c_iᵀ,  c_i = Σ_j σ_ij (x_i − x_j)
func UpdateScatter(b, scratch, x []float64, n, d int, now, before []uint64) {
	updateScatter(b, scratch, x, n, d, now, before, nil)
}

// UpdateScatterTiles is UpdateScatter if before and now differ in the given tiles only, in
// ascending order. It gives the same bits.
func UpdateScatterTiles(b, scratch, x []float64, n, d int, now, before []uint64, tiles []int32) {
	if len(tiles) > 0 {
		updateScatter(b, scratch, x, n, d, now, before, tiles)
	}
}

// ScatterScratch returns the length of the scratch that UpdateScatter needs.
func ScatterScratch(n, d int) int { return (n + 1) * ScatterStride(d) }

// updateScatter is UpdateScatterTiles; nil tiles stand for all.
func updateScatter(b, scratch, x []float64, n, d int, now, before []uint64, tiles []int32) {
	ld := ScatterStride(d)
	b, x, scratch = b[:d*ld], x[:n*ld], scratch[:ScatterScratch(n, d)]
	u, c := scratch[:ld], scratch[ld:]
	changes := 0
	changed(n, now, before, tiles, func(_, _, at int) { changes += bits.OnesCount64(now[at] ^ before[at]) })
	many := changes > 2*n
	if many {
		clear(c)
	}
	changed(n, now, before, tiles, func(t, column, at int) {
		if many {
			exchangeTile(c, x, t*TileRow*ld, column*ld, ld, now[at]^before[at], now[at])
			before[at] = now[at]
			return
		}
		for m := now[at] ^ before[at]; m != 0; m &= m - 1 {
			bit := bits.TrailingZeros64(m)
			subtract(u, x[(t*TileRow+bit/Panel)*ld:], x[(column+bit%Panel)*ld:])
			active.addOuter(b, u, u, d, ld, float64(int(now[at]>>bit&1)*2-1))
		}
		before[at] = now[at]
	})
	if many {
		for i := 0; i < n*ld; i += ld {
			active.addOuter(b, x[i:i+ld], c[i:i+ld], d, ld, 1)
		}
	}
}

// exchangeTile adds the differences of the changed pairs of a tile to c. Row i of the tile starts
// at entry i of x and c, its first column at entry j.
func exchangeTile(c, x []float64, i, j, ld int, changed, now uint64) {
	const row = 1<<Panel - 1
	for ; changed != 0; i, changed, now = i+ld, changed>>Panel, now>>Panel {
		if changed&row == 0 {
			continue
		}
		for at, columns := 0, 0; at < ld; at += columns {
			columns = min(ld-at, exchangeColumns)
			active.exchange(c[i+at:], c[j+at:], x[i+at:], x[j+at:], changed&row, now, ld, columns)
		}
	}
}

// exchangeColumns is the number of entries of a row that exchange keeps in registers.
const exchangeColumns = 24

// changed calls visit with tile row, first column and index of every tile in which now and before
// differ.
func changed(n int, now, before []uint64, tiles []int32, visit func(t, column, at int)) {
	t, first, end := 0, 0, TileOffset(1)
	one := func(at int) {
		for at >= end {
			t++
			first, end = end, TileOffset(t+1)
		}
		visit(t, (at-first)*Panel, at)
	}
	if tiles != nil {
		for _, tile := range tiles {
			if now[tile] != before[tile] {
				one(int(tile))
			}
		}
		return
	}
	size := TileOffset(TileRows(n))
	was := before[:size]
	for at, is := range now[:size] {
		if is != was[at] {
			one(at)
		}
	}
}

func subtract(u, a, b []float64) {
	a, b = a[:len(u)], b[:len(u)]
	for k := range u {
		u[k] = a[k] - b[k]
	}
}
