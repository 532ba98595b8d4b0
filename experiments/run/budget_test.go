package run_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"r2lmlbench/experiments/method"
	"r2lmlbench/experiments/plan"
	. "r2lmlbench/experiments/run"
	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/spectest"
	"r2lmlbench/r2lml"
	"r2lmlbench/results"
	"r2lmlbench/results/store"
	"r2lmlbench/results/table"
)

// A trial is a method for tests, which fits in the way that Do says.
type trial struct {
	Do string `yaml:"do"`
}

func (m trial) Resolve() (trial, error) { return m, nil }

// trialFits counts the fits of trials.
var trialFits atomic.Int32

func (m trial) Fit(ctx context.Context, p r2lml.Problem) (r2lml.Fitted, error) {
	trialFits.Add(1)
	switch m.Do {
	case "panic":
		panic("out of ideas")
	case "wait": // as the solvers do
		<-ctx.Done()
		return r2lml.Fitted{}, fmt.Errorf("epoch 1: %w", ctx.Err())
	case "ignore its context":
		time.Sleep(600 * time.Millisecond)
	case "give what it has":
		<-ctx.Done()
	case "grow":
		var held [][]byte
		for len(held) < 1000 {
			if err := ctx.Err(); err != nil {
				return r2lml.Fitted{}, err
			}
			held = append(held, slices.Repeat([]byte{1}, 1<<20))
			time.Sleep(time.Millisecond)
		}
		runtime.KeepAlive(held)
	case "give a metric that panics":
		return r2lml.Fitted{Metric: faultyMetric{panics: true}}, nil
	case "give a metric of NaN":
		return r2lml.Fitted{Metric: faultyMetric{}}, nil
	case "give a slow metric":
		return r2lml.Fitted{Metric: faultyMetric{slow: 250 * time.Millisecond}}, nil
	case "stay":
		time.Sleep(300 * time.Millisecond)
	}
	n, _ := p.Query.Dims()
	return r2lml.Fitted{Labels: slices.Repeat([]int{1}, n)}, nil
}

// runTrials runs a cell whose grid points are trials, and a Euclidean one, on
// mat:tiny. It returns the first cell of the table, its sidecar and the error.
func runTrials(t *testing.T, ctx context.Context, r *Runner, dir string, points ...string) (table.Cell, results.Run, error) {
	t.Helper()
	spec := spectest.Parse(t, "name: trials\ndatasets: [\"mat:tiny\"]\nmethods:\n  - method: rca\n  - method: euclidean\n")
	spec.Columns[0].Method = method.New("trial", "Trial", r2lml.Singly[trial], method.About{Version: 1})
	var settings []method.Setting
	for _, do := range points {
		settings = append(settings, trial{do})
	}
	spec.Columns[0].Settings["mat:tiny"] = settings
	source, _ := tinySource(t)
	p := fixture.Must(plan.New(context.Background(), spec, source))(t)
	r.Store, r.Source, r.Workers = &store.Store{Dir: dir, Log: t.Logf}, source, cmp.Or(r.Workers, 2)
	failed := r.Run(ctx, p.Jobs())
	tbl := fixture.Must(table.Of(p, r.Store))(t)
	if ctx.Err() == nil && tbl.Rows[0].Cells[1].Score == nil {
		t.Errorf("%v: the other method has no result", points)
	}
	sidecar, _ := r.Store.Run(p.Rows[0].Jobs[0][0].Inputs)
	return tbl.Rows[0].Cells[0], sidecar, failed
}

// stacks lists the fits of a sidecar whose log is a stack through trial.Fit.
func stacks(run results.Run) []string {
	var fits []string
	for _, l := range run.Logs {
		if strings.Contains(l.Text, "trial.Fit") && strings.Contains(l.Text, "budget_test.go:") {
			fits = append(fits, l.Fit)
		}
	}
	return fits
}

// TestPanicLeavesItsStack: the reason is in the cell and the stack beside it,
// also after an interruption, and whether the panic failed a point or the cell.
func TestPanicLeavesItsStack(t *testing.T) {
	dir, again, parts := t.TempDir(), t.TempDir(), t.TempDir()
	c, run, err := runTrials(t, context.Background(), &Runner{}, dir, "panic", "fit")
	if err != nil || c.Score == nil || !strings.Contains(strings.Join(c.Notes, " "), "out of ideas") {
		t.Errorf("one point of two panics: %v, %+v, notes %q", err, c.Score, c.Notes)
	}
	if got := stacks(run); !slices.Equal(got, []string{"point 0"}) {
		t.Errorf("stacks of %v, want one of point 0; logs %v", got, run.Logs)
	}
	if _, _, err := runTrials(t, context.Background(), &Runner{}, again, "panic", "fit"); err != nil {
		t.Fatal(err)
	}
	spectest.EqualCells(t, spectest.Cells(t, again), spectest.Cells(t, dir)) // a stack holds addresses, a cell must not

	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	stop := &Runner{Observe: func(e Event) {
		if e.Kind == PointDone && e.Failure != "" {
			cancel()
		}
	}}
	if _, _, err := runTrials(t, ctx, stop, parts, "panic", "wait", "fit"); !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v, want the interruption", err)
	}
	_, run, err = runTrials(t, context.Background(), &Runner{Point: method.Budget{Time: 20 * time.Millisecond}}, parts, "panic", "wait", "fit")
	if got := stacks(run); !errors.Is(err, ErrCells) || !slices.Equal(got, []string{"point 0"}) {
		t.Errorf("after an interruption: error %v, stacks of %v, want one of point 0", err, got)
	}

	c, run, err = runTrials(t, context.Background(), &Runner{}, t.TempDir(), "panic")
	if !errors.Is(err, ErrCells) || c.Status != table.StatusFailed || !strings.Contains(c.Reason, "out of ideas") || !slices.Equal(stacks(run), []string{"test"}) {
		t.Errorf("the only point panics: %v, %q, stacks of %v", err, c.Reason, stacks(run))
	}
}

// TestTimeBudget: a cell with a point that takes too long is failed as a whole,
// whatever the method does about it; its other points stay in the journal for
// the next try.
func TestTimeBudget(t *testing.T) {
	fixture.Long(t)
	for _, do := range []string{"wait", "ignore its context", "give what it has"} {
		t.Run(do, func(t *testing.T) {
			dir := t.TempDir()
			short := &Runner{Point: method.Budget{Time: 250 * time.Millisecond}}
			c, _, err := runTrials(t, context.Background(), short, dir, "fit", do, "also fit")
			want := "grid point 1 (do " + do + "): ran out of its time budget (250ms)"
			if !errors.Is(err, ErrCells) || c.Status != table.StatusFailed || !strings.HasPrefix(c.Reason, want+";") {
				t.Errorf("error %v, status %q, reason %q; want %q", err, c.Status, c.Reason, want)
			}
			before := trialFits.Load()
			if _, _, err := runTrials(t, context.Background(), &Runner{}, dir, "fit", do, "also fit"); !errors.Is(err, ErrCells) || trialFits.Load() != before {
				t.Errorf("without --retry-failed: error %v, %d fits", err, trialFits.Load()-before)
			}
			if do != "ignore its context" {
				return // it never ends
			}
			c, _, err = runTrials(t, context.Background(), &Runner{RetryFailed: true, Point: method.Budget{Time: time.Minute}}, dir, "fit", do, "also fit")
			if err != nil || c.Score == nil || trialFits.Load() != before+2 { // the point, and the fit for the test samples
				t.Errorf("tried again: error %v, %+v after %d fits, want a result after 2", err, c.Score, trialFits.Load()-before)
			}
			whole := t.TempDir()
			if _, _, err := runTrials(t, context.Background(), &Runner{}, whole, "fit", do, "also fit"); err != nil {
				t.Fatal(err)
			}
			spectest.EqualCells(t, spectest.Cells(t, dir), spectest.Cells(t, whole))
			if left, _ := filepath.Glob(filepath.Join(dir, "cells", "*", "*.journal")); len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}

// TestTimeBudgetOfABatch: points that are fitted together have the time of all. Where the
// estimate of the method says that this is by far too little, the cell is not begun.
func TestTimeBudgetOfABatch(t *testing.T) {
	spec := spectest.Parse(t, "name: batch\ndatasets: [twonorm-gen]\nmethods:\n  - method: e-r2lml\n    params: {step: 1e-6, epochs: 100, "+
		"iterations: 100000}\n    grid: {lambda: [1, 10]}\n")
	short := method.Budget{Time: 40 * time.Millisecond}
	_, cells, err := compute(t, spec, &Runner{Workers: 1, Point: short})
	if want := "for 250 training and 3900 query samples by estimate, --point-time allows 40ms"; !errors.Is(err, ErrCells) ||
		!strings.Contains(cells[0].Failure, want) {
		t.Errorf("error %v, reason %q, want %q", err, cells[0].Failure, want)
	}
	spec.Columns[0].Method.Work = nil // which is not known then
	_, cells, err = compute(t, spec, &Runner{Workers: 1, Point: short})
	if want := "ran out of its time budget (40ms for each of 2 points"; !errors.Is(err, ErrCells) || !strings.Contains(cells[0].Failure, want) {
		t.Errorf("error %v, reason %q, want %q", err, cells[0].Failure, want)
	}
}

// TestMemoryBudget: a point whose fit needs too much fails its cell; those that
// were at work beside it do not.
func TestMemoryBudget(t *testing.T) {
	fixture.Long(t)
	for workers := 1; workers <= 2; workers++ {
		c, _, err := runTrials(t, context.Background(), &Runner{Workers: workers, Point: method.Budget{Memory: 64 << 20}}, t.TempDir(), "stay", "grow", "stay")
		want := "grid point 1 (do grow): ran out of its memory budget (64 MiB)"
		if !errors.Is(err, ErrCells) || !strings.HasPrefix(c.Reason, want+";") {
			t.Errorf("%d workers: error %v, reason %q, want %q", workers, err, c.Reason, want)
		}
	}
	dir, whole := t.TempDir(), t.TempDir()
	if _, _, err := runTrials(t, context.Background(), &Runner{Point: method.Budget{Memory: 8 << 30, Time: time.Minute}}, dir, "stay", "fit"); err != nil {
		t.Errorf("within the budget: %v", err)
	}
	if _, _, err := runTrials(t, context.Background(), &Runner{}, whole, "stay", "fit"); err != nil {
		t.Fatal(err)
	}
	spectest.EqualCells(t, spectest.Cells(t, dir), spectest.Cells(t, whole))
}

// runShell runs a script of the shell as the method of a cell of two points.
func runShell(t *testing.T, dir, script string, point method.Budget, retry bool) (results.Cell, error) {
	t.Helper()
	needs(t, "sh")
	source, _ := tinySource(t)
	_, cells, err := compute(t, spectest.Parse(t, tiny(shell(script, "    grid: {alpha: [1, 2]}\n"))),
		&Runner{Store: &store.Store{Dir: dir, Log: t.Logf}, Source: source, Point: point, RetryFailed: retry})
	return cells[0], err
}

// TestMemoryBudgetOfAProgram: the memory is that of all processes the program
// has started.
func TestMemoryBudgetOfAProgram(t *testing.T) {
	fixture.Long(t)
	if runtime.GOOS != "linux" {
		t.Skip("the memory of programs is known on Linux only")
	}
	needs(t, "tail")
	const hungry = `head -c 300000000 /dev/zero | (tail -c 300000000; sleep 20) > /dev/null; ` + ones
	started := time.Now()
	c, err := runShell(t, t.TempDir(), hungry, method.Budget{Memory: 100 << 20}, false)
	if want := "grid point 0 (alpha 1): external: sh: ran out of its memory budget (100 MiB), and so did 1 others"; !errors.Is(err,
		ErrCells) || c.Failure != want {
		t.Errorf("error %v, reason %q, want %q", err, c.Failure, want)
	}
	if took := time.Since(started); took > 15*time.Second {
		t.Errorf("it was ended after %v", took)
	}
	if c, err := runShell(t, t.TempDir(), ones, method.Budget{Memory: 100 << 20, Time: time.Minute}, false); err != nil || c.Correct() != 7 {
		t.Errorf("a small program: %v, %d right", err, c.Correct())
	}
}

// TestMachineIsNoReason: when the directory for temporary files is not there,
// nothing is learned about the grid points; they are fitted on request.
func TestMachineIsNoReason(t *testing.T) {
	dir, temp := t.TempDir(), t.TempDir()
	t.Setenv("TMPDIR", filepath.Join(temp, "missing"))
	c, err := runShell(t, dir, ones, method.Budget{}, false)
	if !errors.Is(err, ErrCells) || !strings.HasPrefix(c.Failure, "grid point 0 (alpha 1): external: sh: ") || !strings.Contains(c.Failure,
		"no such file or directory") {
		t.Errorf("error %v, reason %q", err, c.Failure)
	}
	t.Setenv("TMPDIR", temp)
	if c, err := runShell(t, dir, ones, method.Budget{}, true); err != nil || len(c.Validation.Failures) > 0 || c.Correct() != 7 {
		t.Errorf("tried again: %v, failures %v", err, c.Validation)
	}
}
