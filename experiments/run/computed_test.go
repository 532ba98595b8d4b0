package run_test

import (
	"cmp"
	"testing"

	"r2lmlbench/experiments/method"
	"r2lmlbench/experiments/plan"
	. "r2lmlbench/experiments/run"
	"r2lmlbench/experiments/spec"
	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/spectest"
	"r2lmlbench/r2lml"
	"r2lmlbench/results"
	"r2lmlbench/results/store"
)

// tiny is a spec of stanzas on mat:tiny.
func tiny(stanzas string) string { return "name: tiny\ndatasets: [\"mat:tiny\"]\nmethods:\n" + stanzas }

// compute runs a spec and returns its jobs, their cells, failed ones included, and the
// error of the run. A runner without a source or a store gets a new one.
func compute(t *testing.T, s *spec.Spec, r *Runner) ([]plan.Job, []results.Cell, error) {
	t.Helper()
	if r.Source == nil {
		r.Source = plan.NewSource(t.TempDir())
	}
	if r.Store == nil {
		r.Store = &store.Store{Dir: t.TempDir(), Log: t.Logf}
	}
	r.Workers = cmp.Or(r.Workers, 2)
	p := fixture.Must(plan.New(t.Context(), s, r.Source))(t)
	failed := r.Run(t.Context(), p.Jobs())
	var cells []results.Cell
	for _, j := range p.Jobs() {
		c, ok, err := r.Store.Get(j.Inputs)
		if err == nil && !ok {
			c, ok, err = r.Store.Failed(j.Inputs)
		}
		if err != nil || !ok {
			t.Fatalf("%s has no cell (%v); the run: %v", j.Column.ID, err, failed)
		}
		cells = append(cells, c)
	}
	return p.Jobs(), cells, failed
}

// fitSingly has a column of E-R2LML fit point by point, and counts the fits.
func fitSingly(c *spec.Column, fits *int) {
	c.Method.Family = method.Typed[r2lml.Efficient]{Fit: func(p r2lml.Problem, settings []r2lml.Efficient) []r2lml.Task {
		*fits += len(settings)
		return r2lml.Singly(p, settings)
	}}
}

// computed is compute of a spec that must not fail.
func computed(t *testing.T, text string, r *Runner) ([]plan.Job, []results.Cell) {
	t.Helper()
	jobs, cells, err := compute(t, spectest.Parse(t, text), r)
	if err != nil {
		t.Fatal(err)
	}
	return jobs, cells
}
