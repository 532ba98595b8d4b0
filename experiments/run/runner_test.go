package run_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"r2lmlbench/datasets"
	"r2lmlbench/experiments/method"
	"r2lmlbench/experiments/plan"
	. "r2lmlbench/experiments/run"
	"r2lmlbench/experiments/spec"
	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/testkit"
	"r2lmlbench/r2lml"
	"r2lmlbench/results"
	"r2lmlbench/results/store"
)

// TestHeldCellsArePutOff: a worker skips a cell locked by another process, and
// computes it once the lock is released.
func TestHeldCellsArePutOff(t *testing.T) {
	s, st := testkit.Parse(t, testkit.Small), storeIn(t, t.TempDir())
	release := fixture.Must(st.Lock(t.Context(), testkit.PlanFor(t, s).Jobs()[0].Inputs))(t)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var order []string
	_, _, err := compute(t, ctx, s, &Runner{Store: st, Workers: 1, Observe: func(e Event) {
		if e.Kind == CellDone {
			if order = append(order, e.Job.Column.ID); len(order) == 1 {
				release()
			}
		}
	}})
	if err != nil || !slices.Equal(order, []string{"e-r2lml", "euclidean"}) {
		t.Errorf("%v, cells were computed in the order %v, want the held one last", err, order)
	}
}

// A run that is interrupted among the points of a grid or of a surface goes on with those
// that are left, and fits none of the others again but the chosen one.
func TestInterruptedCellGoesOn(t *testing.T) {
	surface := strings.Replace(strings.Replace(testkit.Small, "grid:", "measure: surface\n    grid:", 1), "twonorm-gen", "overlap30", 1)
	for _, c := range []struct {
		text  string
		after int
		fits  int64
	}{
		{testkit.Small, 2, 2 + 1},
		{surface, 4 + 1, 1 + 2}, // the selection and one of the other three points
	} {
		whole, parts := storeIn(t, t.TempDir()), storeIn(t, t.TempDir())
		counted := func() (*spec.Spec, *atomic.Int64) {
			s := testkit.Parse(t, c.text)
			s.Columns[1].Method.Family = method.Typed[r2lml.Efficient]{Fit: r2lml.Singly[r2lml.Efficient]}
			return s, countFits(s)
		}
		jobs, _ := computed(t, c.text, &Runner{Store: whole, Workers: 1})
		points := 0
		s, _ := counted()
		interrupt(t, s, parts, func(e Event) bool {
			if e.Kind == SettingDone {
				points++
			}
			return points == c.after
		})
		s, fits := counted()
		told := map[EventKind]int{}
		_, _, err := compute(t, t.Context(), s, &Runner{Store: parts, Workers: 1, Observe: func(e Event) { told[e.Kind]++ }})
		fixture.Check(t, err)
		fixture.Equal(t, "fits of the second run", fits.Load(), c.fits)
		fixture.EqualSlice(t, "points told as known, and in all", []int{told[SettingKnown], told[SettingKnown] + told[SettingDone]}, []int{c.after, jobs[1].Fits()})
		testkit.EqualCells(t, testkit.Cells(t, parts.Dir), testkit.Cells(t, whole.Dir))
		for st, resumed := range map[*store.Store]bool{whole: false, parts: true} {
			run, ok, _ := st.Run(jobs[1].Inputs)
			if !ok || run.Resumed != resumed || !(run.Seconds > 0) || !run.Finished.After(run.Started) || resumed && run.Heap != 0 {
				t.Errorf("run %+v, %v, want it resumed: %v", run, ok, resumed)
			}
		}
	}
}

// A run for want of data ends with ErrData each time, not only in the run that
// stores the failure; once the data can be used a retry computes the cell.
func TestUnusableDataTwice(t *testing.T) {
	st, broken := storeIn(t, t.TempDir()), plan.NewSource(t.TempDir())
	broken.Splits["overlap30 "+plan.PaperRule.String()] = func() (*datasets.Split, error) { return nil, datasets.ErrCorrupt }
	run := func(s *plan.Source, retry bool) error {
		_, cells, err := compute(t, t.Context(), testkit.Parse(t, "name: x\ndatasets: [overlap30]\nmethods: [{method: euclidean}]\n"),
			&Runner{Store: st, Source: s, RetryFailed: retry})
		if made, ok, fault := st.RunOf(cells[0]); fault != nil || !ok || len(made.Builds) != 1 || made.Builds[0] != results.ThisBuild() {
			t.Errorf("the record names the builds %v, %v", made.Builds, fault)
		}
		return err
	}
	for range 2 {
		fixture.Is(t, run(broken, false), ErrData)
	}
	if err := run(nil, false); !errors.Is(err, ErrCells) || errors.Is(err, ErrData) {
		t.Errorf("a stored failure with good data: error %v", err)
	}
	fixture.Check(t, run(nil, true))
}

// TestRetryAfterAKill: a process that is killed after it has stored why a cell failed,
// and before it has removed the journal, leaves both. What failed is tried again on
// request all the same, and what did not is not.
func TestRetryAfterAKill(t *testing.T) {
	fixture.Long(t)
	fixture.Needs(t, "sh")
	for _, c := range []struct {
		name, program string // what it does at first
		fits          int    // of the retry
	}{
		{"every point", `exit 1`, 3 + 1},
		{"one point fewer, and the test", `grep -q '"class": 1' params.json && ! grep -q '"test"' params.json || exit 1`, 2 + 1},
		{"the test", `! grep -q '"test"' params.json || exit 1`, 0 + 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			at := func(name string) string { return filepath.Join(dir, name) }
			t.Setenv("OPEN", at("open"))
			t.Setenv("FITS", at("fits"))
			stanza := shell(`echo fit >> "$FITS"; [ -e "$OPEN" ] || { `+c.program+`; }; `+ones, "    env: [FITS, OPEN]\n    grid: {class: [3, 2, 1]}\n")
			run := func(name string, retry bool, observe func(Event)) error {
				_, err := runTiny(t, stanza, &Runner{Store: storeIn(t, at(name)), Workers: 1, RetryFailed: retry, Observe: observe})
				return err
			}
			kept := map[string]string{}
			err := run("killed", false, func(e Event) { // when a cell is done, its journal is still there
				if e.Kind == CellDone {
					kept = fixture.Contents(t, at("killed"), ".journal")
				}
			})
			if !errors.Is(err, ErrCells) || len(kept) != 1 {
				t.Fatalf("error %v, %d journals; want a failed cell and its journal", err, len(kept))
			}
			for path, data := range kept {
				fixture.Write(t, filepath.Join(at("killed"), path), data)
			}
			fixture.Write(t, at("open"), "")
			os.Remove(at("fits"))
			fixture.Check(t, run("killed", true, nil))
			fixture.Equal(t, "fits", lineCount(t, at("fits")), c.fits)
			fixture.Check(t, run("whole", false, nil))
			testkit.EqualCells(t, testkit.Cells(t, at("killed")), testkit.Cells(t, at("whole")))
			fixture.Same(t, "journals left behind", fixture.Contents(t, at("killed"), ".journal"), map[string]string{})
		})
	}
}
