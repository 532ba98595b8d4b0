package reproduction

import (
	"bytes"

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
