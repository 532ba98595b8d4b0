package judge

import (
	"cmp"
	"slices"

	"r2lmlbench/experiments/plan"
	"r2lmlbench/results/figures"
	"r2lmlbench/results/report"
	"r2lmlbench/results/store"
)

// draw makes the figures of drawings that the input suffices for, of the studies
// that are known. A drawing whose study is not is left out.
func draw(drawings []figures.Drawing, in figures.Input, known []Study) []report.Figure {
	var all []report.Figure
	for _, d := range drawings {
		in.Study = resultOf(known, d.Study)
		if d.Study == "" || in.Study != nil {
			all = append(all, d.Draw(in)...)
		}
	}
	return all
}

// drawingsOf are those that the spec names, or else those of the studies whose
// measures it takes, or else the ranks over the data sets; and the splits where there
// are several, and the costs.
func drawingsOf(p plan.Plan) []figures.Drawing {
	wanted := func(d figures.Drawing) bool { return slices.Contains(p.Spec.Figures, d.Name) }
	if len(p.Spec.Figures) == 0 {
		studied := studied(p)
		wanted = func(d figures.Drawing) bool { return slices.Contains(studied, d.Study) }
		if !slices.ContainsFunc(figures.Drawings, wanted) {
			wanted = func(d figures.Drawing) bool { return d.Name == figures.Ranks }
		}
	}
	several := slices.ContainsFunc(p.Rows, func(r plan.Row) bool { return r.Repeat > 1 })
	var all []figures.Drawing
	for _, d := range figures.Drawings {
		if wanted(d) || d.Name == figures.CostsName || several && d.Name == figures.SplitsName || len(p.Spec.Contrast) > 0 && d.Name == figures.ContrastsName {
			all = append(all, d)
		}
	}
	return all
}

// costsOf are those of the plan's cells of seed 1 on their first split.
func costsOf(p plan.Plan, cells *store.Store) []figures.Cost {
	list, _, err := cells.Accepted(p.Spec.Name)
	if err != nil {
		return nil // reported where the cells were gathered
	}
	accepted := list.ByPlace()
	var all []figures.Cost
	for _, row := range p.Rows {
		if row.Repeat > 1 {
			continue
		}
		for _, jobs := range row.Jobs {
			all = append(all, costOf(jobs[0], cells, accepted))
		}
	}
	return all
}

// costOf is what the cell of a job took, by the record of its run or else by the list
// of accepted cells.
func costOf(j plan.Job, s *store.Store, accepted map[store.Place]store.AcceptedCell) figures.Cost {
	known := accepted[j.Place()]
	c := figures.Cost{Dataset: j.Entry.ID, Letter: j.Entry.Letter, Name: j.Entry.Name, Method: j.Column.ID}
	run, ok := s.Run(j.Inputs)
	if ok && !run.Resumed {
		c.Seconds = run.Seconds
	}
	c.Seconds, c.Bytes = cmp.Or(c.Seconds, known.Seconds), cmp.Or(run.Heap, known.Heap)
	return c
}
