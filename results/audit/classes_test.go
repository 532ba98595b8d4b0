package audit

import (
	"fmt"
	"testing"

	"r2lmlbench/internal/fixture"
)

// Made-up rows of 100 test samples and five methods.
func TestClassesOfMadeUpRows(t *testing.T) {
	row := func(correct, rank []int) printedRow {
		r := Row{ID: "Y", N: 100}
		for i, n := range correct {
			r.Printed, r.Rank = append(r.Printed, Printed(fmt.Sprint(n))), append(r.Rank, Rank(rank[i]))
		}
		names := []string{"a", "b", "c", "d", "e"}[:len(correct)]
		table := Table{Name: "t", Unit: percent, Columns: names, Names: names, Test: Test{Correction: holm, Alpha: 0.05}}
		made := table.newPrintedRow(r)
		made.bound()
		return made
	}
	for _, c := range []struct {
		name string
		row  printedRow
		want []string
	}{
		{"behind the best", row([]int{90, 89, 10}, []int{1, 2, 3}), []string{"infeasible-rank first-rank"}},
		{"with the best", row([]int{90, 10}, []int{1, 1}), []string{"infeasible-rank first-rank"}},
		{"no peer", row([]int{95, 50, 10}, []int{1, 2, 2}), []string{"infeasible-rank no-peer"}},
		{"a peer that is no leader", row([]int{99, 70, 50, 35}, []int{1, 2, 2, 2}), []string{"infeasible-rank leader-rule"}},
		{"later ranks", row([]int{95, 50, 49}, []int{1, 2, 3}), []string{"infeasible-rank leader-rule"}},
		{"a chain", row([]int{90, 89, 88}, []int{1, 2, 3}), []string{"infeasible-rank first-rank", "infeasible-rank first-rank", "infeasible-rank overlap"}},
		{"an inversion", row([]int{90, 70, 65}, []int{1, 2, 1}), []string{"inversion overlap", "infeasible-rank first-rank"}},
		{"an inversion that may be", row([]int{60, 50, 49}, []int{1, 2, 1}), []string{"inversion allowed"}},
		{"an inversion of leaders", row([]int{90, 30, 60}, []int{1, 2, 3}), []string{"inversion leader-rule"}},
	} {
		var got []string
		for _, f := range append(c.row.inversions(), c.row.infeasibleRanks()...) {
			got = append(got, f.Kind+" "+f.Class)
		}
		fixture.EqualSlice(t, c.name, got, c.want)
	}
}
