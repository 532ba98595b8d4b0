package experiments

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"r2lmlbench/datasets"
	"r2lmlbench/r2lml"
	"r2lmlbench/results"
)

// A Runner computes cells into a store, on several workers. The bytes of a
// cell do not depend on their number.
type Runner struct {
	Store       *results.Store
	Source      *Source
	Workers     int         // fits at once; at least 1
	RetryFailed bool        // compute cells again that are stored as failed
	Observe     func(Event) // told what happens, one event at a time; may be nil

	slots chan struct{} // one token per running fit
	mu    sync.Mutex    // serializes Observe
}

// An Event is a step of a run.
type Event struct {
	Job      Job
	Kind     EventKind
	Duration time.Duration // of the cell, when it is done
	Failure  string        // why the cell failed, when it did
}

// EventKind says what an Event tells.
type EventKind int

// The events of a run.
const (
	PointDone  EventKind = iota // one more point of the grid has an outcome
	PointKnown                  // as PointDone, from the journal of an earlier run
	CellDone                    // the cell is stored, as result or as failure
)

// ErrCells is returned by Run when cells failed. The others are stored.
var ErrCells = errors.New("some cells failed")

// Run computes the jobs that the store does not hold. A cell that fails is
// recorded with its reason and does not stop the others; ErrCells is returned
// when there is one. When ctx ends, Run returns its error; what is finished is
// kept, grid points included.
func (r *Runner) Run(ctx context.Context, jobs []Job) error {
	r.slots = make(chan struct{}, max(r.Workers, 1))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(cap(r.slots))
	failed := make([]bool, len(jobs))
	for i, j := range jobs {
		group.Go(func() error {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			err := r.cell(ctx, j)
			failed[i] = errors.Is(err, ErrCells)
			if failed[i] {
				return nil
			}
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	if slices.Contains(failed, true) {
		return ErrCells
	}
	return nil
}

func (r *Runner) event(e Event) {
	if r.Observe == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.Observe(e)
}

// cell computes one cell, unless it is stored already. Another process that
// is at the same cell is waited for.
func (r *Runner) cell(ctx context.Context, j Job) error {
	if known, err := r.known(j); known || err != nil {
		return err
	}
	release, err := r.Store.Lock(ctx, j.Inputs)
	if err != nil {
		return err
	}
	defer release()
	if known, err := r.known(j); known || err != nil {
		return err
	}
	return r.computed(ctx, j)
}

// computed computes a cell and stores it. The journal of its grid goes once
// the cell is stored; until then a run can resume from it.
func (r *Runner) computed(ctx context.Context, j Job) error {
	started := time.Now()
	journal, err := r.Store.OpenJournal(j.Inputs)
	if err != nil {
		return err
	}
	var said logs
	cell, err := r.compute(ctx, j, journal, &said)
	if err == nil {
		err = r.put(cell, r.run(started, said.list))
	}
	if err != nil {
		return errors.Join(err, journal.Close())
	}
	r.event(Event{Job: j, Kind: CellDone, Duration: time.Since(started), Failure: cell.Failure})
	if err := journal.Remove(); err != nil {
		return err
	}
	if cell.Failure != "" {
		return ErrCells
	}
	return nil
}

func (r *Runner) put(c results.Cell, run results.Run) error {
	if c.Failure != "" {
		return r.Store.PutFailed(c, run)
	}
	return r.Store.Put(c, run)
}

// run says how a cell came about.
func (r *Runner) run(started time.Time, said []results.Log) results.Run {
	finished := time.Now()
	host, _ := os.Hostname()
	run := results.Run{
		Started: started.UTC(), Finished: finished.UTC(), Seconds: finished.Sub(started).Seconds(),
		Host: host, Go: runtime.Version(), Workers: r.Workers, Logs: said,
	}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, setting := range info.Settings {
			if setting.Key == "vcs.revision" {
				run.Commit = setting.Value
			}
		}
	}
	return run
}

// known says whether the store holds the cell. A stored failure is known, and
// reported as such, unless it is to be tried again.
func (r *Runner) known(j Job) (bool, error) {
	if _, ok, err := r.Store.Get(j.Inputs); ok || err != nil {
		return ok, err
	}
	if _, ok, err := r.Store.Failed(j.Inputs); err != nil {
		return false, err
	} else if ok && !r.RetryFailed {
		return true, ErrCells
	}
	return false, nil
}

// compute selects the setting of a job and labels the test samples with it.
func (r *Runner) compute(ctx context.Context, j Job, journal *results.Journal, said *logs) (results.Cell, error) {
	cell := results.Cell{Inputs: j.Inputs}
	split, err := r.Source.Split(j.Entry, j.Rule)
	if err != nil {
		return cell, err
	}
	cell.Truth = split.Test.Y
	if len(j.Inputs.Points) > 1 {
		if cell.Validation, err = r.validate(ctx, j, split, journal, said); err != nil {
			return cell, err
		}
		if cell.Chosen = firstBest(cell.Validation.Correct); cell.Chosen < 0 {
			cell.Chosen = 0
			cell.Failure = fmt.Sprintf("every grid point failed; the first: %s", cell.Validation.Failures[0])
			return cell, nil
		}
	}
	return cell, r.test(ctx, j, split, &cell, said)
}

// test fits the chosen setting with the test samples as queries and labels
// them. The fit has the seed that the setting was chosen with.
func (r *Runner) test(ctx context.Context, j Job, split *datasets.Split, cell *results.Cell, said *logs) error {
	restarts := j.Column.Restarts
	p := j.problem(split, testPhase, cell.Chosen%restarts)
	chosen := []setting{j.Column.settings[j.Entry.ID][cell.Chosen/restarts]}
	return r.fitAll(ctx, guarded(j.Column.Method.family.tasks(p, chosen), func(_ int, f r2lml.Fitted, err error) {
		said.add("test", f.Log)
		if err != nil {
			cell.Failure = err.Error()
			return
		}
		cell.Predicted = classify(p, f)
		cell.Warnings = f.Warnings
		for _, fact := range f.Facts {
			cell.Facts = append(cell.Facts, results.Fact(fact))
		}
	}))
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

// guarded makes tasks report each setting to done exactly once. A panic of the
// method, or of the use that done makes of its metric, becomes the error of
// the settings without a result, and so does a task that forgets some. What
// ctx interrupted is not reported.
func guarded(tasks []r2lml.Task, done func(setting int, f r2lml.Fitted, err error)) []func(context.Context) {
	guarded := make([]func(context.Context), len(tasks))
	for i, task := range tasks {
		guarded[i] = func(ctx context.Context) {
			open := slices.Clone(task.Settings)
			fault := errors.New("the method gave no result")
			defer func() {
				if v := recover(); v != nil {
					fault = fmt.Errorf("the method panicked: %v", v)
				}
				for _, setting := range open {
					if ctx.Err() == nil {
						done(setting, r2lml.Fitted{}, fault)
					}
				}
			}()
			task.Run(ctx, func(setting int, f r2lml.Fitted, err error) {
				if err == nil || ctx.Err() == nil {
					done(setting, f, err)
				}
				open = slices.DeleteFunc(open, func(s int) bool { return s == setting })
			})
		}
	}
	return guarded
}
