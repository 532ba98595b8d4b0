package run

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"time"

	"golang.org/x/sync/errgroup"

	"r2lmlbench/experiments/method"
	"r2lmlbench/experiments/plan"
	"r2lmlbench/internal/memlimit"
	"r2lmlbench/results"
)

// ErrCells is returned by Run when cells failed. The others are stored.
var ErrCells = errors.New("some cells failed")

// ErrData is the ErrCells of a run in which a data set could not be used.
var ErrData = fmt.Errorf("%w: a data set cannot be used", ErrCells)

// errHeld says that another process is at a cell.
var errHeld = errors.New("being computed elsewhere")

// Run computes the jobs that the store does not hold. A cell that fails is
// recorded with its reason and does not stop the others; ErrCells is returned
// when there is one, ErrData when that is for want of its data. Cells that another
// process is at are put off, and waited for when nothing else is left to do. When
// ctx ends, Run returns its error; what is finished is kept, grid points included.
func (r *Runner) Run(ctx context.Context, jobs []plan.Job) error {
	r.slots = make(chan struct{}, max(r.Workers, 1))
	stop := r.limitMemory()
	defer stop()
	var failed error
	for wait := false; len(jobs) > 0; {
		held, some, err := r.pass(ctx, jobs, wait)
		if err != nil {
			return err
		}
		failed = graver(failed, some)
		wait = len(held) == len(jobs)
		jobs = held
	}
	return failed
}

// graver is the one of two failures, or of a failure and nothing, to be returned.
func graver(a, b error) error {
	if a == nil || errors.Is(b, ErrData) {
		return b
	}
	return a
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

// pass computes jobs. It returns those that somebody else is at, unless it is to
// wait for them, and the failure of Run if some failed.
func (r *Runner) pass(ctx context.Context, jobs []plan.Job, wait bool) (held []plan.Job, failed, err error) {
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
		switch {
		case errors.Is(outcome, errHeld):
			held = append(held, jobs[i])
		case errors.Is(outcome, ErrCells):
			failed = graver(failed, outcome)
		}
	}
	return held, failed, err
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
	split, err := r.Source.Split(j.Entry, j.Rule)
	if err != nil {
		return r.unusable(j, started, err)
	}
	journal, err := r.Store.OpenJournal(j.Inputs)
	if err != nil {
		return err
	}
	known, err := r.selected(j)
	if err != nil {
		return errors.Join(err, journal.Close())
	}
	resumed := known != nil || journal.Resumed()
	var said logs
	measured := r.peak.Begin()
	cell, err := r.compute(ctx, j, split, known, journal, &said)
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

// unusable records that a cell has no data to be computed from.
func (r *Runner) unusable(j plan.Job, started time.Time, fault error) error {
	cell := results.Cell{Inputs: j.Inputs, Failure: fault.Error()}
	if err := r.put(cell, r.run(started, nil)); err != nil {
		return err
	}
	r.event(Event{Job: j, Kind: CellDone, Duration: time.Since(started), Failure: cell.Failure})
	return ErrData
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
		if _, err := r.Source.Split(j.Entry, j.Rule); err != nil {
			return true, ErrData
		}
		return true, ErrCells
	}
	return false, nil
}
