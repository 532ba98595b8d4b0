package published

import (
	"slices"
	"strings"
	"testing"

	"r2lmlbench/stats"
)

// count spells counts as "kind class: rows".
func count(all []Finding, kinds ...string) []string {
	var lines []string
	for _, c := range CountClasses(all, kinds...) {
		lines = append(lines, c.Kind+" "+c.ID+": "+c.Where())
	}
	return lines
}

// The counts were made by hand from the bounds of golden/stats/table2_audit.json:
// of 21 impossible ranks 8 are against the most accurate method; on E LMNN-MM
// (3607 right) differs from both others of rank 2 (3836 and 3782); on J PLML and on
// P LMNN, E-R2LML, Euclidean and PLML are leaders whose own rank is impossible.
func TestClassesOfRanks(t *testing.T) {
	all := Audit()
	want := []string{
		"infeasible-rank first-rank: J 2, M 3, P 3", "infeasible-rank no-peer: E 1", "infeasible-rank leader-rule: L 1",
		"infeasible-rank overlap: J 2, P 9", "inversion overlap: E 2", "inversion allowed: Q 1", "skipped-rank numbering: J 1",
	}
	if got := count(all, KindInfeasibleRank, KindInversion, KindSkippedRank); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	total := 0
	for _, c := range CountClasses(all, KindInfeasibleRank) {
		total += c.Count
	}
	if total != 21 {
		t.Errorf("%d impossible ranks, want 21", total)
	}
	if lines := ClassRemarks(); len(lines) != len(want) || !strings.HasPrefix(lines[0], "infeasible-rank, first-rank: 8 findings (J 2, M 3, P 3): ") {
		t.Errorf("%q", lines)
	}
}

// The text counts rank 1 as the highest accuracy: 9 and 14 rows, where the strict
// reading has 5 and 8.
func TestReadings(t *testing.T) {
	var got []string
	for _, f := range Audit() {
		if f.Class == ClassReading {
			got = append(got, f.Method+" "+f.Printed+" "+f.Nearest)
		}
	}
	if want := []string{"t-r2lml 9 5", "e-r2lml 14 8"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := CountClasses(Audit(), KindProse); len(got) != 1 || got[0].Count != 2 || got[0].Where() != "" {
		t.Errorf("%+v", got)
	}
	rows := printedRows([]Number{{"Y", "toy", "t-r2lml", "90.00", 1, true, 70}, {"Y", "toy", "e-r2lml", "80.00", 1, true, 70}})
	for _, f := range proseCounts(rows) {
		if f.Class != "" {
			t.Errorf("%+v: one row is no reading of 9 or 14", f)
		}
	}
}

// Every class that a finding has is explained once.
func TestClassesAreExplained(t *testing.T) {
	var known []string
	for _, c := range Classes() {
		if c.Reason == "" || slices.Contains(known, c.ID) {
			t.Errorf("%+v", c)
		}
		known = append(known, c.ID)
	}
	for _, f := range Audit() {
		ranked := slices.Contains([]string{KindInfeasibleRank, KindInversion, KindSkippedRank}, f.Kind)
		if f.Class == "" && ranked || f.Class != "" && !slices.Contains(known, f.Class) {
			t.Errorf("%s/%s: kind %s, class %q", f.Letter, f.Method, f.Kind, f.Class)
		}
	}
}

// Made-up rows of 100 test samples and five methods.
func TestClassesOfMadeUpRows(t *testing.T) {
	row := func(correct, rank []int) printedRow {
		r := printedRow{n: 100, correct: correct, rank: rank}
		for _, method := range []string{"a", "b", "c", "d", "e"}[:len(correct)] {
			r.cells = append(r.cells, Number{Letter: "Y", Method: method})
		}
		return r
	}
	for _, c := range []struct {
		name string
		row  printedRow
		want []string
	}{
		{"behind the best", row([]int{90, 89, 10}, []int{1, 2, 3}), []string{"infeasible-rank first-rank: Y 1"}},
		{"with the best", row([]int{90, 10}, []int{1, 1}), []string{"infeasible-rank first-rank: Y 1"}},
		{"no peer", row([]int{95, 50, 10}, []int{1, 2, 2}), []string{"infeasible-rank no-peer: Y 1"}},
		{"a peer that is no leader", row([]int{99, 70, 50, 35}, []int{1, 2, 2, 2}), []string{"infeasible-rank leader-rule: Y 1"}},
		{"later ranks", row([]int{95, 50, 49}, []int{1, 2, 3}), []string{"infeasible-rank leader-rule: Y 1"}},
		{"a chain", row([]int{90, 89, 88}, []int{1, 2, 3}), []string{"infeasible-rank first-rank: Y 2", "infeasible-rank overlap: Y 1"}},
		{"an inversion", row([]int{90, 70, 65}, []int{1, 2, 1}), []string{"inversion overlap: Y 1", "infeasible-rank first-rank: Y 1"}},
		{"an inversion that may be", row([]int{60, 50, 49}, []int{1, 2, 1}), []string{"inversion allowed: Y 1"}},
		{"an inversion of leaders", row([]int{90, 30, 60}, []int{1, 2, 3}), []string{"inversion leader-rule: Y 1"}},
	} {
		got := count(append(c.row.inversions(), c.row.infeasibleRanks(stats.Exact)...), KindInversion, KindInfeasibleRank)
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
