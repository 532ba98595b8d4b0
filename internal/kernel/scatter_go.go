package kernel

import "math"

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

// exchangeGo adds sign·(xi − xj) to ci and takes it from cj.
func exchangeGo(ci, cj, xi, xj []float64, sign float64) {
	for k, v := range xi {
		diff := v - xj[k]
		ci[k] = math.FMA(sign, diff, ci[k])
		cj[k] = math.FMA(-sign, diff, cj[k])
	}
}
