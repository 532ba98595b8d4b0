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

// exported is the long export of the accepted cells of spec smoke, and what its table
// has: accuracies by data set and method.
func exported(t *testing.T) (file string, want map[[2]string]string) {
	t.Helper()
	const from = "results/accepted"
	long, err := program("table", "smoke", "--results", from, "--format", "long").Output()
	if err != nil {
		t.Fatal(err)
	}
	out, err := program("table", "smoke", "--results", from, "--format", "json").Output()
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

// TestLongExport: scripts in other languages find the accuracies of the table in its
// long export.
func TestLongExport(t *testing.T) {
	file, want := exported(t)
	for script, interpreters := range map[string][][]string{
		"accuracy.py": {{"python3", "-c", "import pandas"}, {"/usr/bin/python3", "-c", "import pandas"}},
		"accuracy.R":  {{"Rscript", "--version"}},
	} {
		t.Run(script, func(t *testing.T) {
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
			if err != nil || len(lines) != len(want)+1 || len(want) < 40 || strings.Join(lines[0], " ") != "dataset split method accuracy" {
				t.Fatalf("%v, %d lines for %d cells\n%s", err, len(lines), len(want), out)
			}
			for _, f := range lines[1:] {
				if accuracy := want[[2]string{f[0], f[2]}]; accuracy != f[3] {
					t.Errorf("%s/%s: %s, the table has %s", f[0], f[2], f[3], accuracy)
				}
			}
		})
	}
}
