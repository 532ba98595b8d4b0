package spec

import (
	"strings"
	"testing"

	"r2lmlbench/datasets"
)

// TestTooManySplits: the message about a spec with too many cells names what has so many splits.
func TestTooManySplits(t *testing.T) {
	halves := []datasets.FoldSize{{Name: "1", Rows: []int{9, 9}}, {Name: "2", Rows: []int{9, 9}}}
	for rule, want := range map[string]string{columnRule: "the column has 2 folds", openmlRule: "the task has 8 splits"} {
		e := datasets.DataSet{ID: "own", Labels: []string{"a", "b"}, Histogram: []int{18, 18}, FoldSizes: halves}
		if rule == openmlRule {
			e.More = [][]datasets.FoldSize{halves, halves, halves}
		}
		s := Spec{Split: Split{Rule: rule, Repeats: 1}, Columns: make([]Column, maxCells)}
		if err := s.Divides(t.Context(), e); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("rule %s: %v, want that %s", rule, err, want)
		}
	}
}
