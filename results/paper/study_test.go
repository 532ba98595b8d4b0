package paper

import (
	"strings"
	"testing"

	"r2lmlbench/internal/fixture"
	"r2lmlbench/results/table"
)

// madeUp is a table of columns that are written as their ids, such as "e-r2lml:metrics=2".
func madeUp(columns string, rows ...table.Row) table.Table {
	t := table.Table{Rows: rows}
	for _, id := range strings.Fields(columns) {
		parts := strings.Split(id, ":")
		c := table.Column{ID: id, Method: parts[0], Swept: map[string]string{}}
		for _, part := range parts[1:] {
			name, value, _ := strings.Cut(part, "=")
			c.Swept[name] = value
		}
		t.Columns = append(t.Columns, c)
	}
	return t
}

// row has so many of 100 test samples right in each column; a negative number stands for a
// missing cell.
func row(dataset string, right ...int) table.Row {
	r := table.Row{Dataset: dataset, N: 100}
	for _, n := range right {
		c := table.Result{Status: table.StatusMissing}
		if n >= 0 {
			c = table.Result{Score: &table.Score{Correct: n}}
		}
		r.Cells = append(r.Cells, c)
	}
	return r
}

// TestSpeeds: means over the splits of a data set and then over the sets, small and large
// ones apart; sets that a method lacks are left out, and a method that has none is.
func TestSpeeds(t *testing.T) {
	ten := func(dataset string, right ...int) table.Row {
		r := row(dataset, right...)
		r.N = 10
		return r
	}
	made := madeUp("fast slow worse small-only", ten("a", 5, 7, 4, 9), ten("a", 7, 9, 6, 9), ten("b", 4, 8, 4, 9), ten("c", 6, 5, 5, -1), ten("d", 9, 9, -1, -1))
	var costs []Cost
	for dataset, samples := range map[string]int{"a": 100, "b": 1000, "c": 1001, "d": 5000} {
		for method, seconds := range map[string]float64{"fast": 1, "slow": 4, "worse": 2, "small-only": 8} {
			costs = append(costs, Cost{Dataset: dataset, Method: method, Samples: samples, Seconds: seconds})
		}
	}
	speeds, sets := Speeds(made, costs)
	fixture.EqualSlice(t, "small sets", speeds[0], []Speed{{"fast", 50, 1, true}, {"worse", 45, 2, false}, {"slow", 80, 4, true}, {"small-only", 90, 8, true}})
	fixture.EqualSlice(t, "large sets", speeds[1], []Speed{{"fast", 60, 1, true}, {"worse", 50, 2, false}, {"slow", 50, 4, false}})
	fixture.Equal(t, "data sets", sets, [2]int{2, 1})
	alike, _ := Speeds(madeUp("fast slow", ten("a", 5, 5)), []Cost{{"a", "fast", 100, 1}, {"a", "slow", 100, 2}})
	fixture.EqualSlice(t, "as accurate and slower", alike[0], []Speed{{"fast", 50, 1, true}, {"slow", 50, 2, false}})
}
