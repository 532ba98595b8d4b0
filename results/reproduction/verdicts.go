package reproduction

import (
	"bytes"
	"fmt"
	"strconv"

	"r2lmlbench/internal/text"
	"r2lmlbench/results/document"
	"r2lmlbench/results/published"
	"r2lmlbench/results/table"
	"r2lmlbench/results/verdict"
)

const protocolsTitle = "Which protocol gives the printed numbers"

// verdictsFile is the list of all verdicts.
const verdictsFile = Folder + "/verdicts.csv"

// protocols has the tables behind the verdicts: the ladder by method, decoys, our own
// seeds as if printed, which protocol fits a column, and ranks if all choose alike.
func protocols(v verdict.Verdicts) document.Section {
	s := document.Section{Title: protocolsTitle}
	s.Say("%s prints these tables below the list of verdicts.", document.Code("r2lmlbench verdict accuracy"))
	for _, l := range v.Tables() {
		s.Heading("%s", l.Title)
		addListing(&s, l)
	}
	if fits := v.Fits.Sentences(); len(fits) > 0 {
		s.Gist = document.Plain(fits[0])
	}
	return s
}

// verdictsCSV lists the verdicts on all numbers.
func verdictsCSV(v verdict.Verdicts) ([]byte, error) {
	var b bytes.Buffer
	head, rows := v.Listing()
	err := table.Listing{Head: head, Rows: rows}.Render(&b, "csv")
	return b.Bytes(), err
}

const splitRuleTitle = "The splits follow a deterministic rule"

// splitRule tells on which sets the Euclidean column is equal, which speaks for
// the rule of the split.
func splitRule(all verdict.Verdicts) document.Section {
	s := document.Section{Title: splitRuleTitle}
	var equal, other []string
	for _, v := range all.Verdicts {
		switch {
		case v.Method != published.Euclidean:
		case v.Rung != nil && *v.Rung == int(verdict.Equal):
			equal = append(equal, v.Letter+" ("+v.Published+")")
		default:
			other = append(other, v.Letter+" ("+v.Published+", ours "+text.OrDash(v.Ours)+")")
		}
	}
	s.Say("The paper does not say how its data were divided. The authors published three splits: A robot, D wine quality and I ionosphere. " +
		"In these the rows of a class come in file order: the first train, the next validate, the rest test. Nothing is shuffled or scaled. " +
		"The rule gives wine quality and ionosphere back value for value. Robot needs a pattern of its own: the rows of a class that validate stand " +
		"between its first 40 training rows and its last 20. Of the test samples of wine quality the rule takes as many as the paper counts.")
	s.Say("Euclidean 5-NN draws no random numbers, so its column shows where the rule may be the paper's: "+
		"%s.", document.Code("r2lmlbench run accuracy --methods euclidean"))
	s.Conclude("Our splits follow a rule measured on the three that the authors published. "+
		"With it, Euclidean 5-NN has the printed number of test samples right on %s: %s.", text.Counted(len(equal), "row"), text.Series(equal))
	s.Say("It has another number on %s.", text.Series(other))
	return s
}

const classesTitle = "Balanced accuracy, macro-F1 and the classes of the test sets"

// measures are those of a score that count every class alike, beside the accuracy.
var measures = []struct {
	name string
	of   func(*table.Score) string
}{
	{"accuracy", func(s *table.Score) string { return s.Accuracy }},
	{"balanced accuracy", func(s *table.Score) string { return s.Balanced }},
	{"macro-F1", func(s *table.Score) string { return s.MacroF1 }},
}

// classes has, beside the accuracies of the ranked table, measures in which every class
// counts alike, and what naming one class for every sample would get.
func classes(t table.Table) document.Section {
	s := document.Section{Title: classesTitle}
	s.Say("Accuracy favours the frequent classes of a test set. In balanced accuracy and macro-F1 every class counts alike. "+
		"The cells are those of the ranked table, with seed 1; %s has the same numbers.",
		document.Code("r2lmlbench table accuracy --results results/accepted --format csv"))
	byAccuracy := leadersBy(t, measures[0].of)
	for i, m := range measures[1:] {
		s.Heading("%s", capitalized(m.name))
		s.Table(1, classesHead(t, "best by accuracy", "best"), measureRows(t, m.of))
		leaders, differ, known := leadersBy(t, m.of), 0, 0
		for r := range leaders {
			known += one(leaders[r] != "")
			differ += one(leaders[r] != byAccuracy[r])
		}
		sentence := fmt.Sprintf("The best methods by %s and by accuracy are not the same on %d of %s.", m.name, differ, text.Counted(known, "data set"))
		s.Say("%s", sentence)
		if i == 0 {
			s.Gist = document.Plain(sentence)
		}
	}
	s.Heading("One class for every test sample")
	s.Table(1, []string{"data", "classes", "most frequent class", "accuracy", "class that wins ties", "accuracy"}, constantRows(t))
	s.Say("When classes have equal votes, the k-NN rule takes the one with the smallest label; this is the class that wins ties.")
	if beaten := notAboveMajority(t); len(beaten) > 0 {
		s.Say("No method beats the most frequent class on %s.", text.Series(beaten))
	}
	return s
}

// notAboveMajority are the letters of the rows with a cell on which no method has more
// samples right than naming the most frequent class.
func notAboveMajority(t table.Table) []string {
	var letters []string
	for _, r := range t.Rows {
		known, above := false, false
		for _, c := range r.Cells {
			if c.Score != nil && r.Classes != nil {
				known, above = true, above || c.Correct > r.Classes.Majority.Count
			}
		}
		if known && !above {
			letters = append(letters, r.Letter)
		}
	}
	return letters
}

func one(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

func classesHead(t table.Table, more ...string) []string {
	head := []string{"data"}
	for _, c := range t.Columns {
		head = append(head, c.Name)
	}
	return append(head, more...)
}

// measureRows have a measure of every cell, then the best methods by accuracy and by the
// measure.
func measureRows(t table.Table, of func(*table.Score) string) [][]string {
	accuracy, best := leadersBy(t, measures[0].of), leadersBy(t, of)
	var rows [][]string
	for i, r := range t.Rows {
		row := []string{text.Join(" ", r.Letter, r.Name)}
		for _, c := range r.Cells {
			value := "-"
			if c.Score != nil {
				value = text.OrDash(of(c.Score))
			}
			row = append(row, value)
		}
		rows = append(rows, append(row, text.OrDash(accuracy[i]), text.OrDash(best[i])))
	}
	return rows
}

// leadersBy names, by row, the methods with the highest value of a measure; empty
// without any.
func leadersBy(t table.Table, of func(*table.Score) string) []string {
	all := make([]string, len(t.Rows))
	for i, r := range t.Rows {
		most := 0
		var names []string
		for j, c := range r.Cells {
			if c.Score == nil {
				continue
			}
			value, err := text.Hundredths(of(c.Score))
			switch {
			case err != nil || len(names) > 0 && value < most:
			case len(names) > 0 && value == most:
				names = append(names, t.Columns[j].Name)
			default:
				most, names = value, []string{t.Columns[j].Name}
			}
		}
		if len(names) > 0 {
			all[i] = text.Series(names)
		}
	}
	return all
}

// constantRows say what a constant prediction would get.
func constantRows(t table.Table) [][]string {
	var rows [][]string
	for _, r := range t.Rows {
		if k := r.Classes; k != nil {
			rows = append(rows, []string{
				text.Join(" ", r.Letter, r.Name), strconv.Itoa(len(k.Counts)), strconv.Itoa(k.Majority.Label), k.Majority.Accuracy,
				strconv.Itoa(k.TieWinner.Label), k.TieWinner.Accuracy,
			})
		}
	}
	return rows
}
