package console

import (
	"io"
	"strings"
	"testing"
	"time"

	"r2lmlbench/experiments/plan"
	"r2lmlbench/experiments/run"
	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/spectest"
)

// TestTimeLeft: what is left is weighed by its estimated work. A hundred neighbors of the
// Euclidean metric cost less than one T-R2LML, and tell little of how long that takes.
func TestTimeLeft(t *testing.T) {
	c, source := &Console{Err: io.Discard, Quiet: true}, plan.NewSource(t.TempDir())
	p := fixture.Must(plan.New(t.Context(), spectest.Parse(t, `{name: t, datasets: [twonorm-gen], split: {rule: random, repeats: 20, seed: 1}, methods: [
  {method: euclidean}, {method: t-r2lml, params: {metrics: 4, lambda: 1, step: auto}}]}`), source))(t)
	var cheap, costly []plan.Job
	for _, row := range p.Rows {
		cheap, costly = append(cheap, row.Jobs[0]...), append(costly, row.Jobs[1]...)
	}
	progress := c.Progress(p.Jobs(), source, true)
	defer progress.End()
	if progress.left() != 0 {
		t.Errorf("%v left before anything is fitted", progress.left())
	}
	progress.started = time.Now().Add(-time.Minute)
	for _, j := range cheap {
		progress.Observe(run.Event{Kind: run.CellDone, Job: j})
	}
	if left := progress.left(); left < time.Hour {
		t.Errorf("half of the cells, all cheap, took a minute, and %v are left; want hours", left)
	}
	for _, j := range costly[:10] {
		progress.Observe(run.Event{Kind: run.CellDone, Job: j})
	}
	if left := progress.left(); left < 55*time.Second || left > 65*time.Second {
		t.Errorf("half of the costly cells took a minute, and %v are left; want a minute", left)
	}
	for _, j := range costly[10:] {
		progress.Observe(run.Event{Kind: run.CellKnown, Job: j})
	}
	if left := progress.left(); left != 0 {
		t.Errorf("%v left of nothing", left)
	}
}

// TestFailedPoints: a cell that lost points of its grid on the way says so when it is done.
func TestFailedPoints(t *testing.T) {
	var said strings.Builder
	c, source := &Console{Err: &said}, plan.NewSource(t.TempDir())
	s := spectest.Parse(t, "{name: t, datasets: [twonorm-gen], methods: [{method: itml, grid: {gamma: [1, 2, 3]}}]}")
	p := fixture.Must(plan.New(t.Context(), s, source))(t)
	progress, j := c.Progress(p.Jobs(), source, true), p.Jobs()[0]
	for _, failure := range []string{"", "no luck", "no luck"} {
		progress.Observe(run.Event{Kind: run.PointDone, Job: j, Failure: failure})
	}
	progress.Observe(run.Event{Kind: run.CellDone, Job: j})
	progress.End()
	if want := "done, but 2 of 3 settings failed  [1 of 1]"; !strings.Contains(said.String(), want) {
		t.Errorf("want %q in\n%s", want, said.String())
	}
}
