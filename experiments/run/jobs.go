package run

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"r2lmlbench/experiments/external"
	"r2lmlbench/experiments/method"
	"r2lmlbench/experiments/plan"
	"r2lmlbench/internal/memlimit"
	"r2lmlbench/results"
	"r2lmlbench/results/store"
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
	r.Store = r.Store.ForRun()
	r.slots = make(chan struct{}, max(r.Workers, 1))
	stop := r.limitMemory()
	defer stop()
	ctx, end := external.WithServices(ctx)
	defer end()
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

// atDisk is how many cells beyond those that are computed may be on their way to
// the disk. It takes many at once in hardly more time than one.
const atDisk = 16

// pass computes jobs. It returns those that somebody else is at, unless it is to
// wait for them, and the failure of Run if some failed.
func (r *Runner) pass(ctx context.Context, jobs []plan.Job, wait bool) (held []plan.Job, failed, err error) {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(cap(r.slots) + atDisk)
	turns := make(chan struct{}, cap(r.slots)) // one for each cell that is computed
	outcomes := make([]error, len(jobs))
	for i, j := range jobs {
		turns <- struct{}{}
		computed := sync.OnceFunc(func() { <-turns })
		group.Go(func() error {
			defer computed()
			if ctx.Err() != nil {
				return ctx.Err()
			}
			outcomes[i] = r.cell(ctx, j, wait, computed)
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

// cell computes one cell, unless it is stored already, and calls computed before
// it is stored. It waits for another process that is at the same cell, or returns
// errHeld.
func (r *Runner) cell(ctx context.Context, j plan.Job, wait bool, computed func()) error {
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
	return r.compute(ctx, j, computed)
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

// compute computes a cell and stores it. The journal of its grid goes once
// the cell is stored; until then a run can resume from it. It also stays when
// a transient failure kept some points from their score, for whoever tries these
// again.
func (r *Runner) compute(ctx context.Context, j plan.Job, computed func()) error {
	started := time.Now()
	split, err := r.Source.Split(*j.Entry, j.Rule)
	if err != nil {
		return r.unusable(j, started, err)
	}
	journal, err := r.journal(j)
	if err != nil {
		return err
	}
	known, lenders, err := r.selected(j)
	if err != nil {
		return errors.Join(err, journal.Close())
	}
	builds, resumed := r.builds(journal)
	for _, b := range lenders {
		builds, resumed = results.AddBuild(builds, b), true
	}
	var said logs
	measured := func() int64 { return 0 }
	if r.Workers <= 1 {
		measured = r.peak.Begin()
	}
	cell, err := r.fit(ctx, j, split, known, journal, &said)
	heap := measured()
	computed()
	finish := journal.Remove
	var transient method.TransientFailure
	if errors.As(err, &transient) {
		cell.Failure, err = transient.Error(), nil
		finish = journal.Close
	}
	if err == nil {
		run := r.run(started, said.list)
		run.Resumed, run.Builds = resumed, builds
		if !resumed && !j.Column.Method.OutOfProcess {
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

// journal opens the journal of a job. It may have been left by a process that
// stored the failure of the cell and was killed: what failed is tried again then.
func (r *Runner) journal(j plan.Job) (*store.Journal, error) {
	_, failed, err := r.Store.Failed(j.Inputs)
	if err != nil {
		return nil, err
	}
	journal, err := r.Store.OpenJournal(j.Inputs)
	if err == nil && failed {
		journal.ForgetFailed()
	}
	return journal, err
}

// unusable records that a cell has no data to be computed from.
func (r *Runner) unusable(j plan.Job, started time.Time, fault error) error {
	cell := results.Cell{Inputs: j.Inputs, Failure: fault.Error()}
	run := r.run(started, nil)
	run.Builds = []results.Build{results.ThisBuild()}
	if err := r.put(cell, run); err != nil {
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
		Commit: results.ThisBuild().Revision,
	}
	return run
}

// known says whether the store holds the cell, and no other build is to be kept out
// of it. A stored failure is known, and reported as such, unless it is to be tried
// again.
func (r *Runner) known(j plan.Job) (bool, error) {
	if c, ok, err := r.Store.Get(j.Inputs); err != nil {
		return false, err
	} else if ok && !r.stale(c) {
		r.event(Event{Job: j, Kind: CellKnown})
		return true, nil
	}
	if c, ok, err := r.Store.Failed(j.Inputs); err != nil {
		return false, err
	} else if ok && !r.RetryFailed && !r.stale(c) {
		r.event(Event{Job: j, Kind: CellKnown, Failure: c.Failure})
		if _, err := r.Source.Split(*j.Entry, j.Rule); err != nil {
			return true, ErrData
		}
		return true, ErrCells
	}
	return false, nil
}
