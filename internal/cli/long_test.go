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
  methods: [{method: euclidean}, {method: euclidean-ties, params: {vote: largest}, name: "=a,b"}]}`)
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

// Without any cell the export has its head, and says what is missing.
func TestLongOfNothing(t *testing.T) {
	dir := t.TempDir()
	file := writeFile(t, dir, "small.yaml", small)
	code, stdout, stderr := command(t, "table", file, "--results", dir, "--format", "long")
	if code != exitOK || strings.TrimSpace(stdout) != strings.Join(judge.LongHead, ",") || !strings.Contains(stderr, "missing") {
		t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
	}
}
