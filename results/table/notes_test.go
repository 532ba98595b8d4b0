package table

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"r2lmlbench/internal/fixture"
	"r2lmlbench/results"
)

// drawnNotes are five splits with five columns of drawn cells, and what must be noted of each column.
func drawnNotes(t *rapid.T) (n noted, some, constant, doubted []string, states [3]int) {
	const splits = 5
	spec, rows := Experiment{Name: "drawn", Alpha: 0.05}, make([]RowInput, splits)
	for k := range rows {
		rows[k] = RowInput{Dataset: "x", Name: "x", Split: fmt.Sprintf("cv folds=%d fold=%d", splits, k+1), Repeat: 1, Train: 200, N: 50, Unlike: true}
	}
	for j, name := range []string{"A", "B", "C", "D", "E"} {
		spec.Columns = append(spec.Columns, Column{ID: name, Method: name, Name: name})
		left := j == 4 && rapid.Bool().Draw(t, "left out")
		there, same, doubts, first := 0, true, 0, 0
		for k := range rows {
			switch state := rapid.SampledFrom([]int{0, 0, 0, 1, 2}).Draw(t, name); {
			case left:
				rows[k].Cells = append(rows[k].Cells, CellInput{Status: StatusMissing, Reason: leftOut})
			case state > 0 && j > 0:
				if k == 0 {
					first = state
				}
				rows[k].Cells = append(rows[k].Cells, CellInput{Status: []string{"", StatusMissing, StatusFailed}[state], Reason: "none"})
			default:
				c := fixture.NewCell("x", name, rapid.IntRange(0, 50).Draw(t, "right"), 50, 1)
				if rapid.IntRange(0, 9).Draw(t, "constant") > 0 {
					c.Predicted = slices.Repeat([]int{1}, 50)
				}
				if rapid.Bool().Draw(t, "doubt") {
					c.Doubts, doubts = []string{"little"}, doubts+1
				}
				there, same = there+1, same && c.Constant()
				rows[k].Cells = append(rows[k].Cells, CellInput{Cells: []results.Cell{c}})
			}
		}
		switch {
		case left:
			continue
		case there == 0:
			states[max(first, 1)]++
		case there < splits:
			some = append(some, fmt.Sprintf("%s (x, %d of %d)", name, there, splits))
		case same:
			constant = append(constant, name)
		}
		states[0]++
		if doubts > 0 {
			doubted = append(doubted, fmt.Sprintf("%s (x, %d of %d splits)", name, doubts, splits))
		}
	}
	return noted{Table: New(spec, rows).Pooled()}, some, constant, doubted, states
}

// The notes count what a table has: cells, those without a result, constant ones and doubts; and of many differences they list those with
// the highest mean.
func TestNotesCount(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, some, constant, doubted, states := drawnNotes(t)
		absent, doubts, keys := n.Absent(), n.Warnings().Doubts, []string(nil)
		for _, g := range n.Constant().All {
			keys = append(keys, g.Key)
		}
		fixture.Same(t, "cells, missing, failed", [3]int{absent.Cells, absent.Missing, absent.Failed}, states)
		fixture.EqualSlice(t, "columns with some splits", absent.Some.Members(), some)
		fixture.EqualSlice(t, "columns with one label", keys, constant)
		fixture.EqualSlice(t, "doubts", doubts.Members(), doubted)
		row := n.Rows[0]
		best, shown := 0, row.shownContrasts()
		for j, c := range row.Cells {
			if c.Score != nil && c.Mean > row.Cells[best].Mean {
				best = j
			}
		}
		for _, p := range shown {
			if len(shown) < len(row.Contrasts) && row.Cells[best].Method != p.A && row.Cells[best].Method != p.B {
				t.Errorf("%s and %s are listed, and %s has the highest mean", p.A, p.B, row.Cells[best].Method)
			}
		}
	})
}

// So few data sets cannot show a difference: exactly where none is significant though one method is better on all. Every pair is listed.
func TestFewDataSets(t *testing.T) {
	for sets := 2; sets < 9; sets++ {
		var rows []RowInput
		for i := range sets {
			a, b := fixture.NewCell("x", "a", 50+i, 60, 1), fixture.NewCell("x", "b", 40, 60, 2)
			rows = append(rows, RowInput{Dataset: fmt.Sprint("d", i), N: 60, Cells: []CellInput{{Cells: []results.Cell{a}}, {Cells: []results.Cell{b}}}})
		}
		n := noted{Table: New(Experiment{Name: "few", Alpha: 0.05, Columns: []Column{{ID: "a", Name: "a"}, {ID: "b", Name: "b"}}}, rows)}
		n.Across = NewAcross(n.Table)
		fixture.Equal(t, fmt.Sprint(sets, " data sets are few"), n.Over().Few, !n.Across.Pairs[0].Significant)
		fixture.Equal(t, "listed pairs", len(n.AcrossListings()[1].Rows), 1)
	}
}

// Columns are grouped by what each does otherwise than the others.
func TestNotesOfChoices(t *testing.T) {
	n := noted{Table: New(Experiment{Columns: []Column{{ID: "a", Name: "A", Select: "kappa", Protocol: "ties random", Fewer: "1 of 9", MaxTrain: 7, Untuned: true},
		{ID: "b", Name: "B", Protocol: "ties random"}, {ID: "c", Name: "C"}}}, nil)}
	of := n.Chosen()
	for key, g := range map[string]groups{"kappa": of.Selects, "1 of 9": of.Fewer, "7": of.Partial, "": of.Untuned} {
		fixture.Equal(t, key, fmt.Sprint(len(g.All), g.All[0].Key, g.All[0].Members), fmt.Sprint(1, key, []string{"A"}))
	}
	fixture.EqualSlice(t, "protocol", of.Protocols.Members(), []string{"A", "B"})
	fixture.Equal(t, "protocol", of.Protocols.All[0].Key, "ties random")
}
