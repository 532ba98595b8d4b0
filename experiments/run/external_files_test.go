package run_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/mat"

	"r2lmlbench/datasets"
	"r2lmlbench/internal/fixture"
	"r2lmlbench/results"
)

// TestWhatAProgramIsGiven: the files of both phases, to the bit, and that no
// label that is scored is among them.
func TestWhatAProgramIsGiven(t *testing.T) {
	// Two points run at once: the one that makes the folder fills it.
	needs(t, "sh")
	dir := t.TempDir()
	spec := "  - method: external\n    params: {command: [sh, -c, " +
		`'to="` + dir + `/$(sed -n "s/.*\"phase\": \"\(.*\)\",/\1/p" params.json)"; ` +
		`if mkdir "$to" 2>/dev/null; then cp * "$to"; fi; pwd >&2; ` +
		ones + `'], big: 9007199254740993, half: 0.5, text: "5", yes: true}` +
		"\n    grid: {alpha: [1, 2.5]}\n"
	row, runs, err := runTiny(t, context.Background(), t.TempDir(), spec)
	if err != nil {
		t.Fatalf("%v: %+v", err, row.Cells)
	}
	_, split := tinySource(t)
	query := func(s datasets.Samples) datasets.Samples { return datasets.Samples{X: s.X} }
	for _, c := range []struct {
		file string
		want datasets.Samples
	}{
		{"selection/train.csv", split.Train},
		{"selection/validation.csv", datasets.Samples{Y: []int{}}},
		{"selection/query.csv", query(split.Validation)},
		{"test/train.csv", split.Train},
		{"test/validation.csv", split.Validation},
		{"test/query.csv", query(split.Test)},
	} {
		if got := readSamples(t, filepath.Join(dir, c.file)); !slices.Equal(got.Y, c.want.Y) || !(got.X == c.want.X || mat.Equal(got.X, c.want.X)) {
			t.Errorf("%s: %+v, want %+v", c.file, got, c.want)
		}
	}
	b := fixture.Must(os.ReadFile(filepath.Join(dir, "test", "params.json")))(t)
	var compact bytes.Buffer
	fixture.Check(t, json.Compact(&compact, b))
	want := `{"phase":"test","seed":65536,"neighbors":5,"classes":3,"features":3,"params":{"alpha":1,"big":9007199254740993,"half":0.5,"text":"5","yes":true}}`
	if compact.String() != want {
		t.Errorf("params.json\n%s\nwant\n%s", compact.String(), want)
	}
	checkLogs(t, runs[0].Logs)
}

// checkLogs: one log per fit, with the program's directory, which differs from
// run to run, left out.
func checkLogs(t *testing.T, logs []results.Log) {
	t.Helper()
	slices.SortFunc(logs, func(a, b results.Log) int { return strings.Compare(a.Fit, b.Fit) })
	want := []results.Log{{Fit: "point 0", Text: ".\n"}, {Fit: "point 1", Text: ".\n"}, {Fit: "test", Text: ".\n"}}
	if diff := cmp.Diff(want, logs); diff != "" {
		t.Errorf("logs (-want +got):\n%s", diff)
	}
}

// readSamples reads a file that a program is given.
func readSamples(t *testing.T, path string) datasets.Samples {
	t.Helper()
	b := fixture.Must(os.ReadFile(path))(t)
	lines := strings.Split(strings.TrimSuffix(string(b), "\n"), "\n")
	var s datasets.Samples
	head, labelled := strings.CutPrefix(lines[0], "label,")
	if head != "x1,x2,x3" {
		t.Errorf("%s: header %q", path, lines[0])
	}
	if labelled {
		s.Y = []int{}
	}
	if len(lines) == 1 {
		return s
	}
	s.X = mat.NewDense(len(lines)-1, 3, nil)
	for i, line := range lines[1:] {
		var label int
		row := make([]float64, 3)
		if labelled {
			before, after, _ := strings.Cut(line, ",")
			fmt.Sscan(before, &label)
			s.Y, line = append(s.Y, label), after
		}
		if n, err := fmt.Sscanf(line, "%g,%g,%g", &row[0], &row[1], &row[2]); n != 3 {
			t.Fatalf("%s: %q: %v", path, line, err)
		}
		s.X.SetRow(i, row)
	}
	return s
}
