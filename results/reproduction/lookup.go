package reproduction

import (
	"slices"
	"strconv"
	"strings"

	"r2lmlbench/results"
	"r2lmlbench/stats"
)

// Ids of the paper's two methods, in the order of the sections.
const (
	efficient    = "e-r2lml"
	transductive = "t-r2lml"
)

var ourMethods = []string{efficient, transductive}

// methodName is a method's id as the paper prints it.
func methodName(id string) string { return strings.ToUpper(id) }

// scoreOf returns what row r has in the first column of the method with these
// values of swept parameters (name, value, name, value, ...), nil when missing.
func scoreOf(t results.Table, r results.Row, method string, swept ...string) *results.Score {
	for i, c := range t.Columns {
		if c.Method == method && i < len(r.Cells) && hasSwept(c, swept) {
			return r.Cells[i].Score
		}
	}
	return nil
}

func hasSwept(c results.Column, swept []string) bool {
	for i := 0; i+1 < len(swept); i += 2 {
		if c.Swept[swept[i]] != swept[i+1] {
			return false
		}
	}
	return true
}

// metricCounts lists the numbers K of metrics that the table sweeps, ascending.
func metricCounts(t results.Table) []int {
	var all []int
	for _, c := range t.Columns {
		if k, err := strconv.Atoi(c.Swept["metrics"]); err == nil {
			all = append(all, k)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// factOf returns a fact of a score by its name, and whether it has one.
func factOf(s *results.Score, name string) (results.Fact, bool) {
	if s != nil {
		for _, f := range s.Facts {
			if f.Name == name {
				return f, true
			}
		}
	}
	return results.Fact{}, false
}

// seriesOf returns a series of a score by its name, nil if it has none.
func seriesOf(s *results.Score, name string) []string {
	if s != nil {
		for _, one := range s.Series {
			if one.Name == name {
				return one.Values
			}
		}
	}
	return nil
}

// accuracy is a score's accuracy in percent, "-" when missing.
func accuracy(s *results.Score) string {
	if s == nil {
		return "-"
	}
	return s.Accuracy
}

// share is a fact in percent, "-" when missing.
func share(f results.Fact, ok bool) string {
	if !ok {
		return "-"
	}
	return stats.Percent(f.Count, f.Of, 2)
}

// ratio is a fact as "3 of 4", "-" when missing.
func ratio(f results.Fact, ok bool) string {
	if !ok {
		return "-"
	}
	return strconv.Itoa(f.Count) + " of " + strconv.Itoa(f.Of)
}

// A total adds counts up.
type total struct{ count, of int }

func (t *total) add(f results.Fact) {
	t.count += f.Count
	t.of += f.Of
}
