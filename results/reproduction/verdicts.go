package reproduction

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"r2lmlbench/results/table"
	"r2lmlbench/results/verdict"
)

// verdicts judges every published number: a matrix, then the reasons of those
// that are neither exact nor reproduced.
func verdicts(all verdict.Verdicts) section {
	s := section{title: "Verdicts"}
	s.say("`r2lmlbench verdict accuracy` lists them with their evidence, the number of runs, the interval and the reason. " +
		"The random splits come from `r2lmlbench run splits`.")
	s.verdictMatrix(all.Verdicts)
	var notes []string
	for _, note := range all.Notes() {
		notes = append(notes, escape(note))
	}
	s.list(notes)
	var lines [][]string
	for _, v := range all.Verdicts {
		if v.Verdict != verdict.Exact && v.Verdict != verdict.Reproduced {
			lines = append(lines, []string{v.Letter + "/" + v.Method, v.Verdict, v.Reason, v.Published, orDash(v.Ours), orDash(strings.Join(v.Interval, " to ")), strconv.Itoa(v.Runs)})
		}
	}
	if len(lines) > 0 {
		s.say("Neither exact nor reproduced:")
		s.table(3, []string{"number", "verdict", "reason", "published", "ours", "interval", "runs"}, lines)
	}
	return s
}

// verdictMatrix has a row per data set and a column per method.
func (s *section) verdictMatrix(all []verdict.Verdict) {
	var letters, columns []string
	cell := map[[2]string]string{}
	for _, v := range all {
		letters, columns = appendNew(letters, v.Letter), appendNew(columns, v.Method)
		text := v.Verdict
		if v.Unreachable {
			text += ", unreachable"
		}
		cell[[2]string{v.Letter, v.Method}] = text
	}
	var lines [][]string
	for _, l := range letters {
		line := []string{l}
		for _, c := range columns {
			line = append(line, cell[[2]string{l, c}])
		}
		lines = append(lines, line)
	}
	s.table(len(columns)+1, append([]string{"row"}, columns...), lines)
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
func byMethod(all verdict.Verdicts, columns []table.Column) section {
	s := section{title: "Which methods reproduce"}
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
	name := func(id string) string {
		for _, c := range columns {
			if c.ID == id {
				return c.Name
			}
		}
		return id
	}
	var lines [][]string
	var outside []string
	for _, m := range order {
		line := []string{name(m)}
		for _, kind := range verdictKinds {
			line = append(line, strconv.Itoa(len(where[m][kind])))
		}
		lines = append(lines, line)
		if text := outsideOf(where[m]); text != "" {
			outside = append(outside, escape(name(m))+" "+text+".")
		}
	}
	s.say("The verdicts of `r2lmlbench verdict accuracy` by method.")
	s.table(1, append([]string{"method"}, verdictKinds...), lines)
	if len(outside) > 0 {
		s.say("Outside the interval of our runs, with * where our own cell on the split of the rule is outside it, too, so that the split may explain it:")
		s.list(outside)
	}
	return s
}

// outsideOf lists the rows of one method that are not reproduced.
func outsideOf(where map[string][]string) string {
	var parts []string
	for _, kind := range []string{verdict.Better, verdict.Worse} {
		if rows := where[kind]; len(rows) > 0 {
			parts = append(parts, escape(fmt.Sprintf("is %s here on %s", kind, series(rows))))
		}
	}
	return strings.Join(parts, " and ")
}

// splitRule tells on which sets the Euclidean column is exact, which speaks for
// the rule of the split.
func splitRule(all verdict.Verdicts) section {
	s := section{title: "The splits follow a deterministic rule"}
	var exact, other []string
	for _, v := range all.Verdicts {
		switch {
		case v.Method != "euclidean":
		case v.Verdict == verdict.Exact:
			exact = append(exact, fmt.Sprintf("%s (%s)", v.Letter, v.Published))
		default:
			other = append(other, fmt.Sprintf("%s (%s, ours %s)", v.Letter, v.Published, orDash(v.Ours)))
		}
	}
	s.say("The paper does not say how its data were divided. In the three splits that the authors published (A robot, D wine quality, I ionosphere) " +
		"the rows of a class come in file order: the first train, the next validate, the rest test; nothing is shuffled or scaled. " +
		"The rule gives these three back value for value. Euclidean 5-NN draws no random numbers, so its column shows where the rule may be the paper's: " +
		"`r2lmlbench run accuracy --methods euclidean`.")
	s.conclude("Exact on %s: %s.", counted(len(exact), "row"), series(exact))
	s.say("Not exact: %s.", series(other))
	return s
}
