package store

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"

	"r2lmlbench/results"
)

// A State is an accepted state of a spec, as its differences from the state before; the first has
// all cells.
type State struct {
	Schema   int              `json:"schema"`
	Spec     string           `json:"spec"`
	Revision string           `json:"revision,omitempty"` // commit of the program that accepted it; empty: unknown
	Dirty    bool             `json:"dirty,omitempty"`    // files differed from those of the commit
	Test     results.TestInfo `json:"test"`
	Cells    int              `json:"cells"`             // that are accepted
	Changed  []CellState      `json:"changed"`           // in the order of the list
	Dropped  []Key            `json:"dropped,omitempty"` // accepted before and no longer
	Digest   string           `json:"digest"`            // of the state before, and of this one without it
}

// digest returns the Digest of a state that follows one with the digest before.
func (s State) digest(before string) string {
	s.Digest = ""
	return results.Digest(append([]byte(before), jsonLine(s)...))
}

// A CellState has the counts and the digest of the predictions of an accepted cell.
type CellState struct {
	Key
	N           int    `json:"n"` // test samples
	Correct     int    `json:"correct"`
	Predictions string `json:"predictions"` // results.Cell.PredictionSum
}

// History returns the accepted states of a spec, the oldest first; none where no
// history was kept.
func (s Store) History(spec string) ([]State, error) {
	file := s.gatesPath(spec, historySuffix)
	data, err := s.readFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, pathError("read", file, err)
	}
	var states []State
	before := ""
	for number := 1; len(data) > 0; number++ {
		line, rest, whole := bytes.Cut(data, []byte("\n"))
		var state State
		impossible := func(c CellState) bool { return c.N < 1 || c.Correct < 0 || c.Correct > c.N }
		if json.Unmarshal(line, &state) != nil || !whole || state.Schema != 1 || state.Spec != spec ||
			state.Digest != state.digest(before) || slices.ContainsFunc(state.Changed, impossible) {
			return nil, fmt.Errorf("results: %s:%d: %w: no accepted state of %s; restore the file, or remove it "+
				"and begin another history with gate %s --history --accept", file, number, ErrDamaged, spec, spec)
		}
		states, data, before = append(states, state), rest, state.Digest
	}
	return states, nil
}

// Latest returns the cells of the last of some states, the oldest of which comes
// first.
func Latest(states []State) map[Key]CellState {
	cells := map[Key]CellState{}
	for _, s := range states {
		for _, c := range s.Changed {
			cells[c.Key] = c
		}
		for _, p := range s.Dropped {
			delete(cells, p)
		}
	}
	return cells
}

// Since returns the index of the state that accepted a cell as it is in the last state, and false
// if the last state lacks it.
func Since(states []State, place Key) (int, bool) {
	since, there := 0, false
	for i, s := range states {
		if slices.ContainsFunc(s.Changed, func(c CellState) bool { return c.Key == place }) {
			since, there = i, true
		}
		there = there && !slices.Contains(s.Dropped, place)
	}
	return since, there
}

// record appends the state of a list to the history of its spec, unless the history ends with this
// state. It takes a cell that cannot be read for unchanged.
func (s Store) record(list Accepted, history []State) error {
	build := results.ThisBuild()
	next := State{Schema: 1, Spec: list.Spec, Revision: build.Revision, Dirty: build.Dirty, Test: list.Test, Cells: len(list.Cells), Changed: []CellState{}}
	read := s.Snapshot()
	gone := Latest(history)
	for _, a := range list.Cells {
		c, ok, err := read.AcceptedCell(a)
		if err != nil {
			return err
		}
		now := CellState{Key: a.Key, N: len(c.Truth), Correct: c.Correct(), Predictions: c.PredictionSum()}
		if ok && now != gone[a.Key] {
			next.Changed = append(next.Changed, now)
		}
		delete(gone, a.Key)
	}
	next.Dropped = slices.SortedFunc(maps.Keys(gone), func(a, b Key) int {
		return cmp.Or(cmp.Compare(a.Dataset, b.Dataset), cmp.Compare(a.Split, b.Split), cmp.Compare(a.Method, b.Method), cmp.Compare(a.Seed, b.Seed))
	})
	if n := len(history); n > 0 && len(next.Changed)+len(next.Dropped) == 0 && history[n-1].Test == next.Test {
		return nil
	}
	var lines []byte
	before := ""
	for _, state := range append(history, next) {
		state.Digest = state.digest(before)
		lines, before = append(lines, jsonLine(state)...), state.Digest
	}
	return writeFile(s.gatesPath(list.Spec, historySuffix), lines)
}

// Record appends the accepted state to the history, unless the history ends with it.
func (u *Update) Record() error {
	history, err := u.store.History(u.before.Spec)
	if err != nil {
		return err
	}
	return u.store.record(u.before, history)
}
