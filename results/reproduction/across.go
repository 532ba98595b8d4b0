package reproduction

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"r2lmlbench/results/published"
	"r2lmlbench/results/table"
)

// across is the section on the methods over all data sets together, from the
// table of spec accuracy and the paper's printed one.
func across(t table.Table) section {
	s := section{title: "The methods across the data sets"}
	s.say("The paper says that its methods may exhibit notable performance advantages over others (abstract) and calls them highly competitive (conclusions), "+
		"but tests each data set by itself. Here the data sets are the sample: methods are compared by their ranks and by their differences over the sets (Demšar 2006), "+
		"once with the accuracies that the paper printed and once with ours, seed 1 of `r2lmlbench run %s`.", command(t))
	if s.absent(t) {
		return s
	}
	both := overviews{names: columnNames(t), printed: printedOverview(), ours: newOverview(t.Scores())}
	s.omitted(both.ours)
	s.rankTable(both)
	s.rankTests(both)
	s.rankGroups(both)
	s.comparisonTable(both)
	s.say("What the paper says of this, and what holds in ours; the printed table is in parentheses:")
	s.claims("about the methods", both.claims(t))
	s.mostSets(both)
	return s
}

// overviews are both tables with the names of their methods by id.
type overviews struct {
	names         map[string]string
	printed, ours overview
}

func columnNames(t table.Table) map[string]string {
	names := map[string]string{}
	for _, c := range t.Columns {
		names[c.ID] = c.Name
	}
	return names
}

// name is a method as our table prints it, or else by its id.
func (b overviews) name(id string) string {
	if name := b.names[id]; name != "" {
		return name
	}
	return methodName(id)
}

// methods are those of the paper's table, then those that only ours has.
func (b overviews) methods() []string {
	all := slices.Clone(b.printed.scores.Methods)
	for _, id := range b.ours.scores.Methods {
		all = appendNew(all, id)
	}
	return all
}

// each lists both overviews with what they are called in tables.
func (b overviews) each() []namedOverview {
	return []namedOverview{{"printed", b.printed}, {"ours", b.ours}}
}

type namedOverview struct {
	name string
	overview
}

// omitted names the rows that have no part in the ranks.
func (s *section) omitted(ours overview) {
	if len(ours.standing.Omitted) > 0 {
		var names []string
		for _, name := range ours.standing.Omitted {
			names = append(names, escape(name))
		}
		s.say("The ranks of ours leave out %s on which a method has no result: %s.", counted(len(names), "row"), series(names))
	}
	if !ours.ranked {
		s.say("Fewer than two rows have a result of every method, so that ours have no ranks.")
	}
}

// rankTable has the average ranks of every method.
func (s *section) rankTable(b overviews) {
	var lines [][]string
	for _, id := range b.methods() {
		lines = append(lines, []string{b.name(id), number(b.printed.rank(id), 'f', 2), number(b.ours.rank(id), 'f', 2)})
	}
	s.table(1, []string{"average rank", "printed", "ours"}, lines)
	s.say("Rank 1 is the most accurate method of a row, and equal accuracies share the average of their ranks.")
}

// rankTests has Friedman's test and Nemenyi's critical difference.
func (s *section) rankTests(b overviews) {
	var lines [][]string
	for _, c := range b.each() {
		line := []string{c.name, strconv.Itoa(c.standing.Rows), "-", "-", "-", "-", "-", "-", "-"}
		if f := c.standing.Friedman; c.ranked {
			line = []string{c.name, strconv.Itoa(c.standing.Rows),
				number(f.ChiSquared, 'f', 3), strconv.Itoa(f.DF), number(f.P, 'g', 3),
				number(f.F, 'f', 3), fmt.Sprintf("%d, %d", f.DF, f.DF2), number(f.FP, 'g', 3),
				number(c.standing.CD, 'f', 4)}
		}
		lines = append(lines, line)
	}
	s.table(1, []string{"", "rows", "Friedman's χ²", "df", "p", "Iman and Davenport's F", "df", "p", "critical difference"}, lines)
	s.say("χ² is corrected for ties. Two methods differ by Nemenyi's test at level %g if their average ranks are at least the critical difference apart.", level)
}

// rankGroups lists the largest groups of methods that Nemenyi's test does not
// tell apart.
func (s *section) rankGroups(b overviews) {
	var items []string
	for _, c := range b.each() {
		if !c.ranked {
			continue
		}
		var groups []string
		for _, group := range c.standing.Groups {
			var names []string
			for _, i := range group {
				names = append(names, escape(b.name(c.scores.Methods[i])))
			}
			groups = append(groups, series(names))
		}
		items = append(items, fmt.Sprintf("%s: %s.", c.name, orNone(strings.Join(groups, "; "))))
	}
	s.say("The largest groups of methods that the test does not tell apart, best first:")
	s.list(items)
}

// number prints x, "-" if it is none.
func number(x float64, format byte, precision int) string {
	switch {
	case math.IsNaN(x):
		return "-"
	case math.IsInf(x, 1):
		return "∞"
	}
	return strconv.FormatFloat(x, format, precision, 64)
}

// signed prints x with its sign and two decimals, 0.00 without one.
func signed(x float64) string {
	text := fmt.Sprintf("%+.2f", x)
	if text == "+0.00" || text == "-0.00" {
		return "0.00"
	}
	return text
}

// orNone is a text, "none" if it is empty.
func orNone(text string) string {
	if text == "" {
		return "none"
	}
	return text
}

// comparisonTable compares the paper's methods with every other.
func (s *section) comparisonTable(b overviews) {
	var lines [][]string
	for _, pair := range pairsOfOurs(b.methods()) {
		line := []string{b.name(pair[0]), b.name(pair[1])}
		for _, c := range b.each() {
			line = append(line, c.texts(pair)...)
		}
		lines = append(lines, line)
	}
	head := []string{"method", "against"}
	for _, c := range b.each() {
		head = append(head, c.name+": more accurate/equal/less", "median", "p", "Holm", "better/equal/worse")
	}
	s.table(2, head, lines)
	s.say("More accurate, equal and less count the data sets that have both methods, by the accuracies alone; the median is that of the differences of accuracy in points, first less second. "+
		"p is that of Wilcoxon's signed-rank test, two-sided, and Holm's correction is over the pairs of one table. Better, equal and worse are the posterior probabilities of the Bayesian signed-rank test "+
		"(Benavoli et al. 2017) that the first method is better by more than %d point, within it, or worse by more: shares of %d draws with seed %d, prior strength 0.5, accurate to about 0.01.",
		rope, posteriorDraws, posteriorSeed)
}

// texts are a comparison's fields of the table, "-" if it was not made.
func (c overview) texts(pair [2]string) []string {
	d, ok := c.find(pair[0], pair[1])
	if !ok {
		return []string{"-", "-", "-", "-", "-"}
	}
	return []string{
		fmt.Sprintf("%d/%d/%d", d.wins, d.ties, d.losses), signed(d.median), number(d.p, 'g', 3), number(d.holm, 'g', 3),
		fmt.Sprintf("%.2f/%.2f/%.2f", d.posterior.First, d.posterior.Equal, d.posterior.Second),
	}
}

// claims are the paper's statements on its comparison of performances.
func (b overviews) claims(t table.Table) []claim {
	return []claim{
		b.firstRank(t, efficient, 14), b.firstRank(t, transductive, 9),
		b.ahead(efficient, transductive), b.everywhere("lmnn-mm"),
	}
}

// firstRank checks on how many data sets a method has rank 1, of the methods that
// are not significantly different from the most accurate one.
func (b overviews) firstRank(t table.Table, method string, rows int) claim {
	ours, known, printed := 0, 0, 0
	for _, r := range t.Rows {
		score := t.Find(r, method).Score
		if score == nil {
			continue
		}
		known++
		if score.Best {
			ours++
		}
	}
	of := len(b.printed.scores.Rows)
	missing := max(0, of-known)
	for _, p := range published.All() {
		if p.Method == method && p.Rank == 1 {
			printed++
		}
	}
	return claim{
		paper:   fmt.Sprintf("%s achieves the best performance for %d out of the %d data sets", escape(b.name(method)), rows, of),
		here:    fmt.Sprintf("it has rank 1 on %d of %d (%d)", ours, known, printed),
		refuted: ours+missing < rows,
		unknown: ours < rows,
		missing: missing,
	}
}

// ahead checks that one of the paper's methods outperforms the other.
func (b overviews) ahead(method, other string) claim {
	d, _ := b.ours.find(method, other)
	p, _ := b.printed.find(method, other)
	return claim{
		paper: fmt.Sprintf("%s outperforms %s", escape(b.name(method)), escape(b.name(other))),
		here: fmt.Sprintf("it is the more accurate one on %d of %d, p = %s after Holm's correction (%d of %d, p = %s)",
			d.wins, d.rows(), number(d.holm, 'g', 3), p.wins, p.rows(), number(p.holm, 'g', 3)),
		refuted: d.rows() > 0 && d.holm <= level && !d.ahead,
		unknown: !d.significant(),
		missing: max(0, len(b.printed.scores.Rows)-d.rows()),
	}
}

// everywhere checks that both of the paper's methods are better than another on
// all data sets.
func (b overviews) everywhere(other string) claim {
	c := claim{paper: fmt.Sprintf("both yield much better performance for all data sets compared to %s", escape(b.name(other)))}
	var ours, printed []string
	for _, method := range ourMethods {
		d, _ := b.ours.find(method, other)
		p, _ := b.printed.find(method, other)
		ours = append(ours, fmt.Sprintf("%s is the more accurate one on %d of %d", escape(b.name(method)), d.wins, d.rows()))
		printed = append(printed, fmt.Sprintf("%d of %d", p.wins, p.rows()))
		c.refuted = c.refuted || d.ties+d.losses > 0
		c.missing += max(0, len(b.printed.scores.Rows)-d.rows())
	}
	c.here = series(ours) + " (" + series(printed) + ")"
	return c
}

// mostSets says whether the paper's methods outperform the others on most data
// sets.
func (s *section) mostSets(b overviews) {
	s.say("A stricter reading, which the paper does not state, is that %s and %s each outperform every other method on most data sets, more than half of the rows, and significantly so by Wilcoxon's test.",
		escape(b.name(efficient)), escape(b.name(transductive)))
	s.say("In the printed numbers %s: it **%s**.", b.record(b.printed), b.printed.verdict())
	s.say("In ours %s: it **%s**.", b.record(b.ours), b.ours.verdict())
}

// record says how the paper's methods fared against all others, in Markdown.
func (b overviews) record(c overview) string {
	var parts []string
	for _, method := range ourMethods {
		comparisons := c.against(method)
		rows := len(c.scores.Rows)
		parts = append(parts, fmt.Sprintf("%s is the more accurate one on most of %s against %s, significantly so against %s, and better by more than %d point with a probability of %g or more against %s",
			escape(b.name(method)), counted(rows, "set"),
			b.share(comparisons, func(d comparison) bool { holds, _ := d.most(rows); return holds }),
			b.share(comparisons, comparison.significant), rope, practical,
			b.share(comparisons, comparison.practically)))
	}
	return strings.Join(parts, "; ")
}

// share says of how many opponents something is true, and of which it is not:
// "4 of 6 (not ITML and PLML)".
func (b overviews) share(comparisons []comparison, is func(comparison) bool) string {
	var not []string
	for _, d := range comparisons {
		if !is(d) {
			not = append(not, escape(b.name(d.second)))
		}
	}
	text := fmt.Sprintf("%d of %d", len(comparisons)-len(not), len(comparisons))
	if len(not) > 0 && len(not) < len(comparisons) {
		text += " (not " + series(not) + ")"
	}
	return text
}
