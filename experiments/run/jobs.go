package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/semaphore"

	"r2lmlbench/datasets"
	"r2lmlbench/experiments/external"
	"r2lmlbench/experiments/method"
	"r2lmlbench/experiments/plan"
	"r2lmlbench/internal/files"
	"r2lmlbench/internal/machine"
	"r2lmlbench/results"
)

// ErrCells is returned by Run when cells failed. The others are stored.
var ErrCells = errors.New("some cells failed")

// ErrData is the ErrCells of a run in which a data set could not be used.
var ErrData = fmt.Errorf("%w: a data set cannot be used", ErrCells)

// ErrMachine is the ErrCells of a run in which the machine, not the method, kept a cell from
// being computed. Nothing is stored of such a cell, and the next run computes it.
var ErrMachine = fmt.Errorf("%w: %w on this machine; nothing is stored of these cells, and the same command computes them "+
	"when that is mended", ErrCells, files.ErrIO)

// errHeld reports that another process has locked a cell.
var errHeld = errors.New("being computed elsewhere")

// Run computes the jobs that the store lacks. It records the reason of a failed cell and goes on;
// at the end it returns ErrCells if a cell failed, ErrData if its data cannot be used, or ErrMachine
// if the machine had no room for a fit, of which nothing is stored. It postpones cells that another
// process has locked, and waits for them when nothing else is left. When ctx ends, Run returns its
// error; finished cells and grid points stay stored.
func (r *Runner) Run(ctx context.Context, jobs []plan.Job) error {
	results.ThisBuild() // sums up the executable, which is no part of the first cell's time
	r.Store, r.began = r.Store.ForRun(), time.Now()
	r.slots = make(machine.Slots, max(r.Workers, 1))
	ctx = machine.WithSlots(ctx, r.slots)
	r.heap = nil
	if r.Point.Memory > 0 {
		r.heap = &machine.Limiter{Budget: r.Point.Memory, Exceeded: r.Point.OutOfMemory()}
		defer r.heap.Start()()
	}
	if r.machine = machine.Memory(); r.machine > 0 {
		r.room = semaphore.NewWeighted(r.machine)
	}
	ctx, end := external.WithServices(ctx, r.Store.Log)
	defer end()
	var failed error
	for wait := false; len(jobs) > 0; {
		held, some, err := r.pass(ctx, plan.Bundles(jobs), wait)
		if err != nil {
			return err
		}
		failed = graver(failed, some)
		wait = len(held) == len(jobs)
		jobs = held
	}
	return failed
}

// graver returns the worse of two failures: ErrMachine, then ErrData, then ErrCells; either may be nil.
func graver(a, b error) error {
	if b == nil {
		return a
	}
	if a == nil || errors.Is(b, ErrMachine) || errors.Is(b, ErrData) && !errors.Is(a, ErrMachine) {
		return b
	}
	return a
}

// atDisk is how many cells beyond those that are computed may be on their way to
// the disk. It takes many at once in hardly more time than one.
const atDisk = 16

// pass computes bundles of jobs. It returns the jobs locked by another process, unless wait
// is set, and the failure of Run if some failed.
func (r *Runner) pass(ctx context.Context, bundles [][]plan.Job, wait bool) (held []plan.Job, failed, err error) {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(cap(r.slots) + atDisk)
	turns := make(chan struct{}, cap(r.slots)) // one for each bundle that is computed
	outcomes, left := make([]error, len(bundles)), make([][]plan.Job, len(bundles))
	for i, bundle := range bundles {
		turns <- struct{}{}
		computed := sync.OnceFunc(func() { <-turns })
		group.Go(func() error {
			defer computed()
			if ctx.Err() != nil {
				return ctx.Err()
			}
			left[i], outcomes[i] = r.bundle(ctx, bundle, wait, computed)
			if errors.Is(outcomes[i], ErrCells) {
				return nil
			}
			return outcomes[i]
		})
	}
	err = group.Wait()
	for i, outcome := range outcomes {
		held = append(held, left[i]...)
		if errors.Is(outcome, ErrCells) {
			failed = graver(failed, outcome)
		}
	}
	return held, failed, err
}

// bundle computes the cells of a bundle that are not stored, and calls computed before it stores
// them. If another process has locked one of them, it waits for the lock, or without wait returns
// all open jobs as held. The error is ErrCells or ErrData if some failed.
func (r *Runner) bundle(ctx context.Context, jobs []plan.Job, wait bool, computed func()) (held []plan.Job, err error) {
	open, failed, err := r.open(jobs, nil)
	if len(open) == 0 || err != nil {
		return nil, cmp.Or(err, failed)
	}
	release, err := r.lockAll(ctx, open, wait)
	if errors.Is(err, errHeld) {
		return open, failed
	}
	if err != nil {
		return nil, err
	}
	defer release()
	open, failed, err = r.open(open, failed)
	if len(open) == 0 || err != nil {
		return nil, cmp.Or(err, failed)
	}
	return nil, r.compute(ctx, open, failed, computed)
}

// open returns the jobs still to compute, and failed with the stored failures of the others
// added.
func (r *Runner) open(jobs []plan.Job, failed error) (open []plan.Job, more, err error) {
	for _, j := range jobs {
		known, err := r.known(j)
		switch {
		case errors.Is(err, ErrCells):
			failed = graver(failed, err)
		case err != nil:
			return nil, failed, err
		case !known:
			open = append(open, j)
		}
	}
	return open, failed, nil
}

// lockAll locks jobs in their order, which is the same in all processes: k ascends. It fails
// with errHeld if another process holds a lock and wait is not set.
func (r *Runner) lockAll(ctx context.Context, jobs []plan.Job, wait bool) (release func(), err error) {
	var releases []func()
	release = func() {
		for _, f := range releases {
			f()
		}
	}
	for _, j := range jobs {
		var one func()
		ok := true
		if wait {
			one, err = r.Store.Lock(ctx, j.Inputs)
		} else {
			one, ok, err = r.Store.TryLock(j.Inputs)
		}
		if err == nil && !ok {
			err = errHeld
		}
		if err != nil {
			release()
			return nil, err
		}
		releases = append(releases, one)
	}
	return release, nil
}

// compute computes the cells of a bundle and stores them; failed is the failure so far. It removes
// the journal of a grid once the cell is stored; until then a run can resume from it. After a
// transient failure the journal stays, so that the next run fits only the points without a score.
func (r *Runner) compute(ctx context.Context, jobs []plan.Job, failed error, computed func()) error {
	started := time.Now()
	split, err := r.Source.Split(*jobs[0].Dataset, *jobs[0].Rule)
	if err != nil {
		for _, j := range jobs {
			if fault := r.unusable(j, started, err); !errors.Is(fault, ErrData) {
				return fault
			}
		}
		return ErrData
	}
	var all []*work
	for _, j := range jobs {
		w, fault := r.begin(j, split)
		if fault != nil {
			return errors.Join(fault, closeAll(all))
		}
		if fault := j.Refused(r.machine, r.Point, plan.SizesOf(split)); fault != nil {
			w.failed = method.TransientFailure{Cause: fault}
		}
		all = append(all, w)
	}
	if jobs[0].Part != nil && !r.finishes(all) {
		some, err := r.part(ctx, all, split)
		if err != nil {
			return err
		}
		return graver(failed, some)
	}
	measured := func() int64 { return 0 }
	if r.Workers <= 1 {
		measured = r.peak.Begin()
	}
	err = r.fit(ctx, all, split)
	share := time.Since(started).Seconds() / float64(len(all)) // before the first is stored, which takes time of its own
	heap := measured()
	computed()
	for i, w := range all {
		if err == nil {
			err = r.store(w, started, share, heap)
		}
		if err != nil {
			return errors.Join(err, closeAll(all[i:]))
		}
		switch {
		case method.OfMachine(w.failed):
			failed = graver(failed, ErrMachine)
		case w.cell.Failure != "":
			failed = graver(failed, ErrCells)
		}
	}
	return failed
}

// finishes reports whether this share finishes cells that several shares divide: it is the last
// share, and the scores of the others are stored, or no point is left to score.
func (r *Runner) finishes(all []*work) bool {
	if !all[0].job.Last {
		return false
	}
	for _, w := range all {
		ready := w.failed != nil || w.cell.Validation != nil
		for point := range r.done(w.journal, "") {
			restarts := w.job.Column.Restarts
			ready = ready || !w.job.Scores(w.job.Fitted()[point/restarts]*restarts+point%restarts)
		}
		if !ready {
			return false
		}
	}
	for _, w := range all {
		w.job.Part = nil // what the others did not get to is done here
	}
	return true
}

// part scores a part of the grids of cells, and leaves it in their journals. failed is the
// failure of Run if some cells failed.
func (r *Runner) part(ctx context.Context, all []*work, split *datasets.Split) (failed, err error) {
	err = r.validate(ctx, all, split)
	for _, w := range all {
		done := Event{Job: w.job, Kind: PartDone}
		switch {
		case method.OfMachine(w.failed):
			failed, done.Failure = graver(failed, ErrMachine), w.failed.Error()
		case w.failed != nil:
			failed, done.Failure = graver(failed, ErrCells), w.failed.Error()
		}
		r.event(done)
	}
	return failed, errors.Join(err, closeAll(all))
}

// begin opens the journal of a job, and looks for another cell with the same validation scores. If
// the failure of the cell is stored, a killed process may have left the journal, and begin drops
// its failed points, which are then fitted again.
func (r *Runner) begin(j plan.Job, split *datasets.Split) (*work, error) {
	_, failed, err := r.Store.Failed(j.Inputs)
	if err != nil {
		return nil, err
	}
	journal, err := r.Store.OpenJournal(j.Inputs)
	if err != nil {
		return nil, err
	}
	again := r.Fresh && j.Part == nil && j.Column.Method.OutOfProcess // shares leave their parts there for each other
	if again || failed {
		journal.Forget(again)
	}
	known, lenders, err := r.selected(j)
	if err != nil {
		return nil, errors.Join(err, journal.Close())
	}
	w := &work{job: j, journal: journal, cell: results.Cell{Inputs: j.Inputs, Truth: split.Test.Y, Validation: known}}
	w.builds, w.resumed = r.builds(journal)
	for _, b := range lenders {
		w.builds, w.resumed = results.AddBuild(w.builds, b), true
	}
	return w, nil
}

// closeAll closes the journals of cells that are not finished.
func closeAll(all []*work) error {
	var faults []error
	for _, w := range all {
		faults = append(faults, w.journal.Close())
	}
	return errors.Join(faults...)
}

// store stores a cell with its share of the time that its bundle took, in seconds. After a
// fault of the machine it keeps the journal alone.
func (r *Runner) store(w *work, started time.Time, share float64, heap int64) error {
	if method.OfMachine(w.failed) {
		r.event(Event{Job: w.job, Kind: CellDone, Duration: time.Since(started), Failure: w.failed.Error()})
		return w.journal.Close()
	}
	finish := w.journal.Remove
	if w.failed != nil {
		w.cell.Failure = w.failed.Error()
		finish = w.journal.Close
	}
	run := r.run(started, w.said.list)
	run.Seconds = share
	run.Resumed, run.Builds, run.Environment, run.Doubts = w.resumed, w.builds, w.environment, w.doubts
	if !w.resumed && !w.job.Column.Method.OutOfProcess {
		run.Heap = heap
	}
	if err := r.Store.Put(w.cell, run); err != nil {
		return err
	}
	r.event(Event{Job: w.job, Kind: CellDone, Duration: time.Since(started), Failure: w.cell.Failure, Shared: w.borrowed})
	return finish()
}

// unusable records that a cell has no data to be computed from.
func (r *Runner) unusable(j plan.Job, started time.Time, fault error) error {
	cell := results.Cell{Inputs: j.Inputs, Failure: fault.Error()}
	run := r.run(started, nil)
	run.Builds = []results.Build{results.ThisBuild()}
	if err := r.Store.Put(cell, run); err != nil {
		return err
	}
	r.event(Event{Job: j, Kind: CellDone, Duration: time.Since(started), Failure: cell.Failure})
	return ErrData
}

// run returns the record of how a cell was computed. As the clock may be set back during the
// run, the end is the start plus the time by the monotonic clock.
func (r *Runner) run(started time.Time, said []results.Log) results.Run {
	took := time.Since(started)
	host, _ := os.Hostname()
	return results.Run{
		Started: started.UTC(), Finished: started.Add(took).UTC(), Seconds: took.Seconds(),
		Host: host, Go: runtime.Version(), Workers: r.Workers, Logs: said,
		Commit: results.ThisBuild().Revision,
	}
}

// known reports whether the store has the cell, from a build that this run accepts. A stored failure
// is known, too, and returned as ErrCells or ErrData, unless the run retries failures.
func (r *Runner) known(j plan.Job) (bool, error) {
	if c, ok, err := r.Store.Find(j.Inputs); err != nil {
		return false, err
	} else if ok && !r.stale(j, c) {
		r.event(Event{Job: j, Kind: CellKnown})
		return true, nil
	}
	if c, ok, err := r.Store.Failed(j.Inputs); err != nil {
		return false, err
	} else if ok && !r.RetryFailed && !r.stale(j, c) {
		r.event(Event{Job: j, Kind: CellKnown, Failure: c.Failure})
		if _, err := r.Source.Split(*j.Dataset, *j.Rule); err != nil {
			return true, ErrData
		}
		return true, ErrCells
	}
	return false, nil
}
