package cli

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"r2lmlbench/internal/fixture"
	"r2lmlbench/results"
)

// TestMain makes the test binary the program itself where a test starts it as one:
// scripts by its name, tests of what becomes of whole processes by a variable.
func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
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
				var exit *exec.ExitError
				if errors.As(err, &exit) {
					code = exit.ExitCode()
				} else {
					ts.Check(err)
				}
				if want, _ := strconv.Atoi(args[0]); code != want {
					ts.Fatalf("exit code %d, want %d", code, want)
				}
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
					b, err := os.ReadFile(path)
					if err == nil {
						err = json.Unmarshal(b, &run)
					}
					if err != nil {
						return err
					}
					run.Builds = []results.Build{{Sum: "f00d"}}
					if b, err = json.Marshal(run); err != nil {
						return err
					}
					return os.WriteFile(path, b, 0o666)
				}))
			},
		},
	})
}
