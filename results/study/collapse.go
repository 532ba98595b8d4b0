package study

import (
	"fmt"
	"math"
	"strconv"

	"r2lmlbench/r2lml"
	"r2lmlbench/results"
	"r2lmlbench/results/published"
	"r2lmlbench/results/table"
)

// A Collapse compares the variants of both methods with the number K of metrics
// fixed: the published block 2 drives coefficients to vertices of the simplex.
type Collapse struct {
	Coverage
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
	c := Collapse{Coverage: coverageOf(t), Counts: metricCounts(t)}
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

// Complete tells whether both variants have a result.
func (p VariantPair) Complete() bool { return p.Reference.Score != nil && p.Published.Score != nil }

// Fewer is by how many right answers the published variant of a complete pair is
// behind the reference.
func (p VariantPair) Fewer() int { return p.Reference.Correct - p.Published.Correct }

// Difference is Fewer in points of accuracy.
func (p VariantPair) Difference() float64 { return 100 * float64(p.Fewer()) / float64(p.Set.N) }

// Pairs lists all pairs by data set, method and K.
func (c Collapse) Pairs() []VariantPair {
	var all []VariantPair
	for _, s := range c.Sets {
		for _, m := range s.Methods {
			all = append(all, m.Pairs...)
		}
	}
	return all
}

// A VariantCount compares the accuracies of complete pairs: the published variant
// is lower, equal or higher.
type VariantCount struct {
	Pairs, Lower, Equal, Higher int
	// Fits of the published variant that give every test sample one label: of all
	// pairs, and of those in which it is lower and higher.
	Constant, ConstantLower, ConstantHigher int
	Least, Most                             VariantPair // where it is lower by the least and by the most; zero if Lower is 0
	Mean                                    float64     // of the differences where it is lower, in points; NaN if Lower is 0
}

// Several compares the pairs with K of 2 or more, which have a block 2.
func (c Collapse) Several() VariantCount {
	return c.count(func(k int) bool { return k > 1 })
}

// Single compares the pairs with one metric, which have no block 2.
func (c Collapse) Single() VariantCount {
	return c.count(func(k int) bool { return k == 1 })
}

func (c Collapse) count(counts func(k int) bool) VariantCount {
	var n VariantCount
	sum := 0.0
	for _, p := range c.Pairs() {
		if !counts(p.Metrics) || !p.Complete() {
			continue
		}
		n.Pairs++
		constant := one(p.Published.Constant)
		n.Constant += constant
		switch d := p.Difference(); {
		case d == 0:
			n.Equal++
		case d > 0:
			if n.Lower == 0 || d < n.Least.Difference() {
				n.Least = p
			}
			if n.Lower == 0 || d > n.Most.Difference() {
				n.Most = p
			}
			n.Lower, n.ConstantLower = n.Lower+1, n.ConstantLower+constant
			sum += d
		default:
			n.Higher, n.ConstantHigher = n.Higher+1, n.ConstantHigher+constant
		}
	}
	n.Mean = sum / float64(n.Lower)
	return n
}

// A SeedCount compares the variants over all seeds, for pairs with K of 2 or more
// that ran with several seeds: every run of the published variant is less accurate
// than every run of the reference, or more.
type SeedCount struct{ Pairs, Below, Above int }

// Seeds counts them.
func (c Collapse) Seeds() SeedCount {
	var n SeedCount
	for _, p := range c.Pairs() {
		reference, published := p.Reference.Spread, p.Published.Spread
		if p.Metrics < 2 || reference == nil || published == nil || reference.Runs < 2 || published.Runs < 2 {
			continue
		}
		n.Pairs++
		switch {
		case percent(published.Max) < percent(reference.Min):
			n.Below++
		case percent(published.Min) > percent(reference.Max):
			n.Above++
		}
	}
	return n
}

// percent reads an accuracy as tables write it.
func percent(text string) float64 {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return math.NaN()
	}
	return x
}

// A VertexRange has the smallest and the largest share of coefficients at
// vertices over some fits.
type VertexRange struct {
	Fits      int // 0: nothing is known
	Low, High results.Fact
}

func (v *VertexRange) add(f *results.Fact) {
	if f == nil {
		return
	}
	if v.Fits == 0 || less(*f, v.Low) {
		v.Low = *f
	}
	if v.Fits == 0 || less(v.High, *f) {
		v.High = *f
	}
	v.Fits++
}

// Vertices is the range of a variant over the fits with K of 2 or more.
func (c Collapse) Vertices(variant string) VertexRange {
	var v VertexRange
	for _, p := range c.Pairs() {
		if p.Metrics > 1 {
			v.add(p.Of(variant).Vertices)
		}
	}
	return v
}

// A Constancy says whether the published variant of a method has one accuracy
// whatever K of 2 or more is, as a classifier that names a single class has.
type Constancy struct {
	Set       Set
	Method    string
	Known     bool // there are two or more K, and all have a result
	Low, High table.Score
	Vertices  VertexRange // of the fits with the fact
	Fits      int
}

// Same tells whether all accuracies are one.
func (o Constancy) Same() bool { return o.Known && o.Low.Correct == o.High.Correct }

// Constancies lists them by data set and method.
func (c Collapse) Constancies() []Constancy {
	var all []Constancy
	for _, s := range c.Sets {
		for _, m := range s.Methods {
			all = append(all, m.constancy(s.Set))
		}
	}
	return all
}

func (m CollapseMethod) constancy(set Set) Constancy {
	o := Constancy{Set: set, Method: m.Method}
	for _, p := range m.Pairs {
		score := p.Published.Score
		if p.Metrics < 2 {
			continue
		}
		if score == nil {
			return Constancy{Set: set, Method: m.Method}
		}
		if o.Fits == 0 || score.Correct < o.Low.Correct {
			o.Low = *score
		}
		if o.Fits == 0 || score.Correct > o.High.Correct {
			o.High = *score
		}
		o.Fits++
		o.Vertices.add(p.Published.Vertices)
	}
	o.Known = o.Fits > 1
	return o
}

// Claims are what the pairs say of the published variant.
func (c Collapse) Claims() []Claim {
	several, single, seeds := c.Several(), c.Single(), c.Seeds()
	claims := []Claim{
		counted("published-lower", "with K of 2 or more the published variant is less accurate than the reference", several.Lower, several.Pairs),
		counted("published-lower-all-seeds", "every run of the published variant is less accurate than every run of the reference", seeds.Below, seeds.Pairs),
		counted("published-lower-one-metric", "with a single metric the published variant is less accurate than the reference", single.Lower, single.Pairs),
	}
	same := counted("published-constant", "the published variant has the same accuracy for all K of 2 or more", 0, 0)
	for _, o := range c.Constancies() {
		if o.Known {
			same.Of++
		}
		if o.Same() {
			same.Count++
		}
	}
	claims = append(claims, same)
	for _, variant := range Variants {
		v := c.Vertices(variant)
		statement := fmt.Sprintf("smallest share of coefficients at vertices in the %s variant", variant)
		claims = append(claims, counted("vertices-"+variant, statement, v.Low.Count, v.Low.Of))
	}
	return claims
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
