package study

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"r2lmlbench/results/published"
	"r2lmlbench/results/table"
)

// Alternatives are other readings of the split rule and other rules for ties of
// the Euclidean column.
type Alternatives struct {
	Coverage
	Sets []AlternativesSet
}

// An AlternativesSet is all alternatives of one data set.
type AlternativesSet struct {
	Set
	Printed string // the published Euclidean accuracy, empty without one
	Missing int
	Tried   []Alternative // those with a result, the rule itself first if it has one
}

// An Alternative is one of them.
type Alternative struct {
	Split, Ties string // rule of the split, name of the column
	N           int    // test samples
	Score       table.Score
}

// Name is the split and the rule for ties.
func (a Alternative) Name() string { return a.Split + ", " + a.Ties }

// ReadAlternatives reads the table of spec alternatives.
func ReadAlternatives(t table.Table) (Alternatives, error) {
	all := Alternatives{Coverage: coverageOf(t)}
	for _, r := range t.Rows {
		i := slices.IndexFunc(all.Sets, func(s AlternativesSet) bool { return s.Dataset == r.Dataset })
		if i < 0 {
			i = len(all.Sets)
			p, _ := published.Lookup(r.Letter, published.Euclidean)
			all.Sets = append(all.Sets, AlternativesSet{Set: setOf(r), Printed: p.Accuracy})
		}
		for j, c := range t.Columns {
			score := cellAt(r, j).Score
			if score == nil {
				all.Sets[i].Missing++
				continue
			}
			all.Sets[i].Tried = append(all.Sets[i].Tried, Alternative{r.Split, c.Name, r.N, *score})
		}
	}
	return all, nil
}

// Matching lists the alternatives that print the published accuracy.
func (s AlternativesSet) Matching() []Alternative {
	var all []Alternative
	for _, a := range s.Tried {
		if a.Score.Accuracy == s.Printed {
			all = append(all, a)
		}
	}
	return all
}

// Nearest is the first of the alternatives whose accuracy is nearest to the
// published one, and its distance in points; false if there is none.
func (s AlternativesSet) Nearest() (best Alternative, distance float64, ok bool) {
	printed, err := strconv.ParseFloat(s.Printed, 64)
	if err != nil {
		return best, 0, false
	}
	for _, a := range s.Tried {
		d := math.Abs(100*float64(a.Score.Correct)/float64(a.N) - printed)
		if !ok || d < distance {
			best, distance, ok = a, d, true
		}
	}
	return best, distance, ok
}

// Distinct returns the different numbers of right answers, ascending.
func (s AlternativesSet) Distinct() []int {
	var all []int
	for _, a := range s.Tried {
		all = append(all, a.Score.Correct)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// Extremes returns the lowest and the highest accuracy, empty without any.
func (s AlternativesSet) Extremes() (low, high string) {
	if len(s.Tried) == 0 {
		return "", ""
	}
	order := func(a, b Alternative) int { return cmp.Compare(a.Score.Correct, b.Score.Correct) }
	return slices.MinFunc(s.Tried, order).Score.Accuracy, slices.MaxFunc(s.Tried, order).Score.Accuracy
}

// ByChance tells whether a match means little: the alternatives give at least half
// of all the counts of right answers between their lowest and highest one, width
// of them.
func (s AlternativesSet) ByChance() (width int, is bool) {
	distinct := s.Distinct()
	if len(distinct) < 2 {
		return 0, false
	}
	width = distinct[len(distinct)-1] - distinct[0] + 1
	return width, 2*len(distinct) >= width
}

// Judged counts the data sets with something to compare, and those of them on
// which some alternative prints the published accuracy.
func (a Alternatives) Judged() (judged, matched int) {
	for _, s := range a.Sets {
		if _, _, ok := s.Nearest(); !ok {
			continue
		}
		judged++
		if len(s.Matching()) > 0 {
			matched++
		}
	}
	return judged, matched
}

// MostSuccessful names the alternative that prints the most published accuracies,
// the first in the order of the table if several do, and how many.
func (a Alternatives) MostSuccessful() (name string, count int) {
	counts := map[string]int{}
	var order []string
	for _, s := range a.Sets {
		for _, one := range s.Matching() {
			if counts[one.Name()] == 0 {
				order = append(order, one.Name())
			}
			counts[one.Name()]++
		}
	}
	for _, one := range order {
		if counts[one] > count {
			name, count = one, counts[one]
		}
	}
	return name, count
}

// Claims count the data sets whose published accuracy some alternative prints, and
// those on which one and the same does.
func (a Alternatives) Claims() []Claim {
	judged, matched := a.Judged()
	_, most := a.MostSuccessful()
	return []Claim{
		counted("alternatives-some", "an alternative prints the published accuracy", matched, judged),
		counted("alternatives-one", "one and the same alternative prints the published accuracy", most, judged),
	}
}

// Listings have a line for every data set.
func (a Alternatives) Listings() []table.Listing {
	l := table.Listing{
		Title: "Alternatives for the Euclidean accuracies",
		Head:  []string{"data", "tried", "missing", "published", "print it", "nearest, points off", "distinct accuracies", "lowest", "highest"},
	}
	for _, s := range a.Sets {
		low, high := s.Extremes()
		matches, off := "-", "-"
		if _, d, ok := s.Nearest(); ok {
			matches, off = strconv.Itoa(len(s.Matching())), decimals(d, 2)
		}
		l.Rows = append(l.Rows, []string{
			s.Name, strconv.Itoa(len(s.Tried)), strconv.Itoa(s.Missing), orDash(s.Printed), matches, off, strconv.Itoa(len(s.Distinct())), orDash(low), orDash(high),
		})
	}
	return []table.Listing{l}
}
