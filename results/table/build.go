package table

import (
	"fmt"
	"slices"

	"r2lmlbench/internal/text"
	"r2lmlbench/results"
	"r2lmlbench/results/published"
	"r2lmlbench/stats"
)

// New ranks the methods of every row by seed 1 of its own split, and adds
// the spread over seeds and repeats. Every test has the methods that have a
// result on that row as its family. Input that is not there is missing.
func New(spec Spec, rows []RowInput) Table {
	t := Table{
		Schema:  tableSchema,
		Spec:    spec.Name,
		Test:    results.TestInfo{Pair: spec.Test.String(), Correction: "holm", Alpha: spec.Alpha},
		Columns: slices.Clone(spec.Columns),
		Rows:    []Row{},
	}
	if t.Columns == nil {
		t.Columns = []Column{}
	}
	for _, in := range rows {
		t.Rows = append(t.Rows, newRow(spec, in))
	}
	addSpreads(t.Rows, rows)
	return t
}

// newRow fills the cells of a row and compares those that have a result.
func newRow(spec Spec, in RowInput) Row {
	row := Row{
		Dataset: in.Dataset,
		Letter:  in.Letter,
		Name:    in.Name,
		Split:   in.Split,
		Repeat:  in.Repeat,
		N:       in.N,
		Note:    in.Note,
		Cells:   make([]Cell, len(spec.Columns)),
	}
	var present []contender
	for i, column := range spec.Columns {
		cell, status, reason := usable(in, i)
		if status == "" && len(present) > 0 && !slices.Equal(cell.Truth, present[0].cell.Truth) {
			status = StatusFailed
			reason = fmt.Sprintf("its test labels are not those of %s: one of the two was made from other data", present[0].id)
		}
		row.Cells[i] = newCell(column, in.Letter, status, reason)
		if status != "" {
			row.MissingMethods = append(row.MissingMethods, column.ID)
			continue
		}
		row.Cells[i].fill(cell)
		if in.Unlike {
			row.Cells[i].Mark = ""
		}
		present = append(present, contender{id: column.ID, cell: cell, out: &row.Cells[i]})
	}
	if len(present) > 0 {
		row.N = len(present[0].cell.Truth)
		row.Classes = newClasses(present[0].cell.Truth)
	}
	row.rank(spec, present)
	return row
}

// newClasses counts the classes of a test set.
func newClasses(truth []int) *Classes {
	counts := results.CountClasses(truth)
	most := slices.MaxFunc(counts, func(a, b results.ClassCount) int { return a.Count - b.Count })
	constant := func(c results.ClassCount) Constant {
		return Constant{Label: c.Label, Count: c.Count, Accuracy: stats.Percent(c.Count, len(truth), 2)}
	}
	return &Classes{Counts: counts, Majority: constant(most), TieWinner: constant(counts[0])}
}

// usable returns the cell of seed 1 for column i, or why there is none.
func usable(in RowInput, i int) (cell results.Cell, status, reason string) {
	switch {
	case i >= len(in.Cells):
		return results.Cell{}, StatusMissing, "not run yet"
	}
	c := in.Cells[i]
	switch {
	case c.Status != "":
		return results.Cell{}, c.Status, c.Reason
	case len(c.Cells) == 0:
		return results.Cell{}, StatusMissing, "not run yet"
	case c.Cells[0].Failure != "":
		return results.Cell{}, StatusFailed, c.Cells[0].Failure
	case in.N > 0 && len(c.Cells[0].Truth) != in.N:
		return results.Cell{}, StatusFailed, fmt.Sprintf("it has %d test samples, the split has %d", len(c.Cells[0].Truth), in.N)
	}
	return c.Cells[0], "", ""
}

func newCell(column Column, letter, status, reason string) Cell {
	c := Cell{Method: column.ID, Status: status, Reason: reason, Notes: []string{}}
	if p, ok := published.Lookup(letter, column.Method); ok {
		c.Published, c.PublishedRank = p.Accuracy, p.Rank
	}
	return c
}

// fill adds what the cell says by itself; ranks need the others.
func (t *Cell) fill(c results.Cell) {
	correct := c.Correct()
	accuracy := stats.Percent(correct, len(c.Truth), 2)
	t.Score = &Score{
		Correct:  correct,
		Accuracy: accuracy,
		Balanced: text.TwoDecimals(100 * c.BalancedAccuracy()),
		MacroF1:  text.TwoDecimals(100 * c.MacroF1()),
		Constant: c.Constant(),
		Mark:     Mark(accuracy, t.Published),
		Params:   c.Point().Params,
		Restart:  c.Point().Restart,
		Seed:     c.Seed,
		Facts:    c.Facts,
		Series:   c.Series,
	}
	if p := c.Validation; p != nil && c.Chosen < len(p.Correct) {
		t.Score.Validation = &Tally{Correct: p.Correct[c.Chosen], Of: p.N}
	}
	t.Notes = append(t.Notes, c.Warnings...)
	if note := gridNote(c.Validation); note != "" {
		t.Notes = append(t.Notes, note)
	}
}

// gridNote tells how many points of a grid failed, and why the first did.
func gridNote(p *results.Profile) string {
	if p == nil {
		return ""
	}
	failed := 0
	for _, correct := range p.Correct {
		if correct < 0 {
			failed++
		}
	}
	first := slices.Index(p.Correct, -1)
	switch {
	case failed == 0:
		return ""
	case p.Failures[first] == "":
		return fmt.Sprintf("%d of %d grid points failed", failed, len(p.Correct))
	}
	return fmt.Sprintf("%d of %d grid points failed, the first: %s", failed, len(p.Correct), p.Failures[first])
}
