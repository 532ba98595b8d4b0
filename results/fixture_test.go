package results

import (
	"math/rand/v2"
	"strconv"

	"r2lmlbench/stats"
)

// The paper's columns.
var paperColumns = []Column{
	{ID: "euclidean", Method: "euclidean", Name: "Euclidean"},
	{ID: "itml", Method: "itml", Name: "ITML"},
	{ID: "lmnn", Method: "lmnn", Name: "LMNN"},
	{ID: "lmnn-mm", Method: "lmnn-mm", Name: "LMNN-MM"},
	{ID: "glml", Method: "glml", Name: "GLML"},
	{ID: "plml", Method: "plml", Name: "PLML"},
	{ID: "t-r2lml", Method: "t-r2lml", Name: "T-R2LML"},
	{ID: "e-r2lml", Method: "e-r2lml", Name: "E-R2LML"},
}

func spec(columns ...Column) Spec {
	return Spec{Name: "accuracy", Test: stats.Exact, Alpha: 0.05, Columns: columns}
}

// labels returns n labels 1, 2, 3, 1, 2, ...
func labels(n int) []int {
	l := make([]int, n)
	for i := range l {
		l[i] = i%3 + 1
	}
	return l
}

// cell returns a cell of the method with that many right answers, spread over
// the test set by the seed.
func cell(dataset, method string, correct, n int, seed uint64) Cell {
	truth := labels(n)
	predicted := labels(n)
	for _, i := range rand.New(rand.NewPCG(seed, 1)).Perm(n)[correct:] {
		predicted[i] = truth[i]%3 + 1
	}
	return Cell{
		Inputs: Inputs{
			Dataset: dataset, DatasetDigest: "d1", Split: "authors", SplitDigest: "s1",
			Method: method, Version: 1, Seed: seed, Neighbors: 5,
			Points: []Point{{Params: Params{}}},
		},
		Truth: truth, Predicted: predicted,
	}
}

// bits returns a cell that is right where bits has a '1'.
func bits(method, bits string) Cell {
	c := cell("toy", method, len(bits), len(bits), 1)
	for i, b := range bits {
		if b == '0' {
			c.Predicted[i] = c.Truth[i]%3 + 1
		}
	}
	return c
}

func input(cells ...Cell) CellInput { return CellInput{Cells: cells} }

// paperRows imitates the paper's table: its accuracies, with right answers at
// random places.
func paperRows() []RowInput {
	var rows []RowInput
	for _, p := range AllPublished() {
		n := p.Test
		if p.Dataset == "sonar" {
			n = 128
		}
		if len(rows) == 0 || rows[len(rows)-1].Letter != p.Letter {
			rows = append(rows, RowInput{Dataset: p.Dataset, Letter: p.Letter, Name: p.Dataset, Split: "authors", N: n})
		}
		percent, err := strconv.ParseFloat(p.Accuracy, 64)
		if err != nil {
			panic(err)
		}
		row := &rows[len(rows)-1]
		row.Cells = append(row.Cells, input(cell(p.Dataset, p.Method, int(percent*float64(n)/100+0.5), n, uint64(len(row.Cells)+1))))
	}
	return rows
}
