package reproduction

import (
	"fmt"
	"math"
	"strconv"

	"r2lmlbench/results"
	"r2lmlbench/results/table"
	"r2lmlbench/stats"
)

// verticesFact counts the samples whose coefficients are at a vertex of the
// simplex. A fit with one metric has no such fact.
const verticesFact = "coefficients at vertices"

// A setting is both variants of a method with K metrics on one data set.
type setting struct {
	name, method         string // of the data set and of the method, as printed
	k, n                 int    // metrics, test samples
	reference, published *table.Score
}

// collapse is the section on the two variants of block 2, from the table of
// spec variants.
func collapse(t table.Table) section {
	s := section{title: "The coefficients collapse under the published block 2"}
	s.say("Both variants of both methods were fitted with the number K of metrics fixed: the algorithms as published, and the authors' programs (reference). "+
		"`r2lmlbench run %s` computes them.", command(t))
	s.say("Block 2 minimizes a majorizer of g′S̃g, and the printed update (Eq. 8) projects g − S̃g/L₁ on every sample's simplex, where L₁ is the largest eigenvalue of S̃. " +
		"The authors' program loses the factor 2 of the majorizer's linear term and projects half of that vector, which minimizes g′S̃g + L₁‖g‖² instead, " +
		"a convex problem with a minimum inside the simplex, while the printed update tends to its vertices, and two samples at different vertices have distance 0, so that the neighbors that vote are ties.")
	if s.absent(t) {
		return s
	}
	all := settingsOf(t)
	s.variantTable(t)
	s.lower(all)
	s.otherSeeds(t)
	s.vertexShares(all)
	s.oneClass(t)
	s.oneMetric(all)
	return s
}

// settingsOf lists the settings by data set, method and K.
func settingsOf(t table.Table) []setting {
	var all []setting
	for _, r := range t.Rows {
		for _, method := range ourMethods {
			all = append(all, settingsOn(t, r, method)...)
		}
	}
	return all
}

// settingsOn lists the settings of a method on one row, by K.
func settingsOn(t table.Table, r table.Row, method string) []setting {
	var all []setting
	for _, k := range t.MetricCounts() {
		all = append(all, settingOf(t, r, method, k))
	}
	return all
}

func settingOf(t table.Table, r table.Row, method string, k int) setting {
	return setting{
		name: r.Name, method: methodName(method), k: k, n: r.N,
		reference: t.Find(r, method, "metrics", strconv.Itoa(k), "variant", "reference").Score,
		published: t.Find(r, method, "metrics", strconv.Itoa(k), "variant", "published").Score,
	}
}

// variantTable has a line for every data set and K.
func (s *section) variantTable(t table.Table) {
	head := []string{"data", "K"}
	for _, method := range ourMethods {
		short := methodName(method)[:1]
		head = append(head, short+" reference", short+" published", short+" reference at vertices", short+" published at vertices")
	}
	var rows [][]string
	for _, r := range t.Rows {
		for _, k := range t.MetricCounts() {
			row := []string{r.Name, strconv.Itoa(k)}
			for _, method := range ourMethods {
				one := settingOf(t, r, method, k)
				row = append(row, accuracy(one.reference), accuracy(one.published),
					share(one.reference.FactOf(verticesFact)), share(one.published.FactOf(verticesFact)))
			}
			rows = append(rows, row)
		}
	}
	s.table(1, head, rows)
	s.say("E is E-R2LML and T is T-R2LML, both with seed 1. Accuracies are in percent of the test samples, coefficients at vertices in percent of the samples that have their own; " +
		"with one metric there are no coefficients.")
}

// lower compares the accuracies for K of 2 or more.
func (s *section) lower(all []setting) {
	pairs, lower, equal := 0, 0, 0
	var least, most setting
	sum := 0.0 // of the differences where published is lower, in points
	for _, one := range all {
		if one.k < 2 || one.reference == nil || one.published == nil {
			continue
		}
		pairs++
		switch d := one.difference(); {
		case d == 0:
			equal++
		case d > 0:
			if lower == 0 || d < least.difference() {
				least = one
			}
			if lower == 0 || d > most.difference() {
				most = one
			}
			lower++
			sum += d
		}
	}
	if pairs == 0 {
		s.say("No setting with K of 2 or more has both variants yet.")
		return
	}
	s.conclude("For K of 2 or more, the published variant is less accurate than the reference in %d of %s, as accurate in %d and more accurate in %d.",
		lower, counted(pairs, "setting"), equal, pairs-lower-equal)
	if lower > 0 {
		s.say("Where it is less accurate, the difference is between %s points (%s) and %s points (%s), %.2f on average.",
			least.points(), least.where(), most.points(), most.where(), sum/float64(lower))
	}
}

// otherSeeds says how the variants compare over all seeds, where there are
// several of both.
func (s *section) otherSeeds(t table.Table) {
	below, above, pairs := 0, 0, 0
	for _, r := range t.Rows {
		for _, method := range ourMethods {
			for _, k := range t.MetricCounts() {
				of := func(variant string) *table.Spread {
					return t.Find(r, method, "metrics", strconv.Itoa(k), "variant", variant).Spread
				}
				reference, published := of("reference"), of("published")
				if k < 2 || reference == nil || published == nil || reference.Runs < 2 || published.Runs < 2 {
					continue
				}
				pairs++
				switch {
				case percent(published.Max) < percent(reference.Min):
					below++
				case percent(published.Min) > percent(reference.Max):
					above++
				}
			}
		}
	}
	if pairs > 0 {
		s.say("Of %s with K of 2 or more that ran with several seeds, every run of the published variant is less accurate than every run of the reference in %d, and more accurate in %d.",
			counted(pairs, "setting"), below, above)
	}
}

// percent reads an accuracy as tables write it.
func percent(text string) float64 {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return math.NaN()
	}
	return x
}

// difference is how much more accurate the reference is, in points.
func (one setting) difference() float64 {
	return 100 * float64(one.reference.Correct-one.published.Correct) / float64(one.n)
}

func (one setting) points() string {
	return stats.Percent(one.reference.Correct-one.published.Correct, one.n, 2)
}

// where names a setting in Markdown.
func (one setting) where() string {
	return fmt.Sprintf("%s on %s with K = %d", one.method, escape(one.name), one.k)
}

// vertexShares gives the range of the shares of coefficients at vertices.
func (s *section) vertexShares(all []setting) {
	for _, variant := range []string{"published", "reference"} {
		var low, high results.Fact
		found := 0
		for _, one := range all {
			score := one.reference
			if variant == "published" {
				score = one.published
			}
			f, ok := score.FactOf(verticesFact)
			if !ok || one.k < 2 {
				continue
			}
			if found == 0 || f.Count*low.Of < low.Count*f.Of {
				low = f
			}
			if found == 0 || f.Count*high.Of > high.Count*f.Of {
				high = f
			}
			found++
		}
		if found > 0 {
			s.say("In the %s variant, between %s and %s %% of the samples have their coefficients at a vertex of the simplex (%s with K of 2 or more).",
				variant, share(low, true), share(high, true), counted(found, "fit"))
		}
	}
}

// oneClass says where the published variant has one accuracy whatever K is.
func (s *section) oneClass(t table.Table) {
	s.say("A classifier that names one class for every sample has the same accuracy whatever K is, namely the share of that class. " +
		"The table below has the accuracies of the published variant and the smallest share of coefficients at vertices, over K of 2 or more.")
	var rows [][]string
	complete, same := 0, 0
	for _, r := range t.Rows {
		for _, method := range ourMethods {
			line, status := constant(settingsOn(t, r, method))
			rows = append(rows, append([]string{r.Name, methodName(method)}, line...))
			if status != "-" {
				complete++
			}
			if status == "yes" {
				same++
			}
		}
	}
	s.table(2, []string{"data", "method", "lowest", "highest", "at vertices, at least", "same for all K"}, rows)
	if complete > 0 {
		s.say("The accuracy is the same for all K of 2 or more in %d of the %s of data set and method that have all of these cells.", same, counted(complete, "pair"))
	}
}

// constant describes the published variant on one data set with one method: the
// lowest and the highest accuracy for K of 2 or more, the smallest share of
// vertices, and whether all these accuracies are one. The last is also returned;
// all are "-" if a cell is missing or there are fewer than two.
func constant(settings []setting) (line []string, status string) {
	var low, high *table.Score
	var vertices results.Fact
	fits, facts := 0, 0
	for _, one := range settings {
		if one.k < 2 {
			continue
		}
		if one.published == nil {
			return []string{"-", "-", "-", "-"}, "-"
		}
		if fits == 0 || one.published.Correct < low.Correct {
			low = one.published
		}
		if fits == 0 || one.published.Correct > high.Correct {
			high = one.published
		}
		fits++
		if f, ok := one.published.FactOf(verticesFact); ok {
			if facts == 0 || f.Count*vertices.Of < vertices.Count*f.Of {
				vertices = f
			}
			facts++
		}
	}
	if fits < 2 {
		return []string{"-", "-", "-", "-"}, "-"
	}
	status = "no"
	if low.Correct == high.Correct {
		status = "yes"
	}
	return []string{low.Accuracy, high.Accuracy, share(vertices, facts == fits), status}, status
}

// oneMetric says what separates the variants where block 2 has nothing to do.
func (s *section) oneMetric(all []setting) {
	pairs, lower, higher := 0, 0, 0
	for _, one := range all {
		if one.k != 1 || one.reference == nil || one.published == nil {
			continue
		}
		pairs++
		switch d := one.difference(); {
		case d > 0:
			lower++
		case d < 0:
			higher++
		}
	}
	if pairs > 0 {
		s.say("With a single metric there is no block 2, and the variants differ in momentum, and T-R2LML also in block 3. "+
			"There the published variant is less accurate in %d of %s and more accurate in %d.", lower, counted(pairs, "setting"), higher)
	}
}
