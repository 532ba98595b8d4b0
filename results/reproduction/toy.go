package reproduction

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"r2lmlbench/results/table"
)

// nearestFact counts the samples whose nearest other one is of their class.
const nearestFact = "nearest other sample of the same class"

// toy is the section on Figure 1, from the table of spec toy.
func toy(t table.Table) section {
	s := section{title: "Figure 1: one global metric against two local ones"}
	s.say("The paper's Figure 1 shows four samples of two classes as they are, under one learned metric, and under two local ones. It prints no coordinates, so these are ours. "+
		"`r2lmlbench run %s` learns the metrics with E-R2LML.", command(t))
	if s.absent(t) {
		return s
	}
	for _, r := range t.Rows {
		s.figure(t, r)
	}
	return s
}

// figure adds the parts of the figure for one data set.
func (s *section) figure(t table.Table, r table.Row) {
	none := t.Find(r, "euclidean").Score
	global := t.Find(r, efficient, "metrics", "1").Score
	local := t.Find(r, efficient, "metrics", "2").Score
	first := slices.IndexFunc([]*table.Score{none, global, local}, func(score *table.Score) bool { return score.SeriesOf("feature 1").Values != nil })
	if first >= 0 {
		s.coordinates("The samples as they are:", []*table.Score{none, global, local}[first], "feature ")
	}
	if variant, ok := variantOf(local); ok {
		s.say("The metrics shown are those of the %s variant. Where it has coefficients at vertices of the simplex, samples at different vertices are at distance 0.", escape(variant))
	}
	s.coordinates("Their places under the global metric:", global, "map 1 coordinate ")
	s.coordinates("Their places under the first of two local metrics, with their coefficients of it:", local, "map 1 coordinate ", "coefficients of metric 1")
	s.coordinates("Their places under the second one:", local, "map 2 coordinate ", "coefficients of metric 2")
	s.coordinates("Their distances under both local metrics together, drawn in the plane:", local, "embedding ")
	if lost := local.SeriesOf("share of the distances not shown").Values; len(lost) == 1 {
		s.say("That drawing leaves out a share of %s of these distances.", shortNumber(lost[0]))
	}
	s.nearest(t, r)
	s.everyColumn(t, r)
}

// variantOf is whose algorithm a score is of, if that is known.
func variantOf(score *table.Score) (string, bool) {
	if score == nil {
		return "", false
	}
	variant, ok := score.Params["variant"].(string)
	return variant, ok
}

// everyColumn lists the count of every column, of which the figure shows three.
func (s *section) everyColumn(t table.Table, r table.Row) {
	var rows [][]string
	for i, c := range t.Columns {
		rows = append(rows, []string{c.Name, ratio(r.Cells[i].Score.FactOf(nearestFact))})
	}
	s.say("All columns of the study; the figure shows the first with one and the first with two metrics.")
	s.table(1, []string{"column", nearestFact}, rows)
}

// coordinates adds a table of a score's series whose names start with one of
// the prefixes, a line for every sample.
func (s *section) coordinates(title string, score *table.Score, prefixes ...string) {
	labels := score.SeriesOf("label").Values
	if len(labels) == 0 {
		s.say("%s -", title)
		return
	}
	head := []string{"sample", "class"}
	rows := make([][]string, len(labels))
	for i, label := range labels {
		rows[i] = []string{strconv.Itoa(i + 1), label}
	}
	for _, one := range score.Series {
		named := slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(one.Name, p) })
		if !named || len(one.Values) != len(labels) {
			continue
		}
		head = append(head, one.Name)
		for i, value := range one.Values {
			rows[i] = append(rows[i], shortNumber(value))
		}
	}
	s.say("%s", title)
	s.table(0, head, rows)
}

// shortNumber is a decimal text with four significant digits.
func shortNumber(text string) string {
	value, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return "-"
	}
	return strconv.FormatFloat(value, 'g', 4, 64)
}

// nearest compares how often the nearest other sample is of the same class, for
// every variant of the study. The figure says what may happen: that it does not
// from one start refutes nothing.
func (s *section) nearest(t table.Table, r table.Row) {
	none, known := t.Find(r, "euclidean").FactOf(nearestFact)
	s.say("Without learning, the nearest other sample is of the same class for %s samples; one that is equally near to a sample of each class does not count.", ratio(none, known))
	for _, variant := range []string{"published", "reference"} {
		global, learned := t.Find(r, efficient, "metrics", "1", "variant", variant).FactOf(nearestFact)
		var local, better []string
		missing, two := !known || !learned, false
		for _, k := range t.MetricCounts() {
			if k < 2 {
				continue
			}
			f, ok := t.Find(r, efficient, "metrics", strconv.Itoa(k), "variant", variant).FactOf(nearestFact)
			local = append(local, fmt.Sprintf("%s with K = %d", ratio(f, ok), k))
			missing, two = missing || !ok, two || ok && k == 2
			if known && learned && ok && f.Count > global.Count && f.Count > none.Count {
				better = append(better, strconv.Itoa(k))
			}
		}
		verdict := "is not seen from this start"
		switch {
		case len(better) > 0 && two && !slices.Contains(better, "2"):
			verdict = "is not seen with the two of the figure, but with K = " + series(better)
		case len(better) > 0:
			verdict = "is seen with K = " + series(better)
		case missing:
			verdict = "cannot be told, as a cell is missing"
		}
		s.conclude("With the %s variant the nearest other sample is of the same class for %s under the global metric, and under local ones for %s. The paper's figure says that local metrics may serve the nearest neighbor better: that **%s**.",
			variant, ratio(global, learned), series(local), verdict)
	}
}
