package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"r2lmlbench/internal/fixture"
)

// asProgram makes the test binary the program itself: tests of what becomes of
// whole processes start it as one.
const asProgram = "R2LMLBENCH_TEST_AS_PROGRAM"

// command runs the command line and returns its exit code and streams.
func command(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	t.Setenv("R2LMLBENCH_DATA", "")
	t.Setenv("R2LMLBENCH_RESULTS", "")
	var out, err bytes.Buffer
	code = Main(args, &out, &err)
	return code, out.String(), err.String()
}

// small is a spec on generated data that takes a moment.
const small = `
name: small
datasets: [twonorm-gen, ringnorm-gen]
methods:
  - method: euclidean
  - method: e-r2lml
    params: {step: 1e-6, epochs: 1, iterations: 1}
    grid: {lambda: [1, 10]}
`

// A process is a run of the program that may be killed.
type process struct {
	*exec.Cmd
	stdout, stderr bytes.Buffer
}

// program prepares a run of the program.
func program(t *testing.T, args ...string) *process {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute) // nothing may hang
	t.Cleanup(cancel)
	p := &process{Cmd: exec.CommandContext(ctx, os.Args[0], args...)}
	p.Env = append(os.Environ(), asProgram+"=1", "NO_COLOR=1", "R2LMLBENCH_DATA="+t.TempDir(), "R2LMLBENCH_RESULTS=")
	p.Stdout, p.Stderr = &p.stdout, &p.stderr
	return p
}

// code waits for the end of a process and returns its exit code.
func (p *process) code(t *testing.T) int {
	t.Helper()
	err := p.Wait()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return p.ProcessState.ExitCode()
}

// runProgram runs the program to its end.
func runProgram(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	p := program(t, args...)
	fixture.Check(t, p.Start())
	code = p.code(t)
	return code, p.stdout.String(), p.stderr.String()
}

// finish runs the program to its end, which must be good, and returns what it said.
func finish(t *testing.T, args ...string) (stderr string) {
	t.Helper()
	code, _, stderr := runProgram(t, args...)
	if code != 0 {
		t.Fatalf("%q: exit code %d\n%s", args, code, stderr)
	}
	return stderr
}

// cellFiles returns the cells of a store, those of failures included.
func cellFiles(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := fixture.Contents(t, dir, ".json")
	maps.DeleteFunc(files, func(name, _ string) bool { return strings.HasSuffix(name, ".run.json") })
	return files
}

// mismatches counts the cells that differ between two stores, and reports them.
func mismatches(t *testing.T, got, want map[string]string) int {
	t.Helper()
	if len(want) == 0 {
		t.Fatal("no cells to compare with")
	}
	n := 0
	for name, b := range want {
		if got[name] != b {
			n++
			t.Errorf("cell %s:\n%.300s\nwant\n%.300s", name, got[name], b)
		}
	}
	for name := range got {
		if _, ok := want[name]; !ok {
			n++
			t.Errorf("cell %s is one too many", name)
		}
	}
	return n
}

// leftovers lists the files of a store that a finished run does not leave.
func leftovers(t *testing.T, dir string) []string {
	t.Helper()
	var names []string
	for name := range fixture.Contents(t, dir, "") {
		base := filepath.Base(name)
		if strings.HasPrefix(base, ".") || strings.HasSuffix(base, ".journal") || strings.Contains(base, ".corrupt-") {
			names = append(names, name)
		}
	}
	return names
}

// A logged is a line of --log json.
type logged struct {
	Level, Msg, Event     string
	Dataset, Method       string
	Seed                  int
	Failure               string
	Points, Resumed, Cell int
	Cells, Failed         int
	PointsFitted          int `json:"points_fitted"`
	PointsResumed         int `json:"points_resumed"`
	Slowest               []finishedCell
}

// A finishedCell is one of the slowest cells of a summary.
type finishedCell struct {
	Dataset, Method string
	Seconds         float64
}

// events parses the lines of --log json; the last one of a process that was
// killed may be torn.
func events(t *testing.T, stderr string, killed bool) []logged {
	t.Helper()
	var all []logged
	lines := strings.SplitAfter(stderr, "\n")
	for i, line := range lines {
		if line == "" {
			continue
		}
		var l logged
		if err := json.Unmarshal([]byte(line), &l); err != nil && !(killed && i == len(lines)-1) {
			t.Errorf("line %d is no JSON object: %v\n%s", i+1, err, line)
			continue
		}
		all = append(all, l)
	}
	return all
}
