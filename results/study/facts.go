package study

import (
	"slices"
	"strconv"

	"r2lmlbench/results"
	"r2lmlbench/results/table"
)

// factOf is a fact of a score, nil without it.
func factOf(s *table.Score, key string) *results.Fact {
	if f, ok := s.FactOf(key); ok {
		return &f
	}
	return nil
}

// A Total adds facts up.
type Total struct{ Count, Of int }

func (t *Total) add(f results.Fact) {
	t.Count += f.Count
	t.Of += f.Of
}

// less tells whether the share of fact a is smaller than that of b.
func less(a, b results.Fact) bool { return a.Count*b.Of < b.Count*a.Of }

// metricCounts lists the numbers K of metrics that a table sweeps, ascending.
func metricCounts(t table.Table) []int {
	var all []int
	for _, c := range t.Columns {
		if k, err := strconv.Atoi(c.Swept["metrics"]); err == nil {
			all = append(all, k)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}
