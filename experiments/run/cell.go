package run

import (
	"context"
	"errors"
	"fmt"

	"r2lmlbench/datasets"
	"r2lmlbench/experiments/method"
	"r2lmlbench/experiments/plan"
	"r2lmlbench/r2lml"
	"r2lmlbench/results"
	"r2lmlbench/results/store"
	"r2lmlbench/results/study"
)

// fit selects the setting of a job, by validation scores that are known or
// else by its own, and labels the test samples with it. A transient failure is
// returned when one kept a fit from its result.
func (r *Runner) fit(ctx context.Context, j plan.Job, split *datasets.Split, known *results.Profile, journal *store.Journal,
	said *logs) (results.Cell, error) {
	cell := results.Cell{Inputs: j.Inputs, Truth: split.Test.Y, Validation: known}
	if len(j.Inputs.Points) > 1 {
		var err error
		if known == nil {
			cell.Validation, err = r.validate(ctx, j, split, journal, said)
		}
		if err != nil {
			return cell, err
		}
		if cell.Chosen = firstBest(cell.Validation.Correct); cell.Chosen < 0 {
			cell.Chosen = 0
			cell.Failure = fmt.Sprintf("every grid point failed; the first: %s", cell.Validation.Failures[0])
			return cell, nil
		}
	}
	if err := r.test(ctx, j, split, &cell, said); err != nil || cell.Failure != "" || !j.Surface() {
		return cell, err
	}
	var err error
	cell.Surface, err = r.surface(ctx, j, split, cell, journal, said)
	return cell, err
}

// surface fits every point of the grid to the test problem. The chosen one has
// been fitted already, its predictions are those of the cell.
func (r *Runner) surface(ctx context.Context, j plan.Job, split *datasets.Split, cell results.Cell, journal *store.Journal,
	said *logs) (*results.Surface, error) {
	outcomes := r.resume(j, method.TestPhase, r.done(journal, results.PhaseTest), said)
	outcomes[cell.Chosen] = pointOutcome(method.TestPhase, cell.Chosen, "", cell.Predicted, split, nil)
	if err := r.points(ctx, j, split, method.TestPhase, journal, outcomes, said); err != nil {
		return nil, err
	}
	return results.NewSurface(cell.Truth, len(cell.Points), outcomes), nil
}

// test fits the chosen setting with the test samples as queries and labels
// them. The fit has the seed that the setting was chosen with.
func (r *Runner) test(ctx context.Context, j plan.Job, split *datasets.Split, cell *results.Cell, said *logs) error {
	restarts := j.Column.Restarts
	p := ProblemOf(j, split, method.TestPhase, cell.Chosen%restarts)
	p.Memory = r.Point.Memory
	chosen := []method.Setting{j.Column.Settings[j.Entry.ID][cell.Chosen/restarts]}
	var fault error
	err := r.fitAll(ctx, r.guarded(j.Column.Method.Family.Tasks(p, chosen), func(_ int, f r2lml.Fitted, err error) {
		said.add("test", f.Log)
		var labels []int
		if err == nil {
			labels, err = labelsOf(j, split, p, f)
		}
		var found study.Measured
		if err == nil {
			setting, features := method.Unprepared(chosen[0])
			fit := study.Fit{Problem: features.Of(p).Problem, Setting: setting, Fitted: f, Neighbors: p.Neighbors}
			found, err = study.Take(ctx, j.Inputs.Measure, fit)
		}
		if err != nil {
			fault = err
			return
		}
		cell.Predicted = labels
		cell.Warnings = f.Warnings
		for _, fact := range f.Facts {
			cell.Facts = append(cell.Facts, results.Fact(fact))
		}
		cell.Facts = append(cell.Facts, found.Facts...)
		for _, series := range f.Series {
			cell.Series = append(cell.Series, results.NewSeries(series.Name, series.Values))
		}
		cell.Series = append(cell.Series, found.Series...)
	}))
	var transient method.TransientFailure
	switch {
	case err != nil:
		return err
	case errors.As(fault, &transient):
		return method.TransientFailure{Cause: fmt.Errorf("the fit for the test samples: %w", fault)}
	case fault != nil:
		cell.Failure = fault.Error()
	}
	return nil
}

// FitFirst runs the first task of a grid and labels the query samples.
func FitFirst(ctx context.Context, m method.Method, settings []method.Setting, p method.Problem) (err error) {
	tasks := m.Family.Tasks(p, settings)[:1]
	var unbounded Runner
	unbounded.guarded(tasks, func(_ int, f r2lml.Fitted, failed error) {
		if failed != nil {
			err = failed
			return
		}
		_, err = classify(p, f)
	})[0](ctx)
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	return err
}
