package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"r2lmlbench/internal/text"
)

// asProgram makes the test binary the program itself, so that tests of whole
// processes need not build it.
const asProgram = "R2LMLBENCH_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
	}
	os.Exit(m.Run())
}

// program prepares a run of the program.
func program(args ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(os.Environ(), asProgram+"=1")
	return cmd
}

// TestReadme: the table that README.md shows has the accuracies that the quick spec
// gives. T-R2LML takes longer than all other methods together and is left to
// .ci/run, which compares the whole output.
func TestReadme(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	const methods = "euclidean,itml,lmnn,glml,plml,e-r2lml"
	out, err := program("run", "quick", "--methods", methods, "--quiet", "--results", t.TempDir()).Output()
	if err != nil {
		t.Fatal(err)
	}
	shown, got := quickTable(string(readme)), quickTable(string(out))
	if want := 2 * (len(strings.Split(methods, ",")) + 3); len(got) != want { // with n, standardized Euclidean and the majority class
		t.Errorf("`run quick` prints %d numbers, want %d:\n%s", len(got), want, out)
	}
	for place, value := range got {
		if shown[place] != value {
			t.Errorf("%s: README.md has %s, `run quick` prints %s", place, shown[place], value)
		}
	}
}

// quickTable reads the numbers of a table of text, without ranks, by row and column.
func quickTable(text string) map[string]string {
	gap, rank := regexp.MustCompile(`\s{2,}`), regexp.MustCompile(`[¹²³⁴-⁹]+$`)
	numbers := map[string]string{}
	var head []string
	for line := range strings.Lines(text) {
		fields := gap.Split(strings.TrimSpace(line), -1)
		switch {
		case len(fields) > 2 && fields[0] == "data":
			head = fields
		case len(fields) == len(head) && strings.Contains(fields[0], "(generated)"):
			for i, value := range fields[1:] {
				numbers[fields[0]+", "+head[i+1]] = rank.ReplaceAllString(value, "")
			}
		}
	}
	return numbers
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
	dir := t.TempDir()
	spec := filepath.Join(dir, "slow.yaml")
	if err := os.WriteFile(spec, []byte(slow), 0o666); err != nil {
		t.Fatal(err)
	}
	results := filepath.Join(dir, "results")
	cmd := program("run", spec, "--results", results, "--workers", "1")
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
	out, err := program("run", spec, "--results", results).CombinedOutput()
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
	results := t.TempDir()
	command := text.ShellWord(os.Args[0]) + " run quick --methods euclidean --quiet --results " + results
	for _, c := range []struct {
		env  string
		bold bool
	}{{"NO_COLOR=", true}, {"NO_COLOR=1", false}} {
		cmd := exec.Command(script, "-qec", command, "/dev/null")
		cmd.Env = append(os.Environ(), c.env, asProgram+"=1", "TERM=xterm")
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		if bold := bytes.Contains(out, []byte("\x1b[1m")); bold != c.bold {
			t.Errorf("%s: bold type is %v, want %v\n%q", c.env, bold, c.bold, out)
		}
	}
}
