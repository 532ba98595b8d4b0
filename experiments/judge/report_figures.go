package judge

import (
	"cmp"

	"r2lmlbench/experiments/plan"
	"r2lmlbench/results/figures"
	"r2lmlbench/results/report"
	"r2lmlbench/results/reproduction"
	"r2lmlbench/results/store"
	"r2lmlbench/results/table"
)

// reportFigures draws what the cells of the plan suffice for: of the spec of
// the paper's table all figures of the account, of another, which has no
// account, the spec's own.
func reportFigures(p plan.Plan, in report.Input, account *reproduction.Input, store *store.Store) ([]report.Figure, error) {
	var all []report.Figure
	for _, draw := range drawings(p, in, account, store) {
		drawn, err := draw()
		if err != nil {
			return nil, err
		}
		for _, f := range drawn {
			all = append(all, report.Figure{Name: f.Name, Title: f.Title, Alt: f.Alt, SVG: f.SVG, CSV: f.CSV})
		}
	}
	return all, nil
}

// A drawing makes some figures, none without results.
type drawing func() ([]figures.Figure, error)

func drawings(p plan.Plan, in report.Input, account *reproduction.Input, store *store.Store) []drawing {
	of := func(make func(table.Table) ([]figures.Figure, error), t table.Table) drawing {
		return func() ([]figures.Figure, error) { return make(t) }
	}
	classes := classCounts()
	metrics := func(t table.Table) ([]figures.Figure, error) { return figures.Metrics(t, classes) }
	costs := func() ([]figures.Figure, error) { return figures.Costs(Costs(p, store)) }
	own := map[string]drawing{
		"metrics": of(metrics, in.Table), "lambda": of(figures.Lambda, in.Table), "toy": of(figures.Toy, in.Table),
		"variants": of(figures.Collapse, in.Table), "convergence": of(figures.Convergence, in.Table),
	}
	if account != nil {
		return []drawing{
			of(figures.CriticalDifference, in.Table),
			func() ([]figures.Figure, error) { return figures.Verdicts(in.Verdicts) },
			of(figures.Collapse, account.Variants), of(metrics, account.Metrics), of(figures.Lambda, account.Lambda),
			of(figures.Toy, account.Toy), of(figures.Convergence, account.Convergence),
			func() ([]figures.Figure, error) { return figures.Costs(Costs(p, store, MemorySpec)) },
		}
	}
	if draw, ok := own[p.Spec.Name]; ok {
		return []drawing{draw, costs}
	}
	return []drawing{of(figures.CriticalDifference, in.Table), costs}
}

// memorySpec is the spec that measures the memory of methods whose cells in the
// paper's table take too long to be computed by one worker.
const MemorySpec = "memory"

// costs are those of the plan's cells of seed 1 on their first split. The lists
// of accepted cells of other specs may know heaps that the plan's own does not.
func Costs(p plan.Plan, cells *store.Store, others ...string) []figures.Cost {
	var lists []store.Accepted
	for _, name := range append([]string{p.Spec.Name}, others...) {
		list, _, err := cells.Accepted(name)
		if err != nil {
			return nil // reported where the cells were gathered
		}
		lists = append(lists, list)
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
func costOf(j plan.Job, store *store.Store, lists []store.Accepted) figures.Cost {
	c := figures.Cost{Dataset: j.Entry.ID, Letter: j.Entry.Letter, Method: j.Column.ID}
	run, ran := store.Run(j.Inputs)
	if ran && !run.Resumed {
		c.Seconds = run.Seconds
	}
	c.Bytes = run.Heap
	for i, list := range lists {
		at := list.Index(j.Place())
		if at < 0 {
			continue
		}
		c.Bytes = cmp.Or(c.Bytes, list.Cells[at].Heap)
		if i == 0 {
			c.Seconds = cmp.Or(c.Seconds, float64(list.Cells[at].Seconds))
		}
	}
	return c
}
