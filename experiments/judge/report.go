package judge

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"r2lmlbench/experiments"
	"r2lmlbench/experiments/plan"
	"r2lmlbench/internal/invoke"
	"r2lmlbench/results"
	"r2lmlbench/results/figures"
	"r2lmlbench/results/gate"
	"r2lmlbench/results/report"
	"r2lmlbench/results/store"
	"r2lmlbench/results/table"
)

// ErrNothingStored is returned by Report when no cell of the plan has a result.
var ErrNothingStored = errors.New("no cell is stored")

// Report gathers what a report of the plan shows from the cells in store. name
// is how the spec is called on the command line. The data files are not needed.
func Report(ctx context.Context, s *Session, p plan.Plan, name string, st *store.Store) (report.Input, error) {
	st = s.snapshot(st)
	in := report.Input{Name: name, Description: p.Spec.Description, Store: st.Dir, Neighbors: p.Spec.Neighbors}
	var err error
	if in.Table, err = s.Table(p, st); err != nil {
		return in, err
	}
	scored := func(r table.Row) bool {
		return slices.ContainsFunc(r.Cells, func(c table.Cell) bool { return c.Score != nil })
	}
	if !slices.ContainsFunc(in.Table.Rows, scored) {
		return in, fmt.Errorf("report %s: %w in %s; compute it first with `%s`", p.Spec.Name, ErrNothingStored, st.Dir, invoke.Run{Spec: name})
	}
	if in.Pooled, err = s.pooled(p, st); err != nil {
		return in, err
	}
	// Printed numbers are of data sets with one split: beside one of several, a verdict
	// would be on another number.
	if p.Spec.AnyNeighbors(plan.PaperNeighbors) && slices.ContainsFunc(in.Table.Rows, func(r table.Row) bool { return r.Repeat == 0 }) {
		if in.Verdicts, err = s.Verdicts(ctx, p, st); err != nil {
			return in, err
		}
	}
	list, _, err := st.Accepted(p.Spec.Name)
	if err != nil {
		return in, err
	}
	accepted := list.ByPlace()
	for i, row := range p.Rows {
		cells, err := rowCells(row, st)
		if err != nil {
			return in, err
		}
		line := make([]report.Cell, len(row.Jobs))
		for column, jobs := range row.Jobs {
			x := &line[column]
			x.Explanation = explainedCell(name, row, in.Table.Rows[i], column, cells, st)
			if in.Table.Rows[i].Repeat == 0 {
				x.AddVerdict(in.Verdicts, x.Data.ID, x.Method.Column)
			}
			known := accepted[jobs[0].Place()]
			x.Seconds, x.Heap = known.Seconds, known.Heap
		}
		in.Cells = append(in.Cells, line)
	}
	states, err := st.History(p.Spec.Name)
	if err != nil {
		return in, err
	}
	if len(states) > 0 {
		history := gate.NewHistory(p.Spec.Name, states)
		in.History = &history
	}
	paper, err := isPaper(ctx, s, p)
	if err != nil {
		return in, err
	}
	studies, err := studiesBehind(ctx, s, p, in.Table, st, paper)
	if err != nil {
		return in, err
	}
	drawn := figures.Input{Table: in.Table, Pooled: in.Pooled, Ranks: in.Verdicts.Ranks, Costs: costsOf(p, st)}
	if drawn.Contrasts, err = s.Contrasts(p, st); err != nil {
		return in, err
	}
	in.Figures = draw(drawingsOf(p), drawn, studies)
	return in, nil
}

// pooled is the table with one row for each data set, nil where each has one split.
func (s *Session) pooled(p plan.Plan, st *store.Store) (*table.Table, error) {
	if len(p.Rows) == len(p.Spec.Entries) {
		return nil, nil
	}
	t, err := s.PooledTable(p, st)
	if err != nil || len(t.Rows) == len(p.Rows) {
		return nil, err
	}
	return &t, nil
}

// isPaper tells whether the plan is that of the paper's spec.
func isPaper(ctx context.Context, s *Session, p plan.Plan) (bool, error) {
	return isPlanOf(ctx, s, p, experiments.Paper)
}

// isPlanOf tells whether the plan is that of a spec of the repository, and not of a
// spec that only has its name: its cells are the same, all of them unless it was
// narrowed.
func isPlanOf(ctx context.Context, s *Session, p plan.Plan, name string) (bool, error) {
	if p.Spec.Name != name {
		return false, nil
	}
	paper, err := s.Plan(ctx, name, nil, nil)
	if err != nil {
		return false, err
	}
	if p.Spec == paper.Spec {
		return true, nil
	}
	keys := map[store.Place]string{}
	for _, j := range paper.AllJobs() {
		keys[j.Place()] = j.Inputs.Key()
	}
	jobs := p.AllJobs()
	for _, j := range jobs {
		if keys[j.Place()] != j.Inputs.Key() {
			return false, nil
		}
	}
	return p.Spec.Narrowed || len(jobs) == len(keys), nil
}

// ChangedVerdicts lists the printed numbers of a plan whose verdicts by the cells in other
// are not those by the cells of a report. A number that one of them has no runs for is
// left out.
func ChangedVerdicts(ctx context.Context, s *Session, p plan.Plan, in report.Input, other *store.Store) ([]report.VerdictChange, error) {
	if len(in.Verdicts.Verdicts) == 0 {
		return nil, nil
	}
	before, err := s.Verdicts(ctx, p, s.snapshot(other))
	if err != nil {
		return nil, err
	}
	var all []report.VerdictChange
	for _, now := range in.Verdicts.Verdicts {
		was := before.Find(now.Dataset, now.Method)
		if was != nil && was.Verdict != now.Verdict && was.Runs > 0 && now.Runs > 0 {
			all = append(all, report.VerdictChange{Before: *was, Now: now})
		}
	}
	return all, nil
}

// Against compares the plan's cells in store with those in other, all seeds of
// them: a cell of an earlier version of its method counts as the same. Of a store
// with accepted cells of the spec the list decides which cells they are.
func Against(p plan.Plan, s, other *store.Store) (*report.Against, error) {
	s, other = s.Snapshot(), other.Snapshot()
	a := &report.Against{Dir: other.Dir}
	list, _, err := other.Accepted(p.Spec.Name)
	if err != nil {
		return nil, err
	}
	accepted := list.ByPlace()
	var both []gate.Input
	for _, j := range p.AllJobs() {
		now, isNow, err := s.Find(j.Inputs)
		if err != nil {
			return nil, err
		}
		before, wasThere, err := earlier(accepted, j, other)
		switch {
		case err != nil:
			return nil, err
		case isNow && wasThere:
			both = append(both, gate.Input{Place: store.AcceptedCell{Place: j.Place()}, Fresh: &now, Accepted: &before})
		case isNow:
			a.New = append(a.New, store.AcceptedCell{Place: j.Place()})
		case wasThere:
			a.Gone = append(a.Gone, store.AcceptedCell{Place: j.Place()})
		}
	}
	a.Gate = gate.New(gate.Spec{Spec: tableSpec(p), Tolerance: p.Spec.Gate.Tolerance}, nil, both)
	return a, nil
}

// earlier finds the cell of a job in another store, by the list of accepted
// cells, by its inputs, or by all of them but the version of the method.
func earlier(accepted map[store.Place]store.AcceptedCell, j plan.Job, other *store.Store) (results.Cell, bool, error) {
	if a, ok := accepted[j.Place()]; ok {
		return other.AcceptedCell(a)
	}
	for version := j.Inputs.Version; version > 0; version-- {
		in := j.Inputs
		in.Version = version
		if c, ok, err := other.Find(in); ok || err != nil {
			return c, ok, err
		}
	}
	return results.Cell{}, false, nil
}
