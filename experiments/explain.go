package experiments

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"r2lmlbench/datasets"
	"r2lmlbench/results"
)

// Explain tells everything behind the number of a data set, by id or letter,
// and a method, by column or id, of the plan's spec: on its first split, with
// seed 1. name is how the spec is called on the command line. The cells come
// from the first of the stores that has the one asked for; its row from the
// same store. source tells how other specs divide the data set, whose commands
// remake the runs behind the verdict; it may lack the files.
func (p Plan) Explain(ctx context.Context, source *Source, name, dataset, method string, stores ...*results.Store) (results.Explanation, error) {
	row, column, err := p.find(dataset, method)
	if err != nil {
		return results.Explanation{}, err
	}
	stores = slices.Clone(stores)
	for i, s := range stores {
		stores[i] = s.Snapshot()
	}
	store, err := holder(row.Jobs[column][0], stores)
	if err != nil {
		return results.Explanation{}, err
	}
	single := Plan{Spec: p.Spec, Rows: []Row{row}}
	table, err := single.Table(store)
	if err != nil {
		return results.Explanation{}, err
	}
	x, err := explainedCell(name, row, table.Rows[0], column, store)
	if err != nil {
		return x, err
	}
	behind, err := single.addVerdict(&x, stores)
	if err != nil || x.Behind == nil {
		return x, err
	}
	x.Behind.Commands, err = p.remakeAll(ctx, source, name, behind)
	return x, err
}

// explainedCell tells everything behind a cell of a row but its verdict; in is
// the row of the table that was made from store.
func explainedCell(name string, row Row, in results.Row, column int, store *results.Store) (results.Explanation, error) {
	x := explained(name, row.Jobs[column][0])
	cell := in.Cells[column]
	x.Status, x.Reason = cell.Status, cell.Reason
	if cell.Published != "" {
		x.Published = &results.PublishedRef{Accuracy: cell.Published, Rank: cell.PublishedRank}
		if cell.Score != nil {
			x.Published.Mark = cell.Mark
		}
	}
	return x, addCells(&x, row, in, column, store)
}

// find returns the first row of a data set and the index of a method's column.
func (p Plan) find(dataset, method string) (Row, int, error) {
	spec := *p.Spec
	if err := spec.Narrow([]string{dataset}, []string{method}); err != nil {
		return Row{}, 0, err
	}
	if len(spec.Columns) > 1 {
		return Row{}, 0, fmt.Errorf("explain: %s has several columns of %s; name one: %s", spec.Name, method, columnIDs(spec.Columns))
	}
	row := slices.IndexFunc(p.Rows, func(r Row) bool { return r.Entry.ID == spec.Entries[0].ID })
	column := slices.IndexFunc(p.Spec.Columns, func(c Column) bool { return c.ID == spec.Columns[0].ID })
	return p.Rows[row], column, nil
}

func columnIDs(columns []Column) string {
	ids := make([]string, len(columns))
	for i, c := range columns {
		ids[i] = c.ID
	}
	return strings.Join(ids, ", ")
}

// holder returns the first store that has the cell of a job, or the first.
func holder(j Job, stores []*results.Store) (*results.Store, error) {
	for _, s := range stores {
		if _, ok, err := s.Find(j.Inputs); ok || err != nil {
			return s, err
		}
	}
	return stores[0], nil
}

// explained tells what is known of a job before it is computed.
func explained(name string, j Job) results.Explanation {
	m := j.Column.Method
	x := results.Explanation{
		Schema: 1, Spec: name, Letter: j.Entry.Letter,
		Method: results.MethodFacts{Column: j.Column.ID, ID: m.ID, Name: m.Name, Version: m.Version, Stochastic: m.Stochastic, Source: m.Source},
		Data:   dataFacts(j.Entry), Split: splitFacts(j), Neighbors: j.Inputs.Neighbors, Seed: j.Inputs.Seed,
		Tried: []results.TriedPoint{}, Warnings: []string{}, Facts: []results.Fact{}, Commands: remake(name, j),
	}
	for _, point := range j.Inputs.Points {
		x.Tried = append(x.Tried, results.TriedPoint{Params: point.Params, Restart: point.Restart})
	}
	return x
}

func dataFacts(e datasets.Entry) results.DataFacts {
	d := results.DataFacts{
		ID: e.ID, Name: e.Name, Rows: e.Rows(), Features: e.Features, PCA: e.PCA, Classes: []results.ClassFact{}, Sources: []string{},
		Licence: e.Licence, Digest: e.Digest, Note: e.Note, Generated: e.Generated(),
	}
	for i, label := range e.Labels {
		d.Classes = append(d.Classes, results.ClassFact{Code: i + 1, Label: label, Rows: e.Histogram[i]})
	}
	for _, f := range e.Files {
		for _, s := range f.Sources {
			d.Sources = append(d.Sources, s.URL)
		}
	}
	return d
}

func splitFacts(j Job) results.SplitFacts {
	e := j.Entry
	return results.SplitFacts{
		Name: j.Inputs.Split, Digest: j.Inputs.SplitDigest,
		Train: e.Sizes.Train * len(e.Labels), Validation: e.Sizes.Validation * len(e.Labels), Test: e.TestSize(),
	}
}

// shellWord quotes what a shell would not take as one word.
func shellWord(text string) string {
	plain := func(r rune) bool {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("-_./:", r)
	}
	if text != "" && !strings.ContainsFunc(text, func(r rune) bool { return !plain(r) }) {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

// addCells adds what the stored cells of the row tell, by column.
func addCells(x *results.Explanation, row Row, in results.Row, column int, store *results.Store) error {
	cells := map[string]results.Cell{}
	for _, jobs := range row.Jobs {
		c, ok, err := store.Find(jobs[0].Inputs)
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
	x.File, x.Data.Digest, x.Split.Digest = store.Where(c.Inputs), c.DatasetDigest, c.SplitDigest
	x.AddCell(c)
	x.AddRow(in, cells)
	if r, ok := store.Run(c.Inputs); ok {
		x.Run = &r
	}
	return nil
}

// addVerdict adds the verdict on the published number with the runs behind it,
// from the first store that has any, or says why the column is no counterpart of
// one. It returns the cells of those runs.
func (p Plan) addVerdict(x *results.Explanation, stores []*results.Store) ([]results.Cell, error) {
	if p.Spec.Neighbors != paperNeighbors {
		return nil, nil
	}
	for _, store := range stores {
		evidence, left, err := p.evidence(store.Snapshot())
		if err != nil {
			return nil, err
		}
		for _, l := range left {
			if l.Method == x.Method.Column {
				x.Unjudged = "no counterpart of the published number: the spec " + l.Reason
			}
		}
		for _, e := range evidence {
			if e.Column != x.Method.Column {
				continue
			}
			v, err := results.NewVerdict(e)
			if err != nil {
				return nil, err
			}
			if x.Verdict == nil || v.Verdict != results.VerdictMissing {
				x.Verdict = &v
			}
			if cells := e.Behind(v); len(cells) > 0 {
				x.Behind = results.NewRunsBehind(cells, store)
				return cells, nil
			}
		}
	}
	return nil, nil
}
