package reproduction

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"r2lmlbench/results/published"
	"r2lmlbench/results/table"
)

// shownAlternatives is how many matches are named on a data set.
const shownAlternatives = 5

// An attempt is one alternative on one data set.
type attempt struct {
	name  string // the split and the rule for ties
	n     int    // test samples
	score *table.Score
}

// attempts are all alternatives of one data set.
type attempts struct {
	dataset, name string
	printed       string // the published Euclidean accuracy, empty without one
	missing       int
	tried         []attempt // those with a result, the rule itself first if it has one
}

// alternatives is the section on other readings of the split rule and on rules for
// ties, from the table of spec alternatives.
func alternatives(t table.Table) section {
	s := section{title: "Alternatives for the Euclidean accuracies"}
	s.say("Where 5 nearest neighbors under the Euclidean metric do not give the published accuracy, the split or a rule for ties may be another than ours. "+
		"`r2lmlbench run %s` tries natural alternatives: class codes, orders of the rows and principal components, each with several rules for ties of distances and of votes.", command(t))
	if s.absent(t) {
		return s
	}
	all := attemptsOf(t)
	s.attemptTable(all)
	s.matches(all)
	s.chance(all)
	return s
}

// attemptsOf groups the rows by data set.
func attemptsOf(t table.Table) []attempts {
	var all []attempts
	for _, r := range t.Rows {
		i := slices.IndexFunc(all, func(a attempts) bool { return a.dataset == r.Dataset })
		if i < 0 {
			i = len(all)
			p, _ := published.Lookup(r.Letter, "euclidean")
			all = append(all, attempts{dataset: r.Dataset, name: r.Name, printed: p.Accuracy})
		}
		for j, c := range t.Columns {
			if j >= len(r.Cells) {
				continue
			}
			if r.Cells[j].Score == nil {
				all[i].missing++
				continue
			}
			all[i].tried = append(all[i].tried, attempt{r.Split + ", " + c.Name, r.N, r.Cells[j].Score})
		}
	}
	return all
}

// matching lists the alternatives that print the published accuracy.
func (a attempts) matching() []attempt {
	var all []attempt
	for _, one := range a.tried {
		if one.score.Accuracy == a.printed {
			all = append(all, one)
		}
	}
	return all
}

// nearest is the first of the alternatives whose accuracy is nearest to the
// published one, and its distance in points; false if there is none.
func (a attempts) nearest() (best attempt, distance float64, ok bool) {
	printed, err := strconv.ParseFloat(a.printed, 64)
	if err != nil {
		return best, 0, false
	}
	for _, one := range a.tried {
		d := math.Abs(100*float64(one.score.Correct)/float64(one.n) - printed)
		if !ok || d < distance {
			best, distance, ok = one, d, true
		}
	}
	return best, distance, ok
}

// seen returns the distinct numbers of right answers, ascending.
func (a attempts) seen() []int {
	var all []int
	for _, one := range a.tried {
		all = append(all, one.score.Correct)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// extremes returns the lowest and the highest accuracy, "-" without any.
func (a attempts) extremes() (low, high string) {
	low, high = "-", "-"
	seen := a.seen()
	for _, one := range a.tried {
		if one.score.Correct == seen[0] {
			low = one.score.Accuracy
		}
		if one.score.Correct == seen[len(seen)-1] {
			high = one.score.Accuracy
		}
	}
	return low, high
}

func (s *section) attemptTable(all []attempts) {
	var rows [][]string
	for _, a := range all {
		low, high := a.extremes()
		matches, distance := "-", "-"
		if _, d, ok := a.nearest(); ok {
			matches, distance = strconv.Itoa(len(a.matching())), strconv.FormatFloat(d, 'f', 2, 64)
		}
		rows = append(rows, []string{a.name, strconv.Itoa(len(a.tried)), strconv.Itoa(a.missing), orDash(a.printed), matches, distance, strconv.Itoa(len(a.seen())), low, high})
	}
	s.table(1, []string{"data", "tried", "missing", "published", "print it", "nearest, points off", "distinct accuracies", "lowest", "highest"}, rows)
}

// matches names the alternatives that print the published accuracies.
func (s *section) matches(all []attempts) {
	var items []string
	judged, matched := 0, 0
	for _, a := range all {
		best, distance, ok := a.nearest()
		if !ok {
			items = append(items, fmt.Sprintf("%s: there is nothing to compare.", escape(a.name)))
			continue
		}
		judged++
		matching := a.matching()
		if len(matching) == 0 {
			items = append(items, fmt.Sprintf("%s: none prints %s; the nearest is %s with %s, %.2f points off.",
				escape(a.name), escape(a.printed), escape(best.name), escape(best.score.Accuracy), distance))
			continue
		}
		matched++
		items = append(items, fmt.Sprintf("%s: %s is printed by %s.", escape(a.name), escape(a.printed), firstNames(matching)))
	}
	s.conclude("An alternative prints the published accuracy on %d of %s:", matched, counted(judged, "data set"))
	s.list(items)
	s.mostSuccessful(all, judged)
}

// firstNames names the first few alternatives.
func firstNames(all []attempt) string {
	var names []string
	for _, one := range all[:min(len(all), shownAlternatives)] {
		names = append(names, escape(one.name))
	}
	if more := len(all) - len(names); more > 0 {
		return strings.Join(names, "; ") + fmt.Sprintf("; and %d more", more)
	}
	return strings.Join(names, "; ")
}

// mostSuccessful names the alternative that prints the most published
// accuracies, the first in the order of the table if several do.
func (s *section) mostSuccessful(all []attempts, judged int) {
	count := map[string]int{}
	best := ""
	var order []string
	for _, a := range all {
		for _, one := range a.matching() {
			if count[one.name] == 0 {
				order = append(order, one.name)
			}
			count[one.name]++
		}
	}
	for _, name := range order {
		if count[name] > count[best] {
			best = name
		}
	}
	if best != "" && judged > 1 {
		s.say("One and the same alternative prints at most %d of the %d, the first such being: %s. An explanation would have to print them all.", count[best], judged, escape(best))
	}
}

// chance says on which data sets a match means little.
func (s *section) chance(all []attempts) {
	var names []string
	for _, a := range all {
		seen := a.seen()
		if len(seen) < 2 {
			continue
		}
		if width := seen[len(seen)-1] - seen[0] + 1; 2*len(seen) >= width {
			names = append(names, fmt.Sprintf("%s (%d of %d)", escape(a.name), len(seen), width))
		}
	}
	s.say("With so many alternatives a match may be chance, all the more where few test samples separate them. "+
		"The alternatives give at least half of all accuracies that lie between their lowest and highest one on %s.", series(names))
}
