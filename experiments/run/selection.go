package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"r2lmlbench/datasets"
	"r2lmlbench/experiments/method"
	"r2lmlbench/experiments/plan"
	"r2lmlbench/r2lml"
	"r2lmlbench/results"
	"r2lmlbench/results/study"
)

// validate scores every point of the cells that have no validation scores yet on the
// validation samples.
func (r *Runner) validate(ctx context.Context, all []*work, split *datasets.Split) error {
	var open []*scores
	for _, w := range all {
		if w.grids() && w.cell.Validation == nil {
			open = append(open, r.newScores(w, method.SelectionPhase))
		}
	}
	if err := r.points(ctx, open, split, method.SelectionPhase); err != nil {
		return err
	}
	for _, s := range open {
		if w := s.work; w.failed == nil {
			w.cell.Validation = profileOf(w.job.Inputs, s.outcomes, len(split.Validation.Y))
		}
	}
	return nil
}

// selected returns the validation scores of a stored cell that differs from a job
// only in what is measured, of which nothing and the surface are tried; nil without
// one. What is measured does not touch the selection. Failed cells do not count. The
// builds are those of that cell, the zero Build where they are not known.
func (r *Runner) selected(j plan.Job) (*results.Profile, []results.Build, error) {
	if len(j.Inputs.Points) == 1 {
		return nil, nil, nil
	}
	for _, measure := range [][]string{nil, {study.SurfaceMeasure}} {
		if slices.Equal(measure, j.Inputs.Measure) {
			continue // the cell itself, which is not stored
		}
		in := j.Inputs
		in.Measure = measure
		c, ok, err := r.Store.Get(in)
		if err != nil {
			return nil, nil, err
		}
		if ok && c.Validation != nil && !r.stale(c) {
			for range c.Points {
				r.event(Event{Job: j, Kind: PointKnown})
			}
			run, _ := r.Store.RunOf(c)
			if run.Builds == nil {
				run.Builds = []results.Build{{}}
			}
			return c.Validation, run.Builds, nil
		}
	}
	return nil, nil, nil
}

// newScores begins with the outcomes that an earlier process left in the journal.
func (r *Runner) newScores(w *work, of method.Phase) *scores {
	phase := ""
	if of == method.TestPhase {
		phase = results.PhaseTest
	}
	s := &scores{work: w, outcomes: r.done(w.journal, phase), transient: map[int]error{}}
	for i, o := range s.outcomes {
		w.said.add(pointName(of, i), o.Log)
		r.event(Event{Job: w.job, Kind: PointKnown})
	}
	return s
}

// points fits the points of grids in a phase and adds what they get to their outcomes.
// Points that have one already are not fitted again. A cell has failed for now when a
// transient failure kept a point from its score: the best of the others would not be
// the best.
func (r *Runner) points(ctx context.Context, all []*scores, split *datasets.Split, of method.Phase) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	for _, s := range all {
		s.cancel = cancel
	}
	err := r.fitAll(ctx, r.pointTasks(all, split, of))
	for _, s := range all {
		if s.fault != nil {
			return s.fault
		}
	}
	if err != nil {
		return err
	}
	for _, s := range all {
		if len(s.transient) > 0 {
			s.work.failed = method.TransientFailure{Cause: s.reason(s.work.job.Inputs.Points)}
		}
	}
	return nil
}

// pointName names the fit of a grid point in the logs of a cell.
func pointName(of method.Phase, i int) string {
	if of == method.TestPhase {
		return fmt.Sprintf("point %d, test", i)
	}
	return fmt.Sprintf("point %d", i)
}

// scores gathers the outcomes of the grid points of a cell, which come from several
// goroutines.
type scores struct {
	work      *work
	mu        sync.Mutex
	outcomes  map[int]results.Outcome
	transient map[int]error // points without a score, by transient failure
	fault     error         // of the journal
	cancel    func()        // ends the fits, which nobody could keep
}

// add keeps the outcome of a point, or the transient failure that it has none for.
func (s *scores) add(o results.Outcome, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var transient method.TransientFailure
	if errors.As(err, &transient) {
		s.transient[o.Point] = err
		return
	}
	if err := s.work.journal.Add(o); err != nil {
		s.fault = cmp.Or(s.fault, err)
		s.cancel()
	}
	s.outcomes[o.Point] = o
}

// reason names the first point without a score and how many others there are.
func (s *scores) reason(points []results.Point) error {
	first := slices.Min(slices.Collect(maps.Keys(s.transient)))
	err := fmt.Errorf("grid point %d%s: %w", first, searched(points, first), s.transient[first])
	if more := len(s.transient) - 1; more > 0 {
		err = fmt.Errorf("%w, and so did %d others", err, more)
	}
	return err
}

// searched lists the values of a point that vary over the grid.
func searched(points []results.Point, i int) string {
	var values []string
	for _, name := range slices.Sorted(maps.Keys(points[i].Params)) {
		value := points[i].Params[name]
		if slices.ContainsFunc(points, func(p results.Point) bool { return p.Params[name] != value }) {
			values = append(values, fmt.Sprintf("%s %v", name, value))
		}
	}
	if values == nil {
		return ""
	}
	return " (" + strings.Join(values, ", ") + ")"
}

// A target is a point of a cell's grid that has no outcome yet.
type target struct {
	of    *scores
	point int
	k     int // of the rule that labels the samples
}

// pointTasks divides the points that have no outcome yet into tasks, restart by
// restart: the points of one restart are settings of one problem. Points that differ in
// k share a fit. Every fit is classified and counted.
func (r *Runner) pointTasks(all []*scores, split *datasets.Split, of method.Phase) []func(context.Context) {
	var tasks []func(context.Context)
	if len(all) == 0 {
		return nil
	}
	j := all[0].work.job
	settings, fitted := j.Column.Settings[j.Entry.ID], j.Fitted()
	for restart := range j.Column.Restarts {
		targets := map[int][]target{} // by fit
		var open []int
		for i := range settings {
			point := i*j.Column.Restarts + restart
			for _, s := range all {
				if _, ok := s.outcomes[point]; ok {
					continue
				}
				if targets[fitted[i]] == nil {
					open = append(open, fitted[i])
				}
				targets[fitted[i]] = append(targets[fitted[i]], target{s, point, s.work.job.Neighbors(point)})
			}
		}
		var fits []method.Setting
		for _, i := range open {
			fits = append(fits, method.WithoutRule(settings[i]))
		}
		p := ProblemOf(j, split, of, restart)
		p.Memory = r.Point.Memory
		tasks = append(tasks, r.guarded(j.Column.Method.Family.Tasks(p, fits), func(i int, f r2lml.Fitted, err error) {
			r.score(j, split, p, f, err, targets[open[i]])
		})...)
	}
	return tasks
}

// score gives every target of a fit its outcome.
func (r *Runner) score(j plan.Job, split *datasets.Split, p method.Problem, f r2lml.Fitted, fault error, targets []target) {
	labels := make([][]int, len(targets))
	if fault == nil {
		var ks []int
		for _, t := range targets {
			ks = append(ks, t.k)
		}
		if found, err := labelsOf(j, split, p, f, ks); err != nil {
			fault = err
		} else {
			labels = found
		}
	}
	for i, t := range targets {
		o := pointOutcome(p.Phase, t.point, f.Log, labels[i], split, fault)
		if m, ok := results.FindMetric(j.Inputs.Select); ok && fault == nil && p.Phase == method.SelectionPhase {
			o.Score = m.Fraction(results.CountResults(split.Validation.Y, labels[i]))
		}
		if !t.of.work.said.add(pointName(p.Phase, o.Point), o.Log) {
			o.Log = "" // the journal is bounded as the logs are
		}
		t.of.add(o, fault)
		r.event(Event{Job: t.of.work.job, Kind: PointDone, Failure: o.Failed, Shared: i > 0})
	}
}

// pointOutcome compares the labels that a grid point gave with those of the samples
// of its phase; a fault stands for labels that it has not.
func pointOutcome(of method.Phase, point int, log string, labels []int, split *datasets.Split, fault error) results.Outcome {
	o := results.Outcome{Point: point, Log: log, Build: results.ThisBuild()}
	if of == method.TestPhase {
		o.Phase = results.PhaseTest
	}
	switch {
	case fault != nil:
		o.Failed = fault.Error()
	case of == method.TestPhase:
		o.Test = results.CountTest(split.Test.Y, labels)
	default:
		o.Correct = correct(labels, split.Validation.Y)
	}
	return o
}

// profileOf gathers the outcomes of a grid on n validation samples.
func profileOf(in results.Inputs, outcomes map[int]results.Outcome, n int) *results.Profile {
	points := len(in.Points)
	profile := &results.Profile{N: n, Correct: make([]int, points), Failures: map[int]string{}}
	if in.Select != "" {
		profile.Scores = make([]string, points)
	}
	for i := range points {
		o := outcomes[i]
		profile.Correct[i] = o.Correct
		if in.Select != "" {
			profile.Scores[i] = o.Score
		}
		if o.Failed != "" {
			profile.Correct[i] = -1
			profile.Failures[i] = o.Failed
		}
	}
	return profile
}
