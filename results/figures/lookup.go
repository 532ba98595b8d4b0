package figures

import (
	"math"
	"strconv"
	"strings"

	"r2lmlbench/results/study"
	"r2lmlbench/results/table"
)

// accuracy is the share of right answers in percent, NaN without any.
func accuracy(set study.Set, s *table.Score) float64 {
	if s == nil || set.N <= 0 {
		return math.NaN()
	}
	return 100 * float64(s.Correct) / float64(set.N)
}

// outcome is the fields of a CSV line on a cell: correct, n, accuracy, status.
func outcome(set study.Set, c table.Cell) []string {
	if c.Score == nil {
		return []string{"", strconv.Itoa(set.N), "", c.Status}
	}
	return []string{strconv.Itoa(c.Correct), strconv.Itoa(set.N), c.Accuracy, c.Status}
}

// setName is a data set's printed name with its letter, "B Letter".
func setName(set study.Set) string {
	return strings.TrimSpace(set.Letter + " " + set.Name)
}
