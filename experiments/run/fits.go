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

// A labeller returns the labels of the query samples by a fit, for some numbers of neighbors.
type labeller func(ctx context.Context, setting int, f r2lml.Fitted) ([][]int, error)

// A reporter receives the result of a setting and its labels.
type reporter func(setting int, f r2lml.Fitted, labels [][]int, err error)

// guardedAll returns the tasks of a job, guarded.
func (r *Runner) guardedAll(j plan.Job, split *datasets.Split, all []r2lml.Task, label labeller, done reporter) (tasks []func(context.Context)) {
	_, promise := j.Promise(plan.SizesOf(split))
	for _, task := range all {
		tasks = append(tasks, func(ctx context.Context) { r.guarded(ctx, int64(promise), task, label, done) })
	}
	return tasks
}

// guarded runs a task, labels the query samples, and calls done exactly once per setting. It
// enforces the budget, including the labelling, and waits until promise bytes of memory are
// free. A panic of the method or its metric becomes the error of the settings without a
// result, with the stack as their log; a setting that the task forgets gets an error too.
// guarded does not report fits that ctx interrupted.
func (r *Runner) guarded(ctx context.Context, promise int64, task r2lml.Task, label labeller, done reporter) {
	if r.room != nil {
		promise = min(promise, r.machine)
		if r.room.Acquire(ctx, promise) != nil {
			return // ctx has ended
		}
		defer r.room.Release(promise)
	}
	open := slices.Clone(task.Settings)
	report := func(setting int, f r2lml.Fitted, labels [][]int, err error) {
		if slices.Contains(open, setting) && (err == nil || ctx.Err() == nil) {
			done(setting, f, labels, err)
		}
		open = slices.DeleteFunc(open, func(s int) bool { return s == setting })
	}
	// The task runs until its time is over or it is stopped for its memory. Results after
	// that are ignored: a fit that was stopped may look complete. The fault is the error of
	// the settings without a result.
	stack := ""
	run := func(ctx context.Context) (fault error) {
		if points := len(task.Settings); r.Point.Time > 0 {
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeoutCause(ctx, r.Point.Time*time.Duration(points), r.Point.Overtime(points))
			defer cancel()
		}
		defer func() {
			v := recover()
			if ctx.Err() != nil {
				fault = context.Cause(ctx)
			} else if v != nil {
				trace := debug.Stack()
				stack, fault = string(trace[:min(len(trace), mostStack)]), fmt.Errorf("the method panicked: %v", v)
			}
		}()
		task.Run(ctx, func(setting int, f r2lml.Fitted, err error) {
			var labels [][]int
			if err == nil && ctx.Err() == nil {
				labels, err = label(ctx, setting, f)
			}
			switch cause := context.Cause(ctx); {
			case cause == nil:
				report(setting, f, labels, err)
			case method.Transient(cause):
				report(setting, r2lml.Fitted{Log: f.Log}, nil, cause)
			}
		})
		return errors.New("the method gave no result") // the task forgot the setting
	}
	var fault error
	if r.heap != nil {
		fault = r.heap.Run(ctx, run)
	} else {
		fault = run(ctx)
	}
	for _, setting := range slices.Clone(open) {
		report(setting, r2lml.Fitted{Log: stack}, nil, fault)
	}
}

// mostStack is the largest length of a logged stack, in bytes.
const mostStack = 16 << 10

// fitAll runs tasks on the workers and waits for them. It returns the error of ctx
// if ctx ends first.
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
