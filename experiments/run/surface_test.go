package run_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"r2lmlbench/experiments/method"
	"r2lmlbench/experiments/plan"
	. "r2lmlbench/experiments/run"
	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/spectest"
	"r2lmlbench/r2lml"
	"r2lmlbench/results"
	"r2lmlbench/stats"
)

const surfaces = `
name: surfaces
datasets: [overlap30]
methods:
  - method: euclidean
  - method: e-r2lml
    measure: surface
    params: {step: 1e-6, epochs: 1, iterations: 20}
    restarts: 2
    grid: {metrics: [1, 2], lambda: [1, 10]}
`

// A surface has at every point what a cell of that point alone has: the right
// samples by class and the largest share of one label.
func TestSurfaceIsThatOfSinglePoints(t *testing.T) {
	_, cells := computed(t, surfaces, &Runner{})
	_, unmeasured := computed(t, strings.Replace(surfaces, "measure: surface", "measure: []", 1), &Runner{})
	cell, plain := cells[1], unmeasured[1]
	if diff := cmp.Diff(plain.Predicted, cell.Predicted); diff != "" || plain.Surface != nil {
		t.Errorf("the measure changes the predictions:\n%s", diff)
	}
	p := spectest.PlanFor(t, spectest.Parse(t, surfaces))
	job := p.Rows[0].Jobs[1][0]
	split := fixture.Must(plan.NewSource(t.TempDir()).Split(*job.Entry, *job.Rule))(t)
	if len(cell.Surface.Correct) != 8 {
		t.Fatalf("%d points, want 2 x 2 settings with 2 restarts", len(cell.Surface.Correct))
	}
	for i, point := range cell.Points {
		p := ProblemOf(job, split, method.TestPhase, point.Restart)
		f := fixture.Must(job.Column.Settings["overlap30"][i/2].(r2lml.Efficient).Fit(t.Context(), p.Problem))(t)
		labels := fixture.Must(Classify(p, f))(t)
		want := results.CountTest(split.Test.Y, labels)
		got := results.TestCount{ByClass: cell.Surface.ByClass[i], Largest: cell.Surface.Largest[i]}
		if diff := cmp.Diff(want, got); diff != "" || cell.Surface.Correct[i] != stats.ComparePredictions(split.Test.Y, labels, labels).BothRight {
			t.Errorf("point %d, %d right:\n%s", i, cell.Surface.Correct[i], diff)
		}
	}
}
