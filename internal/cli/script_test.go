package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"r2lmlbench/internal/fixture"
	"r2lmlbench/results"
)

// TestMain makes the test binary the program itself where a test starts it as one:
// scripts by its name, tests of what becomes of whole processes by a variable.
func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		results.Sources = fstest.MapFS{} // known, as those of the program are, whether or not its file can be read
		os.Exit(Main(os.Args[1:], os.Stdout, os.Stderr))
	}
	testscript.Main(m, map[string]func(){"r2lmlbench": func() { os.Exit(Main(os.Args[1:], os.Stdout, os.Stderr)) }})
}

// TestScripts: what the commands do, by scripts in testdata. Beside the commands of
// testscript they have
//
//	code N COMMAND...   the command ends with this exit code
//	tmpfs DIR KIB       a file system of that size is mounted there
//	otherbuild DIR      the cells in a directory become those of another build
//	width N             no line of standard output has more columns
//
// and in their folder a file small.yaml, which is the spec small.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: filepath.Join("testdata", "script"),
		Setup: func(e *testscript.Env) error {
			e.Setenv("R2LMLBENCH_DATA", filepath.Join(e.WorkDir, "data"))
			e.Setenv("HOME", e.WorkDir)
			return os.WriteFile(filepath.Join(e.WorkDir, "small.yaml"), []byte(small), 0o666)
		},
		Condition: func(name string) (bool, error) {
			switch name {
			case "long":
				return fixture.LongRun(), nil
			case "tmpfs": // whether one can be mounted
				dir := t.TempDir()
				defer exec.Command("umount", dir).Run()
				return exec.Command("mount", "-t", "tmpfs", "tmpfs", dir).Run() == nil, nil
			}
			return false, errors.New("unknown condition")
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"code": func(ts *testscript.TestScript, _ bool, args []string) {
				code, err := 0, ts.Exec(args[1], args[2:]...)
				if exit, ok := errors.AsType[*exec.ExitError](err); ok {
					code, err = exit.ExitCode(), nil
				}
				ts.Check(err)
				if strconv.Itoa(code) != args[0] {
					ts.Fatalf("exit code %d, want %s", code, args[0])
				}
			},
			"bytes": func(ts *testscript.TestScript, _ bool, args []string) { // FILE TEXT, as Go writes it between quotes
				text, err := strconv.Unquote(`"` + args[1] + `"`)
				ts.Check(err)
				ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text), 0o666))
			},
			"tmpfs": func(ts *testscript.TestScript, _ bool, args []string) {
				dir := ts.MkAbs(args[0])
				ts.Check(os.Mkdir(dir, 0o777))
				ts.Check(exec.Command("mount", "-t", "tmpfs", "-o", "size="+args[1]+"k", "tmpfs", dir).Run())
				ts.Defer(func() { exec.Command("umount", dir).Run() })
			},
			"width": func(ts *testscript.TestScript, _ bool, args []string) {
				most, err := strconv.Atoi(args[0])
				ts.Check(err)
				for line := range strings.SplitSeq(ts.ReadFile("stdout"), "\n") {
					if len([]rune(line)) > most {
						ts.Fatalf("%d columns: %s", len([]rune(line)), line)
					}
				}
			},
			"otherbuild": func(ts *testscript.TestScript, _ bool, args []string) {
				ts.Check(filepath.WalkDir(ts.MkAbs(args[0]), func(path string, _ os.DirEntry, err error) error {
					if err != nil || !strings.HasSuffix(path, ".run.json") {
						return err
					}
					var run results.Run
					ts.Check(json.Unmarshal([]byte(ts.ReadFile(path)), &run))
					run.Builds = []results.Build{{Sum: "f00d"}}
					b, err := json.Marshal(run)
					ts.Check(err)
					return os.WriteFile(path, b, 0o666)
				}))
			},
		},
	})
}

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
	if _, ended := errors.AsType[*exec.ExitError](err); !ended {
		fixture.Check(t, err)
	}
	return p.ProcessState.ExitCode()
}

// runProgram runs the program to its end.
func runProgram(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	p := program(t, args...)
	fixture.Check(t, p.Start())
	return p.code(t), p.stdout.String(), p.stderr.String()
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

// noLeftovers fails if a store has files that a finished run does not leave.
func noLeftovers(t *testing.T, dir string) {
	t.Helper()
	for name := range fixture.Contents(t, dir, "") {
		base := filepath.Base(name)
		if strings.HasPrefix(base, ".") || strings.HasSuffix(base, ".journal") || strings.Contains(base, ".corrupt-") {
			t.Errorf("%s is left in %s", name, dir)
		}
	}
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
