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
					one.Cells[i][v] = CollapseCell{cell, factOf(cell.Score, r2lml.VerticesFact)}
				}
			}
			set.Methods = append(set.Methods, one)
		}
		c.Sets = append(c.Sets, set)
	}
	return c, nil
}

// Claims are, for the pairs with K of 2 or more and for those with one metric, which have
// no block 2, how often the published variant is less accurate than the reference; and
// the smallest share of coefficients at vertices that a fit of each variant has.
func (c Collapse) Claims() []Claim {
	several, single := Claim{ID: "published-lower"}, Claim{ID: "published-lower-one-metric"}
	least := [2]Claim{{ID: "vertices-" + Variants[0]}, {ID: "vertices-" + Variants[1]}}
	for _, set := range c.Sets {
		for _, m := range set.Methods {
			for i, k := range c.Counts {
				of, reference, published := &several, m.Cells[i][0], m.Cells[i][1]
				if k == 1 {
					of = &single
				}
				if reference.Score != nil && published.Score != nil {
					of.count(published.Correct < reference.Correct)
				}
				for v := range Variants {
					f, l := m.Cells[i][v].Vertices, &least[v]
					if k > 1 && f != nil && (l.Of == 0 || f.Count*l.Of < l.Count*f.Of) {
						l.Count, l.Of = f.Count, f.Of
					}
				}
			}
		}
	}
	return []Claim{several, single, least[0], least[1]}
}
