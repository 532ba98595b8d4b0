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
		if wanted(d) || d.Name == figures.CostsName || several && d.Name == figures.SplitsName {
			all = append(all, d)
		}
	}
	return all
}

// costsOf are those of the plan's cells of seed 1 on their first split. The lists
// of accepted cells of other specs may know heaps that the plan's own does not.
func costsOf(p plan.Plan, cells *store.Store, others ...string) []figures.Cost {
	var lists []map[store.Place]store.AcceptedCell
	for _, name := range append([]string{p.Spec.Name}, others...) {
		list, _, err := cells.Accepted(name)
		if err != nil {
			return nil // reported where the cells were gathered
		}
		lists = append(lists, list.ByPlace())
	}
	var all []figures.Cost
	for _, row := range p.Rows {
		if row.Repeat > 1 {
			continue
		}
		for _, jobs := range row.Jobs {
			all = append(all, costOf(jobs[0], cells, lists))
		}
	}
	return all
}

// costOf is what the cell of a job took, by the record of its run or else by the
// first of the lists, and its heap by the first that knows.
func costOf(j plan.Job, s *store.Store, lists []map[store.Place]store.AcceptedCell) figures.Cost {
	c := figures.Cost{Dataset: j.Entry.ID, Letter: j.Entry.Letter, Name: j.Entry.Name, Method: j.Column.ID}
	run, known := s.Run(j.Inputs)
	if known && !run.Resumed {
		c.Seconds = run.Seconds
	}
	c.Bytes = run.Heap
	for i, accepted := range lists {
		known := accepted[j.Place()]
		c.Bytes = cmp.Or(c.Bytes, known.Heap)
		if i == 0 {
			c.Seconds = cmp.Or(c.Seconds, known.Seconds)
		}
	}
	return c
}
