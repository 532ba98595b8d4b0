package study

import (
	"strconv"

	"r2lmlbench/r2lml"
	"r2lmlbench/results"
	"r2lmlbench/results/published"
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
	Pairs  []VariantPair // by K
}

// A VariantPair is both variants with one K.
type VariantPair struct {
	Set                  Set
	Method               string
	Metrics              int // K
	Reference, Published CollapseCell
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
			one := CollapseMethod{Method: method}
			for _, k := range c.Counts {
				one.Pairs = append(one.Pairs, VariantPair{
					Set: set.Set, Method: method, Metrics: k,
					Reference: collapseCell(t, r, method, k, Reference), Published: collapseCell(t, r, method, k, Published),
				})
			}
			set.Methods = append(set.Methods, one)
		}
		c.Sets = append(c.Sets, set)
	}
	return c, nil
}

func collapseCell(t table.Table, r table.Row, method string, k int, variant string) CollapseCell {
	cell := t.Find(r, method, "metrics", strconv.Itoa(k), "variant", variant)
	return CollapseCell{cell, factOf(cell.Score, r2lml.VerticesFact)}
}

// Of is the fit of a variant.
func (p VariantPair) Of(variant string) CollapseCell {
	if variant == Published {
		return p.Published
	}
	return p.Reference
}

// Claims are, for the pairs with K of 2 or more and for those with one metric, which have
// no block 2, how often the published variant is less accurate than the reference; and
// the smallest share of coefficients at vertices that a fit of each variant has.
func (c Collapse) Claims() []Claim {
	several, single := Claim{ID: "published-lower"}, Claim{ID: "published-lower-one-metric"}
	least := map[string]*Claim{}
	for _, variant := range Variants {
		least[variant] = &Claim{ID: "vertices-" + variant}
	}
	for _, set := range c.Sets {
		for _, m := range set.Methods {
			for _, p := range m.Pairs {
				of := &several
				if p.Metrics == 1 {
					of = &single
				}
				if p.Reference.Score != nil && p.Published.Score != nil {
					of.count(p.Published.Correct < p.Reference.Correct)
				}
				for _, variant := range Variants {
					f, l := p.Of(variant).Vertices, least[variant]
					if p.Metrics > 1 && f != nil && (l.Of == 0 || f.Count*l.Of < l.Count*f.Of) {
						l.Count, l.Of = f.Count, f.Of
					}
				}
			}
		}
	}
	return []Claim{several, single, *least[Reference], *least[Published]}
}

// Listings have a line for every data set and K.
func (c Collapse) Listings() []table.Listing {
	head := []string{"data", "K"}
	for _, method := range PaperMethods {
		short := published.MethodName(method)[:1]
		head = append(head, short+" reference", short+" published", short+" reference at vertices", short+" published at vertices")
	}
	l := table.Listing{Title: "The published block 2 against the reference", Head: head}
	for _, s := range c.Sets {
		for i, k := range c.Counts {
			row := []string{s.Name, strconv.Itoa(k)}
			for _, m := range s.Methods {
				p := m.Pairs[i]
				row = append(row, accuracy(p.Reference.Cell), accuracy(p.Published.Cell), share(p.Reference.Vertices), share(p.Published.Vertices))
			}
			l.Rows = append(l.Rows, row)
		}
	}
	return []table.Listing{l}
}
