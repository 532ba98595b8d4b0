package report

import (
	"slices"
	"strconv"

	"r2lmlbench/results/document"
	"r2lmlbench/results/table"
)

// addPooled puts a row for all splits of a data set in the place of the rows of single
// splits, in the list of data sets.
func (in Input) addPooled(v *view) {
	t := *in.Pooled
	v.Sets = nil
	for _, r := range t.Rows {
		v.Sets = append(v.Sets, in.pooledRow(r, v.Rows))
	}
	for i, r := range in.Table.Rows {
		v.Rows[i].Anchor = rowAnchor(table.Row{Dataset: r.Dataset})
	}
}

// addPooledTable adds Pooled as a table, and apart from it the list of its notes.
func (in Input) addPooledTable(v *view) error {
	if in.Pooled == nil {
		return nil
	}
	blocks, err := in.Pooled.Blocks()
	if err != nil {
		return err
	}
	const label = "All splits of a data set together"
	var notes, others []document.Block
	for _, b := range blocks {
		if _, list := b.(document.List); list {
			notes = append(notes, b)
		} else {
			others = append(others, b)
		}
	}
	v.PooledNotes, v.Pooled = document.HTML(label, notes...), document.HTML(label, others...)
	return nil
}

// pooledRow is the view of a row of Pooled; splits are those of the single splits.
func (in Input) pooledRow(r table.Row, splits []rowView) rowView {
	first := slices.IndexFunc(in.Table.Rows, func(one table.Row) bool { return one.Dataset == r.Dataset })
	row := rowView{Title: rowTitle(r), Anchor: rowAnchor(table.Row{Dataset: r.Dataset}), N: r.N, Facts: splits[first].Facts}
	if r.Pool != nil {
		row.Facts = in.pooledFacts(r, first)
	}
	for j, c := range r.Cells {
		cell := cellView{Value: "–", Column: j, RowTitle: row.Title, Method: in.Pooled.Columns[j].Name}
		if r.Pool == nil {
			cell.Href = splits[first].Cells[j].Href
		}
		if c.Score != nil {
			cell.Value, cell.Best, cell.Letters = c.Accuracy, c.Best, c.Letters
			if c.Rank > 0 {
				cell.Rank = strconv.Itoa(c.Rank)
			}
		}
		row.Cells = append(row.Cells, cell)
	}
	row.Gist = gist(r, ranking(r, row.Cells))
	return row
}

// pooledFacts tell what the data of a pooled row are; first is its first split.
func (in Input) pooledFacts(r table.Row, first int) [][2]string {
	facts := [][2]string{{"Split", r.Split}}
	if len(in.Cells[first]) > 0 {
		x := in.Cells[first][0]
		facts = append(noted(dataFacts(x.Data)), [2]string{"Split", r.Split})
		for _, f := range splitFacts(x.Split) {
			if f[0] == "Sizes" {
				facts = append(facts, [2]string{"Sizes of the first split", f[1]})
			}
		}
	}
	return append(facts, [2]string{"Splits", strconv.Itoa(r.Pool.Splits)}, [2]string{"Test samples of all splits", strconv.Itoa(r.N)})
}
