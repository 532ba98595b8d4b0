package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// program builds the command and returns its path.
func program(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "r2lmlbench")
	if out, err := exec.Command("go", "build", "-o", path, ".").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return path
}

// TestReadme: the table that README.md shows is what the quick spec prints.
func TestReadme(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	var stderr bytes.Buffer
	cmd := exec.Command(program(t), "run", "quick", "--results", t.TempDir())
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, stderr.String())
	}
	var shown strings.Builder
	for _, line := range strings.Split(strings.TrimRight(string(out), "\n"), "\n") {
		shown.WriteString(strings.TrimRight("    "+line, " ") + "\n")
	}
	if !strings.Contains(string(readme), shown.String()) {
		t.Errorf("README.md does not show what `run quick` prints:\n%s", shown.String())
	}
}

// slow is a spec of one cell that takes seconds, its points one after another.
const slow = `
name: slow
datasets: [twonorm-gen]
methods:
  - method: e-r2lml
    params: {step: 1e-6, epochs: 2}
    grid: {metrics: [8], lambda: [1, 2, 3, 4, 5, 6]}
`

// TestInterrupt: an interrupt ends a run with exit code 130, and the next run
// goes on behind the points that were finished.
func TestInterrupt(t *testing.T) {
	path, dir := program(t), t.TempDir()
	spec := filepath.Join(dir, "slow.yaml")
	if err := os.WriteFile(spec, []byte(slow), 0o666); err != nil {
		t.Fatal(err)
	}
	results := filepath.Join(dir, "results")
	cmd := exec.Command(path, "run", spec, "--results", results, "--workers", "1")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	journal := waitForPoint(t, results)
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	var exit *exec.ExitError
	if err := cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != 130 {
		t.Fatalf("%v, want exit status 130", err)
	}
	if _, err := os.Stat(journal); err != nil {
		t.Errorf("the journal is gone: %v", err)
	}
	out, err := exec.Command(path, "run", spec, "--results", results).CombinedOutput()
	if err != nil || !strings.Contains(string(out), "97.") {
		t.Errorf("%v\n%s", err, out)
	}
	if _, err := os.Stat(journal); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the journal of a finished cell: %v, want it gone", err)
	}
}

// waitForPoint waits until a journal below dir holds a grid point, and returns
// its path.
func waitForPoint(t *testing.T, dir string) string {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		journals, _ := filepath.Glob(filepath.Join(dir, "cells", "*", "*.journal"))
		for _, path := range journals {
			if b, err := os.ReadFile(path); err == nil && bytes.Count(b, []byte("\n")) > 1 {
				return path
			}
		}
	}
	t.Fatal("no grid point was finished within a minute")
	return ""
}

// TestNoColor: bold type is for terminals, and only without NO_COLOR. Standard
// output is a terminal here by way of script(1), where there is one.
func TestNoColor(t *testing.T) {
	script, err := exec.LookPath("script")
	if err != nil {
		t.Skip("script(1) is not installed, so there is no terminal to print to")
	}
	path, results := program(t), t.TempDir()
	command := path + " run quick --methods euclidean --quiet --results " + results
	for _, c := range []struct {
		env  string
		bold bool
	}{{"NO_COLOR=", true}, {"NO_COLOR=1", false}} {
		cmd := exec.Command(script, "-qec", command, "/dev/null")
		cmd.Env = append(os.Environ(), c.env, "TERM=xterm")
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		if bold := bytes.Contains(out, []byte("\x1b[1m")); bold != c.bold {
			t.Errorf("%s: bold type is %v, want %v\n%q", c.env, bold, c.bold, out)
		}
	}
}
