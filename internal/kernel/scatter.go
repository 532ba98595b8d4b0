package kernel

import "math/bits"

// scatterBlock divides the row length of a scatter matrix.
const scatterBlock = 8

// ScatterStride returns the row length of a scatter matrix for d features, and
// of the samples added to it: d rounded up to a multiple of 8.
func ScatterStride(d int) int { return (d + scatterBlock - 1) / scatterBlock * scatterBlock }

// AddOuter adds sign·u vᵀ to the upper triangle of b, sign being 1 or −1:
// b_ij ← b_ij + (sign·u_i) v_j by fused multiply-add. u and v have ld =
// ScatterStride(d) places, those from d on 0; b has d rows of ld places at
// least. Some places below the diagonal change too; what they hold is
// unspecified.
func AddOuter(b, u, v []float64, d int, sign float64) { active.addOuterAll(b, u, v, d, sign) }

func (l *level) addOuterAll(b, u, v []float64, d int, sign float64) {
	ld := ScatterStride(d)
	_ = b[d*ld-1] // assembly counts on d ≥ 1
	l.addOuter(b[:d*ld], u[:ld], v[:ld], d, ld, sign)
}

// Toggle brings the scatter matrix B = Σ (x_i − x_j)(x_i − x_j)ᵀ over marked
// pairs of n samples from the pairs of before to those of now, and copies now
// to before. Sample i stands at x[i*ld:], ld = ScatterStride(d), filled up with
// 0; b is as in AddOuter and scratch has ToggleScratch(n, d) places.
//
// Pairs that are marked in one of them only are taken in the order of Pairs.
// If they are few, each is an AddOuter; if they are more than 2n, sums of
// differences come first: with σ = 1 for a pair that enters, −1 for one that
// leaves,
//
//	Σ σ_ij (x_i − x_j)(x_i − x_j)ᵀ = Σ_i x_i c_iᵀ,  c_i = Σ_j σ_ij (x_i − x_j)
func Toggle(b, scratch, x []float64, n, d int, now, before []uint64) {
	active.toggle(b, scratch, x, n, d, now, before, nil)
}

// ToggleTiles is Toggle where before and now differ in none but the given
// tiles, in ascending order. It gives the same bits.
func ToggleTiles(b, scratch, x []float64, n, d int, now, before []uint64, tiles []int32) {
	if len(tiles) > 0 {
		active.toggle(b, scratch, x, n, d, now, before, tiles)
	}
}

// ToggleScratch is the number of places of scratch that Toggle needs.
func ToggleScratch(n, d int) int { return (n + 1) * ScatterStride(d) }

// toggle is ToggleTiles; nil stands for all tiles.
func (v *level) toggle(b, scratch, x []float64, n, d int, now, before []uint64, tiles []int32) {
	ld := ScatterStride(d)
	b, x, scratch = b[:d*ld], x[:n*ld], scratch[:ToggleScratch(n, d)]
	u, c := scratch[:ld], scratch[ld:]
	changes := 0
	changed(n, now, before, tiles, func(_, _, at int) { changes += bits.OnesCount64(now[at] ^ before[at]) })
	many := changes > 2*n
	if many {
		clear(c)
	}
	changed(n, now, before, tiles, func(t, column, at int) {
		for m := now[at] ^ before[at]; m != 0; m &= m - 1 {
			bit := bits.TrailingZeros64(m)
			i, j := (t*TileRow+bit/Panel)*ld, (column+bit%Panel)*ld
			sign := float64(int(now[at]>>bit&1)*2 - 1)
			if many {
				v.exchange(c[i:i+ld], c[j:j+ld], x[i:i+ld], x[j:j+ld], sign)
				continue
			}
			subtract(u, x[i:], x[j:])
			v.addOuter(b, u, u, d, ld, sign)
		}
		before[at] = now[at]
	})
	if many {
		for i := 0; i < n*ld; i += ld {
			v.addOuter(b, x[i:i+ld], c[i:i+ld], d, ld, 1)
		}
	}
}

// changed visits the tiles where now and before differ: with their tile row,
// first column and index.
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

// Mirror copies the upper triangle of the d×d matrix b with rows of
// ScatterStride(d) places to the lower one.
func Mirror(b []float64, d int) {
	ld := ScatterStride(d)
	for i := range d {
		for j := range i {
			b[i*ld+j] = b[j*ld+i]
		}
	}
}
