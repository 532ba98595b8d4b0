package study

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/spectest"
	"r2lmlbench/results/table"
)

// One spec with the key contrast is all that a newcomer writes: its numbers are there, and
// agree with the ranked table.
func TestContrastOfANewSpec(t *testing.T) {
	p, cells := spectest.Stored(t, spectest.Parse(t, `
name: mine
datasets: [overlap30, "overlap30:2", "overlap60", "overlap60:2"]
methods:
  - {method: euclidean}
  - {method: rca, grid: {features: [raw, zscore]}}
  - {method: gmml, grid: {t: [0, 0.5]}}
contrast:
  - {name: learned, a: rca, b: euclidean, over: dataset}
  - {name: picked, a: [rca, gmml], b: euclidean, pair: seed}
`))
	ranked := fixture.Must(table.Of(p, cells))(t)
	contrasts := ContrastsOf(p, ranked)
	if len(contrasts) != 2 {
		t.Fatalf("%d contrasts", len(contrasts))
	}
	sum := 0.0
	for i, r := range ranked.Rows {
		difference := 100 * float64(r.Cells[1].Correct-r.Cells[0].Correct) / float64(r.N)
		if got := contrasts[0].Sets[i]; got.Dataset != r.Dataset || got.Points-difference > 1e-9 || difference-got.Points > 1e-9 {
			t.Errorf("%s: %+v, the table has %v", r.Dataset, got, difference)
		}
		sum += difference / 4
	}
	numbers := map[string]string{}
	for _, n := range contrasts[0].Numbers() {
		numbers[n.Name] = n.Text
	}
	if want := fmt.Sprintf("%.2f", sum); numbers["mean"] != want || numbers["sets"] != "4" || contrasts[1].SettingsA != 4 {
		t.Errorf("numbers %v, want the mean %s", numbers, want)
	}
	l := ContrastListing(contrasts, ranked.Columns)
	if len(l.Rows) != 2 || l.Rows[0][0] != "learned" || !slices.Contains(l.Rows[0], numbers["mean"]) {
		t.Errorf("%+v", l)
	}
	narrowed := *p.Spec
	fixture.Check(t, narrowed.Narrow(nil, []string{"euclidean", "rca"}))
	less := spectest.PlanFor(t, &narrowed)
	ranked = fixture.Must(table.Of(less, cells))(t)
	if contrasts = ContrastsOf(less, ranked); len(contrasts) != 1 {
		t.Errorf("narrowed: %+v", contrasts)
	}
}

// A stanza with the key only has no cells on other data sets, and its contrast leaves
// these out.
func TestContrastOfARestrictedMethod(t *testing.T) {
	p, cells := spectest.Stored(t, spectest.Parse(t, `
name: mine
datasets: [overlap30, overlap60]
methods: [{method: euclidean}, {method: rca, only: overlap60}]
contrast: {a: rca, b: euclidean}
`))
	ranked := fixture.Must(table.Of(p, cells))(t)
	left := ranked.Rows[0].Cells[1]
	if n := len(p.Jobs()); n != 3 || left.Status != table.StatusMissing || !strings.Contains(left.Reason, "leaves this data set out") {
		t.Errorf("%d jobs, %+v", n, left)
	}
	if all := ContrastsOf(p, ranked); all[0].Name != "rca-euclidean" || len(all[0].Sets) != 1 || len(all[0].Without) != 1 {
		t.Errorf("%+v", all)
	}
}
