package run_test

import (
	"errors"
	"fmt"
	"maps"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"r2lmlbench/experiments/method"
	"r2lmlbench/experiments/plan"
	. "r2lmlbench/experiments/run"
	"r2lmlbench/experiments/spec"
	"r2lmlbench/internal/fixture"
	"r2lmlbench/results"
	"r2lmlbench/results/store"
)

// A scripted is an experiment whose program is the file method.sh beside it.
type scripted struct {
	t            *testing.T
	folder, path string // of the program
	store        *store.Store
}

func newScripted(t *testing.T) scripted {
	fixture.Needs(t, "sh")
	folder := t.TempDir()
	return scripted{t, folder, filepath.Join(folder, "method.sh"), storeIn(t, t.TempDir())}
}

// parse reads a spec with one stanza, whose further lines are given.
func (s scripted) parse(rest string) (*spec.Spec, error) {
	return spec.Parse(filepath.Join(s.folder, "spec.yaml"), []byte(tiny("  - method: external\n"+rest)))
}

const methodSh = "    params: {command: [sh, ./method.sh]}\n"

// plan plans a run and returns it, with the inputs of its one cell.
func (s scripted) plan(rest string) (run func() error, in results.Inputs) {
	s.t.Helper()
	source, _ := tinySource(s.t)
	jobs := fixture.Must(plan.New(s.t.Context(), fixture.Must(s.parse(rest))(s.t), source))(s.t).Jobs()
	runner := Runner{Store: s.store, Source: source, Workers: 2, RetryFailed: true}
	return func() error { return runner.Run(s.t.Context(), jobs) }, jobs[0].Inputs
}

// refused checks that a run failed for a reason and stored no cell.
func (s scripted) refused(in results.Inputs, err error, want string) {
	s.t.Helper()
	if c, ok, err := s.store.Find(in); ok || err != nil {
		s.t.Errorf("stored as done: %+v, %v", c.Predicted, err)
	}
	c, _, fault := s.store.Failed(in)
	fixture.Check(s.t, fault)
	checkFailed(s.t, "refused", err, c, want)
}

// TestProgramEditedDuringAFit: what a program predicts that is not the one of the
// key is not kept, in the fit of a grid point or in the only one; and not a failure
// that the edit may have caused.
func TestProgramEditedDuringAFit(t *testing.T) {
	for _, c := range []struct{ name, edit, rest, want string }{
		{"edited", ones + `echo "# edited" >> "$0"`, methodSh, "./method.sh has changed since the run was planned"},
		{"deleted", ones + `rm "$0"`, methodSh, "./method.sh has changed since the run was planned"},
		{"made a pipe", ones + `rm "$0"; mkfifo "$0"`, methodSh, "./method.sh has changed since the run was planned"},
		{"in a grid", `grep -q '"class": 2' params.json && echo "# edited" >> "$0"; ` + ones,
			methodSh + "    grid: {class: [1, 2, 3]}\n", "./method.sh has changed since the run was planned"},
		{"edited beside it", ones + "echo '# edited' >> \"$(dirname \"$0\")/helper\"", methodSh + "    depends: helper\n",
			"helper has changed since the run was planned"},
		{"and failed", `echo "exit 1" >> "$0"; exit 1`, methodSh, "./method.sh has changed since the run was planned"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := newScripted(t)
			fixture.Write(t, s.path, c.edit+"\nexit\n")
			fixture.Write(t, filepath.Join(s.folder, "helper"), "")
			run, in := s.plan(c.rest)
			s.refused(in, run(), c.want)
		})
	}
}

// TestProgramEditedBeforeItsFit: a program that is not the planned one is not even
// started. Planned again, it has a cell of its own.
func TestProgramEditedBeforeItsFit(t *testing.T) {
	s := newScripted(t)
	script := "touch '" + s.folder + "/started'; " + ones
	fixture.Write(t, s.path, script)
	run, old := s.plan(methodSh)
	info := fixture.Must(os.Stat(s.path))(t)
	fixture.Write(t, s.path, strings.Replace(script, "/1/", "/2/", 1)) // as long as before
	fixture.Check(t, os.Chtimes(s.path, time.Time{}, info.ModTime()))
	s.refused(old, run(), "./method.sh has changed since the run was planned")
	if _, err := os.Stat(filepath.Join(s.folder, "started")); err == nil {
		t.Error("the edited program was started")
	}
	fixture.Write(t, s.path, script+"# new\n")
	run, in := s.plan(methodSh)
	fixture.Check(t, run())
	if c, ok, err := s.store.Find(in); !ok || err != nil || c.Correct() != 7 || c.Inputs.Key() == old.Key() {
		t.Errorf("%v, %v, %d right, want 7 under a key of its own", ok, err, c.Correct())
	}
}

// TestProgramOfPATHIsPinned: the program that was found in PATH and hashed is the
// one that runs, and one that was not found does not run when it appears.
func TestProgramOfPATHIsPinned(t *testing.T) {
	s := newScripted(t)
	first, second := t.TempDir(), t.TempDir()
	t.Setenv("PATH", first+string(os.PathListSeparator)+second+string(os.PathListSeparator)+os.Getenv("PATH"))
	install := func(dir, name, label string) {
		t.Helper()
		script := "#!/bin/sh\n" + strings.Replace(ones, "/1/", "/"+label+"/", 1) + "\n"
		fixture.Check(t, os.WriteFile(filepath.Join(dir, name), []byte(script), 0o777))
	}
	install(second, "r2-labeller", "1")
	run, in := s.plan("    params: {command: [r2-labeller]}\n")
	install(first, "r2-labeller", "2")
	fixture.Check(t, run())
	if c, _, err := s.store.Find(in); err != nil || c.Predicted[0] != 1 {
		t.Errorf("%v, predicted %d, want the program that was hashed", err, c.Predicted[0])
	}
	run, in = s.plan("    params: {command: [r2-late]}\n")
	install(first, "r2-late", "1")
	s.refused(in, run(), "executable file not found")
}

// TestParamsOfAProgram: the keys of cells hold these and no others. The digest is
// that of sha256sum.
func TestParamsOfAProgram(t *testing.T) {
	s := newScripted(t)
	fixture.Write(t, s.path, "echo 1\n")
	fixture.Write(t, filepath.Join(s.folder, "lib", "two"), "echo 2\n")
	fixture.Write(t, filepath.Join(s.folder, "one"), "echo 1\n")
	const program, one, two = "./method.sh c44090c3f318c724", ", ./one c44090c3f318c724", ", lib/two 03623d0eb5add7ba"
	without := map[string]any{"command": "sh ./method.sh", "timeout": 600.0, "program": program}
	with := func(key string, value any) map[string]any {
		params := maps.Clone(without)
		params[key] = value
		return params
	}
	for stanza, want := range map[string]map[string]any{
		methodSh:                                                 without,
		methodSh + "    env: []\n":                               without,
		methodSh + "    depends: []\n":                           without,
		methodSh + "    depends: [lib/two, ./one]\n":             with("program", program+one+two),
		methodSh + "    depends: [./one, lib/two]\n":             with("program", program+one+two),
		methodSh + "    env: [B, A]\n":                           with("env", "A B"),
		"    params: {command: [sh, ./method.sh], env: house}\n": with("env", "house"), // a parameter of the program
		"    params: {command: [sh, ./method.sh, it's]}\n":       with("command", `sh ./method.sh 'it'\''s'`),
	} {
		fixture.Same(t, stanza, method.ParamsOf(fixture.Must(s.parse(stanza))(t).Columns[0].Settings["mat:tiny"][0]), want)
	}
}

// TestDependsNamesFiles: anything else is refused when the spec is read, at its place.
func TestDependsNamesFiles(t *testing.T) {
	s := newScripted(t)
	fixture.Write(t, s.path, ones)
	fixture.Write(t, filepath.Join(s.folder, "large"), "")
	fixture.Check(t, os.Truncate(filepath.Join(s.folder, "large"), 256<<20+1))
	for names, want := range map[string]string{
		"[none.py]":                  "there is no " + filepath.Join(s.folder, "none.py"),
		"[.]":                        ". is no regular file but a directory",
		"[large]":                    "large is larger than 256 MiB",
		"[./method.sh, ./method.sh]": "./method.sh is listed twice",
		"[/none]":                    "there is no /none",
		`[""]`:                       "is no regular file but a directory",
	} {
		_, err := s.parse(methodSh + "    depends: " + names + "\n")
		fixture.Says(t, err, "spec.yaml:6:", want)
		fixture.Equal(t, names+": faults", strings.Count(err.Error(), "spec.yaml:"), 1)
	}
	_, err := s.parse("    params: {command: [sh, ./method.sh], depends: one}\n")
	fixture.Says(t, err, "depends stands beside params")
}

// TestFreshOutside: what a program made before the run began is computed again with Fresh, also
// half a grid, since files that it reads may have changed; depends makes another cell of them.
func TestFreshOutside(t *testing.T) {
	for _, grid := range []string{"", "    grid: {a: [1, 2]}\n"} {
		s := newScripted(t)
		helper := filepath.Join(s.folder, "helper")
		fixture.Write(t, s.path, `sed "s/.*/$(cat "$(dirname "$0")/helper")/" query.csv | tail -n +2 > predictions.csv`)
		fixture.Write(t, helper, "1")
		label := func(fresh bool, rest string) (int, string) {
			t.Helper()
			source, _ := tinySource(t)
			jobs := fixture.Must(plan.New(t.Context(), fixture.Must(s.parse(methodSh+grid+rest))(t), source))(t).Jobs()
			runner := Runner{Store: s.store, Source: source, Workers: 2, Fresh: fresh}
			fixture.Check(t, runner.Run(t.Context(), jobs))
			c, ok, err := s.store.Find(jobs[0].Inputs)
			if !ok || err != nil {
				t.Fatalf("no cell: %v", err)
			}
			run, _, _ := s.store.RunOf(c)
			return c.Predicted[0], fmt.Sprint(run.Started)
		}
		expect := func(what string, fresh bool, rest string, want int) (started string) {
			t.Helper()
			got, started := label(fresh, rest)
			fixture.Equal(t, grid+what, got, want)
			return started
		}
		first := expect("first", false, "", 1)
		fixture.Write(t, helper, "2")
		fixture.Equal(t, "the stored cell", expect("without fresh", false, "", 1), first)
		second := expect("fresh", true, "", 2)
		if third := expect("fresh again, nothing changed", true, "", 2); third == second {
			t.Error("nothing is computed")
		}
		source, _ := tinySource(t)
		in := fixture.Must(plan.New(t.Context(), fixture.Must(s.parse(methodSh+grid))(t), source))(t).Jobs()[0].Inputs
		c, _, _ := s.store.Find(in)
		made, _, _ := s.store.RunOf(c)
		made.Started = time.Now().Add(time.Hour)
		fixture.Check(t, s.store.Put(c, made))
		if expect("fresh, after the clock was set back", true, "", 2) == fmt.Sprint(made.Started.UTC()) {
			t.Error("a cell of a time to come counts as fresh")
		}
		const depends = "    depends: [helper]\n"
		expect("with depends", false, depends, 2)
		fixture.Write(t, helper, "3")
		expect("with depends, changed", false, depends, 3)
		if grid == "" {
			continue
		}

		// A journal of an earlier run of this build, with one setting.
		in = fixture.Must(plan.New(t.Context(), fixture.Must(s.parse(methodSh+grid+"    measure: surface\n"))(t), source))(t).Jobs()[0].Inputs
		j := fixture.Must(s.store.OpenJournal(in))(t)
		fixture.Check(t, j.Add(results.Outcome{Setting: 1, Correct: 10_000, Build: results.ThisBuild()}))
		fixture.Check(t, j.Close())
		expect("with a journal", true, "    measure: surface\n", 3)
		c, _, err := s.store.Find(in)
		if err != nil || slices.Max(c.Validation.Correct) == 10_000 {
			t.Errorf("%v: the outcome of the journal was used: %v", err, c.Validation)
		}
	}
}

// TestSecretsStayOutside: a program is given the variables that all are and those
// that its stanza names; their values are nowhere in the store.
func TestSecretsStayOutside(t *testing.T) {
	fixture.Needs(t, "env")
	const secret = "hush-4711"
	t.Setenv("R2LMLBENCH_TEST_TOKEN", secret)
	t.Setenv("R2LMLBENCH_TEST_OTHER", secret)
	t.Setenv("LC_TIME", "C")
	t.Setenv("TMPDIR", t.TempDir())
	own := []string{"SHLVL", "_", "OLDPWD", "PWD"} // of the shell
	for env, passed := range map[string][]string{
		"[]":                      {},
		"[R2LMLBENCH_TEST_TOKEN]": {"R2LMLBENCH_TEST_TOKEN"},
		"[R2LMLBENCH_TEST_UNSET]": {},
	} {
		s := newScripted(t)
		fixture.Write(t, s.path, "env > '"+s.folder+"/env'; [ \"$PWD\" = \"$(pwd -P)\" ] || exit 3; "+ones)
		run, in := s.plan(methodSh + "    env: " + env + "\n")
		if err := run(); err != nil {
			c, _, _ := s.store.Failed(in)
			t.Fatalf("%s: %v: %s", env, err, c.Failure)
		}
		given := map[string]string{}
		for line := range strings.Lines(fixture.Text(t, filepath.Join(s.folder, "env"))) {
			name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
			given[name] = value
		}
		for _, name := range append([]string{"PATH", "LC_TIME", "TMPDIR"}, passed...) {
			fixture.Equal(t, env+": "+name, given[name], os.Getenv(name))
		}
		allowed := append(append([]string{"PATH", "HOME", "TMPDIR", "TEMP", "TMP", "LANG"}, own...), passed...)
		for name := range given {
			if !slices.Contains(allowed, name) && !strings.HasPrefix(name, "LC_") {
				t.Errorf("%s: the program is given %s", env, name)
			}
		}
		files := fixture.Contents(t, s.store.Dir, "")
		for path, text := range files {
			fixture.Lacks(t, env+": "+path, text, secret)
		}
		if len(files) < 2 {
			t.Errorf("%s: %d files are stored", env, len(files))
		}
	}
}

// TestCommandsNameRegularFiles: anything else is refused when the spec is read,
// and nothing is waited for.
func TestCommandsNameRegularFiles(t *testing.T) {
	fixture.Needs(t, "mkfifo")
	s := newScripted(t)
	at := func(name string) string { return filepath.Join(s.folder, name) }
	fixture.Must(exec.Command("mkfifo", "-m", "777", at("pipe")).CombinedOutput())(t)
	l := fixture.Must(net.Listen("unix", at("socket")))(t)
	defer l.Close()
	fixture.Check(t, errors.Join(os.WriteFile(at("large"), nil, 0o777), os.Truncate(at("large"), 256<<20+1), os.WriteFile(at("plain"), nil, 0o777)))
	t.Setenv("PATH", s.folder+string(os.PathListSeparator)+os.Getenv("PATH"))
	for command, want := range map[string]string{
		"[./pipe]":                        "./pipe is no regular file but a pipe",
		"[pipe]":                          "pipe is no regular file but a pipe",
		"[./socket]":                      "./socket is no regular file but a socket",
		"[sh, /dev/zero]":                 "/dev/zero is no regular file but a device",
		"[sh, ./plain, " + s.folder + "]": "is no regular file but a directory",
		"[sh, ./large]":                   "./large is larger than 256 MiB",
	} {
		begun := time.Now()
		_, err := s.parse("    params: {command: " + command + "}\n")
		fixture.Says(t, err, want)
		if took := time.Since(begun); took > 5*time.Second || !errors.Is(err, spec.ErrSpec) {
			t.Errorf("%s: %v after %v", command, err, took)
		}
	}
	fixture.Must(s.parse("    params: {command: [sh, ./plain]}\n"))(t)
}
