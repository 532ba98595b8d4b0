package study

import (
	"slices"
	"testing"

	"r2lmlbench/results/table"
)

// TestSpeeds: means over the splits of a data set and then over the sets, small and large
// ones apart; sets that a method lacks are left out, and a method that has none is.
func TestSpeeds(t *testing.T) {
	tab := table.Table{Columns: []table.Column{{ID: "fast"}, {ID: "slow"}, {ID: "worse"}, {ID: "small-only"}}}
	row := func(dataset string, correct ...int) {
		r := table.Row{Dataset: dataset, N: 10, Cells: make([]table.Cell, 4)}
		for i, n := range correct {
			r.Cells[i].Score = &table.Score{Correct: n}
		}
		tab.Rows = append(tab.Rows, r)
	}
	row("a", 5, 7, 4, 9)
	row("a", 7, 9, 6, 9)
	row("b", 4, 8, 4, 9)
	row("c", 6, 5, 5)
	row("d", 9, 9) // worse has no result
	var costs []Cost
	for dataset, samples := range map[string]int{"a": 100, "b": 1000, "c": 1001, "d": 5000} {
		for method, seconds := range map[string]float64{"fast": 1, "slow": 4, "worse": 2, "small-only": 8} {
			costs = append(costs, Cost{Dataset: dataset, Method: method, Samples: samples, Seconds: seconds})
		}
	}
	small, large, sets := Speeds(tab, costs)
	if want := []Speed{{"fast", 50, 1, true}, {"worse", 45, 2, false}, {"slow", 80, 4, true}, {"small-only", 90, 8, true}}; !slices.Equal(small, want) {
		t.Errorf("small sets: %v, want %v", small, want)
	}
	if want := []Speed{{"fast", 60, 1, true}, {"worse", 50, 2, false}, {"slow", 50, 4, false}}; !slices.Equal(large, want) {
		t.Errorf("large sets: %v, want %v", large, want)
	}
	if sets != [2]int{2, 1} {
		t.Errorf("%v data sets, want 2 and 1", sets)
	}
}
