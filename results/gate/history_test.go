package gate

import (
	"slices"
	"testing"

	"r2lmlbench/results/store"
)

// TestHistory: the mean accuracy of a column is over all cells of a state, the
// changes are those of the state.
func TestHistory(t *testing.T) {
	cell := func(dataset, method string, correct int) store.CellState {
		return store.CellState{Place: store.Place{Dataset: dataset, Split: "authors", Method: method, Seed: 1}, N: 200, Correct: correct}
	}
	h := NewHistory("smoke", []store.State{
		{Revision: "0123456789abcdef", Cells: 3, Changed: []store.CellState{cell("a", "rca", 100), cell("b", "rca", 150), cell("a", "itml", 199)}},
		{Cells: 3, Changed: []store.CellState{cell("b", "rca", 149)}},
		{Revision: "fedcba9876543210", Dirty: true, Cells: 2, Dropped: []store.Place{cell("a", "rca", 0).Place}},
	})
	heading, lines := h.Listing()
	want := [][]string{
		{"1", "0123456789ab", "itml", "1", "1", "99.50"},
		{"1", "0123456789ab", "rca", "2", "2", "62.50"},
		{"2", "unknown", "rca", "2", "1", "62.25"},
	}
	if !slices.EqualFunc(lines, want, slices.Equal) || len(heading) != len(want[0]) {
		t.Errorf("%q\n%q, want\n%q", heading, lines, want)
	}
	if c := h.States[1].Columns[1].Changed; len(c) != 1 || c[0] != (PastCell{"b", "authors", 1, "75.00", "74.50"}) {
		t.Errorf("%+v", c)
	}
	if last := h.States[2]; last.Dropped != 1 || last.Columns[1].Accuracy != "74.50" || len(h.Notes()) != 3 {
		t.Errorf("%+v", last)
	}
}
