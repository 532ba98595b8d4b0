package reproduction

import (
	"fmt"
	"strconv"
	"strings"

	"r2lmlbench/internal/text"
	"r2lmlbench/results/document"
	"r2lmlbench/results/study"
	"r2lmlbench/stats"
)

// lambda is the section on accuracy and zero columns against λ.
func lambda(l study.Lambda) document.Section {
	s := document.Section{Title: "Accuracy against λ on overlapping classes"}
	s.Say("The paper has two tables of the accuracy of E-R2LML with K = 3 on generated classes that overlap, with one accuracy for each λ. "+
		"%s repeats them over many draws of the data.", run(l.Coverage))
	s.Say("The paper prints no class means. Ours were chosen such that E-R2LML at λ = 0 is about as accurate as printed, on other draws of data and start. " +
		"The row of λ = 0 therefore tests nothing. A third family has 13 zeroed features of 60 on average, for the 13 zero columns that the paper prints.")
	if absent(&s, l.Coverage) {
		return s
	}
	s.Gist = outsideAll(l)
	for _, f := range l.Families {
		family(&s, f)
	}
	return s
}

// outsideAll counts the printed values that our draws rule out, family by family.
func outsideAll(l study.Lambda) document.Inline {
	var all []string
	for _, f := range l.Families {
		if judged, outside := f.Outside(); len(judged) > 0 {
			all = append(all, fmt.Sprintf("%d of %d (%s)", len(outside), len(judged), f.Title))
		}
	}
	return document.Textf("Printed values at λ > 0 outside the 95 %% interval for one more draw: %s.", text.Series(all))
}

// family adds the part on one family.
func family(s *document.Section, f study.LambdaFamily) {
	s.Heading("%s%s", strings.ToUpper(f.Title[:1]), f.Title[1:])
	if f.Found == 0 {
		s.Say("No draw of this family (%s) has a result yet.", f.ID)
		return
	}
	if f.Missing > 0 {
		s.Say("Of this family, %s of %d have no result. Means are over the draws that have one.", text.Counted(f.Missing, "cell"), f.Missing+f.Found)
	}
	list(s, 0, f.Accuracies())
	s.Say("Accuracies are shares of the test samples, as printed. The mean is over all test samples of all draws. sd is the standard deviation of the draws.")
	outside(s, f)
	if best, none, ok := f.Best(); ok {
		s.Say("The mean is highest at λ = %s: %s, against %s without regularization.", value(f.Settings[best]), mean(f.Settings[best]), mean(f.Settings[none]))
	}
	list(s, 0, f.Zeros())
	s.Say("The table has the mean number of zero columns of each metric. A column counts as zero if its norm is below %g or %g of the "+
		"largest.", study.ZeroThresholds[0], study.ZeroThresholds[1])
	sparsity(s, f)
}

// outside lists the printed accuracies that our draws rule out.
func outside(s *document.Section, f study.LambdaFamily) {
	judged, outside := f.Outside()
	var items []document.Inline
	for _, o := range outside {
		items = append(items, document.Textf("%s at λ = %s (ours %s, sd %s)", o.Printed.Accuracy, value(o), mean(o), number(o.SD(), 'f', 3)))
	}
	switch {
	case len(items) > 0:
		s.Say("Of %s at λ > 0 that can be compared with two draws or more, %s outside the 95 %% interval for one more draw:",
			text.Counted(len(judged), "printed value"), text.IsAre(len(items)))
		s.List(items...)
	case len(judged) > 0:
		s.Say("Of %s at λ > 0 that can be compared with two draws or more, none is outside the 95 %% interval for one more "+
			"draw.", text.Counted(len(judged), "printed value"))
	}
}

// value is λ as a decimal text.
func value(l study.LambdaSetting) string { return strconv.FormatFloat(l.Lambda, 'f', -1, 64) }

// mean is the share of right answers over all draws.
func mean(l study.LambdaSetting) string {
	n := l.Total()
	return stats.Proportion(n.Count, n.Of, 3)
}

// sparsity compares the zero columns with the features that are constant.
func sparsity(s *document.Section, f study.LambdaFamily) {
	if !f.Constant() {
		return
	}
	head := []string{"λ"}
	for _, threshold := range study.ZeroThresholds {
		head = append(head, fmt.Sprintf("constant at %g", threshold), fmt.Sprintf("others at %g", threshold))
	}
	var rows [][]string
	for _, one := range f.Settings {
		row := []string{value(one)}
		for level := range study.ZeroThresholds {
			constant, other := one.ZeroTotals(level)
			row = append(row, total(constant), total(other))
		}
		rows = append(rows, row)
	}
	s.Table(0, head, rows)
	s.Say("The table counts the zero columns of all metrics and draws. “Constant” are those of features that are constant in the training samples, " +
		"which are the zeroed ones. “Others” are those of all other features.")
	s.Say("The paper says that at λ = 1000 and 10000 the zero columns followed the sparsity of the features exactly.")
	var claims []document.Claim
	for _, c := range f.Followed() {
		claims = append(claims, document.Claim{ID: c.ID, Verdict: c.Verdict, Note: lacking(c.Claim), Text: document.Textf(
			"Here, at λ = %s, the zero columns of every metric at %g are just the zeroed features in %d of %s:",
			strconv.FormatFloat(c.Lambda, 'f', -1, 64), study.ZeroThresholds[c.Level], c.Count, text.Counted(c.Of, "draw"))})
	}
	s.Claim(claims...)
}

// total is a count with its share, "-" of none.
func total(t study.Total) string {
	if t.Of == 0 {
		return "-"
	}
	return fmt.Sprintf("%d of %d (%s %%)", t.Count, t.Of, stats.Percent(t.Count, t.Of, 2))
}
