package run_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"r2lmlbench/experiments/method"
	. "r2lmlbench/experiments/run"
	"r2lmlbench/experiments/spec"
	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/spectest"
	"r2lmlbench/r2lml"
	"r2lmlbench/results/store"
	"r2lmlbench/results/table"
)

func TestRunComputesOnce(t *testing.T) {
	dir, s := t.TempDir(), spectest.Parse(t, spectest.Small)
	var events int
	count := func(e Event) {
		if e.Kind != CellKnown {
			events++
		}
	}
	tbl := fixture.Must(spectest.Run(t, context.Background(), s, dir, 2, count))(t)
	if events != 2+4 { // two cells, four grid points
		t.Errorf("%d events, want 6", events)
	}
	for _, c := range tbl.Rows[0].Cells {
		if c.Score == nil || c.Correct < 3500 || c.Correct > 3900 {
			t.Errorf("%s: %+v, want an accuracy above 90 %%", c.Method, c.Score)
		}
	}
	events = 0
	if _, err := spectest.Run(t, context.Background(), s, dir, 2, count); err != nil || events != 0 {
		t.Errorf("second run: %d events, error %v; want nothing to do", events, err)
	}
}

// A run that is interrupted among the points of a grid or of a surface goes on with those
// that are left, and fits none of the others again but the chosen one.
func TestInterruptedCellGoesOn(t *testing.T) {
	surface := strings.Replace(strings.Replace(spectest.Small, "grid:", "measure: surface\n    grid:", 1), "twonorm-gen", "overlap30", 1)
	for _, c := range []struct {
		text        string
		after, fits int
	}{
		{spectest.Small, 2, 2 + 1},
		{surface, 4 + 1, 1 + 2}, // the selection and one of the other three points
	} {
		whole, parts := t.TempDir(), t.TempDir()
		fits := 0
		counted := func() *spec.Spec {
			s := spectest.Parse(t, c.text)
			fitSingly(&s.Columns[1], &fits)
			return s
		}
		if _, err := spectest.Run(t, context.Background(), spectest.Parse(t, c.text), whole, 1, nil); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		points := 0
		_, err := spectest.Run(t, ctx, counted(), parts, 1, func(e Event) {
			if e.Kind == PointDone {
				if points++; points == c.after {
					cancel()
				}
			}
		})
		if !errors.Is(err, context.Canceled) {
			t.Fatalf("error %v, want the interruption", err)
		}
		fits = 0
		if _, err := spectest.Run(t, context.Background(), counted(), parts, 1, nil); err != nil {
			t.Fatal(err)
		}
		if fits != c.fits {
			t.Errorf("the second run made %d fits, want %d", fits, c.fits)
		}
		spectest.EqualCells(t, spectest.Cells(t, parts), spectest.Cells(t, whole))
		for dir, resumed := range map[string]bool{whole: false, parts: true} {
			st, in := &store.Store{Dir: dir}, spectest.PlanFor(t, spectest.Parse(t, c.text)).Jobs()[1].Inputs
			if run, ok := st.Run(in); !ok || run.Resumed != resumed || !(run.Seconds > 0) || (run.Heap == 0) != resumed {
				t.Errorf("run %+v, %v, want it resumed: %v", run, ok, resumed)
			}
		}
	}
}

func TestFailedPointLoses(t *testing.T) {
	s := spectest.Parse(t, `
name: failing
datasets: [twonorm-gen]
methods:
  - method: e-r2lml
    params: {epochs: 2, iterations: 50}
    grid: {step: [1e300, 1e-6]}
  - method: e-r2lml
    name: all-fail
    params: {epochs: 2, iterations: 50}
    grid: {step: [1e300, 1e299]}
  - method: euclidean
`)
	ranked, err := spectest.Run(t, context.Background(), s, t.TempDir(), 2, nil)
	if !errors.Is(err, ErrCells) {
		t.Fatalf("error %v, want ErrCells", err)
	}
	row := ranked.Rows[0]
	if c := row.Cells[0]; c.Score == nil || c.Params["step"] != 1e-6 || !strings.Contains(strings.Join(c.Notes, " "), "finite") {
		t.Errorf("one of two points fails: %+v with notes %q, want step 1e-6 and the reason", c.Score, c.Notes)
	}
	if c := row.Cells[1]; c.Status != table.StatusFailed || !strings.Contains(c.Reason, "every grid point failed") {
		t.Errorf("both points fail: status %q, reason %q", c.Status, c.Reason)
	}
	if row.Cells[2].Score == nil {
		t.Error("the failure stopped another method")
	}
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
			c, _, err := runTrials(t, context.Background(), &Runner{}, t.TempDir(), slices.Repeat([]string{do}, points)...)
			if !errors.Is(err, ErrCells) || c.Status != table.StatusFailed || !strings.Contains(c.Reason, want) {
				t.Errorf("%d points: error %v, status %q, reason %q; want a failure with %q", points, err, c.Status, c.Reason, want)
			}
		}
	}
}

// TestForgottenSetting: a grid fit that reports nothing fails its cell.
func TestForgottenSetting(t *testing.T) {
	s := spectest.Parse(t, spectest.Small)
	s.Columns[0].Method = method.New("forgetful", "Forgetful", func(_ r2lml.Problem, settings []trial) []r2lml.Task {
		return []r2lml.Task{{Settings: []int{0}, Run: func(context.Context, func(int, r2lml.Fitted, error)) {}}}
	}, method.About{Version: 1})
	s.Columns[0].Settings["twonorm-gen"] = []method.Setting{trial{}}
	_, cells, err := compute(t, s, &Runner{})
	if !errors.Is(err, ErrCells) || !strings.Contains(cells[0].Failure, "gave no result") || cells[1].Failure != "" {
		t.Errorf("error %v, reasons %q and %q", err, cells[0].Failure, cells[1].Failure)
	}
}
