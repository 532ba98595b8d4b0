package linalg

import (
	"math"
	"slices"
)

// ProjectSimplex replaces v by the nearest point with non-negative entries of
// sum 1. With the entries in descending order u₁ ≥ u₂ ≥ ..., the nearest point is
//
//	v_i ← max(0, v_i + α),   α = (1 − u₁ − ... − u_r)/r
//
// for the largest r with u_r + α > 0. A constant added to all entries changes
// nothing, so they are first lowered by u₁: entries of any size keep their digits.
//
// J. Duchi, S. Shalev-Shwartz, Y. Singer, T. Chandra, Efficient Projections onto
// the l1-Ball for Learning in High Dimensions, ICML 2008, Figure 1.
func ProjectSimplex(v []float64) {
	if len(v) == 0 {
		return
	}
	var buffer [16]float64 // avoids an allocation for up to 16 entries
	descending := append(buffer[:0], v...)
	slices.Sort(descending)
	slices.Reverse(descending)
	top := descending[0]
	var sum, alpha float64
	for i, u := range descending {
		sum += u - top
		a := (1 - sum) / float64(i+1)
		if u-top+a <= 0 {
			break
		}
		alpha = a
	}
	for i, u := range v {
		v[i] = math.Max(0, u-top+alpha)
	}
}
