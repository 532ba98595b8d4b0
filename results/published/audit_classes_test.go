package published

import (
	"slices"
	"strings"
	"testing"

	"r2lmlbench/results/audit"
)

// count spells counts as "kind class: rows".
func count(all []audit.Finding, kinds ...string) []string {
	var lines []string
	for _, c := range audit.CountClasses(all, kinds...) {
		lines = append(lines, c.Kind+" "+c.ID+": "+c.Where)
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
	if got := count(all, audit.KindInfeasibleRank, audit.KindInversion, audit.KindSkippedRank); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	total := 0
	for _, c := range audit.CountClasses(all, audit.KindInfeasibleRank) {
		total += c.Count
	}
	if total != 21 {
		t.Errorf("%d impossible ranks, want 21", total)
	}
	if lines := Table().Remarks()[1:]; len(lines) != len(want) || !strings.HasPrefix(lines[0], "infeasible-rank, first-rank: 8 findings (J 2, M 3, P 3): ") {
		t.Errorf("%q", lines)
	}
}

// The text counts rank 1 as the highest accuracy: 9 and 14 rows, where the strict
// reading has 5 and 8.
func TestReadings(t *testing.T) {
	var got []string
	for _, f := range Audit() {
		if f.Class == audit.ClassReading {
			got = append(got, f.Method+" "+f.Printed+" "+f.Nearest)
		}
	}
	if want := []string{"t-r2lml 9 5", "e-r2lml 14 8"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := audit.CountClasses(Audit(), audit.KindProse); len(got) != 1 || got[0].Count != 2 || got[0].Where != "" {
		t.Errorf("%+v", got)
	}
}
