package study

import (
	"slices"
	"strconv"

	"r2lmlbench/results"
	"r2lmlbench/results/table"
)

// A Result is what cells say about the question of a study. A cell that is missing, or
// that lacks a fact or a series, leaves a gap in it.
type Result interface {
	// Claims are counts that pages name.
	Claims() []Claim
}

// A Claim counts in how many cases a statement is so.
type Claim struct {
	ID        string // unique in its study
	Count, Of int    // Of is 0 if nothing is known
}

// count adds a case.
func (c *Claim) count(is bool) {
	c.Of++
	if is {
		c.Count++
	}
}

// A Set is a row of a table: a data set and its test samples.
type Set struct {
	Dataset, Letter, Name string
	N                     int // test samples
}

func setOf(r table.Row) Set { return Set{r.Dataset, r.Letter, r.Name, r.N} }

// measured are the facts and series of a cell, none without a result.
func measured(c table.Cell) ([]results.Fact, []results.Series) {
	if c.Score == nil {
		return nil, nil
	}
	return c.Facts, c.Series
}

// factOf is one of some facts, nil where it is not among them.
func factOf(facts []results.Fact, name string) *results.Fact {
	if f, ok := results.FactOf(facts, name); ok {
		return &f
	}
	return nil
}

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
