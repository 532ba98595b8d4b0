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
	x, err := explainedCell(name, row, t.Rows[0], column, st)
	if err != nil {
		return x, err
	}
	if x.Status == table.StatusMissing {
		x.Reason += "; looked for in " + places(stores)
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

// explainedCell tells everything behind a cell of a row but its verdict; in is
// the row of the table that was made from store.
func explainedCell(name string, row plan.Row, in table.Row, column int, s *store.Store) (explain.Explanation, error) {
	x := explained(name, row.Jobs[column][0])
	cell := in.Cells[column]
	x.Status, x.Reason = cell.Status, cell.Reason
	if cell.Published != "" {
		x.Published = &explain.PublishedRef{Accuracy: cell.Published, Rank: cell.PublishedRank}
		if cell.Score != nil {
			x.Published.Mark = cell.Mark
		}
	}
	return x, addCells(&x, row, in, column, s)
}

// find returns the first row of a data set and the index of a method's column.
func find(p plan.Plan, dataset, method string) (plan.Row, int, error) {
	narrowed := *p.Spec
	if err := narrowed.Narrow([]string{dataset}, []string{method}); err != nil {
		return plan.Row{}, 0, fmt.Errorf("explain: %w; --spec names another spec", err)
	}
	if len(narrowed.Columns) > 1 {
		return plan.Row{}, 0, fmt.Errorf("explain: %s has several columns of %s; name one: %s", narrowed.Name, method, columnIDs(narrowed.Columns))
	}
	row := slices.IndexFunc(p.Rows, func(r plan.Row) bool { return r.Entry.ID == narrowed.Entries[0].ID })
	column := slices.IndexFunc(p.Spec.Columns, func(c spec.Column) bool { return c.ID == narrowed.Columns[0].ID })
	return p.Rows[row], column, nil
}

func columnIDs(columns []spec.Column) string {
	ids := make([]string, len(columns))
	for i, c := range columns {
		ids[i] = c.ID
	}
	return strings.Join(ids, ", ")
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

// places names the directories of stores.
func places(stores []*store.Store) string {
	dirs := make([]string, len(stores))
	for i, s := range stores {
		dirs[i] = s.Dir
	}
	return strings.Join(dirs, " and ")
}

// explained tells what is known of a job before it is computed.
func explained(name string, j plan.Job) explain.Explanation {
	m := j.Column.Method
	x := explain.Explanation{
		Schema: 3, Spec: name, Letter: j.Entry.Letter,
		Method: explain.MethodFacts{Column: j.Column.ID, ID: m.ID, Name: m.Name, Version: m.Version, Stochastic: m.Stochastic, Source: m.Source},
		Data:   dataFacts(*j.Entry), Split: splitFacts(j), Neighbors: j.Inputs.Neighbors, Seed: j.Inputs.Seed,
		Tried: []explain.TriedPoint{}, Warnings: []string{}, Facts: []results.Fact{}, Commands: rerun(name, j),
	}
	for _, point := range j.Inputs.Points {
		x.Tried = append(x.Tried, explain.TriedPoint{Params: point.Params, Restart: point.Restart})
	}
	return x
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

func splitFacts(j plan.Job) explain.SplitFacts {
	sizes, _ := j.Rule.PartSizes(*j.Entry) // a rule that the classes have too few rows for has no cells
	return explain.SplitFacts{
		Name: j.Inputs.Split, Digest: j.Inputs.SplitDigest,
		Train: sizes[0], Validation: sizes[1], Test: sizes[2],
	}
}

// addCells adds what the stored cells of the row tell, by column.
func addCells(x *explain.Explanation, row plan.Row, in table.Row, column int, s *store.Store) error {
	cells := map[string]results.Cell{}
	for _, jobs := range row.Jobs {
		c, ok, err := s.Find(jobs[0].Inputs)
		if err != nil {
			return err
		}
		if ok {
			cells[jobs[0].Column.ID] = c
		}
	}
	c, ok := cells[row.Jobs[column][0].Column.ID]
	if !ok {
		return nil
	}
	x.File, x.Data.Digest, x.Split.Digest = s.Where(c.Inputs), c.DatasetDigest, c.SplitDigest
	x.Neighbors = row.Jobs[column][0].Neighbors(c.Chosen)
	x.AddCell(c)
	x.AddRow(in, cells)
	if c.Surface != nil {
		x.Surface = explain.NewSurface(c, x.File)
	}
	if r, ok := s.Run(c.Inputs); ok {
		x.Run = &r
	}
	return nil
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
