package kernel

import "math/bits"

// scatterBlock divides the row length of a scatter matrix.
const scatterBlock = 8

// ScatterStride returns the row length of a scatter matrix for d features, and
// of the samples added to it: d rounded up to a multiple of 8.
func ScatterStride(d int) int { return (d + scatterBlock - 1) / scatterBlock * scatterBlock }

// AddOuter adds sign·u uᵀ to the upper triangle of b, sign being 1 or −1:
// b_ij ← b_ij + (sign·u_i) u_j by fused multiply-add. u has ld =
// ScatterStride(d) places, those from d on 0; b has d rows of ld places at
// least. Some places below the diagonal change too; what they hold is
// unspecified.
func AddOuter(b, u []float64, d int, sign float64) { active.addOuterAll(b, u, d, sign) }

func (v *level) addOuterAll(b, u []float64, d int, sign float64) {
	ld := ScatterStride(d)
	_ = b[d*ld-1] // assembly counts on d ≥ 1
	v.addOuter(b[:d*ld], u[:ld], d, ld, sign)
}

// Toggle brings the scatter matrix B = Σ (x_i − x_j)(x_i − x_j)ᵀ over marked
// pairs from the pairs of before to those of now, in the tile rows from ≤ t <
// to, and copies now to before there: one AddOuter for every pair that is
// marked in one of them only, in the order of Pairs. Sample i stands at
// x[i*ld:], ld = ScatterStride(d), filled up with 0; b is as in AddOuter and
// u is scratch of ld places.
func Toggle(b, u, x []float64, d int, now, before []uint64, from, to int) {
	active.toggle(b, u, x, d, now, before, from, to)
}

func (v *level) toggle(b, u, x []float64, d int, now, before []uint64, from, to int) {
	ld := ScatterStride(d)
	b, u = b[:d*ld], u[:ld]
	for t := from; t < to; t++ {
		first, end := TileOffset(t), TileOffset(t+1)
		was := before[first:end]
		for c, is := range now[first:end] {
			if is != was[c] {
				v.toggleTile(b, u, x, d, t, c, is^was[c], is)
				was[c] = is
			}
		}
	}
}

// toggleTile adds to b, or takes from it, the changed pairs of tile c of tile
// row t: those that are marked in now enter, the others leave.
func (v *level) toggleTile(b, u, x []float64, d, t, c int, changed, now uint64) {
	ld := ScatterStride(d)
	for ; changed != 0; changed &= changed - 1 {
		bit := bits.TrailingZeros64(changed)
		i, j := t*TileRow+bit/Panel, c*Panel+bit%Panel
		subtract(u, x[i*ld:], x[j*ld:])
		sign := -1.0
		if now>>bit&1 == 1 {
			sign = 1
		}
		v.addOuter(b, u, d, ld, sign)
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
