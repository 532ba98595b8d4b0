package spec_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"r2lmlbench/internal/spectest"
	"r2lmlbench/results"
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

// inputsOf are those of the first cell of a spec of robot: what head adds to the spec, and one stanza.
func inputsOf(t *testing.T, head, stanza string) results.Inputs {
	t.Helper()
	s := spectest.Parse(t, "name: one\ndatasets: [robot]\n"+head+"methods: [{method: "+stanza+"}]\n")
	return spectest.PlanFor(t, s).Jobs()[0].Inputs
}

// What is computed is part of a cell's identity, and how a spec writes it is not.
func TestKeys(t *testing.T) {
	const zscore, joint = "features: zscore\n", "t-r2lml, params: {step: 1e-9}, unlabeled: joint"
	for _, c := range []struct {
		name          string
		head, stanza  string
		other, second string
		diff          string // "": the same cell
	}{
		{"a swept value", "", "e-r2lml, params: {step: 1e-5}, sweep: {metrics: [3]}", "", "e-r2lml, params: {step: 1e-5, metrics: 3}", ""},
		{"a measure", "", "euclidean", "measure: [triangle]\n", "euclidean", "measure:  -> triangle"},
		{"unlabeled by default", "", "t-r2lml, params: {step: 1e-9}", "", "t-r2lml, params: {step: 1e-9}, unlabeled: queries", ""},
		{"unlabeled joint", "", "t-r2lml, params: {step: 1e-9}", "", joint, "unlabeled:  -> joint"},
		{"raw features", "features: raw\n", "euclidean", "", "euclidean", ""},
		{"features", "", "euclidean", zscore, "euclidean", "features"},
		{"features of the spec", zscore, "euclidean", "", "euclidean, params: {features: zscore}", ""},
		{"features of a stanza", zscore, "euclidean, params: {features: unit}", "", "euclidean, params: {features: unit}", ""},
		{"features of a grid", zscore, "euclidean, grid: {features: [raw, minmax]}", "", "euclidean, grid: {features: [raw, minmax]}", ""},
		{"features of a data set", zscore, "euclidean, datasets: {robot: {features: raw}}", "", "euclidean", ""},
		{"scale 1", "", "itml, params: {gamma: 1}", "", "itml, params: {gamma: 1, feature-scale: 1.0}", ""},
		{"scale 2", "", "itml, params: {gamma: 1}", "", "itml, params: {gamma: 1, feature-scale: 2}", "feature-scale"},
	} {
		a, b := inputsOf(t, c.head, c.stanza), inputsOf(t, c.other, c.second)
		diff := strings.Join(a.Diff(b), "; ")
		if (a.Key() == b.Key()) != (c.diff == "") || (diff == "") != (c.diff == "") || !strings.Contains(diff, c.diff) {
			t.Errorf("%s: they differ in %q, want %q", c.name, diff, c.diff)
		}
	}
	for stanza, want := range map[string]bool{joint: true, "t-r2lml, params: {step: 1e-9}": false} {
		job := spectest.PlanFor(t, spectest.Parse(t, "name: one\ndatasets: [robot]\nmethods: [{method: "+stanza+"}]\n")).Jobs()[0]
		if job.Joint() != want {
			t.Errorf("%s: joint %v", stanza, job.Joint())
		}
	}
}
