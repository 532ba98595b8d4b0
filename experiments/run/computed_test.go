package run_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"testing"

	"gonum.org/v1/gonum/mat"

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

// samples draws n labelled samples of three classes; integer ones lie at equal
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

// tinySource knows one data set more, mat:tiny, of three classes.
func tinySource(t *testing.T) (*plan.Source, *datasets.Split) {
	t.Helper()
	draw := rand.New(rand.NewPCG(1, 2))
	split := &datasets.Split{Train: samples(draw, 30, false), Validation: samples(draw, 12, false), Test: samples(draw, 21, false), Digest: "tiny"}
	return sourceOf(t, split), split
}

// sourceOf returns a source whose split of mat:tiny is the given one.
func sourceOf(t *testing.T, split *datasets.Split) *plan.Source {
	source := plan.NewSource(t.TempDir())
	source.Splits["mat:tiny authors"] = func() (*datasets.Split, error) { return split, nil }
	return source
}

// tiny is a spec of stanzas on mat:tiny.
func tiny(stanzas string) string { return "name: tiny\ndatasets: [\"mat:tiny\"]\nmethods:\n" + stanzas }

// shell is a stanza that runs a script of the shell, which makes one fit.
func shell(script, rest string) string { return under("one-shot", script, rest) }

// under is a stanza that runs a script of the shell under a protocol.
func under(protocol, script, rest string) string {
	b, _ := json.Marshal([]string{"sh", "-c", script})
	return fmt.Sprintf("  - method: external\n    params: {command: %s, protocol: %s}\n%s", b, protocol, rest)
}

// ones labels the 21 test samples of mat:tiny, or its 12 validation samples.
const ones = `sed 1d query.csv | sed s/.*/1/ > predictions.csv; `

func storeIn(t *testing.T, dir string) *store.Store { return &store.Store{Dir: dir, Log: t.Logf} }

// compute runs a spec and returns its jobs, their cells and the error of the run. Cells
// that failed are among them; only those that ctx kept from being computed are empty. A
// runner without a source, a store or workers gets that of mat:tiny, a new one and two.
func compute(t *testing.T, ctx context.Context, s *spec.Spec, r *Runner) ([]plan.Job, []results.Cell, error) {
	t.Helper()
	if r.Source == nil {
		r.Source, _ = tinySource(t)
	}
	if r.Store == nil {
		r.Store = storeIn(t, t.TempDir())
	}
	r.Workers = cmp.Or(r.Workers, 2)
	jobs := fixture.Must(plan.New(context.Background(), s, r.Source))(t).Jobs()
	failed := r.Run(ctx, jobs)
	var cells []results.Cell
	for _, j := range jobs {
		c, ok, err := r.Store.Find(j.Inputs)
		if err == nil && !ok {
			c, ok, err = r.Store.Failed(j.Inputs)
		}
		if err != nil || !ok && ctx.Err() == nil && !errors.Is(failed, ErrMachine) {
			t.Fatalf("%s has no cell (%v); the run: %v", j.Column.ID, err, failed)
		}
		cells = append(cells, c)
	}
	return jobs, cells, failed
}

// computed is compute of a spec that must not fail.
func computed(t *testing.T, text string, r *Runner) ([]plan.Job, []results.Cell) {
	t.Helper()
	jobs, cells, err := compute(t, t.Context(), testkit.Parse(t, text), r)
	fixture.Check(t, err)
	return jobs, cells
}

// runTiny runs stanzas on mat:tiny and returns their cells and the error of the run.
func runTiny(t *testing.T, stanzas string, r *Runner) ([]results.Cell, error) {
	t.Helper()
	_, cells, err := compute(t, t.Context(), testkit.Parse(t, tiny(stanzas)), r)
	return cells, err
}

// interrupt runs a spec into a store until an event for which stop is true.
func interrupt(t *testing.T, s *spec.Spec, st *store.Store, stop func(Event) bool) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	_, _, err := compute(t, ctx, s, &Runner{Store: st, Workers: 1, Observe: func(e Event) {
		if stop(e) {
			cancel()
		}
	}})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v, want the interruption", err)
	}
}

// checkFailed marks a test as failed unless a run failed a cell for a reason with these parts.
func checkFailed(t *testing.T, what string, err error, c results.Cell, parts ...string) {
	t.Helper()
	fixture.Is(t, err, ErrCells)
	fixture.Has(t, what+": reason", c.Failure, parts...)
}

// counting is a family that counts the settings it is asked to fit.
type counting struct {
	method.Family
	fits *atomic.Int64
}

func (c counting) Tasks(p method.Problem, settings []any) []r2lml.Task {
	c.fits.Add(int64(len(settings)))
	return c.Family.Tasks(p, settings)
}

// countFits counts the settings that the methods of a spec are asked to fit.
func countFits(s *spec.Spec) *atomic.Int64 {
	var fits atomic.Int64
	for i := range s.Columns {
		s.Columns[i].Method.Family = counting{s.Columns[i].Method.Family, &fits}
	}
	return &fits
}
