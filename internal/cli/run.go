package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"r2lmlbench/datasets"
	"r2lmlbench/experiments"
	"r2lmlbench/experiments/cost"
	"r2lmlbench/experiments/judge"
	"r2lmlbench/experiments/method"
	"r2lmlbench/experiments/plan"
	"r2lmlbench/experiments/run"
	"r2lmlbench/experiments/spec"
	"r2lmlbench/internal/atomicfile"
	"r2lmlbench/internal/invoke"
	"r2lmlbench/internal/memlimit"
	"r2lmlbench/internal/text"
	"r2lmlbench/results/published"
	"r2lmlbench/results/store"
)

const runHelp = `Compute what is missing of a spec, then print its ranked table.

SPEC is the name of a spec in the program or the path of a YAML file. A cell is the
result of one method on one split of one data set with one seed. Cells are kept in
--results, and those that are there are not computed again; plan lists both.

The data of all sets are checked first. What is missing or corrupt is listed with the
command that fetches it, nothing is computed, and the exit status is 4. A cell that
fails is kept with its reason and does not stop the others; the exit status is 5, and
--retry-failed computes such cells again.

Ctrl-C or a signal ends a run with exit status 130. What is finished is kept, single
points of a grid included, and the same command goes on from there. Any number of
processes may share a directory. --shard I/N computes one of N shares, which are
balanced by estimated cost and the same on every machine.

--fresh recomputes results from other builds of the program, also what an interrupted
run has left. Results of this build stay, so that the same command continues after an
interruption. An old cell is there until the new one takes its place. Two builds are the
same when their executables are; builds of one commit by different compilers are not.

The results do not depend on --workers. --point-time and --point-memory bound every
point of a grid; a cell that needs more fails.`

// cellsMemory is the heap that 100,000 small cells and their table need, with room to spare.
const cellsMemory = 250 << 20

func (a *app) runCommand() *cobra.Command {
	var again again
	var point *method.Budget
	cmd := a.specCommand("run", "Compute what is missing of a spec, then print its ranked table",
		func(ctx context.Context, p plan.Plan) error {
			defer memlimit.Aim(cellsMemory)()
			failed, err := a.compute(ctx, p, again, *point)
			if err != nil {
				return err
			}
			if err := errors.Join(failed, a.printTable(ctx, p, a.store())); err != nil {
				return err
			}
			if p.Spec.Name == firstLook {
				a.remark(cutShort)
				a.remark(nextSteps)
			}
			return nil
		})
	cmd.Long = runHelp
	cmd.Example = `  r2lmlbench run quick
  r2lmlbench run accuracy --datasets I,sonar --methods euclidean,itml
  r2lmlbench run my.yaml --results mine --retry-failed
  r2lmlbench run accuracy --shard 2/8 --results two`
	a.withFormat(cmd, rankedFormats...)
	a.withPerSplit(cmd)
	a.withWorkers(cmd)
	cmd.Flags().StringVar(&a.shard, "shard", "", "compute only share `I/N` of the cells")
	point = budget(cmd)
	cmd.Flags().BoolVar(&again.failed, "retry-failed", false, "compute cells again that are stored as failed")
	cmd.Flags().BoolVar(&again.stale, "fresh", false, "compute cells again that another or an unknown build of the program made")
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
	for _, row := range p.Rows {
		if row.Repeat == 1 {
			a.alike(row.Entry)
		}
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
	progress := a.progress(jobs)
	runner := run.Runner{
		Store: st, Source: a.source(), Workers: a.workers, RetryFailed: again.failed, Fresh: again.stale, Point: point, Observe: progress.observe,
	}
	failed = runner.Run(ctx, jobs)
	progress.end()
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
				a.remark("%v", err) // the cell itself is fine
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
	a.remark("%s", line)
	a.tellOthers(p, hits)
	return jobs, len(jobs) - failures, nil
}

// printTable prints the ranked table of a plan, with one row for each data set unless
// rows of single splits are wanted.
func (a *app) printTable(ctx context.Context, p plan.Plan, cells *store.Store) error {
	tabulate := a.session().PooledTable
	if a.perSplit {
		tabulate = a.session().Table
	}
	table, err := tabulate(p, cells)
	if err != nil {
		return err
	}
	if err := table.Render(a.stdout, a.format, a.options()); err != nil {
		return err
	}
	return a.printPipeline(ctx, p)
}

// printPipeline prints, below the Euclidean column of the paper's table when that is
// alone, how it decides between readings of the data pipeline, and what the spec
// pipeline itself says.
func (a *app) printPipeline(ctx context.Context, p plan.Plan) error {
	alone := p.Spec.Name == experiments.Paper && len(p.Spec.Columns) == 1 && p.Spec.Columns[0].ID == published.Euclidean
	if !alone && p.Spec.Name != judge.PipelineSpec || a.format == "json" || a.format == "csv" {
		return nil
	}
	found, ok, err := a.session().Pipeline(ctx, a.store(), a.acceptedStore())
	if err != nil {
		return err
	}
	if !ok {
		a.remark("`r2lmlbench run %s` compares readings of the data pipeline by this column", judge.PipelineSpec)
		return nil
	}
	for _, l := range found.Listings() {
		fmt.Fprintln(a.stdout)
		if err := l.Render(a.stdout, a.format); err != nil {
			return err
		}
	}
	return nil
}

func (a *app) tableCommand() *cobra.Command {
	var cmd *cobra.Command
	cmd = a.specCommand("table", "Print the ranked table of a spec from stored cells",
		func(ctx context.Context, p plan.Plan) error {
			defer memlimit.Aim(cellsMemory)()
			cells, err := a.tabled(cmd, p)
			if err != nil {
				return err
			}
			if a.format == longFormat {
				return a.printLong(ctx, p, cells)
			}
			return a.printTable(ctx, p, cells)
		})
	cmd.Long = cmd.Short + `.

A data set has one row. With several splits, by repeats or folds, that row has the mean
accuracy, its standard deviation and range over the splits. The notes name the test
behind its ranks, or say why there is none. --per-split prints a row for each split.

Format long is CSV with a line for every test sample and method, for R, pandas and the
like. A line has data set, split, method, seed, number of the test sample, its class and
the predicted one. Its row in the data, the line of the file of own data, and the names
of the classes follow.

The cells are those of --results. Where that is not given and its default has none
of the spec, they are the accepted ones, if there are any.`
	cmd.Example = `  r2lmlbench table accuracy
  r2lmlbench table quick --format markdown
  r2lmlbench table splits --per-split --datasets sonar
  r2lmlbench table smoke --format long > long.csv`
	a.withFormat(cmd, tableFormats...)
	a.withPerSplit(cmd)
	cmd.Flags().BoolVar(&a.notes, "notes", false, "with --format latex: the notes below the table, which other formats have anyway")
	cmd.PreRunE = a.namedResults
	return cmd
}

// tabled is the store that a table is of.
func (a *app) tabled(cmd *cobra.Command, p plan.Plan) (*store.Store, error) {
	if cmd.Flags().Changed(invoke.Results) || a.results != defaultResults {
		return a.store(), nil
	}
	own, err := a.session().Holds(p, a.store())
	if err != nil || own {
		return a.store(), err
	}
	accepted := a.acceptedStore()
	_, there, err := accepted.Accepted(p.Spec.Name)
	if err != nil || !there {
		return a.store(), err
	}
	a.remark("%s holds no cell of %s; these are the accepted cells in %s", defaultResults, p.Spec.Name, accepted.Dir)
	return accepted, nil
}
