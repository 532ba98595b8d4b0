package judge

import (
	"fmt"
	"math"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"r2lmlbench/datasets"
	"r2lmlbench/experiments/plan"
	"r2lmlbench/experiments/spec"
	"r2lmlbench/results"
	"r2lmlbench/results/published"
	"r2lmlbench/results/store"
	"r2lmlbench/results/verdict"
)

// Verdicts judges the published numbers of a plan's data sets and methods by the
// cells in store on the split of the rule, whatever the plan's own split and
// settings: the ladder of protocols reads every cell of a method. Columns that are
// not comparable with a published number are excluded, and so is a second column of
// the same method: a number is judged once. A spec with another k than the paper's is
// refused.
func Verdicts(p plan.Plan, store *store.Store, paper Paper) (verdict.Verdicts, error) {
	evidence, left, err := evidence(p, store.Snapshot(), paper)
	if err != nil {
		return verdict.Verdicts{}, err
	}
	v, err := verdict.Judge(p.Spec.Name, evidence)
	v.Excluded = left
	return v, err
}

// evidence gathers what the cells in store say about the published numbers that
// columns of the plan are comparable with, and lists the other columns.
func evidence(p plan.Plan, store *store.Store, paper Paper) ([]verdict.Evidence, []verdict.Excluded, error) {
	if !p.Spec.AnyNeighbors(plan.PaperNeighbors) {
		return nil, nil, fmt.Errorf("verdict: the published numbers are of %d neighbors, %s has %s", plan.PaperNeighbors, p.Spec.Name, p.Spec.Neighbors)
	}
	var all []verdict.Evidence
	var jobs []plan.Job // of the first cell of each
	var others excluded
	for _, row := range p.Rows {
		if row.Repeat > 1 || row.Entry.Generated() || row.Entry.Own() || spec.Imported(row.Entry) {
			continue
		}
		slack, err := rowSlack(row.Entry, store, paper)
		if err != nil {
			return nil, nil, err
		}
		judged := map[string]string{} // column by method
		for i, c := range p.Spec.Columns {
			number, ok := published.Lookup(row.Entry.Letter, c.Method.ID)
			if !ok {
				continue
			}
			if why := paper.Columns.unlike(&c, row.Entry.ID); why != "" {
				others.add(c.ID, row.Entry.Letter, why)
				continue
			}
			if first, ok := judged[c.Method.ID]; ok {
				others.add(c.ID, row.Entry.Letter, "judges it with the column "+first)
				continue
			}
			judged[c.Method.ID] = c.ID
			e := verdict.Evidence{
				Published: number, Column: c.ID, Size: row.Entry.TestSize(), Stochastic: c.Method.Stochastic,
				Proposed: c.Method.Proposed,
			}
			if c.Method.ID != published.Euclidean {
				e.Slack = slack
			}
			all, jobs = append(all, e), append(jobs, row.Jobs[i][0])
		}
	}
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, j := range jobs {
		group.Go(func() error { return gather(&all[i], store, j, paper) })
	}
	return all, others, group.Wait()
}

// onRule is a job's cell of seed 1 on the split of the paper's table.
func onRule(j plan.Job) plan.Job {
	rule := plan.PaperRule
	j.Rule = &rule
	j.Inputs.Split, j.Inputs.SplitDigest = spec.SplitName(*j.Entry, plan.PaperRule), j.Entry.SplitDigest
	return j
}

// rowSlack is by how many points the printed accuracy of Euclidean distances on a
// data set differs from ours; NaN without a cell.
func rowSlack(e datasets.Entry, store *store.Store, paper Paper) (float64, error) {
	number, ok := published.Lookup(e.Letter, published.Euclidean)
	column := paper.Columns[published.Euclidean]
	if !ok || column == nil {
		return math.NaN(), nil
	}
	runs, err := runsOf(e, store, column, paper)
	if err != nil || len(runs) == 0 {
		return math.NaN(), err
	}
	printed, err := number.Percent()
	return math.Abs(printed - runs[0].Runs[0].Percent()), err
}

// gather reads the stored cells of a job's method as runs on the rungs of the
// ladder. The column of the paper's table states the protocol; of a method that it
// does not have, the job's own settings do.
func gather(e *verdict.Evidence, store *store.Store, j plan.Job, paper Paper) error {
	column := paper.Columns[j.Column.Method.ID]
	if column == nil {
		column = j.Column
	}
	cells, err := cellsOf(*j.Entry, store, column)
	if err != nil {
		return err
	}
	reading := paper.reading(column, *j.Entry)
	e.Settings, e.Protocols, e.Figures = len(reading.Points), reading.Protocols(cells), reading.Figures(cells)
	if len(e.Protocols) == 0 || e.Protocols[0].Rung != verdict.Stated || e.Protocols[0].Runs[0].Inputs.Seed != 1 {
		e.Absent, err = absent(store, onRule(j))
	}
	return err
}

// cellsOf are the stored cells of a column's method on the split of the rule,
// whatever their settings and seeds.
func cellsOf(e datasets.Entry, store *store.Store, column *spec.Column) ([]results.Cell, error) {
	split := spec.SplitName(e, plan.PaperRule)
	return store.Select(e.ID, column.Method.ID, func(in results.Inputs) bool {
		return in.Split == split && in.SplitDigest == e.SplitDigest && in.DatasetDigest == e.Digest &&
			in.Version == column.Method.Version && in.Neighbors == plan.PaperNeighbors && in.Select == "" && in.Ties == "" && in.Distances == ""
	})
}

// runsOf reads those cells as runs.
func runsOf(e datasets.Entry, store *store.Store, column *spec.Column, paper Paper) ([]verdict.Protocol, error) {
	cells, err := cellsOf(e, store, column)
	if err != nil {
		return nil, err
	}
	return paper.reading(column, e).Protocols(cells), nil
}

// absent says why there is no cell of ours.
func absent(store *store.Store, j plan.Job) (string, error) {
	s, err := plan.StateOf(store, j)
	if s.Status == plan.Failed {
		return "our cell failed: " + s.Why, err
	}
	return "no cell of ours on the split of the rule: " + s.Why, err
}

// A Paper is what the specs of the repository say of the paper's protocol.
type Paper struct {
	Columns PaperColumns
	Figures PaperColumns // of its figures, which fix what the table chooses
}

// reading says how cells of a column's method on a data set are read.
func (p Paper) reading(column *spec.Column, e datasets.Entry) verdict.Reading {
	r := verdict.Reading{Points: column.Points(e.ID), Open: column.Method.OpenParameters(e)}
	figure := p.Figures[column.Method.ID]
	if figure == nil || len(figure.Points(e.ID)) == 0 {
		return r
	}
	swept := figure.SweptValues()
	for name, values := range valuesOf(r.Points) {
		value := figure.Points(e.ID)[0].Params[name]
		if _, varies := swept[name]; !varies && slices.Contains(values, value) {
			if r.Fixed == nil {
				r.Fixed = results.Params{}
			}
			r.Fixed[name] = value
		}
	}
	return r
}
