package study

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"r2lmlbench/internal/text"
	"r2lmlbench/results"
	"r2lmlbench/results/table"
)

// ContextName is the name of the spec of other classifiers than nearest neighbors,
// ContextTitle that of its table.
const (
	ContextName  = "context"
	ContextTitle = "Other classifiers"
)

// contextFile is where that spec lies: beside a program, as a command starts at the
// folder of its spec.
const contextFile = "experiments/external/context.yaml"

// contextColumns are the columns of that spec, Euclidean 5-NN first, by their names.
var contextColumns = []struct{ id, name string }{
	{"euclidean", "Euclidean"},
	{"logistic-regression", "logistic regression"},
	{"rbf-svm", "RBF-SVM"},
	{"random-forest", "random forest"},
}

// Context is what other classifiers reach on random splits. It is a table of its own:
// they are not ranked with the methods, and no test compares them.
type Context struct {
	Coverage
	Sets     []ContextSet
	Programs []string // version and digest of what the predictions were made with
}

// A ContextSet is a data set.
type ContextSet struct {
	Set
	Splits int // those that all columns have
	// Accuracies are the means over these splits in percent, by column: Euclidean 5-NN,
	// logistic regression, SVM, random forest.
	Accuracies []float64
}

// A ContextCell is a cell of the spec.
type ContextCell struct {
	Column string // id
	results.Cell
}

// NewContext makes the table from cells that have predictions, for these data sets.
func NewContext(sets []Set, cells []ContextCell) Context {
	c := Context{Coverage: Coverage{Spec: contextFile, Cells: len(cells)}}
	for _, s := range sets {
		if one := contextSet(s, cells); one.Splits > 0 {
			c.Sets = append(c.Sets, one)
		}
	}
	for _, cell := range cells {
		if params := cell.Point().Params; params[results.ProgramParam] != nil {
			c.Programs = text.AppendNew(c.Programs, fmt.Sprintf("scikit-learn %v by %v", params["scikit-learn"], params[results.ProgramParam]))
		}
	}
	return c
}

// contextSet has the means over the splits on which no column is missing.
func contextSet(s Set, cells []ContextCell) ContextSet {
	var splits []string
	found := map[string][]*results.Cell{} // by split, in the order of the columns
	for i, c := range cells {
		column := slices.IndexFunc(contextColumns, func(known struct{ id, name string }) bool { return known.id == c.Column })
		if c.Dataset != s.Dataset || column < 0 {
			continue
		}
		if found[c.Split] == nil {
			found[c.Split] = make([]*results.Cell, len(contextColumns))
			splits = append(splits, c.Split)
		}
		found[c.Split][column] = &cells[i].Cell
	}
	set := ContextSet{Set: s, Accuracies: make([]float64, len(contextColumns))}
	for _, split := range splits {
		if slices.Contains(found[split], nil) {
			continue
		}
		set.Splits++
		for i, c := range found[split] {
			set.Accuracies[i] += 100 * float64(c.Correct()) / float64(len(c.Truth))
		}
	}
	for i := range set.Accuracies {
		set.Accuracies[i] /= float64(set.Splits)
	}
	return set
}

// Claims count the data sets on which a classifier has a higher mean than Euclidean 5-NN.
func (c Context) Claims() []Claim {
	var all []Claim
	for i, column := range contextColumns[1:] {
		claim := Claim{
			ID:        "context-" + column.id,
			Statement: column.name + " has a higher mean accuracy than Euclidean 5-NN", Verdict: Counted, Of: len(c.Sets), P: math.NaN(),
		}
		for _, s := range c.Sets {
			if s.Accuracies[i+1] > s.Accuracies[0] {
				claim.Count++
			}
		}
		all = append(all, claim)
	}
	return all
}

// Listings have the means by data set, and their mean.
func (c Context) Listings() []table.Listing {
	l := table.Listing{Title: "What other classifiers reach", Head: []string{"data", "splits"}, Notes: []string{
		"Accuracies are means over the splits that all columns have, in percent of the test samples. The splits are those of the spec pays.",
		"These classifiers are context: they are not ranked with the methods, and no test compares them.",
		"The validation samples choose their parameters, raw or standardized features among them for all but the forest. The grids have 3 to 8 points.",
	}}
	if len(c.Programs) > 0 {
		l.Notes = append(l.Notes, "The classifiers are those of "+text.Series(c.Programs)+".")
	}
	sums := make([]float64, len(contextColumns))
	for _, column := range contextColumns {
		l.Head = append(l.Head, column.name)
	}
	for _, s := range c.Sets {
		row := []string{text.Join(" ", s.Letter, s.Name), strconv.Itoa(s.Splits)}
		for i, a := range s.Accuracies {
			row = append(row, text.TwoDecimals(a))
			sums[i] += a
		}
		l.Rows = append(l.Rows, row)
	}
	mean := []string{"mean", "-"}
	for _, sum := range sums {
		mean = append(mean, text.TwoDecimals(sum/float64(len(c.Sets))))
	}
	l.Rows = append(l.Rows, mean)
	return []table.Listing{l}
}
