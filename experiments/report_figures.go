package experiments

import (
	"cmp"

	"r2lmlbench/results"
	"r2lmlbench/results/figures"
	"r2lmlbench/results/report"
	"r2lmlbench/results/reproduction"
)

// reportFigures draws what the cells of the plan suffice for: of the spec of
// the paper's table all figures of the account, of another, which has no
// account, the spec's own.
func (p Plan) reportFigures(in report.Input, account *reproduction.Input, store *results.Store) ([]report.Figure, error) {
	var all []report.Figure
	for _, draw := range p.drawings(in, account, store) {
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

func (p Plan) drawings(in report.Input, account *reproduction.Input, store *results.Store) []drawing {
	of := func(make func(results.Table) ([]figures.Figure, error), t results.Table) drawing {
		return func() ([]figures.Figure, error) { return make(t) }
	}
	classes := classCounts()
	metrics := func(t results.Table) ([]figures.Figure, error) { return figures.Metrics(t, classes) }
	lists := []string{p.Spec.Name}
	if account != nil {
		lists = append(lists, memorySpec)
	}
	costs := func() ([]figures.Figure, error) { return figures.Costs(p.costs(store, lists)) }
	own := map[string]drawing{
		"metrics": of(metrics, in.Table), "lambda": of(figures.Lambda, in.Table), "toy": of(figures.Toy, in.Table),
		"variants": of(figures.Collapse, in.Table), "convergence": of(figures.Convergence, in.Table),
	}
	if account != nil {
		return []drawing{
			of(figures.CriticalDifference, in.Table),
			func() ([]figures.Figure, error) { return figures.Verdicts(in.Verdicts) },
			of(figures.Collapse, account.Variants), of(metrics, account.Metrics), of(figures.Lambda, account.Lambda),
			of(figures.Toy, account.Toy), of(figures.Convergence, account.Convergence), costs,
		}
	}
	if draw, ok := own[p.Spec.Name]; ok {
		return []drawing{draw, costs}
	}
	return []drawing{of(figures.CriticalDifference, in.Table), costs}
}

// memorySpec is the spec that measures the memory of methods whose cells in the
// paper's table take too long to be computed one by one.
const memorySpec = "memory"

// costs are the wall times and heaps of the plan's cells of seed 1 on their first
// split, by the record of their run or, of heaps, the first of the named lists of
// accepted cells that knows; of times the list of the spec itself.
func (p Plan) costs(store *results.Store, names []string) []figures.Cost {
	var lists []results.Accepted
	for _, name := range names {
		list, _, err := store.Accepted(name)
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
			c := figures.Cost{Dataset: row.Entry.ID, Letter: row.Entry.Letter, Method: jobs[0].Column.ID}
			run, ran := store.Run(jobs[0].Inputs)
			c.Bytes = run.Heap
			if ran && !run.Resumed {
				c.Seconds = run.Seconds
			}
			for i, list := range lists {
				at := list.Index(jobs[0].place())
				if at < 0 {
					continue
				}
				c.Bytes = cmp.Or(c.Bytes, list.Cells[at].Heap)
				if i == 0 && c.Seconds == 0 {
					c.Seconds = float64(list.Cells[at].Seconds)
				}
			}
			all = append(all, c)
		}
	}
	return all
}
