package run

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"r2lmlbench/datasets"
	"r2lmlbench/experiments/method"
	"r2lmlbench/experiments/plan"
	"r2lmlbench/internal/memlimit"
	"r2lmlbench/r2lml"
	"r2lmlbench/results"
	"r2lmlbench/results/store"
	"r2lmlbench/results/study"
)

// A Runner computes cells into a store, on several workers. The bytes of a
// cell do not depend on their number.
type Runner struct {
	Store       *store.Store
	Source      *plan.Source
	Workers     int           // fits at once; at least 1
	RetryFailed bool          // compute cells again that are stored as failed
	Point       method.Budget // of every fit; a cell that needs more fails
	Observe     func(Event)   // told what happens, one event at a time; may be nil

	slots chan struct{}     // one token per running fit
	mu    sync.Mutex        // serializes Observe
	heap  *memlimit.Limiter // nil when memory is not bounded
	peak  memlimit.PeakMeter
}

// An Event is a step of a run.
type Event struct {
	Job      plan.Job
	Kind     EventKind
	Duration time.Duration // of the cell, when it is done
	Failure  string        // why the cell failed, when it did, or the point
}

// EventKind says what an Event tells.
type EventKind int

// The events of a run.
const (
	PointDone  EventKind = iota // one more point of the grid has an outcome
	PointKnown                  // as PointDone, from the journal of an earlier run
	CellDone                    // the cell is stored, as result or as failure
	CellKnown                   // the cell was stored already, maybe by another process
)

// ErrCells is returned by Run when cells failed. The others are stored.
var ErrCells = errors.New("some cells failed")

// errHeld says that another process is at a cell.
var errHeld = errors.New("being computed elsewhere")

// Run computes the jobs that the store does not hold. A cell that fails is
// recorded with its reason and does not stop the others; ErrCells is returned
// when there is one. Cells that another process is at are put off, and waited
// for when nothing else is left to do. When ctx ends, Run returns its error;
// what is finished is kept, grid points included.
func (r *Runner) Run(ctx context.Context, jobs []plan.Job) error {
	r.slots = make(chan struct{}, max(r.Workers, 1))
	stop := r.limitMemory()
	defer stop()
	failed := false
	for wait := false; len(jobs) > 0; {
		held, some, err := r.pass(ctx, jobs, wait)
		if err != nil {
			return err
		}
		failed = failed || some
		wait = len(held) == len(jobs)
		jobs = held
	}
	if failed {
		return ErrCells
	}
	return nil
}

// limitMemory begins to watch the heap when memory is bounded. The function it
// returns ends that.
func (r *Runner) limitMemory() (stop func()) {
	r.heap = nil
	if r.Point.Memory <= 0 {
		return func() {}
	}
	r.heap = &memlimit.Limiter{Budget: r.Point.Memory, Exceeded: r.Point.OutOfMemory()}
	return r.heap.Start()
}

// pass computes jobs, tells whether some failed, and returns those that
// somebody else is at, unless it is to wait for them.
func (r *Runner) pass(ctx context.Context, jobs []plan.Job, wait bool) (held []plan.Job, failed bool, err error) {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(cap(r.slots))
	outcomes := make([]error, len(jobs))
	for i, j := range jobs {
		group.Go(func() error {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			outcomes[i] = r.cell(ctx, j, wait)
			if errors.Is(outcomes[i], ErrCells) || errors.Is(outcomes[i], errHeld) {
				return nil
			}
			return outcomes[i]
		})
	}
	err = group.Wait()
	for i, outcome := range outcomes {
		failed = failed || errors.Is(outcome, ErrCells)
		if errors.Is(outcome, errHeld) {
			held = append(held, jobs[i])
		}
	}
	return held, failed, err
}

func (r *Runner) event(e Event) {
	if r.Observe == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.Observe(e)
}

// cell computes one cell, unless it is stored already. It waits for another
// process that is at the same cell, or returns errHeld.
func (r *Runner) cell(ctx context.Context, j plan.Job, wait bool) error {
	if known, err := r.known(j); known || err != nil {
		return err
	}
	release, err := r.lock(ctx, j, wait)
	if err != nil {
		return err
	}
	defer release()
	if known, err := r.known(j); known || err != nil {
		return err
	}
	return r.computed(ctx, j)
}

func (r *Runner) lock(ctx context.Context, j plan.Job, wait bool) (release func(), err error) {
	if wait {
		return r.Store.Lock(ctx, j.Inputs)
	}
	release, ok, err := r.Store.TryLock(j.Inputs)
	if err == nil && !ok {
		err = errHeld
	}
	return release, err
}

// computed computes a cell and stores it. The journal of its grid goes once
// the cell is stored; until then a run can resume from it. It also stays when
// a transient failure kept some points from their score, for whoever tries these
// again.
func (r *Runner) computed(ctx context.Context, j plan.Job) error {
	started := time.Now()
	journal, err := r.Store.OpenJournal(j.Inputs)
	if err != nil {
		return err
	}
	resumed := journal.Resumed()
	var said logs
	split, err := r.Source.Split(j.Entry, j.Rule)
	if err != nil {
		return errors.Join(err, journal.Close())
	}
	measured := r.peak.Begin()
	cell, err := r.compute(ctx, j, split, journal, &said)
	heap := measured()
	finish := journal.Remove
	var transient method.TransientFailure
	if errors.As(err, &transient) {
		cell.Failure, err = transient.Error(), nil
		finish = journal.Close
	}
	if err == nil {
		run := r.run(started, said.list)
		run.Resumed = resumed
		if r.Workers <= 1 && !resumed && !j.Column.Method.OutOfProcess {
			run.Heap = heap
		}
		err = r.put(cell, run)
	}
	if err != nil {
		return errors.Join(err, journal.Close())
	}
	r.event(Event{Job: j, Kind: CellDone, Duration: time.Since(started), Failure: cell.Failure})
	if err := finish(); err != nil {
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

// run says how a cell came about. The clock may be set back meanwhile: the end
// is the beginning and what the monotonic clock says.
func (r *Runner) run(started time.Time, said []results.Log) results.Run {
	took := time.Since(started)
	host, _ := os.Hostname()
	run := results.Run{
		Started: started.UTC(), Finished: started.Add(took).UTC(), Seconds: took.Seconds(),
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
func (r *Runner) known(j plan.Job) (bool, error) {
	if _, ok, err := r.Store.Get(j.Inputs); err != nil {
		return false, err
	} else if ok {
		r.event(Event{Job: j, Kind: CellKnown})
		return true, nil
	}
	if c, ok, err := r.Store.Failed(j.Inputs); err != nil {
		return false, err
	} else if ok && !r.RetryFailed {
		r.event(Event{Job: j, Kind: CellKnown, Failure: c.Failure})
		return true, ErrCells
	}
	return false, nil
}

// compute selects the setting of a job and labels the test samples with it. A
// transient failure is returned when one kept a fit from its result.
func (r *Runner) compute(ctx context.Context, j plan.Job, split *datasets.Split, journal *store.Journal, said *logs) (results.Cell, error) {
	cell := results.Cell{Inputs: j.Inputs, Truth: split.Test.Y}
	if len(j.Inputs.Points) > 1 {
		var err error
		if cell.Validation, err = r.validate(ctx, j, split, journal, said); err != nil {
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
	outcomes := r.resume(j, method.TestPhase, journal.Done(results.PhaseTest), said)
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
			labels, err = classify(p, f)
		}
		var found study.Measured
		if err == nil {
			found, err = study.Take(ctx, j.Inputs.Measure, study.Fit{Problem: p.Problem, Setting: chosen[0], Fitted: f, Neighbors: p.Neighbors})
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
		cell.Series = found.Series
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
