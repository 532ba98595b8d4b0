package diagnosis

import (
	"slices"
	"strings"
	"testing"

	"r2lmlbench/internal/fixture"
	"r2lmlbench/r2lml"
	"r2lmlbench/results"
	"r2lmlbench/results/published"
)

func TestOf(t *testing.T) {
	fact := func(name string, count, of int) results.Fact { return results.Fact{Name: name, Count: count, Of: of} }
	moved, free := fact(r2lml.MovedFact, 3, 3), fact(r2lml.VerticesFact, 49, 100)
	grid := &results.Profile{N: 2, Correct: []int{2, -1, -1}, Failures: map[int]string{
		1: "e-r2lml: epoch 1: metric 1: iteration 2: " + r2lml.DivergenceText + " (beyond 1e+100); take a smaller step", 2: "ran out of its time budget (1s)",
	}}
	for _, c := range []struct {
		name      string
		cell      results.Cell
		has, miss []string // of the line
		wrong     int
	}{
		{"another method", results.Cell{Inputs: results.Inputs{Method: "itml"}, Facts: []results.Fact{free}}, nil, []string{"m", "c", "p"}, 0},
		{"a cell without the fact", results.Cell{Facts: []results.Fact{free}},
			[]string{"whether the maps moved is not known", "no fit diverged", "did not collapse"}, nil, 0},
		{"all is well", results.Cell{Facts: []results.Fact{free, moved}}, []string{"the maps moved", "no fit diverged", "did not collapse"}, nil, 0},
		{"no map moved", results.Cell{Facts: []results.Fact{free, fact(r2lml.MovedFact, 0, 3)}}, []string{"the maps did not move"}, nil, 1},
		{"some moved", results.Cell{Facts: []results.Fact{free, fact(r2lml.MovedFact, 1, 3)}}, []string{"2 of 3 maps did not move"}, nil, 1},
		{"half at vertices", results.Cell{Facts: []results.Fact{fact(r2lml.VerticesFact, 50, 100), moved}}, []string{"collapsed: 50 of 100"}, nil, 1},
		{"one metric", results.Cell{Facts: []results.Fact{moved}}, []string{"the maps moved"}, []string{"coefficients"}, 0},
		{"a diverged point", results.Cell{Facts: []results.Fact{moved}, Validation: grid}, []string{"1 of 3 grid points diverged"}, []string{"no fit"}, 0},
		{"halved", results.Cell{Facts: []results.Fact{moved, fact(r2lml.HalvingsFact, 2, 40)}}, []string{"halved 2 times"}, []string{"no fit"}, 1},
		{"step auto", results.Cell{Facts: []results.Fact{moved, fact(r2lml.HalvingsFact, 0, 40)}},
			[]string{"the fit with the chosen setting did not diverge"}, []string{"no fit"}, 0},
		{"put back", results.Cell{Facts: []results.Fact{moved, fact(r2lml.UndoneFact, 2, 15)}}, []string{"2 of 15 runs of block 1 raised the objective, or diverged"},
			[]string{"no fit"}, 1},
		{"constant", results.Cell{Facts: []results.Fact{moved}, Truth: []int{1, 2}, Predicted: []int{1, 1}}, []string{"one label"}, []string{"not constant"}, 0},
	} {
		if c.cell.Method == "" {
			c.cell.Method = published.Efficient
		}
		d := Of(c.cell)
		fixture.Has(t, c.name, d.Line, c.has...)
		fixture.Lacks(t, c.name, d.Line, c.miss...)
		if len(d.Wrong) != c.wrong || slices.ContainsFunc(d.Wrong, func(part string) bool { return !strings.Contains(d.Line, part) }) {
			t.Errorf("%s: %q of %q is wrong, want %d parts", c.name, d.Wrong, d.Line, c.wrong)
		}
	}
}
