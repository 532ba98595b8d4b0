package stats

import (
	"cmp"
	"math"
	"slices"
)

// Cliques groups methods for a critical-difference diagram: it returns the
// largest sets without a significantly different pair. order lists the methods,
// numbered from 0, best first, and significant(i, j) is asked once for every
// i < j. Members of a set are in that order, and the sets in order of their
// members.
//
// A set need not be a run: with pairwise tests the first and the third method can
// be comparable and the second differ from both, and a bar over all three would
// be wrong. Every method is in some set; one alone in its set differs from all
// others, and needs no bar.
func Cliques(order []int, significant func(i, j int) bool) [][]int {
	sets := cliques(order, symmetric(len(order), significant))
	for _, set := range sets {
		for k, position := range set {
			set[k] = order[position]
		}
	}
	return sets
}

// CDGroups returns the [Cliques] of methods by their average ranks, where two
// differ if their ranks are at least the critical difference apart. These sets
// are the longest runs of neighboring methods within it.
func CDGroups(averageRanks []float64, criticalDifference float64) [][]int {
	order := make([]int, len(averageRanks))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(averageRanks[i], averageRanks[j]) })
	return Cliques(order, func(i, j int) bool {
		return math.Abs(averageRanks[i]-averageRanks[j]) >= criticalDifference
	})
}
