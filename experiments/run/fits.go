package run

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"r2lmlbench/datasets"
	"r2lmlbench/experiments/method"
	"r2lmlbench/experiments/plan"
	"r2lmlbench/r2lml"
)

// A labeller gives the query samples the labels of a fit, for some numbers of neighbors.
type labeller func(ctx context.Context, setting int, f r2lml.Fitted) ([][]int, error)

// A reporter takes the result of a setting, and the labels that it gave.
type reporter func(setting int, f r2lml.Fitted, labels [][]int, err error)

// guarded makes tasks label the query samples and report each setting to done exactly
// once, and keep to the budget, of which labelling is a part. A panic of the method, or
// of its metric, becomes the error of the settings without a result, its stack their
// log; and a task that forgets some gives an error as well. What ctx interrupted is not
// reported.
func (r *Runner) guarded(j plan.Job, split *datasets.Split, tasks []r2lml.Task, label labeller, done reporter) []func(context.Context) {
	return r.guardedBy(int64(j.Promise(split)), tasks, label, done)
}

// guardedBy is guarded for tasks that promise to take no more than so many bytes each.
func (r *Runner) guardedBy(promise int64, tasks []r2lml.Task, label labeller, done reporter) []func(context.Context) {
	guarded := make([]func(context.Context), len(tasks))
	for i, task := range tasks {
		guarded[i] = func(ctx context.Context) {
			if r.room != nil {
				promise := min(promise, r.machine)
				if r.room.Acquire(ctx, promise) != nil {
					return // ctx has ended
				}
				defer r.room.Release(promise)
			}
			open := slices.Clone(task.Settings)
			once := func(setting int, f r2lml.Fitted, labels [][]int, err error) {
				if slices.Contains(open, setting) && (err == nil || ctx.Err() == nil) {
					done(setting, f, labels, err)
				}
				open = slices.DeleteFunc(open, func(s int) bool { return s == setting })
			}
			fault := r.bounded(ctx, task, label, once)
			var log string
			if p := (panicked{}); errors.As(fault, &p) {
				log = p.stack
			}
			for _, setting := range slices.Clone(open) {
				once(setting, r2lml.Fitted{Log: log}, nil, fault)
			}
		}
	}
	return guarded
}

// bounded runs a task within the budget and returns why settings that were not
// reported have no result.
func (r *Runner) bounded(ctx context.Context, task r2lml.Task, label labeller, report reporter) error {
	fit := func(ctx context.Context) error { return r.timed(ctx, task, label, report) }
	if r.heap == nil {
		return fit(ctx)
	}
	return r.heap.Run(ctx, fit)
}

// timed runs a task, labels included, within its time. What it reports after that, or
// after a stop for the memory it takes, is not taken for a result: a fit that was
// stopped half-way may look like one.
func (r *Runner) timed(ctx context.Context, task r2lml.Task, label labeller, report reporter) error {
	if points := len(task.Settings); r.Point.Time > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, r.Point.Time*time.Duration(points), r.Point.Overtime(points))
		defer cancel()
	}
	fault := attempt(ctx, task, func(setting int, f r2lml.Fitted, err error) {
		var labels [][]int
		if err == nil && ctx.Err() == nil {
			labels, err = label(ctx, setting, f)
		}
		var transient method.TransientFailure
		switch cause := context.Cause(ctx); {
		case cause == nil:
			report(setting, f, labels, err)
		case errors.As(cause, &transient):
			report(setting, r2lml.Fitted{Log: f.Log}, nil, transient)
		}
	})
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return fault
}

// A panicked is the error of a method that panicked.
type panicked struct {
	value any
	stack string
}

// Error implements error.
func (p panicked) Error() string { return fmt.Sprintf("the method panicked: %v", p.value) }

// mostStack bounds the bytes that are kept of a stack.
const mostStack = 16 << 10

// attempt runs a task. It returns why settings that were not reported have no
// result: a panic or, for all that is known, negligence.
func attempt(ctx context.Context, task r2lml.Task, report func(int, r2lml.Fitted, error)) (err error) {
	defer func() {
		if v := recover(); v != nil {
			trace := debug.Stack()
			err = panicked{v, string(trace[:min(len(trace), mostStack)])}
		}
	}()
	task.Run(ctx, report)
	return errors.New("the method gave no result")
}

// fitAll runs tasks on the workers and waits for them. It returns the error of
// ctx when that ends first.
func (r *Runner) fitAll(ctx context.Context, tasks []func(context.Context)) error {
	var wait sync.WaitGroup
	defer wait.Wait()
	for _, task := range tasks {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case r.slots <- struct{}{}:
		}
		wait.Go(func() {
			defer func() { <-r.slots }()
			task(ctx)
		})
	}
	wait.Wait()
	return ctx.Err()
}
