package reproduction

import (
	"strconv"
	"strings"

	"r2lmlbench/results"
	"r2lmlbench/results/table"
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

// accuracy is a score's accuracy in percent, "-" when missing.
func accuracy(s *table.Score) string {
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
