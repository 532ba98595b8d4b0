package judge

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"r2lmlbench/datasets"
	"r2lmlbench/experiments/plan"
	"r2lmlbench/experiments/spec"
	"r2lmlbench/results"
	"r2lmlbench/results/explain"
	"r2lmlbench/results/store"
	"r2lmlbench/results/table"
)

// Explain tells everything behind the number of a data set, by id or letter,
// and a method, by column or id, of the plan's spec: on its first split, with
// seed 1. name is how the spec is called on the command line. The cells come
// from the first of the stores that has the one asked for; its row from the
// same store. The data files are not needed.
func Explain(ctx context.Context, s *Session, p plan.Plan, name, dataset, method string, stores ...*store.Store) (explain.Explanation, error) {
	row, column, err := find(p, dataset, method)
	if err != nil {
		return explain.Explanation{}, err
	}
	stores = slices.Clone(stores)
	for i, cells := range stores {
		stores[i] = s.snapshot(cells)
	}
	st, err := holder(row.Jobs[column][0], stores)
	if err != nil {
		return explain.Explanation{}, err
	}
	single := plan.Plan{Spec: p.Spec, Rows: []plan.Row{row}}
	t, err := Table(single, st)
	if err != nil {
		return explain.Explanation{}, err
	}
	cells, err := rowCells(row, st)
	if err != nil {
		return explain.Explanation{}, err
	}
	x := explainedCell(name, row, t.Rows[0], column, cells, st)
	if x.Status == table.StatusMissing {
		dirs := make([]string, len(stores))
		for i, s := range stores {
			dirs[i] = s.Dir
		}
		x.Reason += "; looked for in " + strings.Join(dirs, " and ")
	}
	if x.Since, err = since(row.Jobs[column][0], p.Spec.Name, st, stores); err != nil {
		return x, err
	}
	return x, addVerdict(ctx, s, single, &x, stores)
}

// since tells from which accepted state of a spec on the cell of a job, which is in
// store, predicts what it does: by the first of the stores that has a history of the
// spec. It is nil without one, and when other predictions are accepted.
func since(j plan.Job, name string, st *store.Store, stores []*store.Store) (*explain.Since, error) {
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
		place := j.Place()
		first, ok := store.Since(states, place)
		if !ok || store.Latest(states)[place].Predictions != c.PredictionSum() {
			return nil, nil
		}
		return &explain.Since{State: first + 1, Of: len(states), Revision: states[first].Revision, Dirty: states[first].Dirty}, nil
	}
	return nil, nil
}

// rowCells are the stored cells of a row with seed 1, by column.
func rowCells(row plan.Row, s *store.Store) (map[string]results.Cell, error) {
	cells := map[string]results.Cell{}
	for _, jobs := range row.Jobs {
		c, ok, err := s.Find(jobs[0].Inputs)
		if err != nil {
			return nil, err
		}
		if ok {
			cells[jobs[0].Column.ID] = c
		}
	}
	return cells, nil
}

// explainedCell tells everything behind a cell of a row but its verdict. The row of the
// table and the cells, by column, are those in store.
func explainedCell(name string, row plan.Row, in table.Row, column int, cells map[string]results.Cell, s *store.Store) explain.Explanation {
	j, cell := row.Jobs[column][0], in.Cells[column]
	m := j.Column.Method
	sizes, _ := j.Rule.PartSizes(*j.Entry) // a rule that the classes have too few rows for has no cells
	x := explain.Explanation{
		Schema: 3, Spec: name, Letter: j.Entry.Letter, Neighbors: j.Inputs.Neighbors, Seed: j.Inputs.Seed, Status: cell.Status, Reason: cell.Reason,
		Method: explain.MethodFacts{Column: j.Column.ID, ID: m.ID, Name: m.Name, Version: m.Version, Stochastic: m.Stochastic, Source: m.Source},
		Data:   dataFacts(*j.Entry),
		Split:  explain.SplitFacts{Name: j.Inputs.Split, Digest: j.Inputs.SplitDigest, Train: sizes[0], Validation: sizes[1], Test: sizes[2]},
		Tried:  []explain.TriedPoint{}, Warnings: []string{}, Facts: []results.Fact{}, Commands: rerun(name, j),
	}
	for _, point := range j.Inputs.Points {
		x.Tried = append(x.Tried, explain.TriedPoint{Params: point.Params, Restart: point.Restart})
	}
	if cell.Published != "" {
		x.Published = &explain.PublishedRef{Accuracy: cell.Published, Rank: cell.PublishedRank}
		if cell.Score != nil {
			x.Published.Mark = cell.Mark
		}
	}
	c, ok := cells[j.Column.ID]
	if !ok {
		return x
	}
	x.File, x.Data.Digest, x.Split.Digest, x.Neighbors = s.Where(c.Inputs), c.DatasetDigest, c.SplitDigest, j.Neighbors(c.Chosen)
	x.AddCell(c)
	x.AddRow(in, cells)
	if c.Surface != nil {
		x.Surface = explain.NewSurface(c, x.File)
	}
	if r, ok := s.Run(c.Inputs); ok {
		x.Run = &r
	}
	return x
}

// find returns the first row of a data set and the index of a method's column.
func find(p plan.Plan, dataset, method string) (plan.Row, int, error) {
	narrowed := *p.Spec
	if err := narrowed.Narrow([]string{dataset}, []string{method}); err != nil {
		return plan.Row{}, 0, fmt.Errorf("explain: %w; --spec names another spec", err)
	}
	if len(narrowed.Columns) > 1 {
		var ids []string
		for _, c := range narrowed.Columns {
			ids = append(ids, c.ID)
		}
		return plan.Row{}, 0, fmt.Errorf("explain: %s has several columns of %s; name one: %s", narrowed.Name, method, strings.Join(ids, ", "))
	}
	row := slices.IndexFunc(p.Rows, func(r plan.Row) bool { return r.Entry.ID == narrowed.Entries[0].ID })
	column := slices.IndexFunc(p.Spec.Columns, func(c spec.Column) bool { return c.ID == narrowed.Columns[0].ID })
	return p.Rows[row], column, nil
}

// holder returns the first store that has the cell of a job, or the first.
func holder(j plan.Job, stores []*store.Store) (*store.Store, error) {
	for _, s := range stores {
		if _, ok, err := s.Find(j.Inputs); ok || err != nil {
			return s, err
		}
	}
	return stores[0], nil
}

func dataFacts(e datasets.Entry) explain.DataFacts {
	d := explain.DataFacts{
		ID: e.ID, Name: e.Name, Rows: e.Rows(), Features: e.Features, PCA: e.PCA, Classes: []explain.ClassFact{}, Sources: []string{},
		Licence: e.Licence, Digest: e.Digest, Note: e.Note, Generated: e.Generated(),
	}
	for i, label := range e.Labels {
		c := explain.ClassFact{Code: i + 1, Label: label, Rows: e.Histogram[i]}
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

// addVerdict adds the verdict on the published number with its runs, from the first store
// that has any, or says why the column is not comparable with one.
func addVerdict(ctx context.Context, s *Session, p plan.Plan, x *explain.Explanation, stores []*store.Store) error {
	if !p.Spec.AnyNeighbors(plan.PaperNeighbors) {
		return nil
	}
	for _, st := range stores {
		all, err := s.Verdicts(ctx, p, st)
		if err != nil {
			return err
		}
		for _, l := range all.Excluded {
			if l.Method == x.Method.Column {
				x.Unjudged = "not comparable with the published number: the spec " + l.Reason
			}
		}
		x.AddVerdict(all, x.Data.ID, x.Method.Column)
		if x.Verdict == nil || x.Verdict.Runs == 0 {
			continue
		}
		for _, e := range all.Evidence {
			if e.Published.Dataset == x.Data.ID && e.Column == x.Method.Column {
				x.AddRuns(e.Runs, s.snapshot(st).Where)
			}
		}
		return nil
	}
	return nil
}
