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
	"r2lmlbench/experiments/plan"
	. "r2lmlbench/experiments/run"
	"r2lmlbench/internal/fixture"
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
	spec := spectest.Parse(t, tiny(stanzas))
	source, _ := tinySource(t)
	p := fixture.Must(plan.New(context.Background(), spec, source))(t)
	s := &store.Store{Dir: dir, Log: t.Logf}
	runner := Runner{Store: s, Source: source, Workers: 2}
	failed := runner.Run(ctx, p.Jobs())
	tbl := fixture.Must(table.Of(p, s))(t)
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
	plain := filepath.Join(dir, "plain")
	fixture.Check(t, os.WriteFile(plain, []byte("#!/bin/sh\n"), 0o666))
	for _, c := range []struct{ name, stanza, want string }{
		{"hangs", shell(`echo waiting >&2; sleep 60`, "    datasets: {mat:tiny: {timeout: 1}}\n"),
			"external: sh: ended after its timeout of 1 s; it said: waiting"},
		{"will not be ended", shell(`trap "" TERM INT HUP; while :; do sleep 60; done`, "    datasets: {mat:tiny: {timeout: 1}}\n"),
			"external: sh: ended after its timeout of 1 s"},
		{"crashes", shell(`echo one >&2; echo two >&2; echo out of memory >&2; echo aborted >&2; exit 3`, ""),
			"external: sh: exit status 3; it said: two | out of memory | aborted"},
		{"killed", shell(`kill -SEGV $$`, ""), "external: sh: signal: segmentation fault"},
		{"garbage on standard output", shell(`yes garbage`, ""),
			"external: sh: ended after writing more than 16 MiB to its standard output or error"},
		{"no predictions", shell(`true`, ""), "external: sh: it left no predictions.csv in its directory"},
		{"predictions in a folder", shell(`mkdir predictions.csv`, ""), "its predictions.csv is no regular file"},
		{"predictions in a link", shell(`ln -s /dev/zero predictions.csv`, ""), "its predictions.csv is no regular file"},
		{"no end of predictions", shell(`head -c 100000000 /dev/zero > predictions.csv`, ""), "predictions.csv: more than 5440 bytes for 21 labels"},
		{"too many rows", shell(ones+`echo 1 >> predictions.csv`, ""), "predictions.csv:22: a label too many, there are 21 samples"},
		{"unknown label", shell(ones+`sed -i 5s/1/4/ predictions.csv`, ""), "predictions.csv:5: label 4 is unknown; want a class from 1 to 3"},
		{"not there", "  - method: external\n    params: {command: [no-such-program]}\n", "no-such-program\": executable file not found"},
		{"not executable", "  - method: external\n    params: {command: [" + plain + "]}\n", "permission denied; make it executable, or name what runs it in front"},
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
	fixture.Long(t)
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
