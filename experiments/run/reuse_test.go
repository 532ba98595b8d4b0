package run_test

import (
	"errors"
	"strings"
	"testing"

	"r2lmlbench/experiments/plan"
	. "r2lmlbench/experiments/run"
	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/spectest"
	"r2lmlbench/results"
	"r2lmlbench/results/store"
)

// reuseSpec has one cell with a grid of four points; with is added to its stanza.
func reuseSpec(with string) string {
	return `
name: reuse
datasets: [overlap30]
methods:
  - method: e-r2lml
    params: {step: 1e-6, epochs: 1, iterations: 5}
    grid: {metrics: [1, 2], lambda: [1, 10]}
` + with
}

// A reuse counts what it takes to compute one cell.
type reuse struct {
	fits   int
	events map[EventKind]int
	run    results.Run
	job    plan.Job
}

// reuseCell computes the one cell of a spec into dir.
func reuseCell(t *testing.T, dir, text string) reuse {
	t.Helper()
	r := reuse{events: map[EventKind]int{}}
	spec := spectest.Parse(t, text)
	fitSingly(&spec.Columns[0], &r.fits)
	r.job = spectest.PlanFor(t, spec).Jobs()[0]
	if _, err := spectest.Run(t, t.Context(), spec, dir, 1, func(e Event) { r.events[e.Kind]++ }); err != nil {
		t.Fatal(err)
	}
	r.run, _ = (&store.Store{Dir: dir}).Run(r.job.Inputs)
	return r
}

// The validation scores of a cell serve another one that differs in what is measured,
// whichever comes first. The bytes are those of a cell without such help.
func TestSelectionIsTakenOver(t *testing.T) {
	const selection, chosen, others = 4, 1, 3
	plain, surface, both := reuseSpec(""), reuseSpec("    measure: surface\n"), reuseSpec("    measure: [surface, zero-columns]\n")
	for _, c := range []struct {
		name          string
		first, second string
		fits          int
	}{
		{"a surface after a plain cell", plain, surface, chosen + others},
		{"a plain cell after a surface", surface, plain, chosen},
		{"more measures", surface, both, chosen + others},
		{"another seed", plain, strings.Replace(surface, "    grid", "    seeds: 2\n    grid", 1), chosen + others + selection + chosen + others},
		{"another grid", plain, strings.Replace(surface, "[1, 10]", "[1, 20]", 1), selection + chosen + others},
		{"another k", plain, surface + "neighbors: 3\n", selection + chosen + others},
		{"another split", plain, surface + "split: {rule: random}\n", selection + chosen + others},
	} {
		t.Run(c.name, func(t *testing.T) {
			alone, dir := t.TempDir(), t.TempDir()
			reuseCell(t, alone, c.first)
			reuseCell(t, alone+"/second", c.second)
			reuseCell(t, dir, c.first)
			got := reuseCell(t, dir, c.second)
			if got.fits != c.fits {
				t.Errorf("%d fits, want %d", got.fits, c.fits)
			}
			want := spectest.Cells(t, alone+"/second")
			all := spectest.Cells(t, dir)
			for name, b := range want {
				if all[name] != b {
					t.Errorf("cell %s:\n%s\nwithout the other one\n%s", name, all[name], b)
				}
			}
			if len(want) == 0 || len(all) != len(want)+1 {
				t.Errorf("%d cells, %d of them of the second spec", len(all), len(want))
			}
		})
	}
}

// A failed cell is no source: its points are fitted again for another one.
func TestFailedSelectionIsNotTakenOver(t *testing.T) {
	plain, surface := reuseSpec(""), reuseSpec("    measure: surface\n")
	done := t.TempDir()
	job := reuseCell(t, done, plain).job
	cell, ok, err := (&store.Store{Dir: done}).Get(job.Inputs)
	if err != nil || !ok {
		t.Fatalf("no cell: %v", err)
	}
	cell.Predicted, cell.Failure = nil, "the fit for the test samples: crashed"
	dir := t.TempDir()
	fixture.Check(t, (&store.Store{Dir: dir}).Put(cell, results.Run{}))
	if got := reuseCell(t, dir, surface); got.fits != 8 || got.run.Resumed || got.events[PointKnown] != 0 {
		t.Errorf("%d fits, events %v; want all of the cell's own", got.fits, got.events)
	}
	failed := reuseSpec("")
	if _, err := spectest.Run(t, t.Context(), spectest.Parse(t, failed), dir, 1, nil); !errors.Is(err, ErrCells) {
		t.Errorf("the failed cell: error %v, want that it stays one", err)
	}
}
