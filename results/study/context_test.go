package study

import (
	"slices"
	"testing"

	"r2lmlbench/results"
)

// contextCell is a cell with so many of four test samples right.
func contextCell(column, split string, right int) ContextCell {
	params := results.Params{}
	if column != "euclidean" {
		params = results.Params{"scikit-learn": "1.2.1", results.ProgramParam: "./classifiers.py 12ab"}
	}
	c := results.Cell{Inputs: results.Inputs{Dataset: "heart", Split: split, Points: []results.Point{{Params: params}}}, Truth: []int{1, 1, 1, 1}}
	for i := range 4 {
		c.Predicted = append(c.Predicted, 1+min(1, max(0, i-right+1)))
	}
	return ContextCell{column, c}
}

// TestContextMeans: a mean is over the splits that all columns have.
func TestContextMeans(t *testing.T) {
	var cells []ContextCell
	for i, id := range []string{"euclidean", "logistic-regression", "rbf-svm", "random-forest"} {
		cells = append(cells, contextCell(id, "random/1", 1), contextCell(id, "random/2", i+1))
	}
	cells = append(cells, contextCell("euclidean", "random/3", 4), contextCell("another", "random/1", 4))
	c := NewContext([]Set{{Dataset: "glass"}, {Dataset: "heart", Letter: "X", Name: "Heart"}}, cells)
	if len(c.Sets) != 1 || c.Sets[0].Splits != 2 || !slices.Equal(c.Sets[0].Accuracies, []float64{25, 37.5, 50, 62.5}) {
		t.Errorf("%+v", c.Sets)
	}
	if !slices.Equal(c.Programs, []string{"scikit-learn 1.2.1 by ./classifiers.py 12ab"}) {
		t.Errorf("programs %q", c.Programs)
	}
	for _, claim := range c.Claims() {
		if claim.Count != 1 || claim.Of != 1 {
			t.Errorf("%+v", claim)
		}
	}
	l := c.Listings()[0]
	want := []string{"mean", "-", "25.00", "37.50", "50.00", "62.50"}
	if !slices.Equal(l.Rows[len(l.Rows)-1], want) || len(l.Rows) != 2 {
		t.Errorf("%q", l.Rows)
	}
}
