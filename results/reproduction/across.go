package reproduction

import (
	"fmt"
	"strings"

	"r2lmlbench/internal/text"
	"r2lmlbench/results/document"
	"r2lmlbench/results/study"
	"r2lmlbench/stats"
)

// across is the section on the methods over all data sets together.
func across(a study.Across) document.Section {
	s := document.Section{Title: "The methods across the data sets"}
	s.Say("The paper says that its methods may exhibit notable performance advantages over others (abstract), and calls them highly competitive (conclusions). " +
		"It tests each data set by itself.")
	s.Say("Here the data sets are the sample: methods are compared by their ranks and by their differences over the sets (Demšar 2006). "+
		"This is done once with the printed accuracies, and once with ours: means over seeds on the split of the rule. Rank 1 is that of seed 1 of %s.",
		run(a.Coverage))
	if absent(&s, a.Coverage) {
		return s
	}
	rankings(&s, a)
	comparisons(&s, a)
	stated(&s, a)
	mostSets(&s, a)
	return s
}

// rankings has the average ranks, and what tells them apart.
func rankings(s *document.Section, a study.Across) {
	if omitted := a.Ours.Standing.Omitted; len(omitted) > 0 {
		s.Say("Our ranks leave out %s on which a method has no result: %s.", text.Counted(len(omitted), "row"), text.Series(omitted))
	}
	if !a.Ours.Ranked {
		s.Say("Fewer than two rows have a result of every method, so our table has no ranks.")
	}
	list(s, 1, a.Ranks())
	s.Say("Rank 1 is the most accurate method of a row. Methods of equal accuracy share the average of their ranks.")
	list(s, 1, a.Tests())
	s.Say("χ² is corrected for ties. By Nemenyi's test at level %g, two methods differ if their average ranks are at least the critical difference "+
		"apart.", study.Level)
	s.Say("The largest groups of methods that the test does not tell apart, best first:")
	var items []document.Inline
	for _, o := range a.Overviews() {
		if o.Ranked {
			items = append(items, document.Textf("%s: %s.", o.Name, groups(a, o)))
		}
	}
	s.List(items...)
}

func groups(a study.Across, o study.NamedOverview) string {
	var all []string
	for _, group := range o.Standing.Groups {
		var names []string
		for _, i := range group {
			names = append(names, a.Name(o.Scores.Methods[i]))
		}
		all = append(all, text.Series(names))
	}
	if len(all) == 0 {
		return "none"
	}
	return strings.Join(all, "; ")
}

// comparisons has the paper's methods against every other.
func comparisons(s *document.Section, a study.Across) {
	list(s, 2, a.Comparisons())
	s.List(
		document.Plain("More accurate, equal and less count the data sets that have both methods, by the accuracies alone."),
		document.Plain("The median is that of the differences in accuracy in points, first method less second."),
		document.Plain("p is that of Wilcoxon's signed-rank test, two-sided. Holm's correction is over the pairs of one table."),
		document.Textf("Better, equal and worse are probabilities by the Bayesian signed-rank test (Benavoli et al. 2017): "+
			"the first method is better by more than %d point, within it, or worse by more.", study.Rope),
		document.Textf("These are shares of %d draws with seed %d and prior strength 0.5, accurate to about 0.01.", study.PosteriorDraws, study.PosteriorSeed),
	)
}

// readings say of which runs a reading is.
var readings = map[string]string{
	study.ReadingRank: study.ReadingRank + " with seed 1", study.ReadingHighest: study.ReadingHighest + " by the means over seeds",
}

// stated are the paper's statements on its comparison of performances.
func stated(s *document.Section, a study.Across) {
	ranks, ahead, everywhere := a.Stated()
	var claims []document.Claim
	for _, r := range ranks {
		claims = append(claims, claimed(r.Claim, document.Textf("it has %s on %d of %d (%d)", readings[r.Reading], r.Count, r.Of, r.Printed)))
	}
	claims = append(claims, claimed(ahead.Claim, document.Textf("it is the more accurate one on %d of %d, p %s after Holm's correction (%d of %d, p %s)",
		ahead.Count, ahead.Of, stats.SayP(ahead.P), ahead.Printed.Wins, ahead.Printed.Rows(), stats.SayP(ahead.Printed.Holm))))
	var ours, printed []string
	for i, c := range everywhere.Ours {
		p := everywhere.Printed[i]
		ours = append(ours, fmt.Sprintf("%s is the more accurate one on %d of %d", a.Name(c.First), c.Wins, c.Rows()))
		printed = append(printed, fmt.Sprintf("%d of %d", p.Wins, p.Rows()))
	}
	claims = append(claims, claimed(everywhere.Claim, document.Textf("%s (%s)", text.Series(ours), text.Series(printed))))
	s.Say("What the paper says about this, and what our table shows. Values of the printed table are in parentheses:")
	verdictsOn(s, "the methods", claims)
}

// supports are the words for what comes of the stricter reading.
var supports = map[study.Support]string{
	study.Unknown: study.Undecided, study.Supported: "is supported",
	study.ByCounts: "is supported by the counts of sets, but not by the tests", study.Unsupported: "is not supported",
}

// mostSets says whether the paper's methods outperform the others on most data
// sets.
func mostSets(s *document.Section, a study.Across) {
	s.Say("A stricter reading, which the paper does not state: %s and %s each outperform every other method on most data sets, and significantly so. "+
		"“Most” means more than half of the rows. Wilcoxon's test decides what is significant.", a.Name(study.Efficient), a.Name(study.Transductive))
	where := map[string]string{"printed": "In the printed numbers", "ours": "In our numbers"}
	var claims []document.Claim
	var records []document.Inline
	for _, o := range a.Overviews() {
		claims = append(claims, document.Claim{ID: a.MostSets(o).ID, Text: document.Textf("%s, this", where[o.Name]), Verdict: supports[o.Support()]})
		for _, method := range study.PaperMethods {
			records = append(records, document.Textf("%s, %s", where[o.Name], record(a, o, method)))
		}
	}
	s.Claim(claims...)
	s.Say("What this rests on:")
	s.List(records...)
}

// record says how a method of the paper fared against all others.
func record(a study.Across, o study.NamedOverview, method string) document.Inline {
	rows, all := len(o.Scores.Rows), o.Against(method)
	share := func(is func(study.Comparison) bool) string { return opponents(a, all, is) }
	return document.Textf("%s is more accurate on most of %s than %s other methods. Its lead is significant over %s. "+
		"It is better by more than %d point with a probability of %g or more than %s.",
		a.Name(method), text.Counted(rows, "set"), share(func(c study.Comparison) bool { holds, _ := c.Most(rows); return holds }),
		share(study.Comparison.Significant), study.Rope, study.Practical, share(study.Comparison.Practically))
}

// opponents says of how many of them something is true, and of which it is not:
// "4 of 6 (not ITML and PLML)".
func opponents(a study.Across, all []study.Comparison, is func(study.Comparison) bool) string {
	var not []string
	for _, c := range all {
		if !is(c) {
			not = append(not, a.Name(c.Second))
		}
	}
	said := fmt.Sprintf("%d of %d", len(all)-len(not), len(all))
	if len(not) > 0 && len(not) < len(all) {
		said += " (not " + text.Series(not) + ")"
	}
	return said
}
