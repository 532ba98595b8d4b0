package spec_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"r2lmlbench/experiments/plan"
	"r2lmlbench/internal/spectest"
)

// A sweep makes a column of every value of its cross product, the first
// parameter varying slowest; its grid is searched within each column.
func TestSweep(t *testing.T) {
	spec := spectest.Parse(t, `
name: sweep
datasets: [robot, heart]
seeds: 2
methods:
  - method: e-r2lml
    seeds: 5
    params: {epochs: 3}
    datasets: {robot: {step: 1e-5}, heart: {step: 1e-8}}
    sweep: {variant: [reference, published], metrics: [1, 2]}
    grid: {lambda: [1, 10]}
  - method: itml
`)
	var ids []string
	for _, c := range spec.Columns {
		ids = append(ids, c.ID)
	}
	want := []string{
		"e-r2lml:variant=reference:metrics=1", "e-r2lml:variant=reference:metrics=2",
		"e-r2lml:variant=published:metrics=1", "e-r2lml:variant=published:metrics=2", "itml",
	}
	if diff := cmp.Diff(want, ids); diff != "" {
		t.Fatal(diff)
	}
	c := spec.Columns[3]
	if diff := cmp.Diff(map[string]string{"variant": "published", "metrics": "2"}, c.SweptValues()); diff != "" {
		t.Error(diff)
	}
	points := c.Points("heart")
	if len(points) != 2 {
		t.Fatalf("%d points, want the 2 of the grid", len(points))
	}
	for i, lambda := range []float64{1, 10} {
		p := points[i].Params
		if p["variant"] != "published" || p["metrics"] != 2 || p["lambda"] != lambda || p["step"] != 1e-8 || p["epochs"] != 3 {
			t.Errorf("point %d is %v", i, p)
		}
	}
	if c.SeedsOf("heart") != 5 || spec.Columns[4].SeedsOf("heart") != 2 {
		t.Errorf("%d and %d seeds, want the stanza's 5 and the spec's 2", c.SeedsOf("heart"), spec.Columns[4].SeedsOf("heart"))
	}
}

// A cell does not know whether its column was swept: the same setting spelled
// out has the same key.
func TestSweptCellIsAnyCell(t *testing.T) {
	key := func(stanza string) string {
		spec := spectest.Parse(t, "name: one\ndatasets: [robot]\nmethods:\n  - "+stanza)
		p := spectest.PlanFor(t, spec)
		return p.Jobs()[0].Inputs.Key()
	}
	swept := key("{method: e-r2lml, params: {step: 1e-5}, sweep: {metrics: [3]}}")
	fixed := key("{method: e-r2lml, params: {step: 1e-5, metrics: 3}}")
	if swept != fixed {
		t.Errorf("keys %s and %s, want the same", swept, fixed)
	}
}

// What is measured is part of a cell's identity, and nothing measured leaves
// the keys of other cells as they were.
func TestMeasureIsPartOfTheKey(t *testing.T) {
	inputs := func(measure string) plan.Job {
		spec := spectest.Parse(t, "name: one\ndatasets: [robot]\n"+measure+"\nmethods:\n  - method: euclidean\n")
		p := spectest.PlanFor(t, spec)
		return p.Jobs()[0]
	}
	plain, measured := inputs(""), inputs("measure: [triangle]")
	if plain.Inputs.Key() == measured.Inputs.Key() {
		t.Error("a measured cell has the key of one that is not")
	}
	if diff := plain.Inputs.Diff(measured.Inputs); len(diff) != 1 || !slices.Contains(diff, "measure:  -> triangle") {
		t.Errorf("they differ in %v", diff)
	}
}
