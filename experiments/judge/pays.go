package judge

import (
	"cmp"
	"context"

	"r2lmlbench/datasets"
	"r2lmlbench/experiments/plan"
	"r2lmlbench/results/store"
	"r2lmlbench/results/study"
)

// specCells are the cells of the specs that a study reads together, none if it reads
// one only. planOf spells a spec out; those that the study takes as they are need not
// be complete, and are not counted as absent.
func specCells(
	ctx context.Context, s *Session, known study.Study, cells *store.Store, planOf func(name string) (plan.Plan, error),
) (map[string]study.SpecCells, error) {
	all := map[string]study.SpecCells{}
	if len(known.With)+len(known.Beside) == 0 {
		return nil, nil
	}
	for _, name := range append([]string{known.Spec}, known.With...) {
		p, err := planOf(name)
		if err != nil {
			return nil, err
		}
		if all[name], err = cellsOfPlan(s, p, cells); err != nil {
			return nil, err
		}
	}
	for _, name := range known.Beside {
		p, err := s.planByCatalogue(ctx, name)
		if err != nil {
			return nil, err
		}
		if all[name], err = cellsOfPlan(s, p, cells); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// cellsOfPlan are those of a plan, with what it knows of them.
func cellsOfPlan(s *Session, p plan.Plan, cells *store.Store) (study.SpecCells, error) {
	cells = s.snapshot(cells)
	var c study.SpecCells
	var err error
	if c.Table, err = s.Table(p, cells); err != nil {
		return c, err
	}
	list, _, err := cells.Accepted(p.Spec.Name)
	if err != nil {
		return c, err
	}
	accepted := list.ByPlace()
	for _, column := range p.Spec.Columns {
		c.Families = append(c.Families, column.Method.Scope.String())
	}
	for i, row := range p.Rows {
		c.Training = append(c.Training, trainingSize(row.Entry))
		plans := make([]study.PlanCell, len(row.Jobs))
		for j, jobs := range row.Jobs {
			plans[j].Points = jobs[0].Inputs.Points
			if c.Table.Rows[i].Cells[j].Score == nil {
				continue
			}
			if plans[j].Seconds, err = secondsOf(jobs[0], cells, accepted); err != nil {
				return c, err
			}
		}
		c.Plans = append(c.Plans, plans)
	}
	return c, nil
}

// secondsOf is the time that the cell of a job took, by the record of its run or else
// by the list of accepted cells; 0: unknown, as where an
// earlier process did a part. The job may lack the digest of its split.
func secondsOf(j plan.Job, cells *store.Store, accepted map[store.Place]store.AcceptedCell) (float64, error) {
	seconds := 0.0
	run, ok, err := cells.FindRun(j.Inputs)
	if ok && !run.Resumed {
		seconds = run.Seconds
	}
	return cmp.Or(seconds, accepted[j.Place()].Seconds), err
}

// trainingSize is the number of training samples of a split.
func trainingSize(e datasets.Entry) int { return len(e.Labels) * e.Sizes.Train }
