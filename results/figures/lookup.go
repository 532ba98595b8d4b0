package figures

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"r2lmlbench/results"
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

// find returns what row r has in the first column of the method with these
// values of swept parameters (name, value, name, value, ...), a missing cell
// without such a column.
func find(t results.Table, r results.Row, method string, swept ...string) results.TableCell {
	for i, c := range t.Columns {
		if c.Method == method && i < len(r.Cells) && hasSwept(c, swept) {
			return r.Cells[i]
		}
	}
	return results.TableCell{Status: results.StatusMissing}
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

// accuracy is the share of right answers in percent, NaN without any.
func accuracy(r results.Row, s *results.Score) float64 {
	if s == nil || r.N <= 0 {
		return math.NaN()
	}
	return 100 * float64(s.Correct) / float64(r.N)
}

// outcome is the fields of a CSV line on a cell: correct, n, accuracy, status.
func outcome(r results.Row, c results.TableCell) []string {
	if c.Score == nil {
		return []string{"", strconv.Itoa(r.N), "", c.Status}
	}
	return []string{strconv.Itoa(c.Correct), strconv.Itoa(r.N), c.Accuracy, c.Status}
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

// seriesOf returns the numbers of a score's series, none if it has no such series.
func seriesOf(s *results.Score, name string) ([]float64, error) {
	if s != nil {
		for _, one := range s.Series {
			if one.Name == name {
				return one.Floats()
			}
		}
	}
	return nil, nil
}

// rowName is a row's printed name with its letter, "B Letter".
func rowName(r results.Row) string {
	return strings.TrimSpace(r.Letter + " " + r.Name)
}
