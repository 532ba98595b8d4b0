package table_test

import (
	"fmt"
	"slices"
	"testing"

	"r2lmlbench/internal/fixture"
	. "r2lmlbench/internal/testkit"
	. "r2lmlbench/results/table"
)

// Five folds: A is 32 points better than B and C, sd √10. t = 32 / (√10·√(1/5 + 50/200))
// = 15.0849 with 4 degrees of freedom, p = 0.0001125535 (R: 2*pt(-15.08494, 4)), and Holm's
// correction is over the three pairs of the table: 3p and, of equal p, the same again. The interval
// has that correction, too: its t is qt(1 - 0.025/3, 4) = 3.960786 (R).
func TestRankAgainstTheBest(t *testing.T) {
	table := pooled(t, folds("toy")...)
	r, ok := table.Rank(table.Rows[0])
	if !ok || r.Best != "a" || r.Splits != 5 || r.Family != 3 {
		t.Fatalf("%+v, %t", r, ok)
	}
	if a := r.Ranked[0]; a.Method != "a" || a.Behind != 0 || a.Interval != nil || a.PHolm != nil || !a.NotWorse || a.SD != "3.16" {
		t.Errorf("the best: %+v", a)
	}
	for i, method := range []string{"b", "c"} {
		one := r.Ranked[i+1]
		if one.Method != method || one.Behind != 32 || one.NotWorse || one.Interval == nil || one.PHolm == nil {
			t.Fatalf("%s: %+v", method, one)
		}
		fixture.Near(t, method+": p", float64(*one.PHolm), 3*0.0001125535, 1e-9)
		fixture.Equal(t, method+": interval", fmt.Sprint(*one.Interval), "[23.60 40.40]") // 32 ∓ 3.960786·√10·√0.45
	}
}

// Splits of different sizes: A has more right answers, since it is better on the large one,
// and B the higher mean, by which methods are compared.
func TestRankOfUnequalSplits(t *testing.T) {
	var rows []RowInput
	for i, right := range [][3]int{{130, 100, 100}, {5, 8, 5}, {5, 8, 5}, {5, 8, 5}} {
		n := 10
		if i == 0 {
			n = 200
		}
		rows = append(rows, splitRow("toy", fmt.Sprintf("parts fold=%d", i+1), 2*n, n, right[:]...))
	}
	table := pooled(t, rows...)
	r, ok := table.Rank(table.Rows[0])
	if cells := table.Rows[0].Cells; !ok || cells[0].Correct <= cells[1].Correct || r.Best != "b" {
		t.Fatalf("best %s with %d to %d right", r.Best, cells[0].Correct, cells[1].Correct)
	}
	fixture.Equal(t, "the second", r.Ranked[1].Method+" "+r.Ranked[1].Behind.String(), "a 18.75") // (30 + 30 + 30 - 15) / 4
}

// The order of the columns changes nothing but the order of equally accurate methods.
func TestRankIgnoresTheOrderOfColumns(t *testing.T) {
	rows := folds("toy")
	forward := pooled(t, rows...)
	for i := range rows {
		slices.Reverse(rows[i].Cells)
	}
	backward := pooled(t, rows...)
	a, _ := forward.Rank(forward.Rows[0])
	b, _ := backward.Rank(backward.Rows[0])
	if b.Best != "c" {
		t.Fatalf("best %s, want c, which has the results of a", b.Best)
	}
	type place struct {
		Accuracy string
		Behind   Points
		PHolm    *Digits
		Interval *[2]Points
	}
	for i := range a.Ranked {
		x, y := a.Ranked[i], b.Ranked[i]
		fixture.Same(t, fmt.Sprintf("place %d", i+1), place{x.Accuracy, x.Behind, x.PHolm, x.Interval}, place{y.Accuracy, y.Behind, y.PHolm, y.Interval})
	}
}

// The methods of one split are ranked by McNemar's test, and the interval is that of the
// pair: A has 8 more right than B of 60, B none more than A.
func TestRankOfOneSplit(t *testing.T) {
	one := New(AccuracySpec(ColumnA, ColumnB, ColumnC), []RowInput{InvertedRow()})
	pairs := one.PairListings()[0]
	fixture.Equal(t, "pairs listed, and notes, none of which is on others", [2]int{len(pairs.Rows), len(pairs.Notes)}, [2]int{3, 1})
	r, ok := one.Rank(one.Rows[0])
	if !ok || r.Best != "a" || r.Family != 0 {
		t.Errorf("%t, %+v", ok, r)
	}
	b := r.Ranked[1]
	if b.Method != "b" || b.Behind.String() != "13.33" || b.NotWorse || b.PHolm != nil || b.Between() != "4.14 to 23.76" {
		t.Errorf("%+v, between %s", b, b.Between())
	}
	if c := r.Ranked[2]; c.Method != "c" || !c.NotWorse || c.Behind.String() != "15.00" {
		t.Errorf("%+v", c)
	}
}
