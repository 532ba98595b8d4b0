package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"r2lmlbench/internal/fixture"
)

// newLine is the line of the registry that a new baseline takes, beside a file in
// baselines and a stanza of a spec, which are in testdata/threeplaces.
const newLine = `	method.New("weighted", "Weighted", r2lml.Singly[baselines.Weighted], method.About{Source: "a test", Complexity: "none", Version: 1}),
`

// TestNewMethodTakesThreePlaces adds a method in these places and nowhere else,
// and uses every command that knows methods.
func TestNewMethodTakesThreePlaces(t *testing.T) {
	fixture.Long(t)
	dir := t.TempDir()
	program := withNewMethod(t, dir)
	spec := fixture.Must(filepath.Abs("testdata/threeplaces/three.yaml"))(t)
	results := filepath.Join(dir, "results")
	run := func(args ...string) string {
		t.Helper()
		var stderr bytes.Buffer
		cmd := exec.Command(program, args...)
		cmd.Dir, cmd.Stderr, cmd.Env = dir, &stderr, append(os.Environ(), "R2LMLBENCH_RESULTS="+results)
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%v: %v\n%s", args, err, stderr.String())
		}
		return string(out)
	}
	run("validate", spec)
	run("plan", spec, "--cost")
	var table struct {
		Rows []struct {
			Cells []struct {
				Method   string
				Accuracy string
				Facts    []struct{ Name string }
			}
			Pairs []struct{ A, B string }
		}
	}
	fixture.Check(t, json.Unmarshal([]byte(run("run", spec, "--format", "json")), &table))
	cell := table.Rows[0].Cells[1]
	if cell.Method != "weighted" || cell.Accuracy != table.Rows[0].Cells[0].Accuracy || len(cell.Facts) != 4 || len(table.Rows[0].Pairs) != 1 {
		t.Errorf("%+v, want the accuracy of the Euclidean metric, which weight 1 is, four facts and a test", table.Rows[0])
	}
	for _, c := range []struct{ want, got string }{
		{"weighted  ", run("methods")},
		{`"const": "weighted"`, run("validate", "--schema")},
		{"weight=1", run("explain", "overlap30/weighted", "--spec", spec)},
		{"three-places", run("cluster", "slurm", spec)},
	} {
		if !strings.Contains(c.got, c.want) {
			t.Errorf("%q is not in\n%s", c.want, c.got)
		}
	}
	run("report", spec, "-o", filepath.Join(dir, "report"))
}

// withNewMethod builds the program with the file and the line laid over the source,
// which stays as it is.
func withNewMethod(t *testing.T, dir string) string {
	t.Helper()
	const registry = "experiments/registry/registry.go"
	head, tail, found := strings.Cut(fixture.Text(t, registry), "\nvar Methods = []method.Method{\n")
	if !found {
		t.Fatalf("%s has no list of methods", registry)
	}
	return built(t, dir, "-overlay", overlay(t, dir, map[string]string{
		registry: head + "\nvar Methods = []method.Method{\n" + newLine + tail, "baselines/weighted.go": fixture.Text(t, "testdata/threeplaces/weighted.go.txt"),
	}))
}
