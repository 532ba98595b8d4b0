package batch

import (
	"cmp"
	"slices"

	"r2lmlbench/internal/kernel"
)

// Groups divides fits with these numbers of metrics into groups for one Batch each. A group has at
// most as many metrics as a descent has lanes, unless it is a single fit. It packs by first fit,
// the fits with the most metrics first.
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
