package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"r2lmlbench/datasets"
	"r2lmlbench/experiments/cost"
	"r2lmlbench/experiments/method"
	"r2lmlbench/experiments/plan"
	"r2lmlbench/experiments/run"
	"r2lmlbench/experiments/spec"
	"r2lmlbench/internal/atomicfile"
	"r2lmlbench/internal/memlimit"
	"r2lmlbench/internal/text"
	"r2lmlbench/results/store"
)

// cellsMemory is the heap that 100,000 small cells and their table need, with room to spare.
const cellsMemory = 250 << 20

func (a *app) runCommand() *cobra.Command {
	var again again
	var point *method.Budget
	cmd := a.specCommand("run", func(ctx context.Context, p plan.Plan) error {
		defer memlimit.Aim(cellsMemory)()
		failed, err := a.compute(ctx, p, again, *point)
		if err != nil {
			return err
		}
		if err := errors.Join(failed, a.printTable(ctx, p, a.store())); err != nil {
			return err
		}
		if p.Spec.Name == firstLook {
			a.Remark(cutShort)
			a.Remark(nextSteps)
		}
		return nil
	})
	a.withTable(cmd, rankedFormats...)
	a.withWorkers(cmd)
	f := cmd.Flags()
	f.BoolVarP(&a.verbose, "verbose", "v", false, "a line for every finished cell")
	f.StringVar(&a.shard, "shard", "", "compute only share `I/N` of the cells")
	point = budget(cmd)
	f.BoolVar(&again.failed, "retry-failed", false, "compute cells again that are stored as failed")
	f.BoolVar(&again.stale, "fresh", false, "compute cells again that another or an unknown build of the program made")
	return cmd
}

// firstLook is the spec for newcomers, whose run ends with what it cuts and what to run next.
const (
	firstLook = "quick"
	cutShort  = "cut short: T-R2LML has 2 metrics and a twentieth of the paper's iterations, E-R2LML 1 to 3 metrics and 2 values of lambda"
	nextSteps = "next: `report quick` makes a page of it, `run iris` is an example of data of one's own, " +
		"and `data fetch`, then `run accuracy`, are the paper's table"
)

// again says which stored cells a run computes again.
type again struct {
	failed bool // those that failed
	stale  bool // those that another or an unknown build made
}

// compute computes what is missing of a plan. It returns why cells failed, beside
// which there are others, apart from what kept it from computing.
func (a *app) compute(ctx context.Context, p plan.Plan, again again, point method.Budget) (failed, err error) {
	if point.Time < 0 {
		return nil, fmt.Errorf("--point-time is %v, want a positive duration such as 10m", point.Time)
	}
	if err := a.checkData(ctx, p.Spec); err != nil {
		return nil, err
	}
	st := a.store().ForRun()
	jobs, missing, err := a.open(p, st, again)
	if err != nil {
		return nil, err
	}
	if missing > 0 {
		if err := writable(a.results); err != nil {
			return nil, atomicfile.MarkIO(err)
		}
	}
	a.tellTime(jobs)
	progress := a.Progress(jobs, a.source(), a.verbose)
	runner := run.Runner{
		Store: st, Source: a.source(), Workers: a.workers, RetryFailed: again.failed, Fresh: again.stale, Point: point, Observe: progress.Observe,
	}
	failed = runner.Run(ctx, jobs)
	progress.End()
	if errors.Is(failed, context.Canceled) {
		return nil, fmt.Errorf("%w; what is finished is kept in %s, and the same command goes on from there", errInterrupted, a.results)
	}
	if failed != nil && !errors.Is(failed, run.ErrCells) {
		failed = fmt.Errorf("%w: %w; what is finished is kept, and the same command goes on from there", run.ErrCells, failed)
	}
	return failed, nil
}

// checkData reports every data set of the spec that cannot be used.
func (a *app) checkData(ctx context.Context, s *spec.Spec) error {
	faults := a.source().Check(ctx, s.Entries)
	if len(faults) == 0 || ctx.Err() != nil {
		return ctx.Err()
	}
	if !slices.ContainsFunc(s.Entries, func(e datasets.Entry) bool { return !e.Own() && !e.Generated() }) {
		return fmt.Errorf("%w\n%w", errData, errors.Join(faults...))
	}
	hint := fmt.Errorf("fetch data with `r2lmlbench data fetch`, or `data fetch --from DIR` from a local copy; the data directory is %s", a.data)
	return fmt.Errorf("%w\n%w\n%w", errData, errors.Join(faults...), hint)
}

// writable checks that cells can be stored before anything is computed.
func writable(dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return fmt.Errorf("the results directory cannot be made: %w; name another with --results", err)
	}
	f, err := os.CreateTemp(dir, ".writable-*")
	if err != nil {
		return fmt.Errorf("the results directory %s cannot be written to: %w; allow it, or name another with --results", dir, errors.Unwrap(err))
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// open lists the cells of this process's share that are to be computed, and tells
// how many the store holds. So many of them are missing, or of other builds; the
// others failed before.
func (a *app) open(p plan.Plan, st *store.Store, again again) (jobs []plan.Job, missing int, err error) {
	i, n, err := parseShard(a.shard)
	if err != nil {
		return nil, 0, err
	}
	failures, others, hits := 0, 0, known{}
	for _, j := range cost.Share(p, a.source(), i, n) {
		s, c, err := plan.Look(st, j)
		if err != nil {
			return nil, 0, err
		}
		stored := s.Status == plan.Hit || s.Status == plan.Failed
		stale := stored && len(st.OtherBuilds(c)) > 0
		switch {
		case stale && again.stale:
			others++
		case s.Status == plan.Hit && stale:
			hits.cells++
			hits.others++ // what stands beside it may be of an attempt with --fresh
			continue
		case s.Status == plan.Hit:
			hits.cells++
			if err := st.Tidy(j.Inputs); err != nil {
				a.Remark("%v", err) // the cell itself is fine
			}
			continue
		case s.Status == plan.Failed && !again.failed:
			failures++ // the runner reports it again
		}
		jobs = append(jobs, j)
	}
	line := fmt.Sprintf("%s: %s, %d stored, %d failed before, %d to compute",
		p.Spec.Name, text.Counted(hits.cells+len(jobs), "cell"), hits.cells, failures, len(jobs)-failures)
	if again.stale {
		line += fmt.Sprintf(", of which %s stored by other builds", text.IsAre(others))
	}
	a.Remark("%s", line)
	a.tellOthers(p, hits)
	return jobs, len(jobs) - failures, nil
}

// longRun is the estimate above which a run says it first.
const longRun = 20 * time.Second

// tellTime says how long a run will take about, if that is long. The estimate is for the
// machine of docs/dev/performance.md; `plan --cost` measures this one.
func (a *app) tellTime(jobs []plan.Job) {
	var costs []float64
	counted := map[string]bool{}
	for _, j := range jobs {
		if key := fitsKey(j); !counted[key] {
			counted[key] = true
			costs = append(costs, cost.Work(j, a.source()))
		}
	}
	took := time.Duration(cost.Makespan(costs, a.workers))
	if took >= longRun {
		a.Remark("this takes about %s on %s", roughly(took), text.Counted(a.workers, "core"))
	}
}

// fitsKey is the same for jobs that have their fits in common.
func fitsKey(j plan.Job) string {
	if j.Column.Method.Ruled() {
		return j.Bundle()
	}
	return j.Inputs.Key()
}

// roughly is a duration in its largest unit: "40 s", "3 min", "2 h".
func roughly(d time.Duration) string {
	switch {
	case d >= 90*time.Minute:
		return fmt.Sprintf("%.0f h", d.Hours())
	case d >= 90*time.Second:
		return fmt.Sprintf("%.0f min", d.Minutes())
	}
	return fmt.Sprintf("%.0f s", d.Seconds())
}
