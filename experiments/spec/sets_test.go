package spec_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	. "r2lmlbench/experiments/spec"
	"r2lmlbench/internal/spectest"
	"r2lmlbench/r2lml"
)

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
