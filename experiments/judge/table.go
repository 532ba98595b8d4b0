package judge

import (
	"bytes"
	"fmt"
	"iter"
	"slices"

	"r2lmlbench/experiments/plan"
	"r2lmlbench/experiments/spec"
	"r2lmlbench/results"
	"r2lmlbench/results/gate"
	"r2lmlbench/results/store"
	"r2lmlbench/results/table"
)

// Layers are stores of which the first that has a cell gives it.
type layers []*store.Store

func (l layers) find(in results.Inputs, look func(*store.Store, results.Inputs) (results.Cell, bool, error)) (results.Cell, bool, error) {
	for _, st := range l {
		if cell, ok, err := look(st, in); ok || err != nil {
			return cell, ok, err
		}
	}
	return results.Cell{}, false, nil
}

// printed has the SHA-256 of the table of a plan in every form that is printed: rows of
// data sets in each format, rows of splits as JSON.
// Digests of programs are left out, as the gate compares what edited ones predict.
func printed(p plan.Plan, st layers) (map[string]string, error) {
	rows := func(yield func(table.RowInput, error) bool) {
		for in, err := range rowInputs(p, st) {
			for _, c := range in.Cells {
				for i := range c.Cells {
					c.Cells[i].Points = gate.WithoutPrograms(c.Cells[i].Points)
				}
			}
			if !yield(in, err) {
				return
			}
		}
	}
	sums := map[string]string{}
	digest := func(form, format string, t table.Table) error {
		var b bytes.Buffer
		if err := t.Render(&b, format, table.Options{Notes: true}); err != nil {
			return err
		}
		sums[form] = results.Digest(b.Bytes())
		return nil
	}
	splits, err := table.From(tableSpec(p), rows)
	if err != nil {
		return nil, err
	}
	if err := digest("splits", "json", splits); err != nil {
		return nil, err
	}
	pooled, err := table.Pooled(tableSpec(p), rows)
	if err != nil {
		return nil, err
	}
	answers, err := contrasts(p, rows)
	if err != nil {
		return nil, err
	}
	if len(answers) > 0 {
		pooled.Contrasts = answers
	}
	for _, format := range []string{"text", "markdown", "latex", "csv", "json"} {
		if err := digest(format, format, pooled); err != nil {
			return nil, err
		}
	}
	return sums, nil
}

// Table makes the ranked table of a plan from the cells in store. Cells that
// are not there or failed are shown as such.
func Table(p plan.Plan, st *store.Store) (table.Table, error) {
	return table.From(tableSpec(p), rowInputs(p, layers{st.Snapshot()}))
}

// PooledTable is Table with one row for each data set, see table.Pooled.
func PooledTable(p plan.Plan, st *store.Store) (table.Table, error) {
	return table.Pooled(tableSpec(p), rowInputs(p, layers{st.Snapshot()}))
}

// gathered has all rows of a table at once, and ends with the first error.
func gathered(rows iter.Seq2[table.RowInput, error]) ([]table.RowInput, error) {
	var all []table.RowInput
	for in, err := range rows {
		if err != nil {
			return nil, err
		}
		all = append(all, in)
	}
	return all, nil
}

// rowInputs gathers the cells of every seed behind the table of a plan row by row, and ends with the first error.
func rowInputs(p plan.Plan, st layers) iter.Seq2[table.RowInput, error] {
	return func(yield func(table.RowInput, error) bool) {
		for _, row := range p.Rows {
			in, err := rowInput(p, row, st)
			if !yield(in, err) || err != nil {
				return
			}
		}
	}
}

func rowInput(p plan.Plan, row plan.Row, st layers) (table.RowInput, error) {
	sizes, _ := row.Rule.PartSizes(row.Entry) // a rule that the classes have too few rows for has no cells
	in := table.RowInput{
		Dataset: row.Entry.ID, Letter: row.Entry.Letter, Name: row.Entry.Name,
		Split: spec.SplitName(row.Entry, row.Rule), Repeat: number(row, p.Spec), N: sizes[2], Train: sizes[0], Note: row.Entry.Note,
		Permuted: row.Rule.Kind == "shuffled",
		Unlike:   row.Entry.Generated() || !plan.OfPaper(row.Rule) || otherNeighbors(p.Spec),
	}
	for i, jobs := range row.Jobs {
		cell, err := stored(st, p.Spec.Columns[i], jobs)
		if err != nil {
			return in, err
		}
		in.Cells = append(in.Cells, cell)
	}
	return in, nil
}

// tableSpec is what package table needs to know of the plan's spec.
func tableSpec(p plan.Plan) table.Spec {
	s := table.Spec{Name: p.Spec.Name, Test: p.Spec.Test.Variant, Alpha: p.Spec.Test.Alpha, Metrics: p.Spec.Metrics}
	untuned := p.Spec.Untuned()
	for i, c := range p.Spec.Columns {
		s.Columns = append(s.Columns, table.Column{ID: c.ID, Method: c.Method.ID, Name: c.Heading(), Swept: c.SweptValues(), Scaled: c.Scaled(), Select: c.Select,
			Protocol: c.Protocol(), Untuned: slices.Contains(untuned, &p.Spec.Columns[i]),
			OtherK: !c.HasNeighbors(plan.PaperNeighbors) && !otherNeighbors(p.Spec)})
	}
	return s
}

// otherNeighbors tells whether the k of a spec is one, and not that of the paper.
func otherNeighbors(s *spec.Spec) bool {
	return len(s.Neighbors) == 1 && s.Neighbors[0] != plan.PaperNeighbors
}

// number is the repeat that a row shows: 0 when the spec has one split only.
func number(r plan.Row, s *spec.Spec) int {
	if s.Split.SplitsOf(r.Entry) == 1 {
		return 0
	}
	return r.Repeat
}

// stored collects the cells of one column of a row, seed by seed. The first
// seed decides whether there is one.
func stored(st layers, c spec.Column, jobs []plan.Job) (table.CellInput, error) {
	var in table.CellInput
	if jobs[0].LeftOut() {
		in.Status, in.Reason = "missing", "the spec leaves this data set out"
		return in, nil
	}
	for i, j := range jobs {
		cell, ok, err := st.find(j.Inputs, (*store.Store).Find)
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
			in.Reason = plan.WhyNotImported
		}
		if failed, ok, err := st.find(j.Inputs, (*store.Store).Failed); err != nil {
			return in, err
		} else if ok {
			in.Status, in.Reason = "failed", fmt.Sprintf("%s; --retry-failed tries it again", failed.Failure)
		}
		return in, nil
	}
	return in, nil
}
