package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"r2lmlbench/experiments/cost"
	"r2lmlbench/experiments/method"
	"r2lmlbench/experiments/plan"
	"r2lmlbench/experiments/run"
	"r2lmlbench/experiments/spec"
	"r2lmlbench/internal/atomicfile"
	"r2lmlbench/internal/invoke"
	"r2lmlbench/results/store"
)

func (a *app) runCommand() *cobra.Command {
	var retry bool
	var point *method.Budget
	cmd := a.specCommand("run", "Compute what is missing of a spec, then print its ranked table",
		func(ctx context.Context, p plan.Plan) error {
			return a.run(ctx, p, retry, *point)
		})
	point = budget(cmd)
	cmd.Flags().BoolVar(&retry, "retry-failed", false, "compute cells again that are stored as failed")
	return cmd
}

func (a *app) run(ctx context.Context, p plan.Plan, retry bool, point method.Budget) error {
	if point.Time < 0 {
		return fmt.Errorf("--point-time is %v, want a positive duration such as 10m", point.Time)
	}
	if err := a.checkData(ctx, p.Spec); err != nil {
		return err
	}
	jobs, err := a.open(p, retry)
	if err != nil {
		return err
	}
	if len(jobs) > 0 {
		if err := writable(a.results); err != nil {
			return atomicfile.MarkIO(err)
		}
	}
	progress := a.progress(jobs)
	runner := run.Runner{Store: a.store(), Source: a.source(), Workers: a.workers, RetryFailed: retry, Point: point, Observe: progress.observe}
	failed := runner.Run(ctx, jobs)
	progress.end()
	if errors.Is(failed, context.Canceled) {
		return fmt.Errorf("interrupted; what is finished is kept in %s, and the same command goes on from there: %w", a.results, failed)
	}
	if failed != nil && !errors.Is(failed, run.ErrCells) {
		failed = fmt.Errorf("%w: %w; what is finished is kept, and the same command goes on from there", run.ErrCells, failed)
	}
	return errors.Join(failed, a.printTable(p, a.store()))
}

// checkData reports every data set of the spec that cannot be used.
func (a *app) checkData(ctx context.Context, s *spec.Spec) error {
	faults := a.source().Check(ctx, s.Entries)
	if len(faults) == 0 || ctx.Err() != nil {
		return ctx.Err()
	}
	hint := fmt.Errorf("fetch data with `r2lmlbench data fetch`, or `data fetch --from DIR` from a local copy; the data directory is %s", a.data)
	return fmt.Errorf("%w\n%w\n%w", errData, errors.Join(faults...), hint)
}

// open lists the cells of this process's share that the store does not hold,
// and tells how many it does.
func (a *app) open(p plan.Plan, retry bool) ([]plan.Job, error) {
	i, n, err := parseShard(a.shard)
	if err != nil {
		return nil, err
	}
	st := a.store()
	var jobs []plan.Job
	hits, failures := 0, 0
	for _, j := range cost.Share(p, a.source(), i, n) {
		s, err := plan.StateOf(st, j)
		if err != nil {
			return nil, err
		}
		switch {
		case s.Status == plan.Hit:
			hits++
			if err := st.Tidy(j.Inputs); err != nil {
				a.remark("%v", err) // the cell itself is fine
			}
			continue
		case s.Status == plan.Failed && !retry:
			failures++ // the runner reports it again
		}
		jobs = append(jobs, j)
	}
	a.remark("%s: %d cells, %d stored, %d failed before, %d to compute", p.Spec.Name, hits+len(jobs), hits, failures, len(jobs)-failures)
	return jobs, nil
}

// printTable prints the ranked table of a plan.
func (a *app) printTable(p plan.Plan, cells *store.Store) error {
	table, err := a.session().Table(p, cells)
	if err != nil {
		return err
	}
	return table.Render(a.stdout, a.format, a.options())
}

func (a *app) tableCommand() *cobra.Command {
	var cmd *cobra.Command
	cmd = a.specCommand("table", "Print the ranked table of a spec from stored cells",
		func(_ context.Context, p plan.Plan) error {
			cells, err := a.tabled(cmd, p.Spec.Name)
			if err != nil {
				return err
			}
			return a.printTable(p, cells)
		})
	cmd.Long = cmd.Short + `.

The cells are those of --results. Where that is not given and its default is not
there, they are the accepted ones, if there are any of the spec.`
	cmd.PreRunE = a.namedResults
	return cmd
}

// tabled is the store that a table is of.
func (a *app) tabled(cmd *cobra.Command, s string) (*store.Store, error) {
	if cmd.Flags().Changed(invoke.Results) || a.results != defaultResults || isDir(defaultResults) {
		return a.store(), nil
	}
	accepted := a.acceptedStore()
	_, there, err := accepted.Accepted(s)
	if err != nil || !there {
		return a.store(), err
	}
	a.remark("there is no %s here; these are the accepted cells in %s", defaultResults, accepted.Dir)
	return accepted, nil
}
