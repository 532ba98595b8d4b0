package cli

import (
	"encoding/json"
	"path/filepath"
	"testing"
)

// A spec with the key contrast needs nothing else: run and table print what its columns
// differ by, and JSON has it by data set.
func TestContrastsBelowTheTable(t *testing.T) {
	dir := t.TempDir()
	spec := writeFile(t, dir, "mine.yaml", `name: mine
datasets: [overlap30, overlap60]
methods: [{method: euclidean}, {method: rca}]
contrast: {a: rca, b: euclidean}
`)
	cells := filepath.Join(dir, "cells")
	code, stdout, stderr := command(t, "run", spec, "--results", cells)
	if code != 0 {
		t.Fatalf("%d: %s", code, stderr)
	}
	says(t, stdout, "Contrasts over data sets", "rca-euclidean", "detectable")
	_, stdout, _ = command(t, "table", spec, "--results", cells, "--format", "json")
	var made struct {
		Contrasts []struct {
			Numbers map[string]string
			Sets    []struct{ Dataset string }
		}
	}
	if err := json.Unmarshal([]byte(stdout), &made); err != nil || len(made.Contrasts) != 1 {
		t.Fatalf("%v: %s", err, stdout)
	}
	if c := made.Contrasts[0]; c.Numbers["sets"] != "2" || len(c.Sets) != 2 || c.Sets[1].Dataset != "overlap60" {
		t.Errorf("%+v", c)
	}
}
