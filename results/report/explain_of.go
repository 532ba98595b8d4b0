package report

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"r2lmlbench/datasets"
	"r2lmlbench/experiments/plan"
	"r2lmlbench/experiments/spec"
	"r2lmlbench/internal/text"
	"r2lmlbench/results"
	"r2lmlbench/results/paper"
	"r2lmlbench/results/store"
	"r2lmlbench/results/table"
	"r2lmlbench/stats"
)

// Explain tells everything behind the number of a data set, by id or letter, and a method, by
// column or id, of the plan's spec: on its first split, with seed 1. name is how the spec
// is called on the command line. The cells come from the first of the stores that has the
// one asked for; its row from the same store. The data files are not needed.
func Explain(ctx context.Context, p plan.Plan, name, dataset, method string, stores ...*store.Store) (Explanation, error) {
	row, column, err := find(p, dataset, method)
	if err != nil {
		return Explanation{}, err
	}
	stores = slices.Clone(stores)
	for i, cells := range stores {
		stores[i] = cells.Snapshot()
	}
	j, st := row.Jobs[column][0], stores[0]
	for _, s := range stores {
		_, ok, err := s.Find(j.Inputs)
		if err != nil {
			return Explanation{}, err
		}
		if ok {
			st = s
			break
		}
	}
	splits := plan.Plan{Spec: p.Spec, Splits: slices.DeleteFunc(slices.Clone(p.Splits), func(r plan.Split) bool { return r.Dataset.ID != row.Dataset.ID })}
	t, err := table.Of(splits, st)
	if err != nil {
		return Explanation{}, err
	}
	all, err := explainRow(name, row, t.Rows[0], st)
	if err != nil {
		return Explanation{}, err
	}
	x := all[column]
	if n := p.Spec.Split.SplitsOf(row.Dataset); n > 1 {
		x.Split.Splits, x.Over = n, over(t, column)
	}
	if x.Status == table.StatusMissing {
		dirs := make([]string, len(stores))
		for i, s := range stores {
			dirs[i] = s.Dir
		}
		x.Reason += "; looked for in " + strings.Join(dirs, " and ")
	}
	if x.Since, err = since(j, p.Spec.Name, st, stores); err != nil {
		return x, err
	}
	if !paper.Judges(p) {
		return x, nil
	}
	for _, st := range stores {
		all, err := paper.Of(ctx, splits, st)
		if err != nil {
			return x, err
		}
		if x.judge(all, st); len(x.Runs) > 0 {
			break
		}
	}
	return x, nil
}

// over is the number of a column over the splits of the one data set of a table; nil where they have no mean.
func over(splits table.Table, column int) *OverSplits {
	row := splits.Pooled().Rows[0]
	c := row.Cells[column]
	if row.Pool == nil || c.Score == nil || c.Spread == nil {
		return nil
	}
	return &OverSplits{*c.Spread, c.Rank}
}

// judge adds the verdict on the published number with its runs in a store, if there are
// any, or says why the column is not comparable with one.
func (x *Explanation) judge(all paper.Verdicts, st *store.Store) {
	for _, l := range all.Excluded {
		if l.Method == x.Method.Column {
			x.Unjudged = "not comparable with the published number: the spec " + l.Reason
		}
	}
	x.AddVerdict(all)
	if x.Verdict == nil {
		return
	}
	for _, r := range x.Verdict.Evidence.Runs {
		x.Runs = append(x.Runs, SeedRun{
			r.Inputs.Seed, r.Inputs.Settings[r.Setting].Params, r.Correct, r.N, stats.Percent(r.Correct, r.N, 2), st.Where(r.Inputs),
		})
	}
}

// since tells from which accepted state of a spec on the cell of a job, which is in
// store, predicts what it does: by the first of the stores that has a history of the
// spec. It is nil without one, and when other predictions are accepted.
func since(j plan.Job, name string, st *store.Store, stores []*store.Store) (*Since, error) {
	c, ok, err := st.Find(j.Inputs)
	if !ok || err != nil {
		return nil, err
	}
	for _, with := range stores {
		states, err := with.History(name)
		if err != nil {
			return nil, err
		}
		if len(states) == 0 {
			continue
		}
		place := j.Key()
		first, ok := store.Since(states, place)
		if !ok || store.Latest(states)[place].Predictions != c.PredictionSum() {
			return nil, nil
		}
		return &Since{State: first + 1, Of: len(states), Revision: states[first].Revision, Dirty: states[first].Dirty}, nil
	}
	return nil, nil
}

// explainRow tells everything behind the numbers of a row of a plan but their verdicts, by column:
// from the row of its table, and the stored cells with seed 1. name is how the spec is called
// on the command line.
func explainRow(name string, row plan.Split, in table.Row, st *store.Store) ([]Explanation, error) {
	cells := map[string]results.Cell{}
	for _, jobs := range row.Jobs {
		c, ok, err := st.Shown(jobs[0].Inputs)
		if err != nil {
			return nil, err
		}
		if ok {
			cells[jobs[0].Column.ID] = c
		}
	}
	var all []Explanation
	for column, jobs := range row.Jobs {
		j, cell := jobs[0], in.Cells[column]
		m := j.Column.Method
		sizes, _ := j.Rule.PartSizes(*j.Dataset) // a rule that the classes have too few rows for has no cells
		x := Explanation{
			Schema: 3, Spec: name, Letter: j.Dataset.Letter, Neighbors: j.Inputs.Neighbors, Seed: j.Inputs.Seed, Status: cell.Status, Reason: cell.Reason,
			Method: MethodFacts{Column: j.Column.ID, ID: m.ID, Name: m.Name, Version: m.Version, Stochastic: m.Stochastic, Source: m.Source},
			Data:   dataFacts(*j.Dataset),
			Split:  SplitFacts{Name: j.Inputs.Split, Digest: j.Inputs.SplitDigest, Train: sizes[0], Validation: sizes[1], Test: sizes[2]},
			Tried:  []TriedPoint{}, Warnings: []string{}, Facts: []results.Count{}, Commands: commands(name, j),
		}
		for _, point := range j.Inputs.Settings {
			x.Tried = append(x.Tried, TriedPoint{Params: point.Params, Restart: point.Restart})
		}
		if cell.Published != "" {
			x.Published = &PublishedRef{Accuracy: cell.Published, Rank: cell.PublishedRank}
			if cell.Score != nil {
				x.Published.Mark = cell.Mark
			}
		}
		if c, ok := cells[j.Column.ID]; ok {
			x.File, x.Data.Digest, x.Split.Digest, x.Neighbors = st.Where(c.Inputs), c.DatasetDigest, c.SplitDigest, j.Neighbors(c.Chosen)
			x.AddCell(c)
			x.AddRow(in, cell, cells)
			if c.GridScores != nil {
				x.Surface = newSurface(c, x.File)
			}
			if run, ok, err := st.Run(c.Inputs); err != nil {
				return nil, err
			} else if ok {
				x.Run = &run
			}
		}
		all = append(all, x)
	}
	return all, nil
}

// commands compute a cell anew, beside those that are stored.
func commands(name string, j plan.Job) []string {
	run := text.Invocation{Spec: name, Datasets: j.Dataset.ID, Methods: j.Column.ID, Results: "results/runs/remade"}.String()
	if j.Dataset.Generated() || j.Dataset.Own() || spec.Imported(*j.Dataset) {
		return []string{run}
	}
	return []string{text.FetchCommand(j.Dataset.ID), run}
}

// find returns the first row of a data set and the index of a method's column.
func find(p plan.Plan, dataset, method string) (plan.Split, int, error) {
	narrowed := *p.Spec
	if err := narrowed.Narrow([]string{dataset}, []string{method}); err != nil {
		return plan.Split{}, 0, fmt.Errorf("explain: %w; --spec names another spec", err)
	}
	if len(narrowed.Columns) > 1 {
		return plan.Split{}, 0, fmt.Errorf("explain: %s has several columns of %s; name one: %s", narrowed.Name, method, strings.Join(narrowed.ColumnIDs(), ", "))
	}
	row := slices.IndexFunc(p.Splits, func(r plan.Split) bool { return r.Dataset.ID == narrowed.Sets[0].ID })
	column := slices.IndexFunc(p.Spec.Columns, func(c spec.Column) bool { return c.ID == narrowed.Columns[0].ID })
	return p.Splits[row], column, nil
}

func dataFacts(e datasets.DataSet) DataFacts {
	d := DataFacts{
		ID: e.ID, Name: e.Name, Rows: e.Rows(), Features: e.Features, PCA: e.PCA, Classes: []ClassFact{}, Sources: []string{},
		Licence: e.Licence, Digest: e.Digest, Note: e.Note, Generated: e.Generated(),
	}
	for i, label := range e.Labels {
		c := ClassFact{Code: i + 1, Label: label, Rows: e.Histogram[i]}
		if e.Classes != nil {
			c.Name = e.Classes[i]
		}
		d.Classes = append(d.Classes, c)
	}
	for _, f := range e.Files {
		for _, s := range f.Sources {
			d.Sources = append(d.Sources, s.URL)
		}
	}
	return d
}
