package study

import (
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
