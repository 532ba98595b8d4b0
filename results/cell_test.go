package results_test

import (
	"testing"

	. "r2lmlbench/results"
)

func TestConstant(t *testing.T) {
	for _, c := range []struct {
		name             string
		truth, predicted []int
		want             bool
	}{
		{"one label for two classes", []int{1, 2, 1}, []int{2, 2, 2}, true},
		{"a label that no sample has", []int{1, 2, 1}, []int{3, 3, 3}, true},
		{"two labels", []int{1, 2, 1}, []int{2, 2, 1}, false},
		{"one class", []int{2, 2}, []int{2, 2}, false},
		{"one class, all wrong", []int{2, 2}, []int{1, 1}, false},
		{"a failed cell", []int{1, 2}, nil, false},
	} {
		if got := (Cell{Truth: c.truth, Predicted: c.predicted}).Constant(); got != c.want {
			t.Errorf("%s: constant %v, want %v", c.name, got, c.want)
		}
	}
}
