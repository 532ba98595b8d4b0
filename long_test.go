package main

import (
	"encoding/csv"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// exported is the long export of a spec's stored cells, and what its table has:
// accuracies by data set and method.
func exported(t *testing.T, spec, from string) (file string, want map[[2]string]string) {
	t.Helper()
	long, err := program("table", spec, "--results", from, "--format", "long").Output()
	if err != nil {
		t.Fatal(err)
	}
	out, err := program("table", spec, "--results", from, "--format", "json").Output()
	if err != nil {
		t.Fatal(err)
	}
	var table struct {
		Rows []struct {
			Dataset string
			Cells   []struct{ Method, Accuracy string }
		}
	}
	if err := json.Unmarshal(out, &table); err != nil {
		t.Fatal(err)
	}
	want = map[[2]string]string{}
	for _, r := range table.Rows {
		for _, c := range r.Cells {
			want[[2]string{r.Dataset, c.Method}] = c.Accuracy
		}
	}
	file = filepath.Join(t.TempDir(), "long.csv")
	if err := os.WriteFile(file, long, 0o666); err != nil {
		t.Fatal(err)
	}
	return file, want
}

// folded is a spec whose rows are over several splits that differ in size.
const folded = `{name: folded, datasets: [overlap30, "overlap30:7"], split: {rule: cv, folds: 7, repeats: 2, validation: 0, seed: 1},
  methods: [{method: euclidean}, {method: rca}], neighbors: 1}`

// longScripts are the scripts and, for each, the interpreters that may have what it
// needs, with a command that tells.
var longScripts = map[string][][]string{
	"accuracy.py": {{"python3", "-c", "import pandas"}, {"/usr/bin/python3", "-c", "import pandas"}},
	"accuracy.R":  {{"Rscript", "--version"}},
}

// TestLongExport: scripts in other languages find the accuracies of the table in its
// long export, those of rows over several splits, too.
func TestLongExport(t *testing.T) {
	dir := t.TempDir()
	several := filepath.Join(dir, "folded.yaml")
	if err := os.WriteFile(several, []byte(folded), 0o666); err != nil {
		t.Fatal(err)
	}
	if out, err := program("run", several, "--quiet", "--results", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, c := range []struct {
		spec, from string
		cells      int // at least
	}{{"smoke", "results/accepted", 40}, {several, dir, 4}} {
		file, want := exported(t, c.spec, c.from)
		if len(want) < c.cells {
			t.Fatalf("%d cells in the table, want %d", len(want), c.cells)
		}
		for script, interpreters := range longScripts {
			t.Run(filepath.Base(c.spec)+"/"+script, func(t *testing.T) { recompute(t, script, interpreters, file, want) })
		}
	}
}

// recompute runs a script on an export and compares what it prints with a table.
func recompute(t *testing.T, script string, interpreters [][]string, file string, want map[[2]string]string) {
	interpreter := ""
	for _, probe := range interpreters {
		if interpreter == "" && exec.Command(probe[0], probe[1:]...).Run() == nil {
			interpreter = probe[0]
		}
	}
	if interpreter == "" {
		t.Skipf("needs %s", strings.Join(interpreters[0], " "))
	}
	out, err := exec.Command(interpreter, filepath.Join("docs", "long", script), file).Output()
	if err != nil {
		t.Fatal(err)
	}
	lines, err := csv.NewReader(strings.NewReader(string(out))).ReadAll()
	if err != nil || len(lines) != len(want)+1 || strings.Join(lines[0], " ") != "dataset split method accuracy" {
		t.Fatalf("%v, %d lines for %d cells\n%s", err, len(lines), len(want), out)
	}
	for _, f := range lines[1:] {
		if accuracy := want[[2]string{f[0], f[2]}]; accuracy != f[3] {
			t.Errorf("%s/%s: %s, the table has %s", f[0], f[2], f[3], accuracy)
		}
	}
}

// TestLongScriptWithoutPandas: the script says what it needs.
func TestLongScriptWithoutPandas(t *testing.T) {
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip(err)
	}
	script := filepath.Join("docs", "long", "accuracy.py")
	out, err := exec.Command("python3", "-S", "-E", script, "long.csv").CombinedOutput() // -S: no packages
	if said := string(out); err == nil || strings.Contains(said, "Traceback") || !strings.Contains(said, "install pandas") {
		t.Errorf("%v\n%s", err, out)
	}
}
