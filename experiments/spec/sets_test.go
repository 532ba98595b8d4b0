package spec_test

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"r2lmlbench/datasets"
	. "r2lmlbench/experiments/spec"
	"r2lmlbench/internal/spectest"
	"r2lmlbench/r2lml"
)

func TestFindDatasetErrors(t *testing.T) {
	for _, c := range []struct{ name, want string }{
		{"overlap3O", `unknown data set "overlap3O"; did you mean "overlap30"?`},
		{"overlap3O:7", `unknown data set "overlap3O:7"; did you mean "overlap30"?`},
		{"overlap30:1", "overlap30:1 is overlap30 itself"},
		{"toy:2", "no seed draws it"},
		{"A:2", "robot is read from files"},
	} {
		if _, err := FindDataset(c.name); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: error %v does not say %q", c.name, err, c.want)
		}
	}
}

// Data drawn with several seeds are as many sets. Parameters of one of them are
// not those of another.
func TestSeededSetsInSpec(t *testing.T) {
	spec := spectest.Parse(t, `
name: seeds
datasets: [overlap30, overlap30:7, "overlap60-13:8"]
methods:
  - method: e-r2lml
    params: {step: 1e-6}
    datasets: {overlap30: {step: 1e-3}, overlap60-13:8: {step: 1e-4}}
`)
	steps := map[string]r2lml.StepLength{"overlap30": 1e-3, "overlap30:7": 1e-6, "overlap60-13:8": 1e-4}
	digests := map[string]bool{}
	for _, j := range spectest.PlanFor(t, spec).Jobs() {
		m := j.Column.Settings[j.Entry.ID][0].(r2lml.Efficient)
		if m.Step != steps[j.Entry.ID] {
			t.Errorf("%s: step %v, want %v", j.Entry.ID, m.Step, steps[j.Entry.ID])
		}
		if j.Inputs.Dataset != j.Entry.ID || j.Inputs.DatasetDigest != j.Entry.Digest || j.Inputs.SplitDigest != j.Entry.SplitDigest {
			t.Errorf("%s: inputs %+v", j.Entry.ID, j.Inputs)
		}
		digests[j.Inputs.DatasetDigest] = true
	}
	if len(digests) != 3 {
		t.Errorf("%d data sets, want 3", len(digests))
	}
}

func TestSeededSetsRefused(t *testing.T) {
	for _, c := range []struct{ sets, want string }{
		{"[overlap30:1]", "overlap30:1 is overlap30 itself"},
		{"[overlap30:7, OVERLAP30:7]", "data set overlap30:7 is listed twice"},
		{"[overlap30:07]", `seed "07"`},
	} {
		text := "name: seeds\ndatasets: " + c.sets + "\nmethods:\n  - method: euclidean\n"
		if _, err := Parse("seeds.yaml", []byte(text)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v does not say %q", c.sets, err, c.want)
		}
	}
}

// TestSpecsAreBounded: a small file cannot ask for more than memory holds.
func TestSpecsAreBounded(t *testing.T) {
	grid := "[" + strings.Repeat("1, ", 99) + "1]"
	var columns []string
	for _, name := range strings.Split("abcdef", "") {
		columns = append(columns, "{method: euclidean, name: "+name+"}")
	}
	for name, c := range map[string]struct{ spec, want string }{
		"grid":  {"datasets: I\nmethods: [{method: itml, grid: {gamma: " + grid + ", epochs: " + grid + ", lambda: [1, 2]}}]", "want at most 10000"},
		"seeds": {"datasets: I\nseeds: 10001\nmethods: [{method: euclidean}]", "seeds is 10001"},
		"cells": {"datasets: all\nsplit: {rule: random, repeats: 10000}\nmethods: [" + strings.Join(columns, ", ") + "]", "want at most 1000000"},
		"of all": {"datasets: I\nseeds: 10000\nsplit: {rule: random, repeats: 10000}\n" +
			"methods: [{method: external, restarts: 100, params: {command: [sh]}}]", "10000000000 grid points"},
	} {
		_, err := Parse("f.yaml", []byte("name: x\n"+c.spec+"\n"))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v does not say %q", name, err, c.want)
		}
	}
}

// TestLoadReadsNoMoreThanASpec: a file that is too long is not read to its end.
func TestLoadReadsNoMoreThanASpec(t *testing.T) {
	path := filepath.Join(t.TempDir(), "huge.yaml")
	if err := errors.Join(os.WriteFile(path, []byte("name: x\n"), 0o666), os.Truncate(path, 1<<40)); err != nil {
		t.Skipf("cannot be made here: %v", err)
	}
	if _, err := Load(path); err == nil || !strings.Contains(err.Error(), "want at most 65536") {
		t.Errorf("error %v", err)
	}
}

// The scaled steps of spec steps are the paper's divided by ((N + M) / (N + V))²,
// lambda is multiplied by it, and its sets are those where it is 1.5 or more.
func TestScaledSteps(t *testing.T) {
	spec, err := Load("steps")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range PaperEntries() {
		train, validation := e.Sizes.Train*len(e.Labels), e.Sizes.Validation*len(e.Labels)
		ratio := math.Pow(float64(train+e.TestSize())/float64(train+validation), 2)
		listed := slices.ContainsFunc(spec.Entries, func(other datasets.Entry) bool { return other.ID == e.ID })
		if want := ratio >= 1.5; listed != want {
			t.Errorf("%s: listed %v, the test has %.2f times as many pairs", e.ID, listed, ratio)
		}
		if !listed {
			continue
		}
		for _, p := range []struct {
			name   string
			factor float64
		}{{"step", 1 / ratio}, {"lambda", ratio}} {
			paper, scaled := valueOn(t, spec.Columns[0], e, p.name), valueOn(t, spec.Columns[2], e, p.name)
			if want := paper * p.factor; math.Abs(scaled-want) > 1e-3*want {
				t.Errorf("%s: %s %g, want %g", e.ID, p.name, scaled, want)
			}
		}
	}
}

// valueOn is a parameter of a column with a single grid point on a data set.
func valueOn(t *testing.T, c Column, e datasets.Entry, name string) float64 {
	t.Helper()
	points := c.Points(e.ID)
	if len(points) != 1 {
		t.Fatalf("%s has %d grid points on %s", c.ID, len(points), e.ID)
	}
	value, ok := points[0].Params[name].(float64)
	if !ok {
		t.Fatalf("%s has no %s on %s", c.ID, name, e.ID)
	}
	return value
}
