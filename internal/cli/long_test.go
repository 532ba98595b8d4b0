package cli

import (
	"encoding/csv"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"r2lmlbench/experiments/judge"
)

// The long export has a line for every test sample of every stored cell, and its right
// answers are those of the table.
func TestLong(t *testing.T) {
	dir := t.TempDir()
	file := writeFile(t, dir, "long.yaml", `{name: long, datasets: [toy, overlap30], split: {rule: random, repeats: 2, seed: 1}, neighbors: 1,
  methods: [{method: euclidean}, {method: euclidean, distances: repeat-first, name: "=a,b"}]}`)
	results := filepath.Join(dir, "results")
	if code, _, stderr := command(t, "run", file, "--results", results, "--datasets", "toy"); code != exitOK {
		t.Fatalf("exit code %d\n%s", code, stderr)
	}
	code, stdout, stderr := command(t, "table", file, "--results", results, "--format", "long")
	if code != exitOK || !strings.Contains(stderr, "4 cells missing") {
		t.Fatalf("exit code %d\n%s", code, stderr)
	}
	lines, err := csv.NewReader(strings.NewReader(stdout)).ReadAll()
	if err != nil || len(lines) != 1+2*2*4 || !slices.Equal(lines[0], judge.LongHead) { // 2 splits, 2 columns, 4 test samples
		t.Fatalf("%v, %d lines\n%s", err, len(lines), stdout)
	}
	if want := []string{"toy", "random seed=1 repeat=1", "euclidean", "1", "1", "1"}; !slices.Equal(lines[1][:6], want) {
		t.Errorf("%q, want %q", lines[1], want)
	}
	if got := lines[5][2]; strings.HasPrefix(got, "=") || !strings.HasSuffix(got, "=a,b") {
		t.Errorf("%q is a formula to a spreadsheet", got)
	}
	right := 0
	for _, l := range lines[1:] {
		if l[2] == "euclidean" && strings.HasSuffix(l[1], "repeat=1") && l[5] == l[6] {
			right++
		}
	}
	_, table, _ := command(t, "table", file, "--results", results, "--format", "csv", "--datasets", "toy", "--methods", "euclidean")
	if want := strconv.FormatFloat(25*float64(right), 'f', 2, 64); !strings.Contains(table, want) {
		t.Errorf("%d of 4 right, but no %s in\n%s", right, want, table)
	}
}

// TestLongPlaces: the export says which row and line of the file a test sample is, and
// what its classes are called.
func TestLongPlaces(t *testing.T) {
	dir := t.TempDir()
	lines := []string{"size,kind"} // by number of the line, from 0
	for i := range 24 {
		size, kind := strconv.Itoa(i), []string{"rose", "aster", "=lily"}[i%3]
		if i == 4 {
			size = "?" // this row is dropped
		}
		lines = append(lines, size+","+kind)
	}
	writeFile(t, dir, "petals.csv", strings.Join(lines, "\n"))
	for _, c := range []struct{ rule, data string }{
		{"{rule: random, train: 0.5, repeats: 2, seed: 1}", "{id: petals, file: ./petals.csv, label: kind, drop-rows: true}"},
		{"{rule: cv, folds: 3, seed: 1}", "{id: petals, file: ./petals.csv, label: kind, drop-rows: true}"},
	} {
		file := writeFile(t, dir, "petals.yaml", "{name: petals, datasets: ["+c.data+"], split: "+c.rule+", neighbors: 1, methods: [{method: euclidean}]}")
		results := filepath.Join(t.TempDir(), "results")
		if code, _, stderr := command(t, "run", file, "--results", results); code != exitOK {
			t.Fatalf("exit code %d\n%s", code, stderr)
		}
		_, stdout, stderr := command(t, "table", file, "--results", results, "--format", "long")
		got, err := csv.NewReader(strings.NewReader(stdout)).ReadAll()
		if err != nil || len(got) < 10 || strings.Contains(stderr, "data_row") {
			t.Fatalf("%v, %d lines, %s", err, len(got), stderr)
		}
		for _, l := range got[1:] {
			line, _ := strconv.Atoi(l[8])
			row, _ := strconv.Atoi(l[7])
			if line < 2 || line > 25 || line == 6 {
				t.Fatalf("line %q is no sample", l[8])
			}
			kept := line - 1 // of the data, the header left out
			if line > 6 {
				kept--
			}
			kind := strings.Split(lines[line-1], ",")[1]
			if named := strings.TrimPrefix(l[9], "'"); row != kept || named != kind {
				t.Errorf("%q: row %d, class %q; line %d of the file is row %d of class %q", l, row, named, line, kept, kind)
			}
		}
	}
}

// TestLongWithoutData: where the data are not at hand the predictions are, with the names
// of the classes that the catalogue has, and a remark says whose rows are not known.
func TestLongWithoutData(t *testing.T) {
	long := func(spec, set string) (lines [][]string, stderr string) {
		code, stdout, stderr := command(t, "table", spec, "--results", filepath.Join("..", "..", defaultAccepted), "--data", t.TempDir(),
			"--format", "long", "--datasets", set, "--methods", "euclidean")
		lines, err := csv.NewReader(strings.NewReader(stdout)).ReadAll()
		if code != exitOK || err != nil || len(lines) < 2 {
			t.Fatalf("exit code %d, %v\n%s", code, err, stderr)
		}
		return lines[1:], stderr
	}
	drawn, _ := long("smoke", "overlap30")
	for _, l := range drawn { // a set that the program draws
		if l[7] == "" || l[8] != "" || l[9] == "" {
			t.Fatalf("%q", l)
		}
	}
	lines, stderr := long("accuracy", "sonar")
	if !strings.Contains(stderr, "data_row is empty for sonar") {
		t.Errorf("remarks %q", stderr)
	}
	for _, l := range lines {
		if l[7] != "" || l[9] != map[string]string{"1": "R", "2": "M"}[l[5]] {
			t.Fatalf("%q", l)
		}
	}
}

// Without any cell the export has its head, and says what is missing.
func TestLongOfNothing(t *testing.T) {
	dir := t.TempDir()
	file := writeFile(t, dir, "small.yaml", small)
	code, stdout, stderr := command(t, "table", file, "--results", dir, "--format", "long")
	if code != exitOK || strings.TrimSpace(stdout) != strings.Join(judge.LongHead, ",") || !strings.Contains(stderr, "missing") {
		t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
	}
}
