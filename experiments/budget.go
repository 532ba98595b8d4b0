package experiments

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"time"

	"r2lmlbench/r2lml"
)

// A Budget bounds what the fit of one grid point may take. Zero fields bound
// nothing. Points that are fitted side by side have the time of all of them
// together, and the memory of one.
type Budget struct {
	Time   time.Duration
	Memory int64 // bytes, of the fit or of the program that fits
}

// A circumstance ended a fit and says nothing about the method: a larger
// budget or another machine may not know it. Nothing is concluded from such a
// fit, and nothing is journalled; its cell is kept as failed, to be tried
// again.
type circumstance struct{ error }

func (c circumstance) Unwrap() error { return c.error }

// overtime is the circumstance of a fit of so many points that took too long.
func (b Budget) overtime(points int) error {
	if points == 1 {
		return circumstance{fmt.Errorf("ran out of its time budget (%v)", b.Time)}
	}
	return circumstance{fmt.Errorf("ran out of its time budget (%v for each of %d points fitted together)", b.Time, points)}
}

func (b Budget) overweight() error {
	return circumstance{fmt.Errorf("ran out of its memory budget (%d MiB)", b.Memory>>20)}
}

// A reporter takes the result of a setting.
type reporter func(setting int, f r2lml.Fitted, err error)

// guarded makes tasks report each setting to done exactly once, and keep to the
// budget. A panic of the method, or of the use that done makes of its metric,
// becomes the error of the settings without a result, its stack their log; and
// a task that forgets some gives an error as well. What ctx interrupted is not
// reported.
func (r *Runner) guarded(tasks []r2lml.Task, done reporter) []func(context.Context) {
	guarded := make([]func(context.Context), len(tasks))
	for i, task := range tasks {
		guarded[i] = func(ctx context.Context) {
			open := slices.Clone(task.Settings)
			once := func(setting int, f r2lml.Fitted, err error) {
				if slices.Contains(open, setting) && (err == nil || ctx.Err() == nil) {
					done(setting, f, err)
				}
				open = slices.DeleteFunc(open, func(s int) bool { return s == setting })
			}
			fault := r.bounded(ctx, task, once)
			var log string
			if p := (panicked{}); errors.As(fault, &p) {
				log = p.stack
			}
			for _, setting := range slices.Clone(open) {
				once(setting, r2lml.Fitted{Log: log}, fault)
			}
		}
	}
	return guarded
}

// bounded runs a task within the budget and returns why settings that were not
// reported have no result.
func (r *Runner) bounded(ctx context.Context, task r2lml.Task, report reporter) error {
	fit := func(ctx context.Context) error { return r.timed(ctx, task, report) }
	if r.heap == nil {
		return fit(ctx)
	}
	err := r.heap.shared(ctx, fit)
	if errors.Is(err, errCrowded) && ctx.Err() == nil {
		err = r.heap.alone(ctx, fit)
	}
	return err
}

// timed runs a task within its time. What it reports after that, or after a
// stop for the memory it takes, is not taken for a result: a fit that was
// stopped half-way may look like one.
func (r *Runner) timed(ctx context.Context, task r2lml.Task, report reporter) error {
	if points := len(task.Settings); r.Point.Time > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, r.Point.Time*time.Duration(points), r.Point.overtime(points))
		defer cancel()
	}
	fault := attempt(ctx, task, func(setting int, f r2lml.Fitted, err error) {
		var late circumstance
		switch cause := context.Cause(ctx); {
		case errors.As(cause, &late):
			report(setting, r2lml.Fitted{Log: f.Log}, late)
		case !errors.Is(cause, errCrowded):
			report(setting, f, err)
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

func (p panicked) Error() string { return fmt.Sprintf("the method panicked: %v", p.value) }

// mostStack bounds the bytes that are kept of a stack.
const mostStack = 16 << 10

// attempt runs a task. It returns why settings that were not reported have no
// result: a panic or, for all that is known, negligence.
func attempt(ctx context.Context, task r2lml.Task, report reporter) (err error) {
	defer func() {
		if v := recover(); v != nil {
			trace := debug.Stack()
			err = panicked{v, string(trace[:min(len(trace), mostStack)])}
		}
	}()
	task.Run(ctx, report)
	return errors.New("the method gave no result")
}
