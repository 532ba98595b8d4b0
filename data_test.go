package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestWrongDigestIsAFailureOfItsCells runs a program whose catalogue has another
// digest for a data set than its content: its cells fail, those of the other set
// are computed, and the exit code is that of data.
func TestWrongDigestIsAFailureOfItsCells(t *testing.T) {
	const catalogue, digest = "datasets/catalog_gen.go", "4563efc3326bd35671ebcba83ea1ea414e3ec92932d14db11b4dcad46463419a"
	before, err := os.ReadFile(catalogue)
	if err != nil {
		t.Fatal(err)
	}
	wrong := strings.Replace(string(before), digest, strings.Repeat("0", len(digest)), 1)
	if wrong == string(before) {
		t.Fatalf("%s has no digest %s", catalogue, digest)
	}
	dir := t.TempDir()
	program := builtWith(t, dir, map[string]string{catalogue: wrong})
	spec := filepath.Join(dir, "two.yaml")
	stanzas := "name: two\ndatasets: [overlap30, overlap60]\nmethods: [{method: euclidean}, {method: rca}]\n"
	if err := os.WriteFile(spec, []byte(stanzas), 0o666); err != nil {
		t.Fatal(err)
	}
	run := func(command string) (code int, out string) {
		t.Helper()
		var stdout, stderr bytes.Buffer
		cmd := exec.Command(program, command, spec, "--format", "csv", "--workers", "1", "--results", filepath.Join(dir, "results"))
		cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &stdout, &stderr
		var ended *exec.ExitError
		if err := cmd.Run(); err != nil && !errors.As(err, &ended) {
			t.Fatal(err)
		}
		t.Logf("%s:\n%s%s", command, stdout.String(), stderr.String())
		return cmd.ProcessState.ExitCode(), stdout.String()
	}
	code, out := run("run")
	if code != 4 {
		t.Errorf("exit code %d, want 4", code)
	}
	if n := strings.Count(out, "wrong content: content digest "+digest); n != 2 {
		t.Errorf("%d cells of the table fail for their data, want 2", n)
	}
	failed, err := filepath.Glob(filepath.Join(dir, "results/cells/overlap30/*.failed.json"))
	if err != nil || len(failed) != 2 {
		t.Errorf("failed: %v, %v; want two cells", failed, err)
	}
	runs, err := filepath.Glob(filepath.Join(dir, "results/cells/overlap60/*.run.json"))
	if err != nil || len(runs) != 2 {
		t.Errorf("computed: %v, %v; want two cells", runs, err)
	}
}
