package experiments

import (
	"fmt"

	"r2lmlbench/datasets"
	"r2lmlbench/results"
)

// Table makes the ranked table of a plan from the cells in store. Cells that
// are not there or failed are shown as such.
func (p Plan) Table(store *results.Store) (results.Table, error) {
	store = store.Snapshot()
	var rows []results.RowInput
	for _, row := range p.Rows {
		in := results.RowInput{
			Dataset: row.Entry.ID, Letter: row.Entry.Letter, Name: row.Entry.Name,
			Split: splitName(row.Entry, row.Rule), Repeat: row.number(p.Spec), N: row.Entry.TestSize(), Note: row.Entry.Note,
			Unlike: row.Entry.Generated() || row.Rule != paperRule || p.Spec.Neighbors != 5,
		}
		for i, jobs := range row.Jobs {
			cell, err := stored(store, p.Spec.Columns[i], jobs)
			if err != nil {
				return results.Table{}, err
			}
			in.Cells = append(in.Cells, cell)
		}
		rows = append(rows, in)
	}
	return results.NewTable(p.tableSpec(), rows), nil
}

// tableSpec is what package results needs to know of the plan's spec.
func (p Plan) tableSpec() results.Spec {
	spec := results.Spec{Name: p.Spec.Name, Test: p.Spec.Test.Variant, Alpha: p.Spec.Test.Alpha}
	for _, c := range p.Spec.Columns {
		spec.Columns = append(spec.Columns, results.Column{ID: c.ID, Method: c.Method.ID, Name: c.printed(), Built: c.Method.Built, Swept: c.swept()})
	}
	return spec
}

// paperRule is the split of the paper's table, for which ours is compared value
// by value.
var paperRule = datasets.Rule{Kind: "authors", PCAFit: "all"}

// number is the repeat that a row shows: 0 when the spec has one split only.
func (r Row) number(spec *Spec) int {
	if spec.Split.Repeats == 1 && spec.Split.Rule != "alternatives" {
		return 0
	}
	return r.Repeat
}

// printed is the heading of a column: the method's name, or the name that the
// spec gives it.
func (c Column) printed() string {
	if c.ID == c.Method.ID {
		return c.Method.Name
	}
	return c.ID
}

// swept returns the swept parameters of a column by name, nil without a sweep.
func (c Column) swept() map[string]string {
	if len(c.Swept) == 0 {
		return nil
	}
	values := map[string]string{}
	for _, s := range c.Swept {
		values[s.Name] = s.Value
	}
	return values
}

// stored collects the cells of one column of a row, seed by seed. The first
// seed decides whether there is one.
func stored(store *results.Store, c Column, jobs []Job) (results.CellInput, error) {
	if !c.Method.Built {
		return results.CellInput{Status: "missing", Reason: "method not built yet"}, nil
	}
	var in results.CellInput
	for i, j := range jobs {
		cell, ok, err := store.Find(j.Inputs)
		if err != nil {
			return in, err
		}
		if ok {
			in.Cells = append(in.Cells, cell)
			continue
		}
		if i > 0 {
			continue
		}
		in.Status, in.Reason = "missing", "not computed yet; run the spec"
		if c.Method.Imported {
			in.Reason = whyNotImported
		}
		if failed, ok, err := store.Failed(j.Inputs); err != nil {
			return in, err
		} else if ok {
			in.Status, in.Reason = "failed", fmt.Sprintf("%s; --retry-failed tries it again", failed.Failure)
		}
		return in, nil
	}
	return in, nil
}
