package program

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"r2lmlbench/internal/fixture"
)

// build builds a copy of the example module, which stands elsewhere, as that of a user
// does. Nothing is downloaded: this module needs all that it needs.
func build(t *testing.T) string {
	t.Helper()
	root := fixture.Must(filepath.Abs("../.."))(t)
	dir := t.TempDir()
	fixture.Check(t, os.CopyFS(dir, os.DirFS(filepath.Join(root, "experiments/external/gomodule"))))
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "go.sum"), sums, 0o666)
	}
	fixture.Check(t, err)
	edit := append([]string{"mod", "edit", "-replace", "r2lmlbench=" + root}, required(t, root)...)
	goIn(t, dir, edit...)
	goIn(t, dir, "build", "-mod=mod", "-o", "mybench.exe", ".")
	return dir
}

// required are the flags that require what this module does, as go mod tidy would
// write it: without a network the go command cannot find that out.
func required(t *testing.T, root string) []string {
	t.Helper()
	var file struct {
		Require []struct{ Path, Version string }
	}
	if err := json.Unmarshal(goIn(t, root, "mod", "edit", "-json"), &file); err != nil || len(file.Require) == 0 {
		t.Fatalf("%v: %d modules required", err, len(file.Require))
	}
	var flags []string
	for _, r := range file.Require {
		flags = append(flags, "-require", r.Path+"@"+r.Version)
	}
	return flags
}

// goIn runs the go command in a directory, without a network.
func goIn(t *testing.T, dir string, args ...string) []byte {
	t.Helper()
	var faults bytes.Buffer
	cmd := exec.Command("go", args...)
	cmd.Dir, cmd.Env, cmd.Stderr = dir, append(os.Environ(), "GOPROXY=off", "GOWORK=off"), &faults
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, faults.Bytes())
	}
	return out
}

// TestModuleOfOnesOwn: the example module builds, and its method takes part like any
// other: in lists, in the schema, in cells and tables, with its faults in specs.
func TestModuleOfOnesOwn(t *testing.T) {
	fixture.Long(t)
	dir := build(t)
	run := func(args ...string) (stdout, stderr string, err error) {
		var out, faults bytes.Buffer
		cmd := exec.Command(filepath.Join(dir, "mybench.exe"), args...)
		cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &out, &faults
		err = cmd.Run()
		return out.String(), faults.String(), err
	}
	out, said, err := run("methods", "--format", "json")
	var list struct {
		Methods []struct {
			ID         string
			Parameters []struct {
				Name    string
				Default any
			}
		}
	}
	if err != nil || json.Unmarshal([]byte(out), &list) != nil || len(list.Methods) < 19 {
		t.Fatalf("%v: %s\n%s", err, said, out)
	}
	listed := false
	for _, m := range list.Methods {
		if m.ID == "variances" {
			for _, p := range m.Parameters {
				listed = listed || p.Name == "power" && p.Default == 1.0
			}
		}
	}
	if !listed {
		t.Errorf("variances with a power of 1 is not among the methods:\n%s", out)
	}
	if out, said, err := run("validate", "--schema"); err != nil || !strings.Contains(out, `"const": "variances"`) {
		t.Errorf("%v: %s: the schema does not know the method", err, said)
	}
	out, said, err = run("run", "mine.yaml", "--format", "json", "--results", "results")
	var table struct {
		Rows []struct {
			Cells []struct {
				Method  string
				Correct int
				Params  map[string]any
			}
		}
	}
	if err != nil || json.Unmarshal([]byte(out), &table) != nil || len(table.Rows) != 1 || len(table.Rows[0].Cells) != 3 {
		t.Fatalf("%v: %s\n%s", err, said, out)
	}
	own := table.Rows[0].Cells[2]
	if powers := []any{0.5, 1.0, 2.0}; own.Method != "variances" || own.Correct < 100 || !slices.Contains(powers, own.Params["power"]) {
		t.Errorf("%+v, want a chosen power and some of 320 right", own)
	}
	if _, said, err := run("run", "mine.yaml", "--results", "results"); err != nil || !strings.Contains(said, "3 stored") {
		t.Errorf("%v: a second run computes again: %s", err, said)
	}
	bad := "name: bad\ndatasets: [overlap30]\nmethods:\n  - {method: variances, params: {power: 5}}\n"
	fixture.Check(t, os.WriteFile(filepath.Join(dir, "bad.yaml"), []byte(bad), 0o666))
	if _, said, err := run("validate", "bad.yaml"); err == nil || !strings.Contains(said, "bad.yaml:4:41: power is 5, want at most 4") {
		t.Errorf("%v: %s", err, said)
	}
}
