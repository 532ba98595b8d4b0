package published

import (
	"maps"
	"slices"
	"testing"

	"r2lmlbench/results/audit"
)

// The counts were made by hand from the bounds of golden/stats/table2_audit.json:
// of 21 impossible ranks 8 are against the most accurate method; on E LMNN-MM
// (3607 right) differs from both others of rank 2 (3836 and 3782); on J PLML and on
// P LMNN, E-R2LML, Euclidean and PLML are leaders whose own rank is impossible.
func TestClassesOfRanks(t *testing.T) {
	got := map[string]int{}
	for _, f := range Audit() {
		if f.Class != "" && f.Kind != audit.KindProse {
			got[f.Kind+" "+f.Class+" "+f.Letter]++
		}
	}
	want := map[string]int{
		"infeasible-rank first-rank J": 2, "infeasible-rank first-rank M": 3, "infeasible-rank first-rank P": 3, "infeasible-rank no-peer E": 1,
		"infeasible-rank leader-rule L": 1, "infeasible-rank overlap J": 2, "infeasible-rank overlap P": 9,
		"inversion overlap E": 2, "inversion allowed Q": 1, "skipped-rank numbering J": 1,
	}
	if !maps.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
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
}
