package run_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"r2lmlbench/datasets"
	. "r2lmlbench/experiments/run"
	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/testkit"
	"r2lmlbench/results"
)

// TestFailingPrograms: real processes that fail in every way become failed cells with a
// reason, and leave the other columns alone. Those that fail in a fit have the same bytes
// under both protocols.
func TestFailingPrograms(t *testing.T) {
	fixture.Needs(t, "sh")
	try := func(t *testing.T, stanza, want string) map[string]string {
		t.Helper()
		started, st := time.Now(), storeIn(t, t.TempDir())
		cells, err := runTiny(t, stanza+"  - method: euclidean\n", &Runner{Store: st})
		checkFailed(t, stanza, err, cells[0], want)
		fixture.Equal(t, "reason of another method", cells[1].Failure, "")
		if d := time.Since(started); d > 30*time.Second {
			t.Errorf("it took %v", d)
		}
		return testkit.Cells(t, st.Dir)
	}
	const irregular = "its predictions.csv is no regular file"
	for _, c := range []struct{ name, fit, want string }{
		{"hangs", `echo waiting >&2; sleep 60`, "external: sh: ended after its timeout of 1 s; it said: waiting"},
		{"will not be ended", `trap "" TERM INT HUP; while :; do sleep 60; done`, "external: sh: ended after its timeout of 1 s"},
		{"crashes", `echo one >&2; echo two >&2; echo out of memory >&2; echo aborted >&2; exit 3`,
			"external: sh: exit status 3; it said: two | out of memory | aborted"},
		{"killed", `kill -SEGV $$`, "external: sh: signal: segmentation fault"},
		{"garbage", `yes garbage >&2`, "external: sh: ended after writing more than 16 MiB to its standard output or error"},
		{"no predictions", `true`, "external: sh: it left no predictions.csv in its directory"},
		{"predictions in a folder", `mkdir predictions.csv`, irregular},
		{"predictions in a link", `ln -s /dev/zero predictions.csv`, irregular},
		{"predictions in a circle", `ln -s predictions.csv predictions.csv`, irregular},
		{"predictions in a pipe", `mkfifo predictions.csv`, irregular},
		{"no end of predictions", `head -c 100000000 /dev/zero > predictions.csv`, "predictions.csv: more than 5440 bytes for 21 labels"},
		{"too few rows", `echo 1 > predictions.csv`, "predictions.csv: 1 labels for 21 samples; the first without one is row 2"},
		{"too many rows", ones + `echo 1 >> predictions.csv`, "predictions.csv:22: a label too many, there are 21 samples"},
		{"unknown label", ones + `sed -i 5s/1/4/ predictions.csv`, "predictions.csv:5: label 4 is unknown; want a class from 1 to 3"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			rest := ""
			if strings.Contains(c.want, "timeout") {
				rest = "    datasets: {mat:tiny: {timeout: 1}}\n"
			}
			once := try(t, under("one-shot", serving("", c.fit), rest), c.want)
			testkit.EqualCells(t, try(t, under("stdio", serving("", c.fit), rest), c.want), once)
		})
	}
	for _, name := range []string{"room", "train.csv", "query.csv", "params.json"} { // and through a link nothing is written
		of := fixture.Write(t, filepath.Join(t.TempDir(), "of the user"), "untouched")
		try(t, shell("ln -sf '"+of+"' "+name+"; exit 1", ""), "external: sh: exit status 1")
		fixture.Equal(t, "what a link called "+name+" leads to", fixture.Text(t, of), "untouched")
	}
	plain := fixture.Write(t, filepath.Join(t.TempDir(), "plain"), "#!/bin/sh\n")
	for stanza, want := range map[string]string{
		shell(`yes garbage`, ""): "external: sh: ended after writing more than 16 MiB to its standard output or error",
		"  - method: external\n    params: {command: [no-such-program]}\n": "no-such-program\": executable file not found",
		"  - method: external\n    params: {command: [" + plain + "]}\n":   "permission denied; make it executable, or name what runs it in front",
		shell(`echo hopeless >&2; exit 1`, "    grid: {alpha: [1, 2]}\n"):  "every grid point failed; the first: external: sh: exit status 1; it said: hopeless",
	} {
		try(t, stanza, want)
	}
}

// TestNothingIsLeftRunning: children of a program are ended with it, whether it
// ran into its timeout or left them behind.
func TestNothingIsLeftRunning(t *testing.T) {
	fixture.Long(t)
	t.Parallel()
	fixture.Needs(t, "sh")
	dir := t.TempDir()
	child := func(name string) string {
		return fmt.Sprintf(`(touch %[1]s/%[2]s-began; sleep 3; touch %[1]s/%[2]s-ended) & `, dir, name)
	}
	cells, err := runTiny(t, shell(child("left")+ones+"sleep 0.2", "    name: left\n")+
		shell(child("hung")+"sleep 60", "    name: hung\n    datasets: {mat:tiny: {timeout: 0.5}}\n"), &Runner{})
	checkFailed(t, "the program that hung", err, cells[1], "timeout")
	fixture.Equal(t, "right of the program that left a child", cells[0].Correct(), 7) // those of class 1
	time.Sleep(3500 * time.Millisecond)
	fixture.EqualSlice(t, "what children did", slices.Sorted(maps.Keys(fixture.Contents(t, dir, ""))), []string{"hung-began", "left-began"})
}

// TestWhatAProgramIsGiven: the files of both phases, to the bit, and that no
// label that is scored is among them.
func TestWhatAProgramIsGiven(t *testing.T) {
	// Two points run at once: the one that makes the folder fills it.
	fixture.Needs(t, "sh")
	dir := t.TempDir()
	spec := "  - method: external\n    params: {command: [sh, -c, " +
		`'to="` + dir + `/$(sed -n "s/.*\"phase\": \"\(.*\)\",/\1/p" params.json)"; ` +
		`if mkdir "$to" 2>/dev/null; then cp * "$to"; fi; pwd >&2; ` +
		ones + `'], big: 9007199254740993, half: 0.5, text: "5", yes: true}` +
		"\n    grid: {alpha: [1, 2.5]}\n"
	source, split := tinySource(t)
	r := &Runner{Source: source}
	jobs, _ := computed(t, tiny(spec), r)
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
		fixture.Equal(t, c.file, fixture.Text(t, filepath.Join(dir, c.file)), csvOf(c.want))
	}
	var compact bytes.Buffer
	fixture.Check(t, json.Compact(&compact, []byte(fixture.Text(t, filepath.Join(dir, "test", "params.json")))))
	want := `{"phase":"test","seed":65536,"neighbors":5,"classes":3,"features":3,"params":{"alpha":1,"big":9007199254740993,"half":0.5,"text":"5","yes":true}}`
	fixture.Equal(t, "params.json", compact.String(), want)
	// One log per fit, with the program's directory, which differs from run to run, left out.
	run, _, _ := r.Store.Run(jobs[0].Inputs)
	slices.SortFunc(run.Logs, func(a, b results.Log) int { return strings.Compare(a.Fit, b.Fit) })
	logs := []results.Log{{Fit: "point 0", Text: ".\n"}, {Fit: "point 1", Text: ".\n"}, {Fit: "test", Text: ".\n"}}
	fixture.Same(t, "logs", run.Logs, logs)
}

// csvOf is the file of samples of three features that a program is given. Y is nil where it
// has no labels.
func csvOf(s datasets.Samples) string {
	lines := []string{"x1,x2,x3"}
	for i := 0; s.X != nil && i < s.X.RawMatrix().Rows; i++ {
		row := s.X.RawRowView(i)
		lines = append(lines, fmt.Sprintf("%v,%v,%v", row[0], row[1], row[2]))
	}
	if s.Y != nil {
		lines[0] = "label," + lines[0]
	}
	for i, y := range s.Y {
		lines[1+i] = fmt.Sprint(y, ",", lines[1+i])
	}
	return strings.Join(lines, "\n") + "\n"
}
