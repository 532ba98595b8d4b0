package run

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"r2lmlbench/datasets"
	"r2lmlbench/experiments/measure"
	"r2lmlbench/experiments/method"
	"r2lmlbench/experiments/plan"
	"r2lmlbench/r2lml"
	"r2lmlbench/results"
)

// validate scores every point of the cells that have no validation scores yet on the
// validation samples.
func (r *Runner) validate(ctx context.Context, all []*work, split *datasets.Split) error {
	var open []*scores
	for _, w := range all {
		if !w.done() && w.grids() && w.cell.Validation == nil {
			open = append(open, r.newScores(w, method.SelectionPhase))
		}
	}
	if err := r.points(ctx, open, split, method.SelectionPhase); err != nil {
		return err
	}
	for _, s := range open {
		if w := s.work; w.failed == nil {
			n := len(split.Validation.Y)
			if w.job.Inputs.Folds > 0 {
				n = len(split.Train.Y)
			}
			w.cell.Validation = profileOf(w.job.Inputs, s.outcomes, n)
		}
	}
	return nil
}

// selected returns the validation scores of a stored cell that differs from a job only in its
// measures, which do not affect the selection; nil without such a cell. It looks for the cell without
// measures and for that with the test scores of the grid. Failed cells do not count. The builds are
// those of that cell, the zero Build where they are unknown.
func (r *Runner) selected(j plan.Job) (*results.Profile, []results.Build, error) {
	if len(j.Inputs.Settings) == 1 {
		return nil, nil, nil
	}
	for _, measured := range [][]string{nil, {measure.Surface}} {
		if slices.Equal(measured, j.Inputs.Measure) {
			continue // the cell itself, which is not stored
		}
		in := j.Inputs
		in.Measure = measured
		c, ok, err := r.Store.Find(in)
		if err != nil {
			return nil, nil, err
		}
		if ok && c.Validation != nil && !r.stale(j, c) {
			for range c.Settings {
				if j.Joint() && j.Surface() {
					break // the fits of the surface are the same ones, and still to be made
				}
				r.event(Event{Job: j, Kind: SettingKnown})
			}
			run, _, err := r.Store.RunOf(c)
			if err != nil {
				return nil, nil, err
			}
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
		if of == method.TestPhase && w.job.Joint() {
			continue // the fit was counted with the validation samples
		}
		r.event(Event{Job: w.job, Kind: SettingKnown})
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
			s.work.failed = method.TransientFailure{Cause: s.reason(s.work.job.Inputs.Settings)}
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
	cancel    func()        // ends the fits, whose outcomes can no longer be stored
}

// add keeps the outcome of a point, or the transient failure that it has none for.
func (s *scores) add(o results.Outcome, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if method.Transient(err) {
		s.transient[o.Setting] = err
		return
	}
	s.journal(o)
	s.outcomes[o.Setting] = o
}

// journal writes an outcome to disk. If that fails, it ends the other fits.
func (s *scores) journal(o results.Outcome) {
	if err := s.work.journal.Add(o); err != nil {
		s.fault = cmp.Or(s.fault, err)
		s.cancel()
	}
}

// write keeps an outcome of another phase for later.
func (s *scores) write(o results.Outcome) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.journal(o)
}

// keep keeps a fit if its setting has the most right answers of those so far, and would be
// chosen by accuracy. By another metric another setting may be, which is fitted again.
func (s *scores) keep(k kept) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if b := s.work.best; b.fit == nil || k.correct > b.correct || k.correct == b.correct && k.point < b.point {
		s.work.best = k
	}
}

// reason names the first point without a score and how many others there are; a point that
// the machine had no room for comes before others.
func (s *scores) reason(points []results.Setting) error {
	failed := slices.Sorted(maps.Keys(s.transient))
	first := failed[max(0, slices.IndexFunc(failed, func(point int) bool { return method.OfMachine(s.transient[point]) }))]
	err := fmt.Errorf("grid point %d%s: %w", first, searched(points, first), s.transient[first])
	if more := len(s.transient) - 1; more > 0 {
		err = fmt.Errorf("%w, and so did %d others", err, more)
	}
	return err
}

// searched lists the values of a point that vary over the grid.
func searched(points []results.Setting, i int) string {
	var values []string
	for _, name := range slices.Sorted(maps.Keys(points[i].Params)) {
		value := points[i].Params[name]
		if slices.ContainsFunc(points, func(p results.Setting) bool { return p.Params[name] != value }) {
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

	mu      sync.Mutex
	answers []answer // to the questions of the phase
	open    int      // questions without an answer
}

// An answer are the labels that a fit gives the query samples of a question, or why
// there are none.
type answer struct {
	labels []int
	log    string
	fault  error
}

// pointTasks divides the points that have no outcome yet into tasks, restart by
// restart: the points of one restart are settings of one problem, or of one for each
// fold. Points that differ in k share a fit. Every fit is classified and counted.
func (r *Runner) pointTasks(all []*scores, split *datasets.Split, of method.Phase) []func(context.Context) {
	var tasks []func(context.Context)
	if len(all) == 0 {
		return nil
	}
	j := all[0].work.job
	settings, fitted := j.Column.Settings[j.Dataset.ID], j.Fitted()
	for restart := range j.Column.Restarts {
		asked := questions(j, split, of, restart)
		targets := map[int][]*target{} // by fit
		var open []int
		for i := range settings {
			point := i*j.Column.Restarts + restart
			if !j.Scores(fitted[i]*j.Column.Restarts + restart) {
				continue
			}
			for _, s := range all {
				if _, ok := s.outcomes[point]; ok {
					continue
				}
				if targets[fitted[i]] == nil {
					open = append(open, fitted[i])
				}
				targets[fitted[i]] = append(targets[fitted[i]],
					&target{of: s, point: point, k: s.work.job.Neighbors(point), answers: make([]answer, len(asked)), open: len(asked)})
			}
		}
		var fits []method.Setting
		for _, i := range open {
			fits = append(fits, settings[i].Fitted())
		}
		for n, q := range asked {
			q.Memory = r.Point.Memory
			label := func(ctx context.Context, i int, f r2lml.Fitted) ([][]int, error) {
				var ks []int
				for _, t := range targets[open[i]] {
					ks = append(ks, t.k)
				}
				return classifyEach(ctx, q.Problem, f, ks, j.Column.Voting)
			}
			done := func(i int, f r2lml.Fitted, labels [][]int, err error) {
				trial{r, j, split, asked}.answer(n, f, labels, err, targets[open[i]])
			}
			tasks = append(tasks, r.guardedAll(j, split, j.Column.Method.Tasks(q.Problem, fits), label, done)...)
		}
	}
	return tasks
}

// A trial is a restart of the points of some grids in a phase.
type trial struct {
	*Runner
	job   plan.Job // one of those that have the grids
	split *datasets.Split
	asked []question
}

// answer gives every target of a fit its answer to question n, and its outcome once it
// has all answers. A fit without labels has a fault.
func (r trial) answer(n int, f r2lml.Fitted, labels [][]int, fault error, targets []*target) {
	if fault != nil {
		labels = make([][]int, len(targets))
	}
	for i, t := range targets {
		if phase := r.asked[n].Phase; r.job.Joint() {
			if phase == method.SelectionPhase {
				r.joint(t, f, labels[i], fault)
			}
			if fault == nil {
				labels[i] = partOf(labels[i], r.split, phase)
			}
		}
		t.mu.Lock()
		t.answers[n] = answer{labels[i], f.Log, fault}
		t.open--
		last := t.open == 0
		t.mu.Unlock()
		if last {
			r.score(t, i > 0)
		}
	}
}

// joint keeps what a fit to the validation and the test samples together says of the
// test samples, for the surface and for the chosen setting.
func (r trial) joint(t *target, f r2lml.Fitted, labels []int, fault error) {
	var tested []int
	if fault == nil {
		tested = partOf(labels, r.split, method.TestPhase)
		right := correct(partOf(labels, r.split, method.SelectionPhase), r.split.Validation.Y)
		t.of.keep(kept{t.point, right, &f, tested})
	}
	if t.of.work.job.Surface() && !method.Transient(fault) {
		t.of.write(pointOutcome(method.TestPhase, t.point, "", tested, r.split.Test.Y, fault))
	}
}

// score joins the answers of a target to its outcome, and keeps it.
func (r trial) score(t *target, shared bool) {
	var labels, truth []int
	var log string
	var fault error
	for n, a := range t.answers {
		fault = cmp.Or(fault, a.fault)
		labels, truth = append(labels, a.labels...), append(truth, r.asked[n].truth...)
		if a.log != "" && len(r.asked) > 1 {
			log += fmt.Sprintf("fold %d: ", n+1)
		}
		log += a.log
	}
	phase, w := r.asked[0].Phase, t.of.work
	o := pointOutcome(phase, t.point, log, labels, truth, fault)
	if m, ok := results.FindMetric(w.job.Inputs.Select); ok && fault == nil && phase == method.SelectionPhase {
		o.Score = m.Fraction(results.CountResults(truth, labels))
	}
	if !w.said.add(pointName(phase, o.Setting), o.Log) {
		o.Log = "" // the journal is bounded as the logs are
	}
	t.of.add(o, fault)
	r.event(Event{Job: w.job, Kind: SettingDone, Failure: o.Failed, Shared: shared})
}

// pointOutcome compares the predicted labels of a grid point with the true ones of its phase. With a
// fault there are no labels.
func pointOutcome(of method.Phase, point int, log string, labels, truth []int, fault error) results.Outcome {
	o := results.Outcome{Setting: point, Log: log, Build: results.ThisBuild()}
	if of == method.TestPhase {
		o.Phase = results.PhaseTest
	}
	switch {
	case fault != nil:
		o.Failed = fault.Error()
	case of == method.TestPhase:
		o.Test = results.CountTest(truth, labels)
	default:
		o.Correct = correct(labels, truth)
	}
	return o
}

// profileOf gathers the outcomes of a grid on n validation samples.
func profileOf(in results.Inputs, outcomes map[int]results.Outcome, n int) *results.Profile {
	points := len(in.Settings)
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
