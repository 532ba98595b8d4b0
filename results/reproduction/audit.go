package reproduction

import (
	"slices"
	"strconv"

	"r2lmlbench/internal/text"
	"r2lmlbench/results/audit"
	"r2lmlbench/results/document"
)

// unreachable lists printed accuracies that no count of right answers gives,
// and the test set of another size than printed.
func unreachable(all []audit.Finding) document.Section {
	s := audited("Printed accuracies that no test set gives", all, []string{audit.KindSize, audit.KindUnreachable},
		"An accuracy is a count of right answers divided by the size of the test set, so only some values can be printed.")
	values, sizes := countOf(all, audit.KindUnreachable), countOf(all, audit.KindSize)
	s.Gist = document.Textf("Printed accuracies that no count of right answers gives: %d. Test sets of another size than printed, by their accuracies: %d.",
		values, sizes)
	s.Say("%s", s.Gist)
	return s
}

func countOf(all []audit.Finding, kind string) int {
	n := 0
	for _, f := range all {
		n += one(f.Kind == kind)
	}
	return n
}

// impossibleRanks lists printed ranks that no predictions lead to, and other oddities of
// the ranks, with what they rest on.
func impossibleRanks(all []audit.Finding) document.Section {
	s := audited(ranksTitle, all,
		[]string{audit.KindInfeasibleRank, audit.KindSkippedRank, audit.KindInversion, audit.KindBold},
		"McNemar's exact p-value of two methods is bounded by their counts of right answers alone, and Holm's correction is monotone. "+
			"A claim about ranks can therefore be impossible whatever was predicted.")
	var rows [][]string
	infeasible, independent := 0, 0
	for _, c := range audit.CountClasses(all, audit.KindInfeasibleRank, audit.KindInversion, audit.KindSkippedRank) {
		rows = append(rows, []string{c.Kind, c.ID, c.Reason, c.Where(), strconv.Itoa(c.Count)})
		if c.Kind == audit.KindInfeasibleRank {
			infeasible += c.Count
			if c.ID == audit.ClassFirstRank || c.ID == audit.ClassNoPeer {
				independent += c.Count
			}
		}
	}
	if len(rows) > 0 {
		s.Gist = document.Textf("The printed ranks imply %d comparisons of methods that no predictions lead to, by McNemar's test with Holm's correction. "+
			"Of these, %d do not depend on the rule that turns tests into ranks.", infeasible, independent)
		s.Say("What the findings rest on:")
		s.Table(4, []string{"kind", "class", "reason", "rows", "findings"}, rows)
	}
	return s
}

// statements lists statements of the text that its own tables contradict.
func statements(all []audit.Finding) document.Section {
	return audited("Statements that the paper's own tables contradict", all, []string{audit.KindProse}, "Counted from the printed tables.")
}

const ranksTitle = "Printed ranks that no predictions lead to"

func audited(title string, all []audit.Finding, kinds []string, why string) document.Section {
	s := document.Section{Title: title}
	var rows [][]string
	for _, f := range all {
		if slices.Contains(kinds, f.Kind) {
			rows = append(rows, []string{f.Kind, place(f), f.Text, text.OrDash(f.Printed)})
		}
	}
	s.Gist = document.Textf("%s finds %d.", document.Code("r2lmlbench audit"), len(rows))
	s.Say("%s %s", why, s.Gist)
	if len(rows) > 0 {
		s.Table(3, []string{"kind", "where", "finding", "printed"}, rows)
	}
	return s
}

// place says what a finding is about: "H/t-r2lml", "P" or the table.
func place(f audit.Finding) string {
	where := f.Letter
	if where == "" {
		where = f.Table
	}
	if f.Method != "" {
		where += "/" + f.Method
	}
	return where
}
