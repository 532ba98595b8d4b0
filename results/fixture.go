package results

import (
	"math/rand/v2"
	"r2lmlbench/stats"
	"strconv"
	"strings"
	"testing"
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

// gridCell is a cell with everything in it.
func gridCell() Cell {
	return Cell{
		Inputs:     gridInputs(),
		Validation: &Profile{N: 240, Correct: []int{-1, 171}, Failures: map[int]string{0: "step too long: <inf>"}},
		Chosen:     1,
		Truth:      []int{1, 1, 1, 2, 2, 3},
		Predicted:  []int{1, 1, 2, 2, 2, 1},
		Facts:      []Fact{{"coefficients at vertices", 85, 100}},
		Warnings:   []string{"stopped after 500 iterations | not converged"},
	}
}

func encode(t testing.TB, c Cell) []byte {
	t.Helper()
	data, err := EncodeCell(c)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func gridInputs() Inputs {
	return Inputs{
		Dataset: "robot", DatasetDigest: "3e2f8ec98af5cc66", Split: "authors", SplitDigest: "0123456789abcdef",
		Method: "e-r2lml", Version: 1, Seed: 1, Neighbors: 5,
		Points: []Point{
			{Params: Params{"metrics": 1, "lambda": 0.1, "variant": "reference"}},
			{Params: Params{"metrics": 1, "lambda": 1e-5, "variant": "reference"}, Restart: 1},
		},
	}
}

var (
	colA = Column{ID: "a", Method: "euclidean", Name: "Method A"}
	colB = Column{ID: "b", Method: "itml", Name: "Method B"}
	colC = Column{ID: "c", Method: "lmnn", Name: "Method C"}
)

// run of n equal bits
func ones(n int) string  { return strings.Repeat("1", n) }
func zeros(n int) string { return strings.Repeat("0", n) }

// invertedRow: 60 samples, A 55 right, B 47, C 46. B lacks 8 of A's and has
// none of its own: p = 2/2^8 = 0.0078, adjusted 0.0234. A and C differ 14 to 5
// ways: p = 2·P(X ≤ 5) = 0.0636 for X ~ Bin(19, 1/2), so that C is comparable with A.
func invertedRow() RowInput {
	return RowInput{
		Dataset: "toy", Name: "Toy", Split: "authors",
		Cells: []CellInput{
			input(bits("a", zeros(5)+ones(55))),
			input(bits("b", zeros(5)+zeros(8)+ones(47))),
			input(bits("c", ones(5)+ones(8)+zeros(14)+ones(33))),
		},
	}
}

// runsOf returns one cell of n samples per count of right answers, seeds 1, 2, ...
func runsOf(n int, correct ...int) []Cell {
	var runs []Cell
	for i, k := range correct {
		runs = append(runs, cell("robot", "itml", k, n, uint64(i+1)))
	}
	return runs
}
