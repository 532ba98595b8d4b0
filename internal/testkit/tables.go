package testkit

import (
	"strings"

	"r2lmlbench/experiments/published"
	"r2lmlbench/internal/fixture"
	"r2lmlbench/results"
	"r2lmlbench/results/table"
	"r2lmlbench/stats"
)

// The paper's columns.
var PaperColumns = []table.Column{
	{ID: "euclidean", Method: "euclidean", Name: "Euclidean"},
	{ID: "itml", Method: "itml", Name: "ITML"},
	{ID: "lmnn", Method: "lmnn", Name: "LMNN"},
	{ID: "lmnn-mm", Method: "lmnn-mm", Name: "LMNN-MM"},
	{ID: "glml", Method: "glml", Name: "GLML"},
	{ID: "plml", Method: "plml", Name: "PLML"},
	{ID: "t-r2lml", Method: "t-r2lml", Name: "T-R2LML"},
	{ID: "e-r2lml", Method: "e-r2lml", Name: "E-R2LML"},
}

// AccuracySpec is that of a table with these columns.
func AccuracySpec(columns ...table.Column) table.Experiment {
	return table.Experiment{Name: "accuracy", Test: stats.Exact, Alpha: 0.05, Columns: columns, Published: published.Of(published.Table())}
}

// InputOf has cells by seed.
func InputOf(cells ...results.Cell) table.CellInput { return table.CellInput{Cells: cells} }

// PaperRows imitates the paper's table: its accuracies, with right answers at
// random places.
func PaperRows() []table.RowInput {
	var rows []table.RowInput
	for _, p := range published.Of(published.Table()) {
		n := p.Test
		if p.Dataset == "sonar" {
			n = 128
		}
		if len(rows) == 0 || rows[len(rows)-1].Letter != p.Letter {
			rows = append(rows, table.RowInput{Dataset: p.Dataset, Letter: p.Letter, Name: p.Dataset, Split: "authors", N: n})
		}
		row := &rows[len(rows)-1]
		row.Cells = append(row.Cells, InputOf(fixture.NewCell(p.Dataset, p.Method, int(p.Percent*float64(n)/100+0.5), n, uint64(len(row.Cells)+1))))
	}
	return rows
}

// Three columns of a made-up table.
var (
	ColumnA = table.Column{ID: "a", Method: "euclidean", Name: "Method A"}
	ColumnB = table.Column{ID: "b", Method: "itml", Name: "Method B"}
	ColumnC = table.Column{ID: "c", Method: "lmnn", Name: "Method C"}
)

// Ones is n bits of 1, Zeros n of 0.
func Ones(n int) string { return strings.Repeat("1", n) }

// Zeros is n bits of 0.
func Zeros(n int) string { return strings.Repeat("0", n) }

// InvertedRow: 60 samples, A 55 right, B 47, C 46. B lacks 8 of A's and has
// none of its own: p = 2/2^8 = 0.0078, adjusted 0.0234. A and C differ 14 to 5
// ways: p = 2·P(X ≤ 5) = 0.0636 for X ~ Bin(19, 1/2), so that C is comparable with A. B and
// C differ 14 to 13 ways: p = 1. Odds ratios are 14/5 and 14/13, of A and B there is none;
// Cohen's g is 1/2, 14/19 - 1/2 and 14/27 - 1/2. The smallest k with 2^(1-k)·3 ≤ 0.05 is 7.
//
// Of 20 samples each of three classes A has 18, 18 and 19 right and gives the labels 19, 20
// and 21 times: F1 is 36/39, 36/40 and 38/41. B has 15, 16 and 16 of 19, 21 and 20, C has 16,
// 15 and 15 of 21, 19 and 20.
func InvertedRow() table.RowInput {
	return table.RowInput{
		Dataset: "toy", Name: "Toy", Split: "authors",
		Cells: []table.CellInput{
			InputOf(fixture.BitCell("a", Zeros(5)+Ones(55))),
			InputOf(fixture.BitCell("b", Zeros(5)+Zeros(8)+Ones(47))),
			InputOf(fixture.BitCell("c", Ones(5)+Ones(8)+Zeros(14)+Ones(33))),
		},
	}
}
