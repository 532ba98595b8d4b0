package kernel

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// TestSweepLevels compares sweeps of every level with the definition, for their bits: where all
// pairs of columns are rotated, where few are and where norms are too small, in some of the lanes.
func TestSweepLevels(t *testing.T) {
	for _, d := range []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 33, 36, 37, 38, 60} {
		r := rand.New(rand.NewPCG(uint64(d), 1))
		for _, mixed := range []float64{1, 1e-3, 1e-15, 0} {
			b := newBasis(d)
			for j := range d {
				for i := range 2 * d {
					for p := range Lanes {
						v := mixed * r.NormFloat64()
						if i%d == j { // columns of different lengths are orthogonal but for the rest
							v += float64(1 + j)
						}
						b.columns[(j*b.ld+i)*Lanes+p] = v
					}
				}
			}
			var lanes, floor vector
			for p := range lanes {
				lanes[p] = float64(r.IntN(2))
				floor[p] = float64(p % 3 * d)
			}
			onLevels(t, fmt.Sprintf("D = %d, %g", d, mixed), func(v *level) []float64 {
				columns := append([]float64(nil), b.columns...)
				for range 2 {
					v.sweep(columns, b.pairs, b.quads, d, &lanes, &floor)
				}
				return columns
			})
		}
	}
}
