package run_test

import (
	"context"
	"testing"
	"time"

	"r2lmlbench/experiments/plan"
	. "r2lmlbench/experiments/run"
	"r2lmlbench/internal/spectest"
	"r2lmlbench/results/store"
)

// TestHeldCellsArePutOff: a cell that somebody else is at does not keep a
// worker from the others, and its turn comes when it is free.
func TestHeldCellsArePutOff(t *testing.T) {
	spec, source := spectest.Parse(t, spectest.Small), plan.NewSource(t.TempDir())
	p, err := plan.New(context.Background(), spec, source)
	if err != nil {
		t.Fatal(err)
	}
	jobs, s := p.Jobs(), &store.Store{Dir: t.TempDir()}
	release, err := s.Lock(t.Context(), jobs[0].Inputs)
	if err != nil {
		t.Fatal(err)
	}
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
	if err := runner.Run(ctx, jobs); err != nil {
		t.Fatal(err)
	}
	if len(order) != 2 || order[0] != "e-r2lml" || order[1] != "euclidean" {
		t.Errorf("cells were computed in the order %v, want the held one last", order)
	}
}
