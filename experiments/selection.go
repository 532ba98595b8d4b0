package experiments

import (
	"context"
	"fmt"
	"sync"

	"r2lmlbench/datasets"
	"r2lmlbench/r2lml"
	"r2lmlbench/results"
)

// problem is the classification task of a job in a phase: the training
// samples, and the query samples to label.
func (j Job) problem(split *datasets.Split, of phase, restart int) problem {
	p := problem{
		Problem: r2lml.Problem{
			X: split.Train.X, Y: split.Train.Y, Query: split.Validation.X,
			Seed: j.Inputs.Seed<<16 | uint64(restart),
		},
		Phase: of, Neighbors: j.Inputs.Neighbors,
	}
	if of == testPhase {
		p.Query, p.Validation = split.Test.X, split.Validation
	}
	return p
}

// classify returns the labels of the query samples of p: those the method gave
// or else those of the k-NN rule under its metric.
func classify(p problem, f r2lml.Fitted) []int {
	if f.Labels != nil {
		return f.Labels
	}
	return r2lml.Classify(p.Problem, f.Metric, p.Neighbors)
}

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

// correct counts the labels that agree.
func correct(got, want []int) int {
	count := 0
	for i, label := range got {
		if label == want[i] {
			count++
		}
	}
	return count
}

// validate scores every point of a job on the validation samples. Points that
// the journal holds are not fitted again.
func (r *Runner) validate(ctx context.Context, j Job, split *datasets.Split, journal *results.Journal, said *logs) (*results.Profile, error) {
	outcomes := journal.Done()
	for range outcomes {
		r.event(Event{Job: j, Kind: PointKnown})
	}
	var mu sync.Mutex
	var fault error
	score := func(i int, o results.Outcome) {
		mu.Lock()
		defer mu.Unlock()
		if err := journal.Add(o); err != nil && fault == nil {
			fault = err
		}
		outcomes[i] = o
		r.event(Event{Job: j, Kind: PointDone})
	}
	if err := r.fitAll(ctx, r.pointTasks(j, split, outcomes, said, score)); err != nil {
		return nil, err
	}
	if fault != nil {
		return nil, fault
	}
	return profileOf(outcomes, len(j.Inputs.Points), len(split.Validation.Y)), nil
}

// pointTasks divides the points that have no outcome yet into tasks, restart
// by restart: the points of one restart are settings of one problem. Every fit
// is classified and counted.
func (r *Runner) pointTasks(j Job, split *datasets.Split, outcomes map[int]results.Outcome, said *logs, score func(int, results.Outcome)) []func(context.Context) {
	var tasks []func(context.Context)
	settings := j.Column.settings[j.Entry.ID]
	for restart := range j.Column.Restarts {
		var points []int
		var open []setting
		for i, s := range settings {
			point := i*j.Column.Restarts + restart
			if _, ok := outcomes[point]; !ok {
				points, open = append(points, point), append(open, s)
			}
		}
		p := j.problem(split, selectionPhase, restart)
		tasks = append(tasks, guarded(j.Column.Method.family.tasks(p, open), func(i int, f r2lml.Fitted, err error) {
			said.add(fmt.Sprintf("point %d", points[i]), f.Log)
			o := results.Outcome{Point: points[i]}
			if err != nil {
				o.Failed = err.Error()
			} else {
				o.Correct = correct(classify(p, f), split.Validation.Y)
			}
			score(points[i], o)
		})...)
	}
	return tasks
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
