package reproduction

import (
	"strconv"

	"r2lmlbench/internal/text"
	"r2lmlbench/results"
	"r2lmlbench/results/document"
	"r2lmlbench/results/published"
	"r2lmlbench/results/study"
	"r2lmlbench/stats"
)

// collapse is the section on the two variants of block 2.
func collapse(c study.Collapse) document.Section {
	s := document.Section{Title: collapseTitle}
	s.Say("Both variants of both methods were fitted with a fixed number K of metrics: the algorithms as published, and the authors' programs (reference). "+
		"%s computes them.", run(c.Coverage))
	s.Say("Block 2 minimizes a majorizer of g′S̃g. The variants do this differently:")
	s.List(
		document.Plain("The printed update (Eq. 8) projects g − S̃g/L₁ on every sample's simplex. L₁ is the largest eigenvalue of S̃."),
		document.Plain("The authors' program drops the factor 2 of the majorizer's linear term and projects half of that vector. "+
			"This minimizes g′S̃g + L₁‖g‖² instead, a convex problem with its minimum inside the simplex."),
		document.Plain("The printed update tends to the vertices of the simplex. Two samples at different vertices have distance 0, "+
			"so the nearest neighbors are ties."),
	)
	if absent(&s, c.Coverage) {
		return s
	}
	list(&s, 1, c.Listings()[0])
	s.Say("E is E-R2LML and T is T-R2LML, both with seed 1. Accuracies are in percent of the test samples. " +
		"Coefficients at vertices are in percent of the samples that have their own; with one metric there are none.")
	severalMetrics(&s, c)
	vertexShares(&s, c)
	oneClass(&s, c)
	if n := c.Single(); n.Pairs > 0 {
		s.Say("With a single metric there is no block 2. The variants then differ in momentum, and T-R2LML also in block 3. "+
			"There the published variant is less accurate in %d of %s and more accurate in %d.", n.Lower, text.Counted(n.Pairs, "setting"), n.Higher)
	}
	return s
}

// severalMetrics compares the accuracies for K of 2 or more.
func severalMetrics(s *document.Section, c study.Collapse) {
	n := c.Several()
	if n.Pairs == 0 {
		s.Conclude("No setting with K of 2 or more has both variants yet.")
		return
	}
	s.Conclude("For K of 2 or more, the published variant is less accurate than the reference in %d of %s, as accurate in %d and more accurate in %d.",
		n.Lower, text.Counted(n.Pairs, "setting"), n.Equal, n.Higher)
	constantFits(s, n)
	if n.Lower > 0 {
		s.Say("Where it is less accurate, the difference is %.2f points on average. It is between %s points (%s) and %s points (%s).",
			n.Mean, points(n.Least), where(n.Least), points(n.Most), where(n.Most))
	}
	if seeds := c.Seeds(); seeds.Pairs > 0 {
		s.Say("With several seeds, %s with K of 2 or more were run. In %d of them every run of the published variant is less accurate than every run of the "+
			"reference. In %d every run is more accurate.",
			text.Counted(seeds.Pairs, "setting"), seeds.Below, seeds.Above)
	}
}

// constantFits says how many of these settings name one class for every test sample, so
// that they have the share of that class.
func constantFits(s *document.Section, n study.VariantCount) {
	if n.Constant == 0 {
		return
	}
	said := document.Textf("In %d of them it names one class for all test samples: %d of the less and %d of the more accurate ones.",
		n.Constant, n.ConstantLower, n.ConstantHigher)
	s.Say("%s The accuracy is then the share of that class.", said)
	s.Gist = document.Textf("%s %s", s.Gist, said)
}

// points is by how many points of accuracy the published variant is behind.
func points(p study.VariantPair) string { return stats.Percent(p.Fewer(), p.Set.N, 2) }

// where names a pair.
func where(p study.VariantPair) string {
	return published.MethodName(p.Method) + " on " + p.Set.Name + " with K = " + strconv.Itoa(p.Metrics)
}

// vertexShares gives the range of the shares of coefficients at vertices. That of the
// published variant is part of what came of the section.
func vertexShares(s *document.Section, c study.Collapse) {
	for _, variant := range []string{study.Published, study.Reference} {
		if v := c.Vertices(variant); v.Fits > 0 {
			s.Say("In the %s variant, between %s and %s %% of the samples have their coefficients at a vertex of the simplex (%s with K of 2 or more).",
				variant, share(v.Low), share(v.High), text.Counted(v.Fits, "fit"))
			if variant == study.Published {
				s.Gist = document.Textf("%s Of its samples, %s to %s %% have their coefficients at a vertex of the simplex.",
					s.Gist, share(v.Low), share(v.High))
			}
		}
	}
}

// share is a fact in percent.
func share(f results.Fact) string { return stats.Percent(f.Count, f.Of, 2) }

// oneClass says where the published variant has one accuracy whatever K is.
func oneClass(s *document.Section, c study.Collapse) {
	s.Say("A classifier that names one class for every sample has the same accuracy for every K: the share of that class. " +
		"The table has the accuracies of the published variant and the smallest share of coefficients at vertices, over K of 2 or more.")
	var rows [][]string
	known, same := 0, 0
	for _, o := range c.Constancies() {
		row := []string{o.Set.Name, published.MethodName(o.Method), "-", "-", "-", "-"}
		if o.Known {
			row = append(row[:2], o.Low.Accuracy, o.High.Accuracy, "-", yesNo(o.Same()))
			known++
		}
		if o.Known && o.Vertices.Fits == o.Fits {
			row[4] = share(o.Vertices.Low)
		}
		if o.Same() {
			same++
		}
		rows = append(rows, row)
	}
	s.Table(2, []string{"data", "method", "lowest", "highest", "at vertices, at least", "same for all K"}, rows)
	if known > 0 {
		s.Say("The accuracy is the same for all K of 2 or more in %d of the %s of data set and method that have all of these "+
			"cells.", same, text.Counted(known, "pair"))
	}
}

const collapseTitle = "The coefficients collapse under the published block 2"
