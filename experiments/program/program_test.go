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
	fixture.Write(t, filepath.Join(dir, "go.sum"), fixture.Text(t, filepath.Join(root, "go.sum")))
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
	fixture.Write(t, filepath.Join(dir, "bad.yaml"), "name: bad\ndatasets: [overlap30]\nmethods:\n  - {method: variances, params: {power: 5}}\n")
	run := func(line string) (stdout, stderr string, err error) {
		var out, faults bytes.Buffer
		cmd := exec.Command(filepath.Join(dir, "mybench.exe"), strings.Fields(line)...)
		cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &out, &faults
		err = cmd.Run()
		return out.String(), faults.String(), err
	}
	out, said, err := run("run mine.yaml --format json --results results")
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
	for _, c := range []struct {
		line, want string
		fails      bool
	}{
		{"methods variances", "power=1", false},
		{"validate --schema", `"const": "variances"`, false},
		{"run mine.yaml --results results", "3 stored", false},
		{"validate bad.yaml", "bad.yaml:4:41: power is 5, want at most 4", true},
	} {
		if out, said, err := run(c.line); (err != nil) != c.fails || !strings.Contains(out+said, c.want) {
			t.Errorf("%s: %v, want %q in\n%s%s", c.line, err, c.want, out, said)
		}
	}
}
