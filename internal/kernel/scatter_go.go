package kernel

import "math"

// addOuterGo updates, in each of d rows, the blocks from the diagonal's on.
func addOuterGo(b, u []float64, d, ld int, sign float64) {
	for i := range d {
		w := sign * u[i]
		first := i / scatterBlock * scatterBlock
		row := b[i*ld+first : (i+1)*ld]
		for j, v := range u[first:] {
			row[j] = math.FMA(w, v, row[j])
		}
	}
}
