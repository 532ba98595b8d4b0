package run

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"r2lmlbench/datasets"
	"r2lmlbench/experiments/measure"
	"r2lmlbench/experiments/method"
	"r2lmlbench/experiments/plan"
	"r2lmlbench/r2lml"
	"r2lmlbench/results"
	"r2lmlbench/results/store"
)

// A work is the state of a cell of a bundle during its computation.
type work struct {
	job     plan.Job
	journal *store.Journal
	cell    results.Cell
	said    logs

	environment []string // of the fit that labels the test samples
	doubts      []string // about the fit that labels the test samples

	builds   []results.Build
	resumed  bool
	borrowed bool  // the fit that labels the test samples was made for another cell
	failed   error // transient failure of a fit
	best     kept  // joint fits: that of the best setting so far
}

// A kept holds a joint fit, which labelled the validation and the test samples together,
// so that the chosen setting needs no further fit.
type kept struct {
	point   int
	correct int // correct validation samples
	fit     *r2lml.Fitted
	labels  []int // of the test samples
}

// grids reports whether the cell chooses a setting.
func (w *work) grids() bool { return len(w.job.Inputs.Settings) > 1 }

// done reports whether the cell failed or cannot be finished now.
func (w *work) done() bool { return w.failed != nil || w.cell.Failure != "" }

// fit chooses the settings of cells of one bundle, by stored or new validation scores, and
// labels the test samples with them. Cells that choose the same setting share its fits.
func (r *Runner) fit(ctx context.Context, all []*work, split *datasets.Split) error {
	if err := r.validate(ctx, all, split); err != nil {
		return err
	}
	for _, w := range all {
		if w.done() || !w.grids() {
			continue
		}
		if w.cell.Chosen = w.cell.Validation.Best(); w.cell.Chosen < 0 {
			w.cell.Chosen = 0
			w.cell.Failure = fmt.Sprintf("every grid point failed; the first: %s", w.cell.Validation.Failures[0])
		}
	}
	if err := r.test(ctx, all, split); err != nil {
		return err
	}
	return r.surface(ctx, all, split)
}

// surface fits every setting of the grids to the test problem, except the chosen one, which
// is fitted already.
func (r *Runner) surface(ctx context.Context, all []*work, split *datasets.Split) error {
	var open []*scores
	for _, w := range all {
		if w.done() || !w.job.Surface() {
			continue
		}
		s := r.newScores(w, method.TestPhase)
		s.outcomes[w.cell.Chosen] = pointOutcome(method.TestPhase, w.cell.Chosen, "", w.cell.Predicted, split.Test.Y, nil)
		open = append(open, s)
	}
	if err := r.points(ctx, open, split, method.TestPhase); err != nil {
		return err
	}
	for _, s := range open {
		if w := s.work; w.failed == nil {
			w.cell.GridScores = results.NewGridScores(w.cell.Truth, len(w.cell.Settings), s.outcomes)
		}
	}
	return nil
}

// test fits the chosen settings with the test samples as queries and labels them. A fit
// has the seed of the chosen restart.
func (r *Runner) test(ctx context.Context, all []*work, split *datasets.Split) error {
	var tasks []func(context.Context)
	for _, sharing := range sameChoice(all) {
		first := sharing[0]
		j, restarts := first.job, first.job.Column.Restarts
		p := problemOf(j, split, method.TestPhase, first.cell.Chosen%restarts)
		p.Memory = r.Point.Memory
		setting := j.Column.Settings[j.Dataset.ID][first.cell.Chosen/restarts].Fitted()
		sharing = slices.DeleteFunc(sharing, func(w *work) bool {
			known := w.best.fit != nil && w.best.point == w.cell.Chosen
			if known {
				of := p
				of.Neighbors = w.job.Neighbors(w.cell.Chosen)
				w.said.add("test", w.best.fit.Log)
				w.environment = w.best.fit.Environment
				w.label(ctx, setting, of, *w.best.fit, w.best.labels)
			}
			return known
		})
		if len(sharing) == 0 {
			continue
		}
		var ks []int
		for i, w := range sharing {
			ks = append(ks, w.job.Neighbors(w.cell.Chosen))
			w.borrowed = i > 0
		}
		label := func(ctx context.Context, _ int, f r2lml.Fitted) ([][]int, error) {
			labels, err := classifyEach(ctx, p, f, ks, j.Column.Voting)
			for i := range labels {
				if j.Joint() {
					labels[i] = partOf(labels[i], split, p.Phase)
				}
			}
			return labels, err
		}
		done := func(_ int, f r2lml.Fitted, labels [][]int, err error) {
			for i, w := range sharing {
				w.said.add("test", f.Log)
				w.environment = f.Environment
				if err != nil {
					w.fail(err)
					continue
				}
				of := p
				of.Neighbors = ks[i]
				w.label(ctx, setting, of, f, labels[i])
			}
		}
		tasks = append(tasks, r.guardedAll(j, split, j.Column.Method.Tasks(p, []method.Setting{setting}), label, done)...)
	}
	return r.fitAll(ctx, tasks)
}

// sameChoice groups the cells that still need labels of the test samples by their chosen
// fit.
func sameChoice(all []*work) [][]*work {
	var groups [][]*work
	at := map[[2]int]int{}
	for _, w := range all {
		if w.done() {
			continue
		}
		restarts := w.job.Column.Restarts
		key := [2]int{w.job.Fitted()[w.cell.Chosen/restarts], w.cell.Chosen % restarts}
		i, ok := at[key]
		if !ok {
			i, at[key] = len(groups), len(groups)
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], w)
	}
	return groups
}

// fail records the failure of a fit for the test samples.
func (w *work) fail(fault error) {
	if method.Transient(fault) {
		w.failed = method.TransientFailure{Cause: fmt.Errorf("the fit for the test samples: %w", fault)}
		return
	}
	w.cell.Failure = fault.Error()
}

// label records the labels of the test samples by a fit, and its measures.
func (w *work) label(ctx context.Context, chosen method.Setting, p method.Problem, f r2lml.Fitted, labels []int) {
	p = chosen.Features.Of(p)
	fit := measure.Fit{Problem: p.Problem, Setting: chosen.Of, Fitted: f, Neighbors: p.Neighbors, Voting: w.job.Column.Voting, Truth: w.cell.Truth}
	found, err := measure.Take(ctx, w.job.Inputs.Measure, fit)
	if err != nil {
		w.fail(err)
		return
	}
	w.doubts = w.job.Column.Method.Doubts(chosen, p.Problem, f)
	cell := &w.cell
	cell.Predicted, cell.Warnings = labels, f.Warnings
	for _, fact := range f.Facts {
		cell.Counts = append(cell.Counts, results.Count(fact))
	}
	cell.Counts = append(cell.Counts, found.Facts...)
	for _, series := range f.Series {
		cell.Series = append(cell.Series, results.NewSeries(series.Name, series.Values))
	}
	cell.Series = append(cell.Series, found.Series...)
}

// FitFirst runs the first task of a grid like a cell does, labels the query samples, and
// returns the last fit.
func FitFirst(ctx context.Context, m method.Method, settings []method.Setting, p method.Problem) (fitted r2lml.Fitted, err error) {
	var unbounded Runner
	label := func(ctx context.Context, _ int, f r2lml.Fitted) ([][]int, error) {
		return classifyEach(ctx, p, f, []int{p.Neighbors}, r2lml.Voting{})
	}
	unbounded.guarded(ctx, 0, m.Tasks(p, settings)[0], label, func(_ int, f r2lml.Fitted, _ [][]int, failed error) {
		fitted, err = f, cmp.Or(failed, err)
	})
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	return fitted, err
}
