package report

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"r2lmlbench/experiments/plan"
	"r2lmlbench/internal/text"
	"r2lmlbench/results/gate"
	"r2lmlbench/results/paper"
	"r2lmlbench/results/store"
	"r2lmlbench/results/table"
)

// ErrNothingStored is returned by Of when no cell of the plan has a result.
var ErrNothingStored = errors.New("no cell is stored")

// Of gathers what a report of a plan shows from the cells in a store. name is how the spec
// is called on the command line. The data files are not needed.
func Of(ctx context.Context, p plan.Plan, name string, st *store.Store) (Input, error) {
	st = st.Snapshot()
	in := Input{Name: name, Description: p.Spec.Description, Store: st.Dir, Neighbors: p.Spec.Neighbors}
	var err error
	if in.Table, err = table.Of(p, st); err != nil {
		return in, err
	}
	scored := func(r table.Row) bool {
		return slices.ContainsFunc(r.Cells, func(c table.Result) bool { return c.Score != nil })
	}
	if !slices.ContainsFunc(in.Table.Rows, scored) {
		return in, fmt.Errorf("report %s: %w in %s; compute it first with `%s`", p.Spec.Name, ErrNothingStored, st.Dir, text.Invocation{Spec: name})
	}
	if t := in.Table.Pooled(); len(t.Rows) < len(p.Splits) {
		in.Pooled = &t
	}
	if paper.Judges(p) {
		if in.Verdicts, err = paper.Of(ctx, p, st); err != nil {
			return in, err
		}
	}
	list, _, err := st.Accepted(p.Spec.Name)
	if err != nil {
		return in, err
	}
	accepted := list.ByKey()
	if in.Cells, err = in.cells(p, st, accepted); err != nil {
		return in, err
	}
	states, err := st.History(p.Spec.Name)
	if err != nil {
		return in, err
	}
	if len(states) > 0 {
		history := gate.NewHistory(p.Spec.Name, states)
		in.History = &history
	}
	in.Curve = in.Verdicts.Curve()
	if in.Costs, err = paper.CostsOf(p, st, accepted); err != nil {
		return in, err
	}
	if in.Original, err = paper.Original(ctx, p); err != nil {
		return in, err
	}
	in.Figures, err = in.figures(ctx, p, st)
	return in, err
}

// cells are what is behind the numbers of the table.
func (in Input) cells(p plan.Plan, st *store.Store, accepted map[store.Key]store.AcceptedCell) (all [][]PanelData, err error) {
	for i, row := range p.Splits {
		explained, err := explainRow(in.Name, row, in.Table.Rows[i], st)
		if err != nil {
			return nil, err
		}
		line := make([]PanelData, len(row.Jobs))
		for column, jobs := range row.Jobs {
			x, known := &line[column], accepted[jobs[0].Key()]
			x.Explanation, x.Seconds, x.Heap = explained[column], known.Seconds, known.Heap
			if in.Table.Rows[i].Repeat <= 1 { // of several splits, which are judged together, the first has the verdict
				x.AddVerdict(in.Verdicts)
			}
		}
		all = append(all, line)
	}
	return all, nil
}

// figures are those that the plan asks for.
func (in Input) figures(ctx context.Context, p plan.Plan, st *store.Store) (all []Figure, err error) {
	for _, d := range For(p) {
		drawn := in
		if d.Spec != "" && in.Original { // the paper's studies have specs of their own
			studied, err := plan.Named(ctx, d.Spec)
			if err != nil {
				return nil, err
			}
			if drawn.Table, err = table.Of(studied, st); err != nil {
				return nil, err
			}
			drawn.Elsewhere = true
		}
		made, err := d.Draw(drawn)
		if err != nil {
			return nil, err
		}
		all = append(all, made...)
	}
	return all, nil
}
