package batch

import (
	"cmp"
	"slices"

	"r2lmlbench/internal/kernel"
)

// Groups divides fits of the given numbers of metrics into groups, each to be
// fitted by one Batch: the metrics of a group are at most as many as a descent
// has lanes, unless it is a group of one fit. It is first fit, the fits with
// the most metrics first.
func Groups(metrics []int) [][]int {
	order := make([]int, len(metrics))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(metrics[b], metrics[a]) })
	var groups [][]int
	var free []int // lanes, per group
	for _, i := range order {
		at := slices.IndexFunc(free, func(lanes int) bool { return lanes >= metrics[i] })
		if at < 0 {
			at = len(groups)
			groups, free = append(groups, nil), append(free, kernel.Lanes)
		}
		groups[at] = append(groups[at], i)
		free[at] -= metrics[i]
	}
	return groups
}
