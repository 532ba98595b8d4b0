package kernel

import (
	"math"
	"math/bits"
)

// addOuterGo updates, in each of d rows, the blocks from the diagonal's on.
func addOuterGo(b, u, v []float64, d, ld int, sign float64) {
	for i := range d {
		w := sign * u[i]
		first := i / scatterBlock * scatterBlock
		row := b[i*ld+first : (i+1)*ld]
		for j, vj := range v[first:] {
			row[j] = math.FMA(w, vj, row[j])
		}
	}
}

// exchangeGo adds σ_j (x_i − x_j) to c_i and subtracts it from c_j, for the rows j of cj and xj
// marked in changed, in ascending order. σ_j is 1 if bit j of now is set, else −1. Rows are width
// entries apart; their first columns entries are updated.
func exchangeGo(ci, cj, xi, xj []float64, changed, now uint64, width, columns int) {
	ci, xi = ci[:columns], xi[:columns]
	for ; changed != 0; changed &= changed - 1 {
		j := bits.TrailingZeros64(changed)
		to, from := cj[j*width:][:columns], xj[j*width:][:columns]
		if now>>j&1 == 1 {
			exchangeRow(ci, to, xi, from)
		} else {
			exchangeRow(to, ci, xi, from)
		}
	}
}

// exchangeRow adds xi − xj to one row and subtracts it from another. The length is a multiple of 8.
func exchangeRow(to, from, xi, xj []float64) {
	for ; len(to) >= 8 && len(from) >= 8 && len(xi) >= 8 && len(xj) >= 8; to, from, xi, xj = to[8:], from[8:], xi[8:], xj[8:] {
		a, b, v, w := (*[8]float64)(to), (*[8]float64)(from), (*[8]float64)(xi), (*[8]float64)(xj)
		for k := range v {
			diff := v[k] - w[k]
			a[k] += diff
			b[k] -= diff
		}
	}
}
