package run_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"r2lmlbench/experiments/method"
	"r2lmlbench/experiments/plan"
	"r2lmlbench/experiments/registry"
	. "r2lmlbench/experiments/run"
	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/testkit"
	"r2lmlbench/r2lml"
	"r2lmlbench/results"
	"r2lmlbench/results/store"
)

// runCounted runs a spec into a store, and returns its jobs and the number of fits.
func runCounted(t *testing.T, text string, st *store.Store) ([]plan.Job, int64) {
	t.Helper()
	s := testkit.Parse(t, text)
	fits := countFits(s)
	var told int64
	jobs, _, err := compute(t, t.Context(), s, &Runner{Store: st, Observe: func(e Event) {
		if (e.Kind == SettingDone || e.Kind == CellDone && e.Job.Fits() == 1) && !e.Shared {
			told++
		}
	}})
	fixture.Check(t, err)
	if grids := slices.ContainsFunc(jobs, func(j plan.Job) bool { return len(j.Inputs.Settings) > 1 }); !grids && told != fits.Load() {
		t.Errorf("the observer was told of %d fits, want %d", told, fits.Load())
	}
	return jobs, fits.Load()
}

const withoutGrid = "\ndatasets: [overlap30]\nmethods: [{method: euclidean}, {method: rca}]\n"

// Three k have the fits of one, and the cells of three specs with one k each. Each cell
// takes the same share of the time.
func TestNeighborsShareFits(t *testing.T) {
	one, three := storeIn(t, t.TempDir()), storeIn(t, t.TempDir())
	for _, k := range []string{"1", "5", "15"} {
		_, fits := runCounted(t, "name: one\nneighbors: "+k+withoutGrid, one)
		fixture.Equal(t, "fits for k = "+k, fits, 2)
	}
	jobs, fits := runCounted(t, "name: three\nneighbors: [15, 1, 5]"+withoutGrid, three)
	fixture.Equal(t, "fits for three k", fits, 2) // one for each method
	testkit.EqualCells(t, testkit.Cells(t, three.Dir), testkit.Cells(t, one.Dir))
	seconds := map[string]float64{} // of the first cell of a bundle
	for _, j := range jobs {
		run, ok, _ := three.Run(j.Inputs)
		if !ok || !(run.Seconds > 0) {
			t.Fatalf("%s took %g s (%t)", j.Column.ID, run.Seconds, ok)
		}
		if first, ok := seconds[j.Bundle()]; ok && first != run.Seconds {
			t.Errorf("%s took %g s, another k of the same fit %g s; want equal shares", j.Column.ID, run.Seconds, first)
		}
		seconds[j.Bundle()] = run.Seconds
	}
	fixture.Equal(t, "bundles", len(seconds), 2)
}

// A slow family takes a while for its fits.
type slow struct{ method.Family }

func (f slow) Tasks(p method.Problem, settings []any) []r2lml.Task {
	tasks := f.Family.Tasks(p, settings)
	for i, task := range tasks {
		tasks[i].Run = func(ctx context.Context, done func(int, r2lml.Fitted, error)) {
			time.Sleep(200 * time.Millisecond)
			task.Run(ctx, done)
		}
	}
	return tasks
}

// TestTimeIsShared: cells of one fit take together no longer than it.
func TestTimeIsShared(t *testing.T) {
	s := testkit.Parse(t, "name: shared\nneighbors: [1, 5, 15]\ndatasets: [overlap30]\nmethods: [{method: euclidean}]\n")
	for i := range s.Columns {
		s.Columns[i].Method.Family = slow{s.Columns[i].Method.Family}
	}
	st, started, sum := storeIn(t, t.TempDir()), time.Now(), 0.0
	jobs, _, err := compute(t, t.Context(), s, &Runner{Store: st, Workers: 1})
	took := time.Since(started).Seconds()
	fixture.Check(t, err)
	for _, j := range jobs {
		run, _, _ := st.Run(j.Inputs)
		sum += run.Seconds
	}
	if sum < 0.2 || sum > took {
		t.Errorf("the cells took %g s, all of the run %g s", sum, took)
	}
}

const withGrid = `
datasets: [overlap30]
methods:
  - {method: lmnn, params: {step: 1e-7, iterations: 20}, grid: {neighbors: [1, 2, 3]}, measure: [surface]}
`

// With a grid the selection is shared, and the fits for the test samples are as many as
// settings were chosen; the surface takes the others. The bytes are those of one k.
func TestNeighborsShareGrids(t *testing.T) {
	one, both := storeIn(t, t.TempDir()), storeIn(t, t.TempDir())
	runCounted(t, "name: one\nneighbors: 1"+withGrid, one)
	runCounted(t, "name: one\nneighbors: 9"+withGrid, one)
	jobs, fits := runCounted(t, "name: both\nneighbors: [1, 9]"+withGrid, both)
	testkit.EqualCells(t, testkit.Cells(t, both.Dir), testkit.Cells(t, one.Dir))
	chosen := map[int]bool{}
	for _, j := range jobs {
		c, _, err := both.Find(j.Inputs)
		fixture.Check(t, err)
		chosen[c.Chosen] = true
	}
	// 3 for the choice; one for each point that is chosen; and for the surface of the two
	// cells the points that are not: of a point that one of them chose the other needs it.
	surface := map[int]int{1: 2, 2: 3}[len(chosen)]
	fixture.Equal(t, "fits", fits, int64(3+len(chosen)+surface))
}

// A measure counts with the k of its own cell: also of fits that label validation and test
// samples together, and where a grid has the k.
func TestMeasuresHaveTheirNeighbors(t *testing.T) {
	const joint = "unlabeled: joint, params: {step: 1e-4, epochs: 1, iterations: 5}, "
	one, both := storeIn(t, t.TempDir()), storeIn(t, t.TempDir())
	spec := func(k string) string {
		return tiny("  - {method: rca, measure: [votes]}\n  - {method: t-r2lml, "+joint+"grid: {lambda: [1, 10]}, measure: [votes]}\n") + "neighbors: " + k
	}
	computed(t, spec("2"), &Runner{Store: one})
	computed(t, spec("8"), &Runner{Store: one})
	_, cells := computed(t, spec("[2, 8]"), &Runner{Store: both})
	testkit.EqualCells(t, testkit.Cells(t, both.Dir), testkit.Cells(t, one.Dir))
	fixture.Equal(t, "cells", len(cells), 4)

	_, cells = computed(t, tiny("  - {method: t-r2lml, "+joint+"grid: {k: [8, 2]}, measure: [votes]}\n"), &Runner{})
	k, alone := cells[0].Setting().Params["k"], []results.Cell(nil)
	_, alone = computed(t, tiny(fmt.Sprintf("  - {method: t-r2lml, name: alone, %smeasure: [votes]}\n", joint))+fmt.Sprint("neighbors: ", k), &Runner{})
	fixture.Same(t, fmt.Sprintf("votes with k = %v", k), cells[0].Counts, alone[0].Counts)
}

// In a grid k is chosen on the validation samples. It costs the fits of one k, and the
// cell is that of the best k by itself.
func TestNeighborsInGrid(t *testing.T) {
	st := storeIn(t, t.TempDir())
	jobs, fits := runCounted(t, "name: grid\ndatasets: [overlap30]\nmethods: [{method: rca, grid: {k: [1, 3, 5, 9, 15]}}]\n", st)
	fixture.Equal(t, "fits", fits, 2) // one in each phase
	j := jobs[0]
	c, _, err := st.Find(j.Inputs)
	if err != nil || j.Inputs.Neighbors != 0 {
		t.Fatalf("neighbors %d outside the points (%v)", j.Inputs.Neighbors, err)
	}
	best := slices.Max(c.Validation.Correct)
	if c.Validation.Correct[c.Chosen] != best || slices.Index(c.Validation.Correct, best) != c.Chosen {
		t.Errorf("chosen %d of %v", c.Chosen, c.Validation.Correct)
	}
	k, _ := c.Setting().Params["k"].(int)
	if k == 0 || k != j.Neighbors(c.Chosen) {
		t.Fatalf("the chosen point has no k: %v", c.Setting())
	}
	single, alone := computed(t, fmt.Sprintf("name: x\ndatasets: [overlap30]\nmethods: [{method: rca, params: {k: %d}}]\n", k), &Runner{})
	if in := single[0].Inputs; in.Neighbors != k || len(in.Settings[0].Params) > 0 {
		t.Fatalf("one k stands in the points: %+v", in)
	}
	fixture.EqualSlice(t, "predictions", c.Predicted, alone[0].Predicted)
}

// A run that is interrupted after some points, or that has some k stored, computes the
// rest to the same bytes.
func TestNeighborsResume(t *testing.T) {
	const text = "name: whole\nneighbors: [1, 9]" + withGrid
	whole, part, stopped := storeIn(t, t.TempDir()), storeIn(t, t.TempDir()), storeIn(t, t.TempDir())
	runCounted(t, text, whole)
	runCounted(t, "name: part\nneighbors: 9"+withGrid, part)
	seen := 0
	interrupt(t, testkit.Parse(t, text), stopped, func(Event) bool { seen++; return seen == 3 })
	for _, st := range []*store.Store{part, stopped} {
		runCounted(t, text, st)
		testkit.EqualCells(t, testkit.Cells(t, st.Dir), testkit.Cells(t, whole.Dir))
	}
}

// A wrapping family replaces each metric of one map by what wrap returns.
type wrapping struct {
	method.Family
	wrap func(*r2lml.LocalMetric) r2lml.Metric
}

// A searched metric has the right neighbors by search alone, a measured one by all distances.
type (
	searched struct{ *r2lml.LocalMetric }
	measured struct{ r2lml.Metric }
)

func (searched) SquaredDistances(dst []float64, _ int) { clear(dst) }

func (s wrapping) Tasks(p method.Problem, settings []any) []r2lml.Task {
	tasks := s.Family.Tasks(p, settings)
	for i, task := range tasks {
		tasks[i].Run = func(ctx context.Context, done func(int, r2lml.Fitted, error)) {
			task.Run(ctx, func(setting int, f r2lml.Fitted, err error) {
				if m, ok := f.Metric.(*r2lml.LocalMetric); ok && len(m.L) == 1 && m.U == nil && m.V == nil {
					f.Metric = s.wrap(m)
				}
				done(setting, f, err)
			})
		}
	}
	return tasks
}

// The neighbors of a metric of one map are searched for, in tuned cells of every method that
// learns such, for every way of voting and of choosing, and the cells are those of all distances.
func TestNeighborsAreSearched(t *testing.T) {
	short := map[string]string{"lmnn": "params: {step: 1e-7, iterations: 5}, ", "nca": "params: {iterations: 3}, "}
	var text, names string
	for _, m := range registry.Methods {
		if m.Metric != method.LocalMetric || m.Scope != method.Global && m.Scope != method.NothingLearned {
			continue
		}
		for i, how := range []string{"distances: each", "distances: repeat-first, ties: random", "select: {on: cross-validation}"} {
			text += fmt.Sprintf("  - {method: %s, name: %s %d, %sgrid: {k: [1, 3]}, %s}\n", m.ID, m.ID, i, short[m.ID], how)
		}
		names += m.ID + " "
	}
	fixture.Has(t, "methods with one map", names, "euclidean", "itml", "lmnn", "nca", "rca", "kissme", "lfda", "gmml", "dmlmj", "rfm", "scml-global")
	cellsOf := func(wrap func(*r2lml.LocalMetric) r2lml.Metric) []results.Cell {
		s := testkit.Parse(t, tiny(text))
		for i := range s.Columns {
			s.Columns[i].Method.Family = wrapping{s.Columns[i].Method.Family, wrap}
		}
		_, cells, err := compute(t, t.Context(), s, &Runner{})
		fixture.Check(t, err)
		return cells
	}
	want := cellsOf(func(m *r2lml.LocalMetric) r2lml.Metric { return measured{m} })
	fixture.Same(t, "cells", cellsOf(func(m *r2lml.LocalMetric) r2lml.Metric { return searched{m} }), want)
	for i, c := range cellsOf(func(m *r2lml.LocalMetric) r2lml.Metric { return measured{searched{m}} }) {
		if slices.Equal(c.Predicted, want[i].Predicted) {
			t.Errorf("%s: the same labels without a search", c.Method)
		}
	}
}
