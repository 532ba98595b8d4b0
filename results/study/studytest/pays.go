package studytest

import (
	"fmt"

	"r2lmlbench/results"
	"r2lmlbench/results/table"
)

// PaysFamilies are the scopes of the columns of [Pays].
var PaysFamilies = []string{"none", "none", "global", "global", "class-wise", "local", "local"}

// Pays imitates spec pays: seven methods on 8 data sets with 3 random splits each, of 40
// training samples, 20 validation samples and 200 test samples. Every method is right on
// 100 test samples, and on the given numbers more by family; the second one of a family
// is right on 6 less, and on 2 validation samples less. All but the reference choose.
func Pays(more map[string]int) table.Table {
	t := table.Table{Spec: "pays", Test: results.TestInfo{Pair: "mcnemar-exact", Correction: "holm", Alpha: 0.05}}
	for _, id := range []string{"euclidean-raw", "euclidean", "gmml", "kissme", "lmnn-mm", "glml", "plml"} {
		t.Columns = append(t.Columns, table.Column{ID: id, Method: id, Name: id})
	}
	for set := range 8 {
		for split := range 3 {
			r := table.Row{Dataset: fmt.Sprint("set", set), Name: fmt.Sprint("Set ", set), Repeat: split + 1, N: 200}
			r.Split = fmt.Sprint("random seed=1 repeat=", r.Repeat)
			for i, family := range PaysFamilies {
				right, validation := 100+set+split+more[family], 15
				if i > 0 && PaysFamilies[i-1] == family && family != "none" {
					right, validation = right-6, validation-2
				}
				cell := Got(right, r.N)
				cell.Params = results.Params{"x": 1}
				if i > 0 {
					cell.Validation = &table.Tally{Correct: validation, Of: 20}
				}
				if split == 0 && i > 0 {
					cell.Params["features"] = "zscore"
				}
				r.Cells = append(r.Cells, cell)
			}
			t.Rows = append(t.Rows, r)
		}
	}
	return t
}

// PaysGrid is the grid of its columns: one setting, or one for each scaling.
func PaysGrid(column int) []results.Point {
	raw := results.Point{Params: results.Params{"x": 1}}
	if column == 0 {
		return []results.Point{raw}
	}
	return []results.Point{raw, {Params: results.Params{"x": 1, "features": "zscore"}}}
}
