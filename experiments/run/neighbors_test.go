package run_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"

	"r2lmlbench/experiments/method"
	"r2lmlbench/experiments/plan"
	. "r2lmlbench/experiments/run"
	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/spectest"
	"r2lmlbench/r2lml"
	"r2lmlbench/results/store"
)

// counting is a family that counts the settings it is asked to fit.
type counting struct {
	method.Family
	fits *atomic.Int64
}

func (c counting) Tasks(p method.Problem, settings []method.Setting) []r2lml.Task {
	c.fits.Add(int64(len(settings)))
	return c.Family.Tasks(p, settings)
}

// runCounted runs a spec, and returns its plan, its store and the number of fits.
func runCounted(t *testing.T, text, dir string) (plan.Plan, *store.Store, int64) {
	t.Helper()
	var fits atomic.Int64
	s := spectest.Parse(t, text)
	for i := range s.Columns {
		s.Columns[i].Method.Family = counting{s.Columns[i].Method.Family, &fits}
	}
	p, st := spectest.PlanFor(t, s), &store.Store{Dir: dir}
	var told int64
	observe := func(e Event) {
		if (e.Kind == PointDone || e.Kind == CellDone && e.Job.Fits() == 1) && !e.Shared {
			told++
		}
	}
	r := Runner{Store: st, Source: plan.NewSource(t.TempDir()), Workers: 2, Observe: observe}
	fixture.Check(t, r.Run(context.Background(), p.Jobs()))
	if grids := slices.ContainsFunc(p.Jobs(), func(j plan.Job) bool { return len(j.Inputs.Points) > 1 }); !grids && told != fits.Load() {
		t.Errorf("the observer was told of %d fits, want %d", told, fits.Load())
	}
	return p, st, fits.Load()
}

const withoutGrid = "\ndatasets: [overlap30]\nmethods: [{method: euclidean}, {method: rca}]\n"

// Three k have the fits of one, and the cells of three specs with one k each. Each cell
// takes the same share of the time.
func TestNeighborsShareFits(t *testing.T) {
	_, one, fits := runCounted(t, "name: one\nneighbors: 1"+withoutGrid, t.TempDir())
	if fits != 2 {
		t.Errorf("one k: %d fits, want one for each method", fits)
	}
	for _, k := range []string{"5", "15"} {
		runCounted(t, "name: one\nneighbors: "+k+withoutGrid, one.Dir)
	}
	p, three, fits := runCounted(t, "name: three\nneighbors: [15, 1, 5]"+withoutGrid, t.TempDir())
	if fits != 2 {
		t.Errorf("three k: %d fits, want one for each method", fits)
	}
	sameCells(t, p, three, one)
	seconds := map[string]float64{} // of the first cell of a bundle
	for _, j := range p.Jobs() {
		run, ok := three.Run(j.Inputs)
		if !ok || !(run.Seconds > 0) {
			t.Fatalf("%s took %g s (%t)", j.Column.ID, run.Seconds, ok)
		}
		if first, ok := seconds[j.Bundle()]; ok && first != run.Seconds {
			t.Errorf("%s took %g s, another k of the same fit %g s; want equal shares", j.Column.ID, run.Seconds, first)
		}
		seconds[j.Bundle()] = run.Seconds
	}
	if len(seconds) != 2 {
		t.Errorf("%d bundles, want 2", len(seconds))
	}
}

// sameCells compares the files of all cells of a plan in two stores.
func sameCells(t *testing.T, p plan.Plan, a, b *store.Store) {
	t.Helper()
	for _, j := range p.Jobs() {
		in := j.Inputs
		got := fixture.Must(os.ReadFile(a.Path(in)))(t)
		rel, _ := filepath.Rel(a.Dir, a.Path(in))
		want, err := os.ReadFile(filepath.Join(b.Dir, rel))
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s has another cell than a spec of this k alone (%v)", j.Column.ID, err)
		}
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
	_, one, _ := runCounted(t, "name: one\nneighbors: 1"+withGrid, t.TempDir())
	runCounted(t, "name: one\nneighbors: 9"+withGrid, one.Dir)
	p, both, fits := runCounted(t, "name: both\nneighbors: [1, 9]"+withGrid, t.TempDir())
	sameCells(t, p, both, one)
	chosen := map[int]bool{}
	for _, j := range p.Jobs() {
		c, _, err := both.Get(j.Inputs)
		if err != nil {
			t.Fatal(err)
		}
		chosen[c.Chosen] = true
	}
	// 3 for the choice; one for each point that is chosen; and for the surface of the two
	// cells the points that are not: of a point that one of them chose the other needs it.
	surface := 3
	if len(chosen) == 1 {
		surface = 2
	}
	if want := int64(3 + len(chosen) + surface); fits != want {
		t.Errorf("%d fits with %d settings chosen, want %d", fits, len(chosen), want)
	}
}

// In a grid k is chosen on the validation samples. It costs the fits of one k, and the
// cell is that of the best k by itself.
func TestNeighborsInGrid(t *testing.T) {
	p, st, fits := runCounted(t, "name: grid\ndatasets: [overlap30]\nmethods: [{method: rca, grid: {k: [1, 3, 5, 9, 15]}}]\n", t.TempDir())
	if fits != 2 {
		t.Errorf("%d fits, want one in each phase", fits)
	}
	j := p.Jobs()[0]
	c, _, err := st.Get(j.Inputs)
	if err != nil || j.Inputs.Neighbors != 0 {
		t.Fatalf("neighbors %d outside the points (%v)", j.Inputs.Neighbors, err)
	}
	best := slices.Max(c.Validation.Correct)
	if c.Validation.Correct[c.Chosen] != best || slices.Index(c.Validation.Correct, best) != c.Chosen {
		t.Errorf("chosen %d of %v", c.Chosen, c.Validation.Correct)
	}
	k, _ := c.Point().Params["k"].(int)
	if k == 0 || k != j.Neighbors(c.Chosen) {
		t.Fatalf("the chosen point has no k: %v", c.Point())
	}
	single := spectest.Parse(t, fmt.Sprintf("name: x\ndatasets: [overlap30]\nmethods: [{method: rca, params: {k: %d}}]\n", k))
	jobs, alone, err := compute(t, single, &Runner{Workers: 1})
	if in := jobs[0].Inputs; err != nil || in.Neighbors != k || len(in.Points[0].Params) > 0 {
		t.Fatalf("one k stands in the points: %+v (%v)", in, err)
	}
	if !slices.Equal(c.Predicted, alone[0].Predicted) {
		t.Errorf("k = %d by itself has other predictions", k)
	}
}

// A run that is interrupted after some points, or that has some k stored, computes the
// rest to the same bytes.
func TestNeighborsResume(t *testing.T) {
	_, whole, _ := runCounted(t, "name: whole\nneighbors: [1, 9]"+withGrid, t.TempDir())
	p, part, _ := runCounted(t, "name: part\nneighbors: 9"+withGrid, t.TempDir())
	sameCells(t, p, part, whole)
	p, _, _ = runCounted(t, "name: whole\nneighbors: [1, 9]"+withGrid, part.Dir)
	sameCells(t, p, part, whole)

	ctx, cancel := context.WithCancel(context.Background())
	stopped := &store.Store{Dir: t.TempDir()}
	seen := 0
	r := Runner{Store: stopped, Source: plan.NewSource(t.TempDir()), Workers: 1, Observe: func(Event) {
		if seen++; seen == 3 {
			cancel()
		}
	}}
	if err := r.Run(ctx, p.Jobs()); err == nil {
		t.Fatal("the run was not interrupted")
	}
	p, _, _ = runCounted(t, "name: whole\nneighbors: [1, 9]"+withGrid, stopped.Dir)
	sameCells(t, p, stopped, whole)
}
