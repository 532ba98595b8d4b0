package study

import (
	"strconv"

	"r2lmlbench/r2lml"
	"r2lmlbench/results"
	"r2lmlbench/results/table"
)

// A Collapse compares the variants of both methods with the number K of metrics
// fixed: the published block 2 drives coefficients to vertices of the simplex.
type Collapse struct {
	Counts []int // K, ascending
	Sets   []CollapseSet
}

// A CollapseSet is one data set.
type CollapseSet struct {
	Set
	Methods []CollapseMethod // in the order of PaperMethods
}

// A CollapseMethod is one method on one data set.
type CollapseMethod struct {
	Method string
	Cells  [][2]CollapseCell // by K, in the order of Variants
}

// A CollapseCell is one fit. Vertices counts the samples whose coefficients are
// at a vertex of the simplex; nil without a result or with one metric.
type CollapseCell struct {
	table.Cell
	Vertices *results.Fact
}

// ReadCollapse reads the table of spec variants.
func ReadCollapse(t table.Table) (Collapse, error) {
	c := Collapse{Counts: metricCounts(t)}
	for _, r := range t.Rows {
		set := CollapseSet{Set: setOf(r)}
		for _, method := range PaperMethods {
			one := CollapseMethod{Method: method, Cells: make([][2]CollapseCell, len(c.Counts))}
			for i, k := range c.Counts {
				for v, variant := range Variants {
					cell := t.Find(r, method, "metrics", strconv.Itoa(k), "variant", variant)
					facts, _ := measured(cell)
					one.Cells[i][v] = CollapseCell{cell, factOf(facts, r2lml.VerticesFact)}
				}
			}
			set.Methods = append(set.Methods, one)
		}
		c.Sets = append(c.Sets, set)
	}
	return c, nil
}

// Claims are, for the pairs with K of 2 or more, how often the published variant is less
// accurate than the reference. With one metric there is no block 2.
func (c Collapse) Claims() []Claim {
	lower := Claim{ID: "published-lower"}
	for _, set := range c.Sets {
		for _, m := range set.Methods {
			for i, k := range c.Counts {
				if reference, published := m.Cells[i][0], m.Cells[i][1]; k > 1 && reference.Score != nil && published.Score != nil {
					lower.count(published.Correct < reference.Correct)
				}
			}
		}
	}
	return []Claim{lower}
}
