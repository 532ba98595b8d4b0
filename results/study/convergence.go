package study

import (
	"fmt"

	"r2lmlbench/experiments/measure"
	"r2lmlbench/results/table"
)

// Convergence has the objective of the plain solver over its iterations.
type Convergence struct {
	Columns []DescentColumn
	Sets    []ConvergenceSet
}

// A DescentColumn is a method in one variant.
type DescentColumn struct {
	Method  string
	Variant string // empty if the spec sweeps none
}

// A ConvergenceSet is one data set.
type ConvergenceSet struct {
	Set
	Descents [][]measure.Descent // by column, then by mode
}

// ReadConvergence reads the table of spec convergence. A series that holds no
// numbers, or too many or too few, is an error.
func ReadConvergence(t table.Table) (Convergence, error) {
	var c Convergence
	for _, column := range t.Columns {
		c.Columns = append(c.Columns, DescentColumn{column.Method, column.Swept["variant"]})
	}
	for _, r := range t.Rows {
		set := ConvergenceSet{Set: setOf(r)}
		for i, column := range t.Columns {
			var runs []measure.Descent
			facts, series := measured(r.Cells[i])
			for _, mode := range measure.Modes {
				d, err := measure.ReadDescent(mode, facts, series)
				if err != nil {
					return c, fmt.Errorf("study: convergence of %s on %s, %s: %w", column.Method, r.Dataset, mode, err)
				}
				runs = append(runs, d)
			}
			set.Descents = append(set.Descents, runs)
		}
		c.Sets = append(c.Sets, set)
	}
	return c, nil
}

// Claims are, over the runs of each variant without momentum of which all is known,
// theorem-2: those in which no block raises the objective.
func (c Convergence) Claims() []Claim {
	falling := map[string]*Claim{Published: {ID: "theorem-2-published"}, Reference: {ID: "theorem-2-reference"}}
	for _, s := range c.Sets {
		for i, column := range c.Columns {
			for _, d := range s.Descents[i] {
				if f := falling[column.Variant]; f != nil && d.Known() && d.Mode == measure.WithoutMomentum {
					f.count(d.Falls())
				}
			}
		}
	}
	return []Claim{*falling[Published], *falling[Reference]}
}
