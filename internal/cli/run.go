package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"r2lmlbench/datasets"
	"r2lmlbench/experiments/cost"
	"r2lmlbench/experiments/plan"
	"r2lmlbench/experiments/run"
	"r2lmlbench/experiments/spec"
	"r2lmlbench/internal/console"
	"r2lmlbench/internal/document"
	"r2lmlbench/internal/machine"
	"r2lmlbench/internal/text"
	"r2lmlbench/results/store"
)

// cellsMemory is the heap that 100,000 small cells and their table need, with room to spare.
const cellsMemory = 150 << 20

func (a *app) runCommand() *cobra.Command {
	cmd := a.specCommand("run", func(cmd *cobra.Command, p plan.Plan) error {
		defer machine.Aim(cellsMemory)()
		a.tellSplits(p)
		failed, err := a.compute(cmd.Context(), p)
		if err != nil {
			return err
		}
		if err := errors.Join(failed, a.printTable(cmd.Context(), p, a.store)); err != nil {
			return err
		}
		if p.Spec.Name == firstLook {
			a.Remark(included)
			a.Remark(nextSteps)
		}
		return nil
	})
	a.withTable(cmd, formats...)
	a.withWorkers(cmd)
	f := cmd.Flags()
	f.BoolVarP(&a.verbose, "verbose", "v", false, "a line for every finished cell")
	f.Func("shard", "compute only share `I/N` of the cells", a.shard.read)
	f.DurationVar(&a.runner.Point.Time, "point-time", 0, "most time a grid point may take, such as 10m; a cell that needs more fails (default none)")
	f.Func("point-memory", "most memory a grid point may take, a `SIZE` such as 2GiB; a cell that needs more fails (default none)",
		func(text string) (err error) {
			a.runner.Point.Memory, err = parseSize(text)
			return err
		})
	f.BoolVar(&a.runner.RetryFailed, "retry-failed", false, "compute cells again that are stored as failed")
	f.BoolVar(&a.runner.Fresh, "fresh", false, "recompute results of other builds of r2lmlbench, and of external programs")
	return cmd
}

// firstLook is the spec for newcomers, whose run ends with where its data are from and what
// to run next.
const (
	firstLook = "quick"
	included  = "data: Ionosphere and Glass of the UCI Machine Learning Repository (CC BY 4.0), which are part of the program"
	nextSteps = "next: `report quick` makes a page of it, `run iris` is an example of data of one's own, " +
		"and `data fetch`, then `run accuracy`, are the paper's table"
)

// compute computes what is missing of a plan. It returns why cells failed, beside
// which there are others, apart from what kept it from computing.
func (a *app) compute(ctx context.Context, p plan.Plan) (failed, err error) {
	if a.runner.Point.Time < 0 {
		return nil, fmt.Errorf("--point-time is %v, want a positive duration such as 10m", a.runner.Point.Time)
	}
	if err := a.checkData(ctx, p.Spec); err != nil {
		return nil, err
	}
	for _, row := range p.Splits {
		if row.Repeat == 1 {
			a.alike(row.Dataset)
		}
	}
	st := a.store.ForRun()
	jobs, missing, err := a.open(p, st)
	if err != nil {
		return nil, err
	}
	if able := a.tellLimits(jobs); missing > 0 {
		if err := a.tellTime(ctx, p, able); err != nil {
			return nil, err
		}
	}
	shown := make([]console.Job, len(jobs))
	for i, j := range jobs {
		shown[i] = a.shown(j)
	}
	progress := a.Progress(shown, a.verbose)
	a.runner.Store, a.runner.Source, a.runner.Observe = st, a.source, a.observe(progress)
	if a.ranked && progress.Live() {
		a.runner.Observe = a.standing(p, st, jobs, progress)
	}
	failed = a.runner.Run(ctx, jobs)
	progress.End()
	if err := a.tellDivided(st, jobs); err != nil {
		return nil, err
	}
	if errors.Is(failed, context.Canceled) {
		return nil, fmt.Errorf("%w; what is finished is kept in %s, and the same command goes on from there", errInterrupted, a.results)
	}
	if failed != nil && !errors.Is(failed, run.ErrCells) {
		failed = fmt.Errorf("%w: %w; what is finished is kept, and the same command goes on from there", run.ErrCells, failed)
	}
	return failed, nil
}

// shown is a job as its progress shows it. All settings of a job count alike.
func (a *app) shown(j plan.Job) console.Job {
	return console.Job{
		Key: console.Key(j.Key()), Settings: len(j.Inputs.Settings), Fits: j.Fits(),
		Work: cost.Work(j, a.source) / float64(max(j.Fits(), 1)),
	}
}

// observe shows the progress of a run.
func (a *app) observe(p *console.Progress) func(run.Event) {
	return func(e run.Event) {
		j := a.shown(e.Job)
		switch e.Kind {
		case run.SettingKnown:
			p.SettingKnown(j)
		case run.SettingDone:
			p.SettingDone(j, e.Failure, e.Shared)
		case run.CellKnown:
			p.CellKnown(j)
		case run.PartDone:
			p.PartDone()
		case run.CellDone:
			p.CellDone(j, e.Failure, e.Shared, e.Duration)
		}
	}
}

// tellDivided remarks on cells of which a part is done here.
func (a *app) tellDivided(st *store.Store, jobs []plan.Job) error {
	divided := 0
	for _, j := range jobs {
		if j.Part == nil {
			continue
		}
		s, _, err := plan.Look(st, j)
		if err != nil {
			return err
		}
		if s.Status == plan.Miss {
			divided++
		}
	}
	if divided > 0 {
		a.Remark("%s %s divided among the shares: merge their directories into one, and run the spec there to finish",
			text.Counted(divided, "long cell"), text.Agree(divided, "is", "are"))
	}
	return nil
}

// checkData reports every data set of the spec that cannot be used.
func (a *app) checkData(ctx context.Context, s *spec.Spec) error {
	faults := a.source.Check(ctx, s.Sets)
	if len(faults) == 0 || ctx.Err() != nil {
		return ctx.Err()
	}
	if !slices.ContainsFunc(s.Sets, func(e datasets.DataSet) bool { return !e.Own() && !e.Generated() }) {
		return fmt.Errorf("%w\n%w", errData, errors.Join(faults...))
	}
	hint := fmt.Errorf("fetch data with `r2lmlbench data fetch`, or `data fetch --from DIR` from a local copy; the data directory is %s", a.data)
	return fmt.Errorf("%w\n%w\n%w", errData, errors.Join(faults...), hint)
}

// open lists the cells of this process's share that are to be computed, and tells
// how many the store holds. So many of them are missing, or of other builds; the
// others failed before.
func (a *app) open(p plan.Plan, st *store.Store) (jobs []plan.Job, missing int, err error) {
	failures, hits, others, again := 0, 0, 0, 0
	for _, j := range cost.Shares(p, a.source, a.shard.of)[a.shard.number-1] {
		s, c, err := plan.Look(st, j)
		if err != nil {
			return nil, 0, err
		}
		stored := s.Status == plan.Hit || s.Status == plan.Failed
		stale := false
		if stored {
			made, err := st.OtherBuilds(c)
			if err != nil {
				return nil, 0, err
			}
			stale = len(made) > 0
		}
		switch {
		case stored && a.runner.Fresh && (stale || j.Column.Method.OutOfProcess):
			again++
		case s.Status == plan.Hit && stale:
			hits++
			others++ // what stands beside it may be of an attempt with --fresh
			continue
		case s.Status == plan.Hit:
			hits++
			if err := st.Tidy(j.Inputs); err != nil {
				a.Remark("%v", err) // the cell itself is fine
			}
			continue
		case s.Status == plan.Failed && !a.runner.RetryFailed:
			failures++ // the runner reports it again
		}
		jobs = append(jobs, j)
	}
	line := fmt.Sprintf("%s: %s, %d stored, %d failed before, %d to compute",
		p.Spec.Name, text.Counted(hits+len(jobs), "cell"), hits, failures, len(jobs)-failures)
	if a.runner.Fresh {
		line += fmt.Sprintf(", of which %d %s stored by other builds or by external programs", again, text.Agree(again, "is", "are"))
	}
	a.Remark("%s", line)
	if !a.timed { // what compare says of a file is no claim of a gate
		a.tellOthers(p, hits, others)
	}
	return jobs, len(jobs) - failures, nil
}

const (
	briefRun = 2 * time.Second  // below this estimate a calibration would take longer than it is worth
	longRun  = 20 * time.Second // above this estimate a run says it first
)

// tellTime says how long a run will take about, if that is long. A rough estimate decides
// whether. Unless the run is brief, the rates of this machine then correct it, as for
// plan --cost. The points of a grid are spread over the workers.
func (a *app) tellTime(ctx context.Context, p plan.Plan, jobs []plan.Job) error {
	estimate := func(rates cost.Calibration) time.Duration {
		var cells []cost.Stages
		counted := map[string]bool{}
		for _, j := range jobs {
			if key := fitsKey(j); !counted[key] {
				counted[key] = true
				cells = append(cells, rates.Stages(j, a.source))
			}
		}
		return time.Duration(1e9 * cost.Makespan(cells, a.runner.Workers))
	}
	took := estimate(cost.Nominal(p))
	if !a.timed && took < longRun {
		return nil
	}
	if took >= briefRun {
		rates, err := cost.Calibrate(ctx, p)
		if err != nil {
			return err
		}
		took = estimate(rates)
	}
	a.Remark("this takes about %s on %s", text.Roughly(took), text.Counted(a.runner.Workers, "core"))
	return nil
}

// fitsKey is the same for jobs that have their fits in common.
func fitsKey(j plan.Job) string {
	if j.Column.Method.Ruled() {
		return j.Bundle()
	}
	return j.Inputs.Key()
}

// plannedCell is a line of `plan --format json`.
type plannedCell struct {
	Dataset string `json:"dataset"`
	Split   string `json:"split"`
	Method  string `json:"method"`
	Seed    uint64 `json:"seed"`
	Status  string `json:"status"`
	Why     string `json:"why,omitempty"`

	CPUSeconds *float64 `json:"cpu_seconds,omitempty"` // with --cost; 0 for what is not missing
}

// A projection is how long so many workers need for all missing cells.
type projection struct {
	Workers int     `json:"workers"`
	Hours   float64 `json:"hours"`
}

// plannedCells is the JSON of plan.
type plannedCells struct {
	Schema     int           `json:"schema"`
	Spec       string        `json:"spec"`
	Cells      []plannedCell `json:"cells"`
	CPUSeconds *float64      `json:"cpu_seconds,omitempty"` // with --cost
	Projected  []projection  `json:"projected,omitempty"`
}

// projected are the numbers of workers that hours are projected for.
var projected = []int{1, 2, 16, 256}

func (a *app) planCommand() *cobra.Command {
	var costs bool
	cmd := a.specCommand("plan", func(cmd *cobra.Command, p plan.Plan) error { return a.plan(cmd.Context(), p, costs) })
	a.withFormat(cmd, formats...)
	cmd.Flags().BoolVar(&costs, "cost", false, "estimate what the missing cells cost, after a calibration of some seconds")
	return cmd
}

// plan lists the cells of a plan, with their costs if that is asked for.
func (a *app) plan(ctx context.Context, p plan.Plan, withCosts bool) error {
	var costs *estimate
	if withCosts {
		a.Remark("measuring the methods of %s on small problems", p.Spec.Name)
		rates, err := cost.Calibrate(ctx, p)
		if err != nil {
			return err
		}
		costs = &estimate{source: a.source, rates: rates, missing: map[string]bool{}, counted: map[string]bool{}}
	}
	a.tellLimits(p.Jobs())
	out := plannedCells{Schema: 2, Spec: p.Spec.Name, Cells: []plannedCell{}}
	t := document.New("", "data set", "split", "method", "seed", "status", map[bool]string{false: "why", true: "CPU seconds"}[withCosts])
	why := !withCosts || a.Format == "json"
	s, stored, others := a.store.Snapshot(), 0, 0
	for _, j := range p.AllJobs() {
		state, cell, err := plan.Look(s, j)
		switch {
		case err != nil:
		case state.Status == plan.Hit:
			stored++
			made, unread := s.OtherBuilds(cell)
			if err = unread; len(made) > 0 {
				others++
			}
		case state.Status == plan.Miss && why:
			state.Why, err = plan.WhyMissing(s, j)
		}
		if err != nil {
			return err
		}
		c := plannedCell{j.Dataset.ID, j.Inputs.Split, j.Column.ID, j.Inputs.Seed, string(state.Status), state.Why, nil}
		last := c.Why
		if withCosts {
			seconds := costs.of(j, state.Status)
			c.CPUSeconds, last = &seconds, strconv.FormatFloat(seconds, 'f', 1, 64)
		}
		out.Cells = append(out.Cells, c)
		t.Add(c.Dataset, c.Split, c.Method, c.Seed, c.Status, last)
	}
	a.tellOthers(p, stored, others)
	if withCosts {
		out.CPUSeconds, out.Projected = &costs.total, costs.projected()
		t.Notes = []string{fmt.Sprintf("Estimated for %s: %.0f CPU seconds, %.0f of them for the longest cell.",
			text.Counted(len(costs.missing), "missing cell"), costs.total, costs.longest)}
		for _, at := range out.Projected {
			t.Notes = append(t.Notes, fmt.Sprintf("Hours with %s: %.2f", text.Counted(at.Workers, "worker"), at.Hours))
		}
	}
	return a.Listing(t, out)
}

// An estimate is what the missing cells of a plan cost.
type estimate struct {
	source *plan.Source
	rates  cost.Calibration

	missing        map[string]bool // by key of the cell: two columns may ask for one cell
	counted        map[string]bool // by key of the fits: two cells may share them
	cells          []cost.Stages
	total, longest float64 // CPU seconds
}

// of is the CPU time of a job in seconds: 0 where it is stored, or its fits are counted already.
func (e *estimate) of(j plan.Job, status plan.Status) float64 {
	if status != plan.Miss {
		return 0
	}
	e.missing[j.Inputs.Key()] = true
	key := fitsKey(j)
	if e.counted[key] {
		return 0
	}
	e.counted[key] = true
	seconds := e.rates.Seconds(j, e.source)
	e.cells = append(e.cells, e.rates.Stages(j, e.source))
	e.total, e.longest = e.total+seconds, max(e.longest, seconds)
	return seconds
}

// projected are the hours with several numbers of workers.
func (e *estimate) projected() (all []projection) {
	for _, workers := range projected {
		all = append(all, projection{workers, cost.Makespan(e.cells, workers) / 3600})
	}
	return all
}

// tellOthers remarks on stored cells that a gate refuses, since another or an unknown build
// computed them or a part of them.
func (a *app) tellOthers(p plan.Plan, stored, others int) {
	if others > 0 && a.store.FS == nil {
		a.Remark("%s: gate refuses %d of %s: another or an unknown build of the program computed them; run --fresh recomputes them",
			p.Spec.Name, others, text.Counted(stored, "stored cell"))
	}
}
