package reproduction

import (
	"fmt"
	"strings"

	"r2lmlbench/internal/text"
	"r2lmlbench/results/document"
	"r2lmlbench/results/study"
)

// shownAlternatives is how many matches are named on a data set.
const shownAlternatives = 5

// alternatives is the section on other readings of the split rule and on rules for
// ties.
func alternatives(a study.Alternatives) document.Section {
	s := document.Section{Title: "Alternatives for the Euclidean accuracies"}
	s.Say("Where 5 nearest neighbors under the Euclidean metric do not give the published accuracy, the paper's split or its rule for ties may differ from ours. "+
		"%s tries natural alternatives: class codes, orders of the rows and principal components, "+
		"each with several rules for ties of distances and votes.", run(a.Coverage))
	if absent(&s, a.Coverage) {
		return s
	}
	list(&s, 1, a.Listings()[0])
	matches(&s, a)
	chance(&s, a)
	return s
}

// matches names the alternatives that print the published accuracies.
func matches(s *document.Section, a study.Alternatives) {
	judged, matched := a.Judged()
	s.Conclude("An alternative gives the published accuracy on %d of %s.", matched, text.Counted(judged, "data set"))
	var items []document.Inline
	for _, set := range a.Sets {
		best, distance, ok := set.Nearest()
		switch matching := set.Matching(); {
		case !ok:
			items = append(items, document.Textf("%s: there is nothing to compare.", set.Name))
		case len(matching) == 0:
			items = append(items, document.Textf("%s: none gives %s. The nearest is %s with %s, %.2f points "+
				"off.", set.Name, set.Printed, best.Name(), best.Score.Accuracy, distance))
		default:
			items = append(items, document.Textf("%s: %s is the accuracy of %s.", set.Name, set.Printed, firstNames(matching)))
		}
	}
	s.List(items...)
	if best, count := a.MostSuccessful(); count > 0 && judged > 1 {
		s.Say("A single alternative gives at most %d of the %d. The first such is: %s. An explanation would have to give them all.", count, judged, best)
	}
}

// firstNames names the first few alternatives.
func firstNames(all []study.Alternative) string {
	var names []string
	for _, one := range all[:min(len(all), shownAlternatives)] {
		names = append(names, one.Name())
	}
	if more := len(all) - len(names); more > 0 {
		names = append(names, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(names, "; ")
}

// chance says on which data sets a match means little.
func chance(s *document.Section, a study.Alternatives) {
	var names []string
	for _, set := range a.Sets {
		if width, is := set.ByChance(); is {
			names = append(names, fmt.Sprintf("%s (%d of %d)", set.Name, len(set.Distinct()), width))
		}
	}
	s.Say("With so many alternatives a match may be chance, above all where few test samples separate them. "+
		"The alternatives give at least half of all accuracies between their lowest and highest one on %s.", text.Series(names))
}
