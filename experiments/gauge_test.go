package experiments

import (
	"context"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"r2lmlbench/r2lml"
	"r2lmlbench/results"
	"r2lmlbench/results/figures"
)

const ballast = 64 << 20

func hold(size int) {
	b := make([]byte, size)
	time.Sleep(3 * glance)
	runtime.KeepAlive(b)
}

func TestGauge(t *testing.T) {
	var g gauge
	hold(ballast) // garbage of somebody else
	end := g.begin()
	hold(ballast / 4)
	if heap := end(); heap < ballast/4 || heap >= ballast/2 {
		t.Errorf("a cell that holds %d bytes is said to need %d", ballast/4, heap)
	}
	first := g.begin()
	second := g.begin()
	if heap := first(); heap != 0 {
		t.Errorf("a cell that another began beside: %d bytes, want unknown", heap)
	}
	third := g.begin()
	if a, b := second(), third(); a != 0 || b != 0 {
		t.Errorf("cells that began beside others: %d and %d bytes, want unknown", a, b)
	}
	end = g.begin()
	if heap := end(); heap <= 0 || heap >= ballast {
		t.Errorf("a cell after these: %d bytes", heap)
	}
}

// TestHeapOfCells: a cell computed alone by one worker has the heap of its fits,
// which the lists of accepted cells keep; with two workers none has.
func TestHeapOfCells(t *testing.T) {
	spec := parse(t, small)
	spec.Columns[1].Method.family = typed[r2lml.Efficient]{func(p r2lml.Problem, settings []r2lml.Efficient) []r2lml.Task {
		hold(ballast)
		return r2lml.Singly(p, settings)
	}}
	store := &results.Store{Dir: t.TempDir()}
	if _, err := run(t, context.Background(), spec, store.Dir, 1, nil); err != nil {
		t.Fatal(err)
	}
	plan := planFor(t, spec)
	jobs := plan.Jobs()
	heaps := make([]int64, len(jobs))
	for i, j := range jobs {
		r, ok := store.Run(j.Inputs)
		if !ok || (r.Heap >= ballast) != (j.Column.ID == spec.Columns[1].ID) || r.Heap <= 0 {
			t.Errorf("%s/%s: %d bytes", j.Inputs.Dataset, j.Column.ID, r.Heap)
		}
		heaps[i] = r.Heap
	}
	accepted := &results.Store{Dir: t.TempDir()}
	if _, err := plan.Accept(t.Context(), store, accepted); err != nil {
		t.Fatal(err)
	}
	list, _, err := accepted.Accepted(spec.Name)
	if err != nil {
		t.Fatal(err)
	}
	for i, j := range jobs {
		if at := list.Index(j.place()); at < 0 || list.Cells[at].Heap != heaps[i] {
			t.Errorf("%s/%s: accepted as %+v, want %d bytes", j.Inputs.Dataset, j.Column.ID, list.Cells, heaps[i])
		}
	}
	two := &results.Store{Dir: t.TempDir()}
	if _, err := run(t, context.Background(), spec, two.Dir, 2, nil); err != nil {
		t.Fatal(err)
	}
	for _, j := range jobs {
		if r, ok := two.Run(j.Inputs); !ok || r.Heap != 0 {
			t.Errorf("two workers, %s: %d bytes, want unknown", j.Column.ID, r.Heap)
		}
	}
	checkCosts(t, plan.costs(accepted), list, heaps)

	// The heap may stand in the list of another spec.
	other := list
	other.Spec, other.Cells = memorySpec, slices.Clone(list.Cells)
	for i := range list.Cells {
		list.Cells[i].Heap, other.Cells[i].Seconds = 0, 1e6
	}
	for _, l := range []results.Accepted{list, other} {
		update, err := accepted.Update(t.Context(), l.Spec)
		if err != nil {
			t.Fatal(err)
		}
		if err := update.Commit(l); err != nil {
			t.Fatal(err)
		}
		update.Close()
	}
	checkCosts(t, plan.costs(accepted, memorySpec), list, heaps)
	checkCosts(t, plan.costs(accepted), list, make([]int64, len(heaps)))
}

func checkCosts(t *testing.T, got []figures.Cost, list results.Accepted, heaps []int64) {
	t.Helper()
	if len(got) != len(heaps) {
		t.Fatalf("%d costs, want %d", len(got), len(heaps))
	}
	for i, c := range got {
		if seconds := float64(list.Cells[i].Seconds); c.Bytes != heaps[i] || c.Seconds != seconds || seconds <= 0 {
			t.Errorf("%s %s: %d bytes and %g s, want %d and %g", c.Dataset, c.Method, c.Bytes, c.Seconds, heaps[i], seconds)
		}
	}
}

// TestMemoryIsAccuracy: the spec memory has the last settings of the spec
// accuracy, those of the largest K, but for the length of the fits.
func TestMemoryIsAccuracy(t *testing.T) {
	accuracy, memory := pointsOf(t, "accuracy"), pointsOf(t, memorySpec)
	if len(memory) != 2*18 {
		t.Errorf("%d cells, want both methods on 18 sets", len(memory))
	}
	for place, points := range memory {
		all := accuracy[place]
		if diff := cmp.Diff(all[len(all)-len(points):], points); diff != "" || len(points) == 0 {
			t.Errorf("%s (- accuracy, + memory):\n%s", place, diff)
		}
	}
}

// pointsOf are the grids of a spec's cells without the length of the fits.
func pointsOf(t *testing.T, name string) map[string][]results.Point {
	t.Helper()
	spec, err := Load(name)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string][]results.Point{}
	for _, j := range planFor(t, spec).Jobs() {
		for _, point := range j.Inputs.Points {
			delete(point.Params, "epochs")
			delete(point.Params, "iterations")
		}
		all[j.Inputs.Dataset+" "+j.Column.ID] = j.Inputs.Points
	}
	return all
}
