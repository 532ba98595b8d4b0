package reproduction

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"r2lmlbench/results"
)

// across is the section on the methods over all data sets together, from the
// table of spec accuracy and the paper's printed one.
func across(t results.Table) section {
	s := section{title: "The methods across the data sets"}
	s.say("The paper says that its methods may exhibit notable performance advantages over others (abstract) and calls them highly competitive (conclusions), "+
		"but tests each data set by itself. Here the data sets are the sample: methods are compared by their ranks and by their differences over the sets (Demšar 2006), "+
		"once with the accuracies that the paper printed and once with ours, seed 1 of `r2lmlbench run %s`.", command(t))
	if s.absent(t) {
		return s
	}
	both := contests{names: columnNames(t), printed: printedContest(), ours: newContest(t.Scores())}
	s.omitted(both.ours)
	s.rankTable(both)
	s.rankTests(both)
	s.rankGroups(both)
	s.duelTable(both)
	s.mostSets(both)
	return s
}

// contests are both tables with the names of their methods by id.
type contests struct {
	names         map[string]string
	printed, ours contest
}

func columnNames(t results.Table) map[string]string {
	names := map[string]string{}
	for _, c := range t.Columns {
		names[c.ID] = c.Name
	}
	return names
}

// name is a method as our table prints it, or else by its id.
func (b contests) name(id string) string {
	if name := b.names[id]; name != "" {
		return name
	}
	return methodName(id)
}

// methods are those of the paper's table, then those that only ours has.
func (b contests) methods() []string {
	all := slices.Clone(b.printed.scores.Methods)
	for _, id := range b.ours.scores.Methods {
		all = appendNew(all, id)
	}
	return all
}

// each lists both contests with what they are called in tables.
func (b contests) each() []namedContest {
	return []namedContest{{"printed", b.printed}, {"ours", b.ours}}
}

type namedContest struct {
	name string
	contest
}

// omitted names the rows that have no part in the ranks.
func (s *section) omitted(ours contest) {
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
func (s *section) rankTable(b contests) {
	var lines [][]string
	for _, id := range b.methods() {
		lines = append(lines, []string{b.name(id), number(b.printed.rank(id), 'f', 2), number(b.ours.rank(id), 'f', 2)})
	}
	s.table(1, []string{"average rank", "printed", "ours"}, lines)
	s.say("Rank 1 is the most accurate method of a row, and equal accuracies share the average of their ranks.")
}

// rankTests has Friedman's test and Nemenyi's critical difference.
func (s *section) rankTests(b contests) {
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
func (s *section) rankGroups(b contests) {
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

// duelTable compares the paper's methods with every other.
func (s *section) duelTable(b contests) {
	var lines [][]string
	for _, pair := range duelists(b.methods()) {
		line := []string{b.name(pair[0]), b.name(pair[1])}
		for _, c := range b.each() {
			line = append(line, c.texts(pair)...)
		}
		lines = append(lines, line)
	}
	head := []string{"method", "against"}
	for _, c := range b.each() {
		head = append(head, c.name+": wins/ties/losses", "median", "p", "Holm", "better/equal/worse")
	}
	s.table(2, head, lines)
	s.say("Wins, ties and losses count the data sets that have both methods, by their accuracies alone; the median is that of the differences of accuracy in points, first less second. "+
		"p is that of Wilcoxon's signed-rank test, two-sided, and Holm's correction is over the pairs of a column. Better, equal and worse are the posterior probabilities of the Bayesian signed-rank test "+
		"(Benavoli et al. 2017) that the first method is better by more than %d point, within it, or worse by more: shares of %d draws with seed %d, prior strength 0.5, accurate to about 0.01.",
		rope, posteriorDraws, posteriorSeed)
}

// texts are a duel's fields of the table, "-" if it was not fought.
func (c contest) texts(pair [2]string) []string {
	d, ok := c.find(pair[0], pair[1])
	if !ok {
		return []string{"-", "-", "-", "-", "-"}
	}
	return []string{
		fmt.Sprintf("%d/%d/%d", d.wins, d.ties, d.losses), signed(d.median), number(d.p, 'g', 3), number(d.holm, 'g', 3),
		fmt.Sprintf("%.2f/%.2f/%.2f", d.posterior.First, d.posterior.Equal, d.posterior.Second),
	}
}

// mostSets concludes whether the paper's methods outperform the others on most
// data sets.
func (s *section) mostSets(b contests) {
	s.conclude("The statement that %s and %s each outperform every other method of the paper on most data sets **%s** in the printed numbers and **%s** in ours.",
		escape(b.name(efficient)), escape(b.name(transductive)), b.printed.verdict(), b.ours.verdict())
	s.conclude("In the printed numbers %s: the statement **%s**.", b.record(b.printed), b.printed.verdict())
	s.conclude("In ours %s: the statement **%s**.", b.record(b.ours), b.ours.verdict())
	s.say("Most are more than half of the rows, a row without one of the two counting for neither. The tests support the statement if every one of these pairs is significant after Holm's correction.")
}

// record says how the paper's methods fared against all others, in Markdown.
func (b contests) record(c contest) string {
	var parts []string
	for _, method := range ourMethods {
		duels := c.against(method)
		rows := len(c.scores.Rows)
		parts = append(parts, fmt.Sprintf("%s is the more accurate one on most of %s against %s, significantly so against %s, and better by more than %d point with a probability of %g or more against %s",
			escape(b.name(method)), counted(rows, "set"),
			b.share(duels, func(d duel) bool { holds, _ := d.most(rows); return holds }),
			b.share(duels, duel.significant), rope, practical,
			b.share(duels, duel.practically)))
	}
	return strings.Join(parts, "; ")
}

// share says of how many opponents something is true, and of which it is not:
// "4 of 6 (not ITML and PLML)".
func (b contests) share(duels []duel, is func(duel) bool) string {
	var not []string
	for _, d := range duels {
		if !is(d) {
			not = append(not, escape(b.name(d.second)))
		}
	}
	text := fmt.Sprintf("%d of %d", len(duels)-len(not), len(duels))
	if len(not) > 0 && len(not) < len(duels) {
		text += " (not " + series(not) + ")"
	}
	return text
}
