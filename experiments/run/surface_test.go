package run_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"r2lmlbench/experiments/method"
	"r2lmlbench/experiments/plan"
	. "r2lmlbench/experiments/run"
	"r2lmlbench/experiments/spec"
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
	cell := measuredCells(t, surfaces)[1]
	plain := measuredCells(t, strings.Replace(surfaces, "measure: surface", "measure: []", 1))[1]
	if diff := cmp.Diff(plain.Predicted, cell.Predicted); diff != "" || plain.Surface != nil {
		t.Errorf("the measure changes the predictions:\n%s", diff)
	}
	p := spectest.PlanFor(t, spectest.Parse(t, surfaces))
	job := p.Rows[0].Jobs[1][0]
	split, err := plan.NewSource(t.TempDir()).Split(*job.Entry, *job.Rule)
	if err != nil {
		t.Fatal(err)
	}
	if len(cell.Surface.Correct) != 8 {
		t.Fatalf("%d points, want 2 x 2 settings with 2 restarts", len(cell.Surface.Correct))
	}
	for i, point := range cell.Points {
		p := ProblemOf(job, split, method.TestPhase, point.Restart)
		f, err := job.Column.Settings["overlap30"][i/2].(r2lml.Efficient).Fit(t.Context(), p.Problem)
		if err != nil {
			t.Fatal(err)
		}
		labels, err := Classify(p, f)
		if err != nil {
			t.Fatal(err)
		}
		want := results.CountTest(split.Test.Y, labels)
		got := results.TestCount{ByClass: cell.Surface.ByClass[i], Largest: cell.Surface.Largest[i]}
		if diff := cmp.Diff(want, got); diff != "" || cell.Surface.Correct[i] != stats.ComparePredictions(split.Test.Y, labels, labels).BothRight {
			t.Errorf("point %d, %d right:\n%s", i, cell.Surface.Correct[i], diff)
		}
	}
}

// A run that is interrupted while it fits the surface goes on with the points
// that are left, and fits none of the others again but the chosen one.
func TestInterruptedSurfaceGoesOn(t *testing.T) {
	text := strings.Replace(strings.Replace(spectest.Small, "grid:", "measure: surface\n    grid:", 1), "twonorm-gen", "overlap30", 1)
	counting := func(fits *int) *spec.Spec {
		s := spectest.Parse(t, text)
		fitSingly(&s.Columns[1], fits)
		return s
	}
	whole, parts := t.TempDir(), t.TempDir()
	if _, err := spectest.Run(t, context.Background(), spectest.Parse(t, text), whole, 2, nil); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	points, fits := 0, 0
	_, err := spectest.Run(t, ctx, counting(&fits), parts, 1, func(e Event) {
		if e.Kind == PointDone {
			if points++; points == 4+1 { // the selection and one of the other three
				cancel()
			}
		}
	})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v, want the interruption", err)
	}
	fits = 0
	if _, err := spectest.Run(t, context.Background(), counting(&fits), parts, 1, nil); err != nil {
		t.Fatal(err)
	}
	if fits != 1+2 {
		t.Errorf("the second run made %d fits, want the chosen point and the two that were left", fits)
	}
	spectest.EqualCells(t, spectest.Cells(t, parts), spectest.Cells(t, whole))
}
