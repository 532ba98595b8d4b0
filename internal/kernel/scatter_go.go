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

// exchangeGo adds σ_j (x_i − x_j) to c_i and takes it from c_j, for the rows j of cj
// and xj that bits of changed name, in ascending order. σ_j is 1 where bit j of now is
// set, else −1. Rows are width places apart; so many columns of them are updated.
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

// exchangeRow adds xi − xj to one row and takes it from another.
func exchangeRow(to, from, xi, xj []float64) {
	to, from, xj = to[:len(xi)], from[:len(xi)], xj[:len(xi)]
	for k, v := range xi {
		diff := v - xj[k]
		to[k] += diff
		from[k] -= diff
	}
}
