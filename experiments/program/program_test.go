package program

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
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
	// What this module requires is written there, as go mod tidy would: without a network
	// the go command cannot find that out.
	_, required, _ := strings.Cut(fixture.Text(t, filepath.Join(root, "go.mod")), "\nrequire ")
	own := filepath.Join(dir, "go.mod")
	fixture.Write(t, own, strings.Replace(fixture.Text(t, own), "=> ../../..", "=> "+strconv.Quote(root), 1)+"\nrequire "+required)
	cmd := exec.Command("go", "build", "-mod=mod", "-o", "mybench.exe", ".")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOPROXY=off", "GOWORK=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return dir
}

// TestModuleOfOnesOwn: the example module builds, and its method takes part like any
// other in all commands that know methods, with its faults in specs.
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
		{"plan mine.yaml --cost --results results", "variances", false},
		{"explain overlap30/variances --spec mine.yaml --results results", "power=", false},
		{"cluster slurm mine.yaml --program x", "#SBATCH", false},
		{"report mine.yaml --results results -o report", "index.html", false},
		{"validate --schema", `"const": "variances"`, false},
		{"run mine.yaml --results results", "3 stored", false},
		{"validate bad.yaml", "bad.yaml:4:41: power is 5, want at most 4", true},
	} {
		if out, said, err := run(c.line); (err != nil) != c.fails || !strings.Contains(out+said, c.want) {
			t.Errorf("%s: %v, want %q in\n%s%s", c.line, err, c.want, out, said)
		}
	}
}
