package gate_test

import (
	"context"
	"runtime"
	"testing"
	"time"

	"r2lmlbench/experiments/method"
	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/spectest"
	"r2lmlbench/r2lml"
	"r2lmlbench/results/gate"
	"r2lmlbench/results/store"
	"r2lmlbench/results/study"
)

const ballast = 64 << 20

// hold keeps so many bytes long enough for a look at the heap, which is taken
// twenty times a second.
func hold(size int) {
	b := make([]byte, size)
	time.Sleep(150 * time.Millisecond)
	runtime.KeepAlive(b)
}

// TestHeapOfCells: a cell computed alone by one worker has the heap of its fits,
// which the lists of accepted cells keep; with two workers none has.
func TestHeapOfCells(t *testing.T) {
	fixture.Long(t)
	s := spectest.Parse(t, spectest.Small)
	s.Columns[1].Method.Family = method.Typed[r2lml.Efficient]{Fit: func(p r2lml.Problem, settings []r2lml.Efficient) []r2lml.Task {
		hold(ballast)
		return r2lml.Singly(p, settings)
	}}
	cells := &store.Store{Dir: t.TempDir()}
	fixture.Must(spectest.Run(t, context.Background(), s, cells.Dir, 1, nil))(t)
	plan := spectest.PlanFor(t, s)
	jobs := plan.Jobs()
	heaps := make([]int64, len(jobs))
	for i, j := range jobs {
		r, ok := cells.Run(j.Inputs)
		if !ok || (r.Heap >= ballast) != (j.Column.ID == s.Columns[1].ID) || r.Heap <= 0 {
			t.Errorf("%s/%s: %d bytes", j.Inputs.Dataset, j.Column.ID, r.Heap)
		}
		heaps[i] = r.Heap
	}
	accepted := &store.Store{Dir: t.TempDir()}
	fixture.Must(gate.Accept(t.Context(), plan, cells, accepted, gate.Options{}))(t)
	list, _, err := accepted.Accepted(s.Name)
	if err != nil {
		t.Fatal(err)
	}
	for i, j := range jobs {
		if c, ok := list.ByPlace()[j.Place()]; !ok || c.Heap != heaps[i] {
			t.Errorf("%s/%s: accepted as %+v, want %d bytes", j.Inputs.Dataset, j.Column.ID, list.Cells, heaps[i])
		}
	}
	two := &store.Store{Dir: t.TempDir()}
	fixture.Must(spectest.Run(t, context.Background(), s, two.Dir, 2, nil))(t)
	for _, j := range jobs {
		if r, ok := two.Run(j.Inputs); !ok || r.Heap != 0 {
			t.Errorf("two workers, %s: %d bytes, want unknown", j.Column.ID, r.Heap)
		}
	}
	costs := study.CostsOf(plan, accepted, list.ByPlace())
	if len(costs) != len(heaps) {
		t.Fatalf("%d costs, want %d", len(costs), len(heaps))
	}
	for i, c := range costs {
		if seconds := list.Cells[i].Seconds; c.Bytes != heaps[i] || c.Seconds != seconds || seconds <= 0 {
			t.Errorf("%s %s: %d bytes and %g s, want %d and %g", c.Dataset, c.Method, c.Bytes, c.Seconds, heaps[i], seconds)
		}
	}
}
