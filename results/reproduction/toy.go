package reproduction

import (
	"fmt"
	"math"
	"strconv"

	"r2lmlbench/internal/text"
	"r2lmlbench/results"
	"r2lmlbench/results/document"
	"r2lmlbench/results/study"
)

// toy is the section on Figure 1.
func toy(t study.Toy) document.Section {
	s := document.Section{Title: "Figure 1: one global metric against two local ones"}
	s.Say("The paper's Figure 1 shows four samples of two classes as they are, under one learned metric, and under two local ones. "+
		"It prints no coordinates, so these are ours. %s learns the metrics with E-R2LML.", run(t.Coverage))
	if absent(&s, t.Coverage) {
		return s
	}
	for i, set := range t.Sets {
		figure(&s, set)
		s.Say("The table has all columns of the study. The figure shows the first with one metric and the first with two.")
		list(&s, 1, t.Listings()[i])
	}
	return s
}

// figure adds the parts of the figure for one data set.
func figure(s *document.Section, set study.ToySet) {
	_, global, local := set.Figure()
	if original := set.Original(); original.Features != nil {
		places(s, "The samples as they are:", original, axes("feature %d", original.Features))
	}
	if local.Variant != "" {
		s.Say("The metrics shown are those of the %s variant. Where its coefficients are at vertices of the simplex, "+
			"samples at different vertices are at distance 0.", local.Variant)
	}
	places(s, "Their places under the global metric:", global.Places, mapped(global.Places, 1))
	places(s, "Their places under the first of two local metrics, with their coefficients for "+
		"it:", local.Places, append(mapped(local.Places, 1), coefficients(local.Places, 1)...))
	places(s, "Their places under the second one:", local.Places, append(mapped(local.Places, 2), coefficients(local.Places, 2)...))
	places(s, "Their distances under both local metrics together, drawn in the plane:", local.Places, axes("embedding %d", local.Embedding))
	if !math.IsNaN(local.Lost) {
		s.Say("That drawing leaves out a share of %s of these distances.", number(local.Lost, 'g', 4))
	}
	nearest(s, set)
}

// An axis is a column of a table of places.
type axis struct {
	name   string
	values []float64
}

func axes(name string, columns [][]float64) []axis {
	var all []axis
	for i, values := range columns {
		all = append(all, axis{fmt.Sprintf(name, i+1), values})
	}
	return all
}

// mapped has the places under a map, from 1.
func mapped(p study.Places, metric int) []axis {
	if metric > len(p.Maps) {
		return nil
	}
	return axes(fmt.Sprintf("map %d coordinate %%d", metric), p.Maps[metric-1])
}

// coefficients has those of a metric, from 1.
func coefficients(p study.Places, metric int) []axis {
	if metric > len(p.Coefficients) {
		return nil
	}
	return []axis{{fmt.Sprintf("coefficients of metric %d", metric), p.Coefficients[metric-1]}}
}

// places adds a table of the samples, a line for each.
func places(s *document.Section, title string, p study.Places, all []axis) {
	if len(p.Labels) == 0 {
		s.Say("%s -", title)
		return
	}
	head := []string{"sample", "class"}
	for _, a := range all {
		head = append(head, a.name)
	}
	var rows [][]string
	for i, label := range p.Labels {
		row := []string{strconv.Itoa(i + 1), number(label, 'g', 4)}
		for _, a := range all {
			row = append(row, number(a.values[i], 'g', 4))
		}
		rows = append(rows, row)
	}
	s.Say("%s", title)
	s.Table(0, head, rows)
}

// nearest compares how often the nearest other sample is of the same class, for
// every variant of the study.
func nearest(s *document.Section, set study.ToySet) {
	var claims []document.Claim
	var none *results.Fact
	for _, variant := range []string{study.Published, study.Reference} {
		n := set.Nearest(variant)
		var local []string
		for _, l := range n.Local {
			local = append(local, fmt.Sprintf("%s with K = %d", ratio(l.Fact), l.Metrics))
		}
		found := document.Textf("With the %s variant, the nearest other sample is of the same class for %s under the global metric. "+
			"Under local metrics it is so for %s.",
			variant, ratio(n.Global), text.Series(local))
		if s.Gist == nil {
			s.Gist = found
		}
		none = n.None
		claims = append(claims, document.Claim{ID: n.ID, Verdict: seen(n),
			Text: document.Textf("%s The paper's figure says that local metrics may serve the nearest neighbor better: this", found)})
	}
	s.Say("Without learning, the nearest other sample is of the same class for %s samples. A sample that is equally near to both classes does not "+
		"count.", ratio(none))
	s.Claim(claims...)
}

// seen says whether local metrics serve better. The figure says what may happen:
// that it does not from one start refutes nothing.
func seen(n study.Nearest) string {
	better := make([]string, len(n.Better))
	for i, k := range n.Better {
		better[i] = strconv.Itoa(k)
	}
	switch {
	case len(better) > 0 && n.TwoMissed():
		return "is not seen with the two of the figure, but with K = " + text.Series(better)
	case len(better) > 0:
		return "is seen with K = " + text.Series(better)
	case n.Missing > 0:
		return "cannot be told, as a cell is missing"
	}
	return "is not seen from this start"
}
