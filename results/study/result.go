package study

import "r2lmlbench/results/table"

// A Result is what cells say about the question of a study.
type Result interface {
	// Covered tells how much of the study has been run.
	Covered() Coverage
	// Claims are what the result decides.
	Claims() []Claim
	// Listings are its numbers as plain texts.
	Listings() []table.Listing
}

// A Coverage says how much of a study has been run.
type Coverage struct {
	Spec    string // name of the spec
	Cells   int    // of its table
	Missing int    // those without a result, failed ones included
	Failed  int
}

// Empty tells whether no cell has a result.
func (c Coverage) Empty() bool { return c.Missing == c.Cells }

// Covered is the coverage itself, which the results of studies embed.
func (c Coverage) Covered() Coverage { return c }

func coverageOf(t table.Table) Coverage {
	c := Coverage{Spec: t.Spec}
	for _, r := range t.Rows {
		for _, cell := range r.Cells[:min(len(r.Cells), len(t.Columns))] {
			c.Cells++
			if cell.Score == nil {
				c.Missing++
			}
			if cell.Status == table.StatusFailed {
				c.Failed++
			}
		}
	}
	return c
}

// A Set is a row of a table: a data set and its test samples.
type Set struct {
	Dataset, Letter, Name string
	N                     int // test samples
}

func setOf(r table.Row) Set { return Set{r.Dataset, r.Letter, r.Name, r.N} }

// cellAt is what a row has in a column, a missing cell where the row is cut off.
func cellAt(r table.Row, column int) table.Cell {
	if column < len(r.Cells) {
		return r.Cells[column]
	}
	return table.Cell{Status: table.StatusMissing}
}
