package datasets

import (
	"cmp"
	"slices"
)

// fiveNearest counts the queries that Euclidean 5-NN gets right. Squared
// distances are summed in the order of the features; of equal ones the lower
// training row is nearer, and a tied vote goes to the smallest code.
func fiveNearest(train, query Samples) int {
	correct := 0
	for i, code := range query.Y {
		if vote(train, query.X.RawRowView(i)) == code {
			correct++
		}
	}
	return correct
}

func vote(train Samples, q []float64) int {
	type neighbor struct {
		distance float64
		row      int
	}
	near := make([]neighbor, len(train.Y))
	for j := range near {
		sum := 0.0
		for f, v := range train.X.RawRowView(j) {
			sum += (q[f] - v) * (q[f] - v)
		}
		near[j] = neighbor{sum, j}
	}
	slices.SortFunc(near, func(a, b neighbor) int {
		return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(a.row, b.row))
	})
	votes := make([]int, 1+slices.Max(train.Y))
	for _, n := range near[:5] {
		votes[train.Y[n.row]]++
	}
	return slices.Index(votes, slices.Max(votes))
}
