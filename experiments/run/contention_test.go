package run_test

import (
	"context"
	"testing"
	"time"

	"r2lmlbench/experiments/plan"
	. "r2lmlbench/experiments/run"
	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/spectest"
	"r2lmlbench/results/store"
)

// TestHeldCellsArePutOff: a cell that somebody else is at does not keep a
// worker from the others, and its turn comes when it is free.
func TestHeldCellsArePutOff(t *testing.T) {
	spec, source := spectest.Parse(t, spectest.Small), plan.NewSource(t.TempDir())
	p := fixture.Must(plan.New(context.Background(), spec, source))(t)
	jobs, s := p.Jobs(), &store.Store{Dir: t.TempDir()}
	release := fixture.Must(s.Lock(t.Context(), jobs[0].Inputs))(t)
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	var order []string
	runner := Runner{Store: s, Source: source, Workers: 1, Observe: func(e Event) {
		if e.Kind == CellDone {
			if order = append(order, e.Job.Column.ID); len(order) == 1 {
				release()
			}
		}
	}}
	fixture.Check(t, runner.Run(ctx, jobs))
	if len(order) != 2 || order[0] != "e-r2lml" || order[1] != "euclidean" {
		t.Errorf("cells were computed in the order %v, want the held one last", order)
	}
}
