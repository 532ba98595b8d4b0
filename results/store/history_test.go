package store

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"r2lmlbench/internal/fixture"
	"r2lmlbench/results"
)

// predictions are those of methods on three samples of the classes 1, 2 and 1.
type predictions map[string][]int

// cells are the cells of the predictions, by method.
func (p predictions) cells() []results.Cell {
	var all []results.Cell
	for _, method := range slices.Sorted(maps.Keys(p)) {
		in := results.Inputs{Dataset: "toy", Split: "authors", Method: method, Seed: 1, Settings: []results.Setting{{}}}
		all = append(all, results.Cell{Inputs: in, Truth: []int{1, 2, 1}, Predicted: p[method]})
	}
	return all
}

// TestHistory: a state that differs from the last one is appended, whether cells
// change, come or go; what is accepted again is no state. Since finds where a cell
// came to be what it is.
func TestHistory(t *testing.T) {
	s := Store{Dir: t.TempDir(), Log: t.Logf}
	a, b, c := []int{1, 2, 1}, []int{1, 2, 2}, []int{1, 1, 1}
	for i, step := range []struct {
		predicted predictions
		states    int
		changed   string // methods that the last state changes and drops
	}{
		{predictions{"euclidean": a, "itml": b}, 1, "+euclidean +itml"},
		{predictions{"euclidean": a, "itml": b}, 1, "+euclidean +itml"},
		{predictions{"euclidean": a, "itml": c}, 2, "+itml"},
		{predictions{"euclidean": a, "itml": c, "rca": a}, 3, "+rca"},
		{predictions{"itml": c, "rca": a}, 4, "-euclidean"},
		{predictions{"itml": b, "rca": a}, 5, "+itml"},
		{predictions{"euclidean": a, "itml": b, "rca": a}, 6, "+euclidean"},
	} {
		accept(t, s, "smoke", step.predicted.cells()...)
		states := fixture.Must(s.History("smoke"))(t)
		if len(states) != step.states {
			t.Fatalf("step %d: %d states, want %d", i, len(states), step.states)
		}
		last := states[len(states)-1]
		var changed []string
		for _, c := range last.Changed {
			changed = append(changed, "+"+c.Method)
			if want := (results.Cell{Truth: []int{1, 2, 1}, Predicted: step.predicted[c.Method]}); c.N != 3 || c.Correct != want.Correct() {
				t.Errorf("step %d: %+v", i, c)
			}
		}
		for _, p := range last.Dropped {
			changed = append(changed, "-"+p.Method)
		}
		if got := strings.Join(changed, " "); got != step.changed || last.Cells != len(step.predicted) || len(Latest(states)) != len(step.predicted) {
			t.Errorf("step %d: %s, want %s; %d cells", i, got, step.changed, last.Cells)
		}
	}
	states := fixture.Must(s.History("smoke"))(t)
	for method, want := range map[string]int{"euclidean": 5, "itml": 4, "rca": 2} {
		if got, ok := Since(states, Key{"toy", "authors", method, 1}); !ok || got != want {
			t.Errorf("%s since %d, %v; want %d", method, got, ok, want)
		}
	}
	for n, method := range map[int]string{4: "euclidean", 3: "lmnn"} { // dropped by the fourth state; never there
		if got, ok := Since(states[:n], Key{"toy", "authors", method, 1}); ok {
			t.Errorf("%s of %d states is there since %d", method, n, got)
		}
	}
	list, _, err := s.Accepted("smoke")
	fixture.Check(t, err)
	list.Test.Alpha = 0.01
	fixture.Check(t, s.record(list, states))
	fixture.Equal(t, "states after another level", len(fixture.Must(s.History("smoke"))(t)), len(states)+1)
}

// TestHistoryIsBroughtUpToDate: a history that lacks the last state, as a kill right
// before it was written leaves it, gets it by the next acceptance or by Record.
func TestHistoryIsBroughtUpToDate(t *testing.T) {
	s := Store{Dir: t.TempDir(), Log: t.Logf}
	file := filepath.Join(s.Dir, "gates", "smoke.history.jsonl")
	accept(t, s, "smoke", predictions{"itml": {1, 2, 1}}.cells()...)
	one := fixture.Text(t, file)
	accept(t, s, "smoke", predictions{"itml": {2, 2, 2}}.cells()...)
	two := fixture.Text(t, file)
	for _, before := range []string{one, two} {
		fixture.Write(t, file, before)
		u := fixture.Must(s.Update(t.Context(), "smoke"))(t)
		fixture.Check(t, u.Record())
		u.Close()
		fixture.Equal(t, "the history", fixture.Text(t, file), two)
	}
	for name, damaged := range map[string]string{
		"a torn line":  two[:len(two)-1],
		"another spec": strings.Replace(two, `"spec":"smoke"`, `"spec":"smok"`, 1),
		"a schema":     strings.Replace(two, `"schema":1`, `"schema":2`, 1),
		"no samples":   strings.Replace(two, `"n":3`, `"n":0`, 1),
		"more right":   strings.Replace(two, `"correct":3`, `"correct":4`, 1),
	} {
		fixture.Write(t, file, damaged)
		list, _ := found(s.Accepted("smoke"))(t)
		u := fixture.Must(s.Update(t.Context(), "smoke"))(t)
		fixture.Says(t, u.Commit(Accepted{}), "smoke.history.jsonl:", "restore")
		u.Close()
		after, _ := found(s.Accepted("smoke"))(t)
		fixture.EqualSlice(t, name+": the list", after.Cells, list.Cells)
	}
}

// TestHistoriesOfTheRepository: the history of every accepted spec ends with what is
// accepted. `gate SPEC --history --accept` brings one up to date.
func TestHistoriesOfTheRepository(t *testing.T) {
	s := Store{Dir: filepath.Join("..", "accepted"), Log: t.Logf}.Snapshot()
	lists, err := filepath.Glob(filepath.Join(s.Dir, "gates", "*.json"))
	if err != nil || len(lists) == 0 {
		t.Fatalf("%d lists, %v", len(lists), err)
	}
	for _, file := range lists {
		spec := strings.TrimSuffix(filepath.Base(file), ".json")
		states := fixture.Must(s.History(spec))(t)
		list, _ := found(s.Accepted(spec))(t)
		latest := Latest(states)
		if len(latest) != len(list.Cells) {
			t.Errorf("%s: the history ends with %d cells, %d are accepted: run gate %s --history --accept", spec, len(latest), len(list.Cells), spec)
		}
		for _, a := range list.Cells {
			c, ok := found(s.AcceptedCell(a))(t)
			fixture.Equal(t, spec+": "+a.File+" is there", ok, true)
			place := Key{a.Dataset, a.Split, a.Method, a.Seed}
			if want := (CellState{place, len(c.Truth), c.Correct(), c.PredictionSum()}); latest[place] != want {
				t.Errorf("%s: the history ends with %+v, accepted is %+v: run gate %s --history --accept", spec, latest[place], want, spec)
			}
		}
	}
}
