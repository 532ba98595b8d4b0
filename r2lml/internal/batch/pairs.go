package batch

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"r2lmlbench/internal/kernel"
)

// Pairs are the similar and the dissimilar pairs of a fit, in the forms that its sums need. They
// are read-only, so fits may share them.
type Pairs struct {
	similar    similarPairs
	dissimilar []uint64 // those with s_mn = 0, in the layout of kernel.Near
}

// similarPairs computes sums over the pairs with s_mn = 1.
type similarPairs interface {
	// scatter writes A = Σ_{m<n} s_mn g_m g_n D_mn D_mnᵀ, D×D, to dst.
	scatter(dst, g []float64)
	// products returns the product dst = S̄^k v at the maps l, s̄^k_mn = s_mn E^k_mn.
	products(l []*mat.Dense) func(dst, v []float64, k int)
}

// PairsByClass returns the pairs of E-R2LML: rows of x are similar if their labels y are equal. Bit
// n%64 of similar[m][n/64] says that y_m = y_n. They are incomplete when ctx ends.
func PairsByClass(ctx context.Context, x *mat.Dense, y []int, similar [][]uint64) *Pairs {
	return &Pairs{similar: newClassPairs(x, y), dissimilar: dissimilarPairs(similar, func() bool { return ctx.Err() != nil })}
}

// PairsByBits returns the pairs of any similarity: bit n%64 of similar[m][n/64]
// is s_mn, which is symmetric, with s_mm = 1.
func (b *Batch) PairsByBits(similar [][]uint64) *Pairs {
	of := bitPairs{x: b.x, marks: kernel.NewMarks(similar, b.stopped), stop: b.stopped}
	return &Pairs{similar: of, dissimilar: dissimilarPairs(similar, b.stopped)}
}

// dissimilarPairs marks the pairs with s_mn = 0 in the layout of kernel.Near, until stop.
func dissimilarPairs(similar [][]uint64, stop func() bool) []uint64 {
	n := len(similar)
	masks := make([]uint64, kernel.TileOffset(kernel.TileRows(n)))
	const all = 1<<kernel.Panel - 1
	for t := range kernel.TileRows(n) {
		if t%rowsAtOnce == 0 && stop() {
			break
		}
		for tile := kernel.TileOffset(t); tile < kernel.TileOffset(t+1); tile++ {
			column := tile - kernel.TileOffset(t)
			for r, row := range similar[kernel.TileRow*t : min(kernel.TileRow*(t+1), n)] {
				bits := row[column/4] >> (kernel.Panel * (column % 4)) & all
				masks[tile] |= (bits ^ all) << (kernel.Panel * r)
			}
		}
	}
	kernel.Trim(masks, n)
	return masks
}
