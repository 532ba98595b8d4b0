package run_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"r2lmlbench/datasets"
	"r2lmlbench/experiments/judge"
	"r2lmlbench/experiments/plan"
	. "r2lmlbench/experiments/run"
	"r2lmlbench/internal/spectest"
	"r2lmlbench/results"
	"r2lmlbench/results/store"
	"r2lmlbench/results/table"
)

// needs skips a test where a program is not installed.
func needs(t *testing.T, program string) {
	t.Helper()
	if _, err := exec.LookPath(program); err != nil {
		t.Skipf("needs %s: %v", program, err)
	}
}

// samples draws n labelled samples of two classes; integer ones lie at equal
// distances often.
func samples(draw *rand.Rand, n int, integer bool) datasets.Samples {
	s := datasets.Samples{X: mat.NewDense(n, 3, nil), Y: make([]int, n)}
	for i := range n {
		s.Y[i] = 1 + i%3
		for d := range 3 {
			v := draw.NormFloat64() + float64(s.Y[i])
			if integer {
				v = float64(draw.IntN(4) + s.Y[i])
			}
			s.X.Set(i, d, v)
		}
	}
	return s
}

// tinySource knows one data set, mat:tiny, of three classes.
func tinySource(t *testing.T) (*plan.Source, *datasets.Split) {
	t.Helper()
	draw := rand.New(rand.NewPCG(1, 2))
	split := &datasets.Split{Train: samples(draw, 30, false), Validation: samples(draw, 12, false), Test: samples(draw, 21, false), Digest: "tiny"}
	source := plan.NewSource(t.TempDir())
	source.Splits["mat:tiny authors"] = func() (*datasets.Split, error) { return split, nil }
	return source, split
}

// runTiny runs stanzas on mat:tiny into dir and returns the first row of the
// table, the sidecars of its cells, and the error of the run.
func runTiny(t *testing.T, ctx context.Context, dir, stanzas string) (table.Row, []results.Run, error) {
	t.Helper()
	spec := spectest.Parse(t, "name: tiny\ndatasets: [\"mat:tiny\"]\nmethods:\n"+stanzas)
	source, _ := tinySource(t)
	p, err := plan.New(context.Background(), spec, source)
	if err != nil {
		t.Fatal(err)
	}
	s := &store.Store{Dir: dir, Log: t.Logf}
	runner := Runner{Store: s, Source: source, Workers: 2}
	failed := runner.Run(ctx, p.Jobs())
	tbl, err := judge.Table(p, s)
	if err != nil {
		t.Fatal(err)
	}
	var runs []results.Run
	for _, jobs := range p.Rows[0].Jobs {
		r, _ := s.Run(jobs[0].Inputs)
		runs = append(runs, r)
	}
	return tbl.Rows[0], runs, failed
}

// shell is a stanza that runs a script of the shell.
func shell(script, rest string) string {
	b, _ := json.Marshal([]string{"sh", "-c", script})
	return fmt.Sprintf("  - method: external\n    params: {command: %s}\n%s", b, rest)
}

// ones labels the 21 test samples of mat:tiny, or its 12 validation samples.
const ones = `sed 1d query.csv | sed s/.*/1/ > predictions.csv; `

// TestFailingPrograms: real processes that fail in every way become failed
// cells with a reason, and leave the other columns alone.
func TestFailingPrograms(t *testing.T) {
	needs(t, "sh")
	dir := t.TempDir()
	headless := filepath.Join(dir, "headless")
	if err := os.WriteFile(headless, []byte("print(1)\n"), 0o777); err != nil {
		t.Fatal(err)
	}
	plain := filepath.Join(dir, "plain")
	if err := os.WriteFile(plain, []byte("#!/bin/sh\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, stanza, want string }{
		{"hangs", shell(`echo waiting >&2; sleep 60`, "    datasets: {mat:tiny: {timeout: 1}}\n"),
			"external: sh: ended after its timeout of 1 s; it said: waiting"},
		{"will not be ended", shell(`trap "" TERM INT HUP; while :; do sleep 60; done`, "    datasets: {mat:tiny: {timeout: 1}}\n"),
			"external: sh: ended after its timeout of 1 s"},
		{"crashes", shell(`echo one >&2; echo two >&2; echo out of memory >&2; echo aborted >&2; exit 3`, ""),
			"external: sh: exit status 3; it said: two | out of memory | aborted"},
		{"crashes after its predictions", shell(ones+`exit 1`, ""), "external: sh: exit status 1"},
		{"killed", shell(`kill -SEGV $$`, ""), "external: sh: signal: segmentation fault"},
		{"garbage on standard output", shell(`yes garbage`, ""),
			"external: sh: ended after writing more than 16 MiB to its standard output or error"},
		{"garbage on standard error", shell(`yes garbage >&2`, ""),
			"ended after writing more than 16 MiB to its standard output or error; it said: garbage | garbage | garbage"},
		{"no predictions", shell(`true`, ""), "external: sh: it left no predictions.csv in its directory"},
		{"predictions in a folder", shell(`mkdir predictions.csv`, ""), "its predictions.csv is no regular file"},
		{"predictions in a pipe", shell(`mkfifo predictions.csv`, ""), "its predictions.csv is no regular file"},
		{"predictions in a link", shell(`ln -s /dev/zero predictions.csv`, ""), "its predictions.csv is no regular file"},
		{"predictions behind a link", shell(ones+`mv predictions.csv p; ln -s p predictions.csv`, ""), "its predictions.csv is no regular file"},
		{"no end of predictions", shell(`head -c 100000000 /dev/zero > predictions.csv`, ""), "predictions.csv: more than 5440 bytes for 21 labels"},
		{"too many rows", shell(ones+`echo 1 >> predictions.csv`, ""), "predictions.csv:22: a label too many, there are 21 samples"},
		{"too few rows", shell(`echo 1 > predictions.csv`, ""), "predictions.csv: 1 labels for 21 samples; the first without one is row 2"},
		{"unknown label", shell(ones+`sed -i 5s/1/4/ predictions.csv`, ""), "predictions.csv:5: label 4 is unknown; want a class from 1 to 3"},
		{"no number", shell(ones+`sed -i 6s/1/1.5/ predictions.csv`, ""), `predictions.csv:6: label "1.5" is no whole number`},
		{"not there", "  - method: external\n    params: {command: [no-such-program]}\n", "no-such-program\": executable file not found"},
		{"not executable", "  - method: external\n    params: {command: [" + plain + "]}\n", "permission denied; make it executable, or name what runs it in front"},
		{"no program", "  - method: external\n    params: {command: [" + headless + "]}\n", "exec format error; let its first line say what runs it"},
		{"every grid point fails", shell(`echo hopeless >&2; exit 1`, "    grid: {alpha: [1, 2]}\n"),
			"every grid point failed; the first: external: sh: exit status 1; it said: hopeless"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			started := time.Now()
			row, _, err := runTiny(t, context.Background(), t.TempDir(), c.stanza+"  - method: euclidean\n")
			if !errors.Is(err, ErrCells) {
				t.Fatalf("error %v, want ErrCells", err)
			}
			if got := row.Cells[0]; got.Status != table.StatusFailed || !strings.Contains(got.Reason, c.want) {
				t.Errorf("status %q, reason %q; want failed and %q", got.Status, got.Reason, c.want)
			}
			if row.Cells[1].Score == nil {
				t.Error("the failure stopped another method")
			}
			if d := time.Since(started); d > 30*time.Second {
				t.Errorf("it took %v", d)
			}
		})
	}
}

// TestNothingIsLeftRunning: children of a program are ended with it, whether it
// ran into its timeout or left them behind.
func TestNothingIsLeftRunning(t *testing.T) {
	t.Parallel()
	needs(t, "sh")
	dir := t.TempDir()
	child := func(name string) string {
		return fmt.Sprintf(`(touch %[1]s/%[2]s-began; sleep 3; touch %[1]s/%[2]s-ended) & `, dir, name)
	}
	row, _, err := runTiny(t, context.Background(), t.TempDir(),
		shell(child("left")+ones+"sleep 0.2", "    name: left\n")+
			shell(child("hung")+"sleep 60", "    name: hung\n    datasets: {mat:tiny: {timeout: 0.5}}\n"))
	if !errors.Is(err, ErrCells) {
		t.Fatalf("error %v, want ErrCells", err)
	}
	if c := row.Cells[0]; c.Score == nil || c.Correct != 7 {
		t.Errorf("the program that left a child: %+v, reason %q; want the 7 of class 1", c.Score, c.Reason)
	}
	time.Sleep(3500 * time.Millisecond)
	for _, name := range []string{"left", "hung"} {
		if _, err := os.Stat(filepath.Join(dir, name+"-began")); err != nil {
			t.Errorf("child %s never ran: %v", name, err)
		}
		if _, err := os.Stat(filepath.Join(dir, name+"-ended")); err == nil {
			t.Errorf("child %s outlived its program", name)
		}
	}
}

func TestInterruptEndsPrograms(t *testing.T) {
	needs(t, "sh")
	dir := t.TempDir()
	ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
	defer cancel()
	started := time.Now()
	row, _, err := runTiny(t, ctx, dir, shell("sleep 60", ""))
	if !errors.Is(err, context.DeadlineExceeded) || time.Since(started) > 20*time.Second {
		t.Errorf("error %v after %v", err, time.Since(started))
	}
	if c := row.Cells[0]; c.Status != table.StatusMissing {
		t.Errorf("status %q, reason %q: an interruption is no failure", c.Status, c.Reason)
	}
}

// TestFailedProgramsTwice: what is in the place of the predictions gives a failed
// cell of the same bytes in every run, though each has a directory of its own.
func TestFailedProgramsTwice(t *testing.T) {
	needs(t, "sh")
	stanzas := shell(ones+`mv predictions.csv p; ln -s p predictions.csv`, "    name: link\n") +
		shell(`ln -s predictions.csv predictions.csv`, "    name: circle\n") +
		shell(`mkdir predictions.csv`, "    name: folder\n") +
		shell(`mkfifo predictions.csv`, "    name: pipe\n") +
		shell(ones+`rm -r predictions.csv; ls "$PWD" >&2; exit 1`, "    name: none\n")
	once, again := t.TempDir(), t.TempDir()
	for _, dir := range []string{once, again} {
		if _, _, err := runTiny(t, context.Background(), dir, stanzas); !errors.Is(err, ErrCells) {
			t.Fatalf("error %v, want failed cells", err)
		}
	}
	cells := spectest.Cells(t, once)
	if len(cells) != 5 {
		t.Errorf("%d cells, want 5", len(cells))
	}
	spectest.EqualCells(t, spectest.Cells(t, again), cells)
}

// TestProgramsAndWorkers: cells of programs do not depend on the number of
// workers, a failing point loses, and the best point is used.
func TestProgramsAndWorkers(t *testing.T) {
	needs(t, "sh")
	stanza := shell(`n=$(sed -n 's/.*"class": \([0-9]*\).*/\1/p' params.json); [ $n -lt 3 ] || exit 1; sed 1d query.csv | sed s/.*/$n/ > predictions.csv`,
		"    grid: {class: [3, 2, 1]}\n    restarts: 2\n")
	one, two := t.TempDir(), t.TempDir()
	for _, dir := range []string{one, two} {
		row, runs, err := runTiny(t, context.Background(), dir, stanza)
		if err != nil {
			t.Fatal(err)
		}
		if runs[0].Heap != 0 {
			t.Errorf("a heap of %d bytes, but it is not of this program", runs[0].Heap)
		}
		if c := row.Cells[0]; c.Score == nil || c.Params["class"] != 2 || !strings.Contains(strings.Join(c.Notes, " "), "2 of 6 grid points failed") {
			t.Errorf("%+v, notes %q; want class 2, the first of the best, and a note on class 3", c.Score, c.Notes)
		}
	}
	spectest.EqualCells(t, spectest.Cells(t, two), spectest.Cells(t, one))
}
