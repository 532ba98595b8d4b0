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
	"r2lmlbench/results/store"
	"r2lmlbench/results/study"
)

// firstBest returns the index of the largest count, the first of several, or
// -1 when all are negative (failed).
func firstBest(correct []int) int {
	best := -1
	for i, c := range correct {
		if c >= 0 && (best < 0 || c > correct[best]) {
			best = i
		}
	}
	return best
}

// validate scores every point of a job on the validation samples.
func (r *Runner) validate(ctx context.Context, j plan.Job, split *datasets.Split, journal *store.Journal, said *logs) (*results.Profile, error) {
	outcomes := r.resume(j, method.SelectionPhase, r.done(journal, ""), said)
	if err := r.points(ctx, j, split, method.SelectionPhase, journal, outcomes, said); err != nil {
		return nil, err
	}
	return profileOf(outcomes, len(j.Inputs.Points), len(split.Validation.Y)), nil
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

// resume takes over the outcomes that an earlier process left in the journal.
func (r *Runner) resume(j plan.Job, of method.Phase, outcomes map[int]results.Outcome, said *logs) map[int]results.Outcome {
	for i, o := range outcomes {
		said.add(pointName(of, i), o.Log)
		r.event(Event{Job: j, Kind: PointKnown})
	}
	return outcomes
}

// points fits the points of a job's grid in a phase and adds what they get to
// outcomes. Points that have one already are not fitted again. A transient failure is
// returned when one kept a point from its score: the best of the others would
// not be the best.
func (r *Runner) points(ctx context.Context, j plan.Job, split *datasets.Split, of method.Phase, journal *store.Journal,
	outcomes map[int]results.Outcome, said *logs) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s := &scores{journal: journal, outcomes: outcomes, transient: map[int]error{}, cancel: cancel}
	score := func(o results.Outcome, err error) {
		if !said.add(pointName(of, o.Point), o.Log) {
			o.Log = "" // the journal is bounded as the logs are
		}
		s.add(o, err)
		r.event(Event{Job: j, Kind: PointDone, Failure: o.Failed})
	}
	err := r.fitAll(ctx, r.pointTasks(j, split, of, maps.Clone(outcomes), score))
	if err = cmp.Or(s.fault, err); err != nil {
		return err
	}
	if len(s.transient) > 0 {
		return method.TransientFailure{Cause: s.reason(j.Inputs.Points)}
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

// scores gathers the outcomes of grid points, which come from several
// goroutines.
type scores struct {
	mu        sync.Mutex
	journal   *store.Journal
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
	if err := s.journal.Add(o); err != nil {
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

// pointTasks divides the points that have no outcome yet into tasks, restart
// by restart: the points of one restart are settings of one problem. Every fit
// is classified and counted.
func (r *Runner) pointTasks(j plan.Job, split *datasets.Split, of method.Phase, outcomes map[int]results.Outcome, score func(results.Outcome,
	error)) []func(context.Context) {
	var tasks []func(context.Context)
	settings := j.Column.Settings[j.Entry.ID]
	for restart := range j.Column.Restarts {
		var points []int
		var open []method.Setting
		for i, s := range settings {
			point := i*j.Column.Restarts + restart
			if _, ok := outcomes[point]; !ok {
				points, open = append(points, point), append(open, s)
			}
		}
		p := ProblemOf(j, split, of, restart)
		p.Memory = r.Point.Memory
		tasks = append(tasks, r.guarded(j.Column.Method.Family.Tasks(p, open), func(i int, f r2lml.Fitted, err error) {
			var labels []int
			if err == nil {
				labels, err = labelsOf(j, split, p, f)
			}
			score(pointOutcome(of, points[i], f.Log, labels, split, err), err)
		})...)
	}
	return tasks
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

func profileOf(outcomes map[int]results.Outcome, points, n int) *results.Profile {
	profile := &results.Profile{N: n, Correct: make([]int, points), Failures: map[int]string{}}
	for i := range points {
		o := outcomes[i]
		profile.Correct[i] = o.Correct
		if o.Failed != "" {
			profile.Correct[i] = -1
			profile.Failures[i] = o.Failed
		}
	}
	return profile
}
