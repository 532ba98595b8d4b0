package study

import (
	"testing"

	"r2lmlbench/experiments/plan"
	"r2lmlbench/internal/fixture"
	"r2lmlbench/results/store"
	"r2lmlbench/results/table"
)

// TestContext: the kept counts are those of the spec, on the splits of pays: Euclidean k-NN,
// which both specs have, labels as many test samples right in the accepted cells.
func TestContext(t *testing.T) {
	all := fixture.Must(ReadContext())(t)
	spec := fixture.Must(plan.Named(t.Context(), "../../experiments/external/context.yaml"))(t)
	pays := fixture.Must(plan.Named(t.Context(), "pays"))(t)
	splits := fixture.Must(table.Of(pays, &store.Store{Dir: "../accepted"}))(t)
	want := map[string]ContextRow{}
	for _, r := range splits.Pooled().Rows {
		want[r.Dataset] = ContextRow{r.Dataset, r.Pool.Splits, r.N, r.Cells[0].Correct}
	}
	if len(all) != len(spec.Spec.Columns) || all[0].Classifier != "euclidean" {
		t.Fatalf("%d classifiers, the first is %s; the spec has %d", len(all), all[0].Classifier, len(spec.Spec.Columns))
	}
	for i, c := range all {
		job := spec.Rows[0].Jobs[i][0]
		if c.Classifier != job.Column.ID || c.Settings != len(job.Inputs.Points) || len(c.Rows) != len(want) {
			t.Errorf("%s with %d settings on %d sets; the spec has %s with %d on %d", c.Classifier, c.Settings, len(c.Rows),
				job.Column.ID, len(job.Inputs.Points), len(want))
		}
		for _, r := range c.Rows {
			if w := want[r.Dataset]; r.Splits != w.Splits || r.N != w.N || r.Correct > r.N || i == 0 && r.Correct != w.Correct {
				t.Errorf("%s: %+v, the accepted cells of Euclidean k-NN have %+v", c.Classifier, r, w)
			}
		}
	}
	// Means over the sets, by hand from the file: 100/18 times the sum of the shares.
	for i, mean := range []string{"77.06", "81.03", "84.48", "83.90"} {
		if got := ContextListing(all).Rows[i][2]; got != mean {
			t.Errorf("%s: mean %s, want %s", all[i].Classifier, got, mean)
		}
	}
}
