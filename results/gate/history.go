package gate

import (
	"cmp"
	"fmt"
	"slices"

	"r2lmlbench/internal/document"
	"r2lmlbench/internal/text"
	"r2lmlbench/results/store"
	"r2lmlbench/stats"
)

// A History is what was accepted of a spec over time. Its JSON is the output of
// "gate --history --format json".
type History struct {
	Schema int         `json:"schema"`
	Spec   string      `json:"spec"`
	States []PastState `json:"states"` // the oldest first
}

// A PastState is what was accepted at some time.
type PastState struct {
	Revision string       `json:"revision,omitempty"` // commit of the program that accepted it; empty: unknown
	Dirty    bool         `json:"dirty,omitempty"`    // files differed from those of the commit
	Cells    int          `json:"cells"`
	Dropped  int          `json:"dropped"` // cells of the state before that it has no longer
	Columns  []PastColumn `json:"columns"` // sorted by method
}

// A PastColumn is what was accepted of the cells of a column.
type PastColumn struct {
	Method   string     `json:"method"` // id of the column
	Cells    int        `json:"cells"`
	Accuracy string     `json:"accuracy"` // mean over the cells
	Changed  []PastCell `json:"changed"`  // cells that differ from the state before
}

// A PastCell is a cell that an accepted state changed.
type PastCell struct {
	Dataset string `json:"dataset"`
	Split   string `json:"split"`
	Seed    uint64 `json:"seed"`
	Before  string `json:"before,omitempty"` // accuracy in the state before; empty: it was not accepted
	Now     string `json:"accuracy"`
}

// NewHistory works out the accuracies of accepted states.
func NewHistory(spec string, states []store.State) History {
	h := History{Schema: 1, Spec: spec, States: []PastState{}}
	for i, s := range states {
		past := PastState{Revision: s.Revision, Dirty: s.Dirty, Cells: s.Cells, Dropped: len(s.Dropped)}
		past.Columns = pastColumns(s.Changed, store.Latest(states[:i]), store.Latest(states[:i+1]))
		h.States = append(h.States, past)
	}
	return h
}

// pastColumns are the columns of a state, of which before and now are the cells of
// the state before and its own.
func pastColumns(changed []store.CellState, before, now map[store.Key]store.CellState) []PastColumn {
	cells, sums := map[string]int{}, map[string]float64{}
	for _, c := range now {
		cells[c.Method]++
		sums[c.Method] += float64(c.Correct) / float64(c.N)
	}
	var columns []PastColumn
	for method, n := range cells {
		column := PastColumn{Method: method, Cells: n, Accuracy: text.TwoDecimals(100 * sums[method] / float64(n)), Changed: []PastCell{}}
		for _, c := range changed {
			if c.Method != method {
				continue
			}
			cell := PastCell{Dataset: c.Dataset, Split: c.Split, Seed: c.Seed, Now: accuracy(c)}
			if earlier, ok := before[c.Key]; ok {
				cell.Before = accuracy(earlier)
			}
			column.Changed = append(column.Changed, cell)
		}
		columns = append(columns, column)
	}
	slices.SortFunc(columns, func(a, b PastColumn) int { return cmp.Compare(a.Method, b.Method) })
	return columns
}

func accuracy(c store.CellState) string { return stats.Percent(c.Correct, c.N, 2) }

// Listing has a line for every column in which a state has changed cells, and a note on
// every state.
func (h History) Listing() document.Table {
	l := document.New("Methods whose accepted cells a state changed", "state", "commit", "method", "cells", "changed", "mean accuracy")
	l.Notes = h.Notes()
	for i, s := range h.States {
		for _, c := range s.Columns {
			if len(c.Changed) > 0 {
				l.Add(i+1, revisionText(s.Revision, s.Dirty), c.Method, c.Cells, len(c.Changed), c.Accuracy)
			}
		}
	}
	return l
}

// Notes are the lines under a listing: one for every state.
func (h History) Notes() []string {
	var notes []string
	for i, s := range h.States {
		changed := 0
		for _, c := range s.Columns {
			changed += len(c.Changed)
		}
		notes = append(notes, fmt.Sprintf("State %d of %s: %s, %d changed, %d no longer there; made at commit %s.", i+1, h.Spec,
			text.Counted(s.Cells, "cell"), changed, s.Dropped, revisionText(s.Revision, s.Dirty)))
	}
	return notes
}

// revisionText names a commit as listings do.
func revisionText(revision string, dirty bool) string {
	switch {
	case revision == "":
		return "unknown"
	case dirty:
		return revision[:min(len(revision), 12)] + " with changes"
	}
	return revision[:min(len(revision), 12)]
}
