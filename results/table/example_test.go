package table_test

import (
	"fmt"
	"slices"
	"strings"

	"r2lmlbench/experiments/published"
	"r2lmlbench/internal/document"
	"r2lmlbench/results"
	"r2lmlbench/results/table"
)

// predictions gets the first right samples right.
func predictions(method string, right int) table.CellInput {
	truth := slices.Repeat([]int{1, 2}, 35)
	predicted := slices.Repeat([]int{2, 1}, 35)
	copy(predicted, truth[:right])
	return table.CellInput{Cells: []results.Cell{{
		Inputs: results.Inputs{Dataset: "breasttissue", Split: "authors", Method: method, Seed: 1, Neighbors: 5, Settings: []results.Setting{{}}},
		Truth:  truth, Predicted: predicted,
	}}}
}

func ExampleNew() {
	spec := table.Experiment{Name: "example", Alpha: 0.05, Published: published.Of(published.Table()), Columns: []table.Column{
		{ID: "euclidean", Method: "euclidean", Name: "Euclidean"},
		{ID: "e-r2lml", Method: "e-r2lml", Name: "E-R2LML"},
	}}
	ranked := table.New(spec, []table.RowInput{{
		Dataset: "breasttissue", Letter: "J", Name: "Breast Tissue", Split: "authors", N: 70,
		Cells: []table.CellInput{predictions("euclidean", 26), predictions("e-r2lml", 42)},
	}})
	var markdown strings.Builder
	if err := ranked.Render(&markdown, "markdown", document.Style{}); err != nil {
		fmt.Println(err)
	}
	shown, notes, _ := strings.Cut(markdown.String(), "\n\n")
	fmt.Println(shown)
	fmt.Println(strings.Count(notes, "\n"), "notes")
	pair := ranked.Rows[0].Pairs[0]
	fmt.Printf("%s and %s: only the one right %d, only the other %d, p = %.6g\n", pair.A, pair.B, pair.Paired.OnlyFirst, pair.Paired.OnlySecond, pair.P)
	// Output:
	// | data | n | Euclidean | E-R2LML | Majority |
	// |:---|---:|:---|:---|---:|
	// | J Breast Tissue | 70 | 37.14² (37.14⁴) = | **60.00**¹ (58.57¹) +1.43 | 50.00 |
	// 5 notes
	// euclidean and e-r2lml: only the one right 0, only the other 16, p = 3.05176e-05
}
