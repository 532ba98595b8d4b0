package study

import (
	"strings"

	"r2lmlbench/results"
)

// Ids of the paper's two methods.
const (
	Efficient    = "e-r2lml"
	Transductive = "t-r2lml"
)

// PaperMethods are the paper's two methods in the order of all accounts of them.
var PaperMethods = []string{Efficient, Transductive}

// The variants of the paper's methods: the authors' programs, and the algorithms
// as printed.
const (
	Reference = "reference"
	Published = "published"
)

// Variants are both, the reference first.
var Variants = []string{Reference, Published}

// Level is the level of significance of all studies.
const Level = 0.05

// A Claim is a statement beside what the cells say about it.
type Claim struct {
	ID        string  // unique in its study
	Statement string  // in words, plain text
	Verdict   string  // Holds, Fails, Undecided or Counted
	Count, Of int     // what the verdict rests on; Of is 0 if nothing is known
	P         float64 // of the test behind the verdict; NaN: there is none
	Missing   int     // cells that the claim needs and that have no result
}

// What may come of a claim.
const (
	Holds     = "holds"
	Fails     = "does not hold"
	Undecided = "cannot be told"
	Counted   = "counted" // the claim is a count, there is nothing to decide
)

// verdict is Fails where something refutes a claim, else Undecided as long as
// something is open.
func verdict(refuted, open bool) string {
	switch {
	case refuted:
		return Fails
	case open:
		return Undecided
	}
	return Holds
}

// A Coverage says how much of a study has been run.
type Coverage struct {
	Spec    string // name of the spec
	Cells   int    // of its table
	Missing int    // those without a result, failed ones included
	Failed  int
}

// Empty tells whether no cell has a result.
func (c Coverage) Empty() bool { return c.Missing == c.Cells }

func coverageOf(t results.Table) Coverage {
	c := Coverage{Spec: t.Spec}
	for _, r := range t.Rows {
		for _, cell := range r.Cells[:min(len(r.Cells), len(t.Columns))] {
			c.Cells++
			if cell.Score == nil {
				c.Missing++
			}
			if cell.Status == results.StatusFailed {
				c.Failed++
			}
		}
	}
	return c
}

// A Set is a row of a table: a data set and its test samples.
type Set struct {
	Dataset, Letter, Name string
	N                     int // test samples
}

func setOf(r results.Row) Set { return Set{r.Dataset, r.Letter, r.Name, r.N} }

// cellAt is what a row has in a column, a missing cell where the row is cut off.
func cellAt(r results.Row, column int) results.TableCell {
	if column < len(r.Cells) {
		return r.Cells[column]
	}
	return results.TableCell{Status: results.StatusMissing}
}

// factOf is a fact of a score, nil without it.
func factOf(s *results.Score, key string) *results.Fact {
	if f, ok := s.FactOf(key); ok {
		return &f
	}
	return nil
}

// A Total adds facts up.
type Total struct{ Count, Of int }

func (t *Total) add(f results.Fact) {
	t.Count += f.Count
	t.Of += f.Of
}

// less tells whether the share of fact a is smaller than that of b.
func less(a, b results.Fact) bool { return a.Count*b.Of < b.Count*a.Of }

// MethodName is a method's id as the paper prints it.
func MethodName(id string) string {
	if id == "euclidean" {
		return "Euclidean"
	}
	return strings.ToUpper(id)
}

// names are those of data sets.
func names(sets []Set) string {
	var all []string
	for _, s := range sets {
		all = append(all, s.Name)
	}
	return strings.Join(all, ", ")
}
