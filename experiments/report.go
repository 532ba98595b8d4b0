package experiments

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"r2lmlbench/results"
	"r2lmlbench/results/report"
	"r2lmlbench/results/reproduction"
)

// ErrNothingStored is returned by Report when no cell of the plan has a result.
var ErrNothingStored = errors.New("no cell is stored")

// Report gathers what a report of the plan shows from the cells in store. name
// is how the spec is called on the command line. The data files are not needed.
func (p Plan) Report(ctx context.Context, name string, store *results.Store, source *Source) (report.Input, error) {
	store = store.Snapshot()
	in := report.Input{Name: name, Description: p.Spec.Description, Store: store.Dir, Neighbors: p.Spec.Neighbors}
	var err error
	if in.Table, err = p.Table(store); err != nil {
		return in, err
	}
	if !scored(in.Table) {
		return in, fmt.Errorf("report %s: %w in %s; compute it first with `r2lmlbench run %s`", p.Spec.Name, ErrNothingStored, store.Dir, shellWord(name))
	}
	if p.Spec.Neighbors == paperNeighbors {
		if in.Verdicts, err = p.Verdicts(store); err != nil {
			return in, err
		}
	}
	if in.Cells, err = p.reportCells(name, in, store); err != nil {
		return in, err
	}
	paper, err := p.isPaper(ctx, source)
	if err != nil {
		return in, err
	}
	var account *reproduction.Input
	if paper {
		all, err := Reproduction(ctx, store, source)
		if err != nil {
			return in, err
		}
		account, in.Findings = &all, reproduction.Findings(all)
	}
	in.Figures, err = p.reportFigures(in, account, store)
	return in, err
}

// paperSpec is the spec whose report has the findings on the paper and all
// figures.
const paperSpec = "accuracy"

// isPaper tells whether the plan is that of paperSpec, and not of a spec that
// only has its name: its cells are the same, all of them unless it was narrowed.
func (p Plan) isPaper(ctx context.Context, source *Source) (bool, error) {
	if p.Spec.Name != paperSpec {
		return false, nil
	}
	spec, err := Load(paperSpec)
	if err != nil {
		return false, err
	}
	paper, err := NewPlan(ctx, spec, source)
	if err != nil {
		return false, err
	}
	keys := map[results.AcceptedCell]string{}
	for _, j := range paper.allJobs() {
		keys[j.place()] = j.Inputs.Key()
	}
	jobs := p.allJobs()
	for _, j := range jobs {
		if keys[j.place()] != j.Inputs.Key() {
			return false, nil
		}
	}
	return p.Spec.narrowed || len(jobs) == len(keys), nil
}

// scored tells whether any cell of a table has a result.
func scored(t results.Table) bool {
	return slices.ContainsFunc(t.Rows, func(r results.Row) bool {
		return slices.ContainsFunc(r.Cells, func(c results.TableCell) bool { return c.Score != nil })
	})
}

// reportCells explains every cell of the table.
func (p Plan) reportCells(name string, in report.Input, store *results.Store) ([][]report.Cell, error) {
	list, _, err := store.Accepted(p.Spec.Name)
	if err != nil {
		return nil, err
	}
	verdicts := map[[2]string]*results.Verdict{}
	for i, v := range in.Verdicts.Verdicts {
		verdicts[[2]string{v.Dataset, v.Method}] = &in.Verdicts.Verdicts[i]
	}
	var all [][]report.Cell
	for i, row := range p.Rows {
		var cells []report.Cell
		for column := range row.Jobs {
			x, err := explainedCell(name, row, in.Table.Rows[i], column, store)
			if err != nil {
				return nil, err
			}
			j := row.Jobs[column][0]
			if row.Repeat <= 1 {
				x.Verdict = verdicts[[2]string{j.Entry.ID, j.Column.ID}]
			}
			cell := report.Cell{Explanation: x}
			if at := list.Index(j.place()); at >= 0 {
				cell.Seconds, cell.Heap = list.Cells[at].Seconds, list.Cells[at].Heap
			}
			cells = append(cells, cell)
		}
		all = append(all, cells)
	}
	return all, nil
}

// Against compares the plan's cells in store with those in other, all seeds of
// them: a cell of an earlier version of its method counts as the same. Of a store
// with accepted cells of the spec the list decides which cells they are.
func (p Plan) Against(store, other *results.Store) (*report.Against, error) {
	store, other = store.Snapshot(), other.Snapshot()
	a := &report.Against{Dir: other.Dir}
	var both []results.GateInput
	for _, j := range p.allJobs() {
		now, isNow, err := store.Find(j.Inputs)
		if err != nil {
			return nil, err
		}
		before, wasThere, err := earlier(p.Spec.Name, j, other)
		switch {
		case err != nil:
			return nil, err
		case isNow && wasThere:
			both = append(both, results.GateInput{Place: j.place(), Stochastic: j.Column.Method.Stochastic, Fresh: &now, Accepted: &before})
		case isNow:
			a.New = append(a.New, j.place())
		case wasThere:
			a.Gone = append(a.Gone, j.place())
		}
	}
	a.Gate = results.NewGate(results.GateSpec{Spec: p.tableSpec(), Tolerance: p.Spec.Gate.Tolerance}, nil, both)
	return a, nil
}

// allJobs is Jobs with the cells that were imported.
func (p Plan) allJobs() []Job {
	var jobs []Job
	for _, row := range p.Rows {
		jobs = append(jobs, slices.Concat(row.Jobs...)...)
	}
	return jobs
}

// earlier finds the cell of a job in another store, by the list of accepted
// cells, by its inputs, or by all of them but the version of the method.
func earlier(spec string, j Job, other *results.Store) (results.Cell, bool, error) {
	list, _, err := other.Accepted(spec)
	if err != nil {
		return results.Cell{}, false, err
	}
	if at := list.Index(j.place()); at >= 0 {
		return other.AcceptedCell(list.Cells[at])
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
