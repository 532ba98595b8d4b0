package table_test

import (
	"testing"

	"r2lmlbench/experiments/published"
	"r2lmlbench/internal/fixture"
	"r2lmlbench/r2lml"
	"r2lmlbench/results"
	. "r2lmlbench/results/table"
)

func TestWrong(t *testing.T) {
	fact := func(name string, count, of int) results.Count { return results.Count{Name: name, Count: count, Of: of} }
	still := fact(r2lml.MovedFact, 0, 3)
	for _, c := range []struct {
		name, method string
		facts        []results.Count
		want         []string
	}{
		{"another method", "itml", []results.Count{still}, nil},
		{"a cell without facts", published.Efficient, nil, nil},
		{"all is well", published.Efficient,
			[]results.Count{fact(r2lml.MovedFact, 3, 3), fact(r2lml.VerticesFact, 49, 100), fact(r2lml.HalvingsFact, 0, 40), fact(r2lml.UndoneFact, 0, 15)}, nil},
		{"no map moved", published.Transductive, []results.Count{still}, []string{"the maps did not move"}},
		{"some moved", published.Efficient, []results.Count{fact(r2lml.MovedFact, 1, 3)}, []string{"2 of 3 maps did not move"}},
		{"half at vertices", published.Efficient, []results.Count{fact(r2lml.VerticesFact, 50, 100)}, []string{"the coefficients collapsed"}},
		{"halved once", published.Efficient, []results.Count{fact(r2lml.HalvingsFact, 1, 40)}, []string{"the step was halved 1 time after divergence"}},
		{"halved and put back", published.Efficient, []results.Count{fact(r2lml.HalvingsFact, 2, 40), fact(r2lml.UndoneFact, 2, 15)},
			[]string{"the step was halved 2 times after divergence", "2 of 15 runs of block 1 raised the objective, or diverged, and were put back"}},
	} {
		fixture.EqualSlice(t, c.name, Wrong(results.Cell{Inputs: results.Inputs{Method: c.method}, Counts: c.facts}), c.want)
	}
}
