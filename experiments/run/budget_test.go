package run_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"r2lmlbench/experiments/method"
	"r2lmlbench/experiments/plan"
	. "r2lmlbench/experiments/run"
	"r2lmlbench/experiments/spec"
	"r2lmlbench/internal/files"
	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/testkit"
	"r2lmlbench/r2lml"
	"r2lmlbench/results"
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

// trials is a spec of two cells on mat:tiny: one whose grid points are trials, and a
// Euclidean one.
func trials(t *testing.T, about method.About, points ...string) *spec.Spec {
	t.Helper()
	s := testkit.Parse(t, tiny("  - method: rca\n  - method: euclidean\n"))
	about.Version = 1
	var settings []method.Setting
	for _, do := range points {
		settings = append(settings, method.Setting{Of: trial{do}})
	}
	s.Columns[0] = spec.Column{
		ID: "trial", Method: method.New("trial", "Trial", r2lml.Singly[trial], about), Restarts: 1,
		Neighbors: s.Columns[0].Neighbors, Settings: map[string][]method.Setting{"mat:tiny": settings},
	}
	return s
}

// runTrials returns the cell of trials, its sidecar and the error of the run.
func runTrials(t *testing.T, ctx context.Context, r *Runner, points ...string) (results.Cell, results.Run, error) {
	t.Helper()
	jobs, cells, failed := compute(t, ctx, trials(t, method.About{}, points...), r)
	if ctx.Err() == nil && cells[1].Failure != "" {
		t.Errorf("%v: the other method fails: %s", points, cells[1].Failure)
	}
	sidecar, _, _ := r.Store.Run(jobs[0].Inputs)
	return cells[0], sidecar, failed
}

// stacks lists the fits of a sidecar whose log is a stack through trial.Fit.
func stacks(run results.Run) (fits []string) {
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
	one, again, parts := storeIn(t, t.TempDir()), storeIn(t, t.TempDir()), storeIn(t, t.TempDir())
	c, run, err := runTrials(t, t.Context(), &Runner{Store: one}, "panic", "fit")
	if err != nil || c.Failure != "" || c.Chosen != 1 || !strings.Contains(c.Validation.Failures[0], "out of ideas") {
		t.Errorf("one point of two panics: %v, point %d, failures %v", err, c.Chosen, c.Validation.Failures)
	}
	fixture.EqualSlice(t, "stacks", stacks(run), []string{"point 0"})
	_, _, err = runTrials(t, t.Context(), &Runner{Store: again}, "panic", "fit")
	fixture.Check(t, err)
	testkit.EqualCells(t, testkit.Cells(t, again.Dir), testkit.Cells(t, one.Dir)) // a stack holds addresses, a cell must not

	interrupt(t, trials(t, method.About{}, "panic", "wait", "fit"), parts, func(e Event) bool { return e.Kind == SettingDone && e.Failure != "" })
	_, run, err = runTrials(t, t.Context(), &Runner{Store: parts, Point: method.Budget{Time: 20 * time.Millisecond}}, "panic", "wait", "fit")
	if got := stacks(run); !errors.Is(err, ErrCells) || !slices.Equal(got, []string{"point 0"}) {
		t.Errorf("after an interruption: error %v, stacks of %v, want one of point 0", err, got)
	}

	c, run, err = runTrials(t, t.Context(), &Runner{}, "panic")
	checkFailed(t, "the only point panics", err, c, "out of ideas")
	fixture.EqualSlice(t, "stacks of the only point", stacks(run), []string{"test"})
}

// A faultyMetric panics, takes its time for every query sample, or has a distance that is no
// number for one of them.
type faultyMetric struct {
	panics bool
	slow   time.Duration
}

func (m faultyMetric) SquaredDistances(dst []float64, query int) {
	if m.panics {
		panic("no distance")
	}
	clear(dst)
	time.Sleep(m.slow)
	if query == 7 && m.slow == 0 {
		dst[2] = math.NaN()
	}
}

// TestFaultyMethodsFailTheirCellsOnly: without and with a grid to choose from.
func TestFaultyMethodsFailTheirCellsOnly(t *testing.T) {
	for do, want := range map[string]string{
		"panic": "out of ideas", "give a metric that panics": "no distance",
		"give a metric of NaN": "the squared distance of query sample 7 to training sample 2 is NaN",
	} {
		for points := 1; points <= 2; points++ {
			c, _, err := runTrials(t, t.Context(), &Runner{}, slices.Repeat([]string{do}, points)...)
			checkFailed(t, fmt.Sprint(points, " points"), err, c, want)
		}
	}
	s := trials(t, method.About{}, "fit") // a grid fit that reports nothing
	s.Columns[0].Method.Family = method.Typed[trial]{Fit: func(r2lml.Problem, []trial) []r2lml.Task {
		return []r2lml.Task{{Settings: []int{0}, Run: func(context.Context, func(int, r2lml.Fitted, error)) {}}}
	}}
	_, cells, err := compute(t, t.Context(), s, &Runner{})
	checkFailed(t, "no result", err, cells[0], "gave no result")
	fixture.Equal(t, "reason of the other method", cells[1].Failure, "")
}

// TestTimeBudget: a cell with a point that takes too long is failed as a whole,
// whatever the method does about it; its other points stay in the journal for
// the next try.
func TestTimeBudget(t *testing.T) {
	fixture.Long(t)
	for _, do := range []string{"wait", "ignore its context", "give what it has"} {
		t.Run(do, func(t *testing.T) {
			dir, whole := t.TempDir(), t.TempDir()
			try := func(dir string, retry bool, most time.Duration) (results.Cell, error) {
				r := &Runner{Store: storeIn(t, dir), RetryFailed: retry, Point: method.Budget{Time: most}}
				c, _, err := runTrials(t, t.Context(), r, "fit", do, "also fit")
				return c, err
			}
			c, err := try(dir, false, 250*time.Millisecond)
			checkFailed(t, "too long", err, c)
			fixture.Equal(t, "reason", c.Failure, "grid point 1 (do "+do+"): ran out of its time budget (250ms)")
			before := trialFits.Load()
			if _, err := try(dir, false, 0); !errors.Is(err, ErrCells) || trialFits.Load() != before {
				t.Errorf("without --retry-failed: error %v, %d fits", err, trialFits.Load()-before)
			}
			if do != "ignore its context" {
				return // it never ends
			}
			c, err = try(dir, true, time.Minute)
			if err != nil || c.Failure != "" || trialFits.Load() != before+2 { // the point, and the fit for the test samples
				t.Errorf("tried again: error %v, %q after %d fits, want a result after 2", err, c.Failure, trialFits.Load()-before)
			}
			fixture.Must(try(whole, false, 0))(t)
			testkit.EqualCells(t, testkit.Cells(t, dir), testkit.Cells(t, whole))
			fixture.Same(t, "journals left behind", fixture.Contents(t, dir, ".journal"), map[string]string{})
		})
	}
}

// TestTimeBudgetOfABatch: points that are fitted together have the time of all. Where the
// estimate of the method says that this is by far too little, the cell is not begun.
func TestTimeBudgetOfABatch(t *testing.T) {
	s := testkit.Parse(t, "name: batch\ndatasets: [twonorm-gen]\nmethods:\n  - method: e-r2lml\n    params: {step: 1e-6, epochs: 100, "+
		"iterations: 100000}\n    grid: {lambda: [1, 10]}\n")
	for _, want := range []string{
		"for 250 training and 3900 query samples by estimate, --point-time allows 40ms", "ran out of its time budget (40ms for each of 2 points",
	} {
		_, cells, err := compute(t, t.Context(), s, &Runner{Workers: 1, Point: method.Budget{Time: 40 * time.Millisecond}})
		checkFailed(t, "batch", err, cells[0], want)
		s.Columns[0].Method.Work = nil // there is no estimate then
	}
}

// A hasty family keeps how long its tasks have, by their number of settings.
type hasty struct {
	method.Family
	left *sync.Map
}

func (h hasty) Tasks(p method.Problem, settings []any) []r2lml.Task {
	tasks := h.Family.Tasks(p, settings)
	for i, task := range tasks {
		tasks[i].Run = func(ctx context.Context, done func(int, r2lml.Fitted, error)) {
			end, _ := ctx.Deadline()
			h.left.Store(len(task.Settings), time.Until(end))
			task.Run(ctx, done)
		}
	}
	return tasks
}

// TestTimeOfABatch: settings that are fitted together have so many times the time of one.
func TestTimeOfABatch(t *testing.T) {
	s := testkit.Parse(t, tiny("  - {method: e-r2lml, params: {step: 1e-6, epochs: 1, iterations: 3}, grid: {lambda: [1, 10, 100]}}\n"))
	var left sync.Map
	s.Columns[0].Method.Family = hasty{s.Columns[0].Method.Family, &left}
	compute(t, t.Context(), s, &Runner{Workers: 1, Point: method.Budget{Time: time.Hour}})
	for _, settings := range []int{1, 3} { // the chosen one alone for the test samples
		took, ok := left.Load(settings)
		if hours, _ := took.(time.Duration); !ok || hours.Round(time.Minute) != time.Duration(settings)*time.Hour {
			t.Errorf("%d settings have %v", settings, took)
		}
	}
}

// TestMemoryBudget: a point whose fit needs too much fails its cell; those that
// were at work beside it do not.
func TestMemoryBudget(t *testing.T) {
	fixture.Long(t)
	for workers := 1; workers <= 2; workers++ {
		c, _, err := runTrials(t, t.Context(), &Runner{Workers: workers, Point: method.Budget{Memory: 64 << 20}}, "stay", "grow", "stay")
		checkFailed(t, fmt.Sprint(workers, " workers"), err, c)
		fixture.Equal(t, "reason", c.Failure, "grid point 1 (do grow): ran out of its memory budget (64 MiB)")
	}
	within, whole := storeIn(t, t.TempDir()), storeIn(t, t.TempDir())
	for _, r := range []*Runner{{Store: within, Point: method.Budget{Memory: 8 << 30, Time: time.Minute}}, {Store: whole}} {
		_, _, err := runTrials(t, t.Context(), r, "stay", "fit")
		fixture.Check(t, err)
	}
	testkit.EqualCells(t, testkit.Cells(t, within.Dir), testkit.Cells(t, whole.Dir))
}

// TestMemoryBudgetOfAProgram: the memory is that of all processes the program
// has started.
func TestMemoryBudgetOfAProgram(t *testing.T) {
	fixture.Long(t)
	if runtime.GOOS != "linux" {
		t.Skip("the memory of programs is known on Linux only")
	}
	fixture.Needs(t, "tail")
	const hungry = `head -c 300000000 /dev/zero | (tail -c 300000000; sleep 20) > /dev/null; ` + ones
	started := time.Now()
	small := method.Budget{Memory: 100 << 20, Time: time.Minute}
	cells, err := runTiny(t, shell(hungry, "    grid: {alpha: [1, 2]}\n"), &Runner{Point: small})
	checkFailed(t, "hungry", err, cells[0])
	fixture.Equal(t, "reason", cells[0].Failure, "grid point 0 (alpha 1): external: sh: ran out of its memory budget (100 MiB), and so did 1 others")
	if took := time.Since(started); took > 15*time.Second {
		t.Errorf("it was ended after %v", took)
	}
	if cells, err := runTiny(t, shell(ones, ""), &Runner{Point: small}); err != nil || cells[0].Correct() != 7 {
		t.Errorf("a small program: %v, %d right", err, cells[0].Correct())
	}
}

// TestMachineIsNoReason: where the machine and not the method ends a fit of one of two
// settings, nothing is stored of its cell, and the next run has the undisturbed bytes.
func TestMachineIsNoReason(t *testing.T) {
	fixture.Needs(t, "sh")
	temp := t.TempDir()
	short := filepath.Join(temp, "short") // while this file is there, the machine is short of something
	const grid = "    grid: {alpha: [1, 2]}\n"
	for _, c := range []struct{ name, fault string }{
		{"no scratch directory", ""},
		{"no room, as Python says it", `echo "OSError: [Errno 28] No space left on device" >&2; exit 1`},
		{"no room, as the shell says it", `echo "sh: write error: No space left on device" >&2; exit 2`},
		{"no file handles", `echo "sh: cannot open x: Too many open files" >&2; exit 2`},
		{"no memory: the system kills", `kill -KILL $$`},
		{"ulimit -t", `kill -XCPU $$`},
		{"ulimit -f", `kill -XFSZ $$`},
	} {
		for _, protocol := range []string{"one-shot", "stdio"} {
			t.Run(c.name+", "+protocol, func(t *testing.T) {
				script := serving("", "if [ -e "+short+" ] && grep -q '\"alpha\": 2' params.json; then "+cmp.Or(c.fault, "true")+"; fi; "+ones)
				stanza := under(protocol, script, grid)
				undisturbed, st := storeIn(t, t.TempDir()), storeIn(t, t.TempDir())
				fixture.Must(runTiny(t, stanza, &Runner{Store: undisturbed}))(t)
				fixture.Write(t, short, "")
				if c.fault == "" {
					t.Setenv("TMPDIR", filepath.Join(temp, "missing"))
				}
				_, err := runTiny(t, stanza+"  - method: euclidean\n", &Runner{Store: st})
				fixture.Is(t, err, ErrMachine)
				fixture.Is(t, err, files.ErrIO)
				for name := range testkit.Cells(t, st.Dir) {
					if !strings.Contains(name, "euclidean") {
						t.Errorf("%s is stored", name)
					}
				}
				fixture.Equal(t, "cells of other methods", len(testkit.Cells(t, st.Dir)), 1)
				source, _ := tinySource(t)
				share := fixture.Must(plan.New(t.Context(), testkit.Parse(t, tiny(stanza)), source))(t).Jobs()
				share[0].Part = []int{1}
				fixture.Is(t, (&Runner{Source: source, Store: storeIn(t, t.TempDir()), Workers: 1}).Run(t.Context(), share), ErrMachine)
				fixture.Check(t, os.Remove(short))
				t.Setenv("TMPDIR", temp)
				fixture.Must(runTiny(t, stanza, &Runner{Store: st}))(t)
				later := testkit.Cells(t, st.Dir)
				maps.DeleteFunc(later, func(name, _ string) bool { return strings.Contains(name, "euclidean") })
				testkit.EqualCells(t, later, testkit.Cells(t, undisturbed.Dir))
			})
		}
	}
}

// limited runs the one cell of a method whose metric is slow.
func limited(t *testing.T, ctx context.Context, r *Runner, about method.About) (results.Cell, error) {
	t.Helper()
	s := trials(t, about, "give a slow metric")
	s.Columns = s.Columns[:1]
	r.Workers = 1
	_, cells, err := compute(t, ctx, s, r)
	return cells[0], err
}

// TestLabellingIsInTime: labels that take longer than a point may fail the cell, and an
// interrupt does not wait for them.
func TestLabellingIsInTime(t *testing.T) {
	fixture.Long(t)
	began := time.Now()
	c, err := limited(t, t.Context(), &Runner{Point: method.Budget{Time: 50 * time.Millisecond}}, method.About{})
	checkFailed(t, "slow labels", err, c, "time budget")
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if c, err := limited(t, ctx, &Runner{}, method.About{}); !errors.Is(err, context.DeadlineExceeded) || c.Failure != "" {
		t.Errorf("interrupted: %v, %q", err, c.Failure)
	}
	if took := time.Since(began); took > 8*time.Second { // all labels of both would take 10 s
		t.Errorf("both took %v", took)
	}
}

// TestRefusal: a cell whose promise is beyond the budget or the machine is not begun, and
// says what it needs, what there is and what to do; one below is computed.
func TestRefusal(t *testing.T) {
	short := method.Budget{Memory: 300 << 20, Time: 50 * time.Millisecond}
	for _, c := range []struct {
		name    string
		promise float64
		point   method.Budget
		want    []string
	}{
		{"budget", 1 << 30, short, []string{"needs 1.0 GiB", "--point-memory allows 300 MiB", "fewer rows"}},
		{"machine", 1 << 60, method.Budget{}, []string{"this machine has", "fewer rows", "a machine with more"}},
		{"both", 1 << 60, short, []string{"--point-memory"}},
		{"enough", 200 << 20, short, []string{"time budget"}},
	} {
		about := method.About{Memory: func(method.Size, []results.Params) float64 { return c.promise }}
		cell, err := limited(t, t.Context(), &Runner{Point: c.point}, about)
		checkFailed(t, c.name, err, cell, c.want...)
	}
}
