package baselines

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"r2lmlbench/internal/linalg"
)

// A surrounding lists what is near a training sample i: the triplets of i are
// all pairs (j, k) with j in same and k in other, asking that i be nearer to j.
type surrounding struct {
	same  []int // nearest samples of the class of i, i left out
	other []int // nearest samples of other classes
}

// count returns the number of triplets.
func (s surrounding) count() int { return len(s.same) * len(s.other) }

const (
	// sameNeighbors and otherNeighbors are the numbers that PLML and SCML form
	// triplets from.
	sameNeighbors  = 3
	otherNeighbors = 10
)

// surroundings returns, for every row of x, its nearest rows under the
// Euclidean metric, by distance and then by row; fewer than asked for when the
// classes have fewer. Some are missing when ctx ends.
func surroundings(ctx context.Context, x *mat.Dense, y []int, same, other int) []surrounding {
	all := make([]surrounding, len(y))
	var distance []float64
	for i := range linalg.Rows(ctx, len(all)) {
		distance = distancesInto(distance, x, x.RawRowView(i))
		all[i] = surrounding{
			same:  closest(distance, same, func(j int) bool { return y[j] == y[i] && j != i }),
			other: closest(distance, other, func(k int) bool { return y[k] != y[i] }),
		}
	}
	return all
}

// A comparison is a triplet: it asks that sample i be nearer to j, of its class, than to k.
type comparison struct{ i, j, k int }

// comparisonsOf lists the triplets of all samples, by i, then j, then k as near.
func comparisonsOf(all []surrounding) []comparison {
	var list []comparison
	for i, s := range all {
		for _, j := range s.same {
			for _, k := range s.other {
				list = append(list, comparison{i, j, k})
			}
		}
	}
	return list
}
