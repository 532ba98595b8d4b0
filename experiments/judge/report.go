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
	"r2lmlbench/results/explain"
	"r2lmlbench/results/figures"
	"r2lmlbench/results/gate"
	"r2lmlbench/results/report"
	"r2lmlbench/results/reproduction"
	"r2lmlbench/results/store"
	"r2lmlbench/results/study"
	"r2lmlbench/results/table"
	"r2lmlbench/results/verdict"
)

// ErrNothingStored is returned by Report when no cell of the plan has a result.
var ErrNothingStored = errors.New("no cell is stored")

// Report gathers what a report of the plan shows from the cells in store. name
// is how the spec is called on the command line. The data files are not needed.
func Report(ctx context.Context, s *Session, p plan.Plan, name string, st *store.Store) (report.Input, error) {
	st = s.snapshot(st)
	in := report.Input{Name: name, Description: p.Spec.Description, Store: st.Dir, Neighbors: p.Spec.Neighbors}
	paper, err := isPaper(ctx, s, p)
	if err != nil {
		return in, err
	}
	if paper {
		s.readAhead(reproductionSpecs())
	}
	if in.Table, err = s.Table(p, st); err != nil {
		return in, err
	}
	if !scored(in.Table) {
		return in, fmt.Errorf("report %s: %w in %s; compute it first with `%s`", p.Spec.Name, ErrNothingStored, st.Dir, invoke.Run{Spec: name})
	}
	if in.Pooled, err = s.pooled(p, st); err != nil {
		return in, err
	}
	if p.Spec.AnyNeighbors(plan.PaperNeighbors) && slices.ContainsFunc(in.Table.Rows, unrepeated) {
		if in.Verdicts, err = s.Verdicts(p, st); err != nil {
			return in, err
		}
	}
	if in.Cells, err = reportCells(p, name, in, st); err != nil {
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
	if err := addSurfaces(in, st); err != nil {
		return in, err
	}
	var known reproduction.Input
	if paper {
		if known, err = Reproduction(ctx, s, st); err != nil {
			return in, err
		}
		in.Findings = reproduction.Findings(known)
	} else {
		if known.Studies, err = studiesOf(ctx, s, p, in.Table, st); err != nil {
			return in, err
		}
		for _, s := range known.Studies {
			in.Findings = append(in.Findings, reproduction.Section(s))
		}
	}
	var others []string // specs whose lists know the heaps of the same cells
	if paper {
		others = append(others, experiments.Memory)
	}
	drawn := figures.Input{Table: in.Table, Pooled: in.Pooled, Verdicts: in.Verdicts, Costs: costsOf(p, st, others...)}
	if drawn.Surfaces, err = surfacesOf(in.Verdicts.Evidence, st); err != nil {
		return in, err
	}
	in.Figures, err = draw(drawingsOf(p), drawn, known)
	return in, err
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

// studiesOf reads the studies of a plan that is not the paper's.
func studiesOf(ctx context.Context, s *Session, p plan.Plan, own table.Table, cells *store.Store) ([]reproduction.Study, error) {
	meant, err := meantFor(ctx, s, p)
	if err != nil {
		return nil, err
	}
	in := study.Input{Table: own, Files: authorFiles()}
	if len(meant) > 0 {
		paper, err := s.planByCatalogue(ctx, experiments.Paper)
		if err != nil {
			return nil, err
		}
		if in.Accuracies, err = s.Table(paper, cells); err != nil {
			return nil, err
		}
		judged, err := s.Verdicts(paper, cells)
		if err != nil {
			return nil, err
		}
		in.Runs = statedRuns(judged.Evidence)
	}
	planOf := func(name string) (plan.Plan, error) {
		if name == p.Spec.Name {
			return p, nil
		}
		return s.planByCatalogue(ctx, name)
	}
	for _, known := range study.Studies {
		if !slices.Contains(meant, known.ID) || len(known.With) == 0 {
			continue
		}
		if in.Specs, err = specCells(ctx, s, known, cells, planOf); err != nil {
			return nil, err
		}
	}
	return ownStudies(p, meant, in, cells)
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

// scored tells whether any cell of a table has a result.
func scored(t table.Table) bool {
	return slices.ContainsFunc(t.Rows, func(r table.Row) bool {
		return slices.ContainsFunc(r.Cells, func(c table.Cell) bool { return c.Score != nil })
	})
}

// unrepeated tells whether a row is of the only split of its data set. Printed numbers are
// of such splits: beside one of several, a verdict would be on another number.
func unrepeated(r table.Row) bool { return r.Repeat == 0 }

// reportCells explains every cell of the table.
func reportCells(p plan.Plan, name string, in report.Input, s *store.Store) ([][]report.Cell, error) {
	list, _, err := s.Accepted(p.Spec.Name)
	if err != nil {
		return nil, err
	}
	accepted := list.ByPlace()
	verdicts := map[[2]string]*verdict.Verdict{}
	for i, v := range in.Verdicts.Verdicts {
		verdicts[[2]string{v.Dataset, v.Method}] = &in.Verdicts.Verdicts[i]
	}
	var all [][]report.Cell
	for i, row := range p.Rows {
		var cells []report.Cell
		for column := range row.Jobs {
			x, err := explainedCell(name, row, in.Table.Rows[i], column, s)
			if err != nil {
				return nil, err
			}
			j := row.Jobs[column][0]
			if unrepeated(in.Table.Rows[i]) {
				x.Verdict = verdicts[[2]string{j.Entry.ID, j.Column.ID}]
			}
			cell := report.Cell{Explanation: x}
			known := accepted[j.Place()]
			cell.Seconds, cell.Heap = known.Seconds, known.Heap
			cells = append(cells, cell)
		}
		all = append(all, cells)
	}
	return all, nil
}

// addSurfaces adds to the cells with a verdict the accuracies at every setting.
func addSurfaces(in report.Input, st *store.Store) error {
	for i := range in.Cells {
		for j := range in.Cells[i] {
			x := &in.Cells[i][j]
			if x.Verdict == nil {
				continue
			}
			k := slices.IndexFunc(in.Verdicts.Evidence, func(e verdict.Evidence) bool { return e.Published.Dataset == x.Data.ID && e.Column == x.Method.Column })
			if k < 0 {
				continue
			}
			e := in.Verdicts.Evidence[k]
			run := e.SurfacedWith(*x.Verdict, x.Seed)
			if run == nil {
				continue
			}
			c, _, err := st.Get(run.Inputs)
			if err != nil {
				return err
			}
			x.Surface = explain.NewSurface(c, st.Where(c.Inputs), e.ChosenOf(c), run.Point, func(correct int) bool { return e.Reaches(correct, run.N) })
		}
	}
	return nil
}

// ChangedVerdicts lists the printed numbers of a plan whose verdicts by the cells in other
// are not those by the cells of a report. A number that one of them has no runs for is
// left out.
func ChangedVerdicts(s *Session, p plan.Plan, in report.Input, other *store.Store) ([]report.VerdictChange, error) {
	if len(in.Verdicts.Verdicts) == 0 {
		return nil, nil
	}
	before, err := s.Verdicts(p, s.snapshot(other))
	if err != nil {
		return nil, err
	}
	known := map[[2]string]verdict.Verdict{}
	for _, v := range before.Verdicts {
		known[[2]string{v.Dataset, v.Method}] = v
	}
	var all []report.VerdictChange
	for _, now := range in.Verdicts.Verdicts {
		was, ok := known[[2]string{now.Dataset, now.Method}]
		if ok && was.Word() != now.Word() && was.Word() != verdict.Untested && now.Word() != verdict.Untested {
			all = append(all, report.VerdictChange{Before: was, Now: now})
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
