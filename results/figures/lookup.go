package figures

import (
	"math"
	"strconv"
	"strings"

	"r2lmlbench/results/table"
)

// Ids of the paper's two methods, in the order of the figures.
const (
	efficient    = "e-r2lml"
	transductive = "t-r2lml"
)

var ourMethods = []string{efficient, transductive}

// methodName is a method's id as the paper prints it.
func methodName(id string) string {
	if id == "euclidean" {
		return "Euclidean"
	}
	return strings.ToUpper(id)
}

// accuracy is the share of right answers in percent, NaN without any.
func accuracy(r table.Row, s *table.Score) float64 {
	if s == nil || r.N <= 0 {
		return math.NaN()
	}
	return 100 * float64(s.Correct) / float64(r.N)
}

// outcome is the fields of a CSV line on a cell: correct, n, accuracy, status.
func outcome(r table.Row, c table.Cell) []string {
	if c.Score == nil {
		return []string{"", strconv.Itoa(r.N), "", c.Status}
	}
	return []string{strconv.Itoa(c.Correct), strconv.Itoa(r.N), c.Accuracy, c.Status}
}

// rowName is a row's printed name with its letter, "B Letter".
func rowName(r table.Row) string {
	return strings.TrimSpace(r.Letter + " " + r.Name)
}
