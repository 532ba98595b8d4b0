package reproduction

import (
	"slices"
	"strconv"
	"strings"

	"r2lmlbench/internal/text"
	"r2lmlbench/results/document"
	"r2lmlbench/results/published"
	"r2lmlbench/results/table"
	"r2lmlbench/results/verdict"
)

// verdicts judges every published number: a matrix, then the reasons of those
// that are neither exact nor reproduced.
func verdicts(all verdict.Verdicts) document.Section {
	s := document.Section{Title: "Verdicts"}
	s.Say("%s lists them with their evidence, the number of runs, the interval and the reason. %s computes the random splits.",
		document.Code("r2lmlbench verdict accuracy"), document.Code("r2lmlbench run splits"))
	verdictMatrix(&s, all.Verdicts)
	s.List(plains(all.Notes())...)
	var rows [][]string
	for _, v := range all.Verdicts {
		if v.Verdict != verdict.Exact && v.Verdict != verdict.Reproduced {
			rows = append(rows, []string{
				v.Letter + "/" + v.Method, v.Verdict, v.Reason, v.Published, text.OrDash(v.Ours), text.OrDash(strings.Join(v.Interval, " to ")), strconv.Itoa(v.Runs),
			})
		}
	}
	if len(rows) > 0 {
		s.Say("Neither exact nor reproduced:")
		s.Table(3, []string{"number", "verdict", "reason", "published", "ours", "interval", "runs"}, rows)
	}
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

// verdictKinds are the verdicts, the best first.
var verdictKinds = []string{
	verdict.Exact, verdict.Reproduced, verdict.Better, verdict.Worse, verdict.Inconclusive, verdict.Missing,
}

// byMethod counts the verdicts by method: which columns of the paper come back.
func byMethod(all verdict.Verdicts, columns []table.Column) document.Section {
	s := document.Section{Title: "Which methods reproduce"}
	var order []string
	where := map[string]map[string][]string{} // rows by method and verdict
	for _, v := range all.Verdicts {
		if where[v.Method] == nil {
			where[v.Method] = map[string][]string{}
			order = append(order, v.Method)
		}
		row := v.Letter
		if v.SplitApart {
			row += "*"
		}
		where[v.Method][v.Verdict] = append(where[v.Method][v.Verdict], row)
	}
	var rows [][]string
	var outside []document.Inline
	for _, m := range order {
		name := columnName(columns, m)
		row := []string{name}
		for _, kind := range verdictKinds {
			row = append(row, strconv.Itoa(len(where[m][kind])))
		}
		rows = append(rows, row)
		if rest := outsideOf(where[m]); rest != "" {
			outside = append(outside, document.Textf("%s %s.", name, rest))
		}
	}
	s.Say("The verdicts of %s by method.", document.Code("r2lmlbench verdict accuracy"))
	s.Table(1, append([]string{"method"}, verdictKinds...), rows)
	if len(outside) > 0 {
		s.Say("These numbers are outside the interval of our runs. A star marks rows where our own cell on the split of the rule is outside it as well. " +
			"There the split may explain the difference.")
		s.List(outside...)
	}
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

// outsideOf lists the rows of one method that are not reproduced.
func outsideOf(where map[string][]string) string {
	var parts []string
	for _, kind := range []string{verdict.Better, verdict.Worse} {
		if rows := where[kind]; len(rows) > 0 {
			parts = append(parts, "is "+kind+" here on "+text.Series(rows))
		}
	}
	return strings.Join(parts, " and ")
}

// splitRule tells on which sets the Euclidean column is exact, which speaks for
// the rule of the split.
func splitRule(all verdict.Verdicts) document.Section {
	s := document.Section{Title: "The splits follow a deterministic rule"}
	var exact, other []string
	for _, v := range all.Verdicts {
		switch {
		case v.Method != published.Euclidean:
		case v.Verdict == verdict.Exact:
			exact = append(exact, v.Letter+" ("+v.Published+")")
		default:
			other = append(other, v.Letter+" ("+v.Published+", ours "+text.OrDash(v.Ours)+")")
		}
	}
	s.Say("The paper does not say how its data were divided. The authors published three splits: A robot, D wine quality and I ionosphere. " +
		"In these the rows of a class come in file order: the first train, the next validate, the rest test. Nothing is shuffled or scaled. " +
		"The rule gives these three back value for value.")
	s.Say("Euclidean 5-NN draws no random numbers, so its column shows where the rule may be the paper's: "+
		"%s.", document.Code("r2lmlbench run accuracy --methods euclidean"))
	s.Conclude("Exact on %s: %s.", text.Counted(len(exact), "row"), text.Series(exact))
	s.Say("Not exact: %s.", text.Series(other))
	return s
}
