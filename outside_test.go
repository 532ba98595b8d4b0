package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// built builds the program once, as a user does.
func built(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "r2lmlbench")
	if runtime.GOOS == "windows" {
		path += ".exe"
	}
	if out, err := exec.Command("go", "build", "-o", path, ".").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return path
}

// outside is an empty directory, and an environment in which the program finds
// nothing of the user's either.
func outside(t *testing.T) (dir string, env []string) {
	t.Helper()
	dir, home := t.TempDir(), t.TempDir()
	env = slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "R2LMLBENCH_") })
	return dir, append(env, "HOME="+home, "XDG_CACHE_HOME="+home, "LocalAppData="+home)
}

// TestOutside: the built program alone, in an empty directory, answers from what is
// in it.
func TestOutside(t *testing.T) {
	program := built(t)
	dir, env := outside(t)
	const uncomputed = "missing (not computed yet"
	for _, c := range []struct {
		args        string
		says, never []string
	}{
		{"verdict accuracy --format json", []string{`"numbers": 144`}, nil},
		{"verdict accuracy --datasets I", []string{"  ionosphere  itml       86.43"}, nil},
		{"explain I/itml", []string{"90.05", "file   embedded:results/accepted/packs/ionosphere/itml.jsonl:"}, []string{"missing"}},
		{"explain G/itml --spec quick", []string{"missing", filepath.Join("results", "runs") + " and embedded:results/accepted", "r2lmlbench run quick"}, nil},
		{"report accuracy", nil, nil},
		{"audit", []string{"unreachable"}, nil},
		{"table accuracy", []string{"90.05"}, nil},
		{"data list", []string{"ionosphere"}, nil},
		{"methods", []string{"T-R2LML"}, nil},
		{"validate accuracy", []string{"18 data sets"}, nil},
		{"plan accuracy", []string{"ionosphere"}, nil},
		{"run smoke --methods euclidean,itml", []string{"95.97"}, []string{uncomputed}},
		{"gate smoke --methods euclidean,itml", []string{"gate smoke: pass"}, []string{"changed  "}},
		{"table accuracy", []string{"90.05"}, nil}, // results/runs is there now
	} {
		cmd := exec.Command(program, strings.Fields(c.args)...)
		cmd.Dir, cmd.Env = dir, env
		var stdout, stderr bytes.Buffer
		cmd.Stdout, cmd.Stderr = &stdout, &stderr
		if err := cmd.Run(); err != nil {
			t.Errorf("%s: %v\n%s", c.args, err, &stderr)
		}
		for _, want := range c.says {
			if !strings.Contains(stdout.String(), want) {
				t.Errorf("%s does not say %.80q:\n%.2000s%s", c.args, want, &stdout, &stderr)
			}
		}
		for _, not := range c.never {
			if strings.Contains(stdout.String(), not) {
				t.Errorf("%s says %q:\n%.2000s", c.args, not, &stdout)
			}
		}
	}
	page, err := os.ReadFile(filepath.Join(dir, "report", "index.html"))
	if n := bytes.Count(page, []byte(`class="n"`)); err != nil || n != 144 {
		t.Errorf("the report has %d numbers, want 144, %v", n, err)
	}
	testModules(t, program)
}

// testModules: version --format json has what go version -m reads from the file.
func testModules(t *testing.T, program string) {
	out, err := exec.Command(program, "version", "--format", "json").Output()
	var got struct {
		Path    string
		Module  struct{ Path, Version, Sum string }
		Modules []struct {
			Path, Version, Sum string
			Replaced           json.RawMessage `json:"replaced_by"`
		}
		Settings []struct{ Key, Value string }
	}
	if err = errors.Join(err, json.Unmarshal(out, &got)); err != nil {
		t.Fatal(err)
	}
	lines := []string{"path\t" + got.Path, "mod\t" + got.Module.Path + "\t" + got.Module.Version + "\t" + got.Module.Sum}
	for _, m := range got.Modules {
		if m.Replaced != nil {
			t.Errorf("%s is replaced: %s", m.Path, m.Replaced)
		}
		lines = append(lines, "dep\t"+m.Path+"\t"+m.Version+"\t"+m.Sum)
	}
	for _, s := range got.Settings {
		lines = append(lines, "build\t"+s.Key+"="+s.Value)
	}
	told, err := exec.Command("go", "version", "-m", program).Output()
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for i, line := range strings.Split(strings.TrimSpace(string(told)), "\n") {
		if i > 0 { // the first has the name of the file
			want = append(want, strings.TrimPrefix(line, "\t"))
		}
	}
	slices.Sort(lines)
	slices.Sort(want)
	if len(got.Modules) < 15 || !slices.Equal(lines, want) {
		t.Errorf("version tells\n%s\ngo version -m\n%s", strings.Join(lines, "\n"), strings.Join(want, "\n"))
	}
}
