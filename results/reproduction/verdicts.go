package reproduction

import (
	"slices"
	"strconv"

	"r2lmlbench/internal/text"
	"r2lmlbench/results/document"
	"r2lmlbench/results/published"
	"r2lmlbench/results/table"
	"r2lmlbench/results/verdict"
)

// verdicts judges every published number in a matrix.
func verdicts(all verdict.Verdicts) document.Section {
	s := document.Section{Title: "Verdicts"}
	s.Say("%s lists them with the runs, the margin and the reason.", document.Code("r2lmlbench verdict accuracy"))
	verdictMatrix(&s, all.Verdicts)
	s.List(plains(all.Notes())...)
	return s
}

// verdictMatrix has a row per data set and a column per method.
func verdictMatrix(s *document.Section, all []verdict.Verdict) {
	var letters, columns []string
	cell := map[[2]string]string{}
	for _, v := range all {
		letters, columns = appendNew(letters, v.Letter), appendNew(columns, v.Method)
		kind := v.Verdict
		if v.Unreachable {
			kind += ", unreachable"
		}
		cell[[2]string{v.Letter, v.Method}] = kind
	}
	var rows [][]string
	for _, l := range letters {
		row := []string{l}
		for _, c := range columns {
			row = append(row, cell[[2]string{l, c}])
		}
		rows = append(rows, row)
	}
	s.Table(len(columns)+1, append([]string{"row"}, columns...), rows)
}

func appendNew(list []string, item string) []string {
	if slices.Contains(list, item) {
		return list
	}
	return append(list, item)
}

// byMethod counts the verdicts by method: which protocol gives which column of the
// paper.
func byMethod(all verdict.Verdicts, columns []table.Column) document.Section {
	s := document.Section{Title: "Which protocol gives which column"}
	var rows [][]string
	for _, m := range all.Summary.Methods {
		row := []string{columnName(columns, m.Method)}
		for _, w := range m.Words {
			row = append(row, strconv.Itoa(w.Count))
		}
		rows = append(rows, row)
	}
	s.Say("The verdicts of %s by method.", document.Code("r2lmlbench verdict accuracy"))
	s.Table(1, append([]string{"method"}, verdict.Words()...), rows)
	return s
}

func columnName(columns []table.Column, id string) string {
	for _, c := range columns {
		if c.ID == id {
			return c.Name
		}
	}
	return id
}

// splitRule tells on which sets the Euclidean column is exact, which speaks for
// the rule of the split.
func splitRule(all verdict.Verdicts) document.Section {
	s := document.Section{Title: "The splits follow a deterministic rule"}
	var exact, other []string
	for _, v := range all.Verdicts {
		switch {
		case v.Method != published.Euclidean:
		case v.Rung != nil && *v.Rung == int(verdict.Equal):
			exact = append(exact, v.Letter+" ("+v.Published+")")
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
	s.Conclude("Exact on %s: %s.", text.Counted(len(exact), "row"), text.Series(exact))
	s.Say("Not exact: %s.", text.Series(other))
	return s
}
