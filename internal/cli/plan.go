package cli

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"r2lmlbench/experiments/cost"
	"r2lmlbench/experiments/plan"
	"r2lmlbench/internal/text"
	"r2lmlbench/results/store"
)

// plannedCell is a line of `plan --format json`.
type plannedCell struct {
	Dataset string `json:"dataset"`
	Split   string `json:"split"`
	Method  string `json:"method"`
	Seed    uint64 `json:"seed"`
	Status  string `json:"status"`
	Why     string `json:"why,omitempty"`
	Fits    int    `json:"fits"` // still to be made: the grid and the final one

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
	cmd := a.specCommand("plan", func(ctx context.Context, p plan.Plan) error { return a.plan(ctx, p, costs) })
	a.withFormat(cmd, listedFormats...)
	cmd.Flags().BoolVar(&costs, "cost", false, "estimate what the missing cells cost, after a calibration of some seconds")
	return cmd
}

// plan lists the cells of a plan, with their costs if that is asked for.
func (a *app) plan(ctx context.Context, p plan.Plan, withCosts bool) error {
	var rates cost.Calibration
	if withCosts {
		a.Remark("measuring the methods of %s on small problems", p.Spec.Name)
		var err error
		if rates, err = cost.Calibrate(ctx, p); err != nil {
			return err
		}
	}
	out := plannedCells{Schema: 1, Spec: p.Spec.Name, Cells: []plannedCell{}}
	var rows [][]string
	var costs []float64
	total, longest := 0.0, 0.0
	counted := map[string]bool{} // two columns may ask for the same cell, or for the same fits
	why := !withCosts || a.Format == "json"
	s, stored := a.store().Snapshot(), known{}
	for _, j := range planned(p) {
		c, err := lookUp(s, j, why, &stored)
		if err != nil {
			return err
		}
		row := []string{c.Dataset, c.Split, c.Method, strconv.FormatUint(c.Seed, 10), c.Status, strconv.Itoa(c.Fits)}
		if withCosts {
			c.CPUSeconds = new(float64)
			if key := fitsKey(j); c.Status == string(plan.Miss) && !counted[key] {
				counted[key] = true
				*c.CPUSeconds = rates.Seconds(j, a.source())
				costs = append(costs, *c.CPUSeconds)
				total, longest = total+*c.CPUSeconds, max(longest, *c.CPUSeconds)
			}
			row = append(row, strconv.FormatFloat(*c.CPUSeconds, 'f', 1, 64))
		} else {
			row = append(row, c.Why)
		}
		out.Cells = append(out.Cells, c)
		rows = append(rows, row)
	}
	a.tellOthers(p, stored)
	head := []string{"data set", "split", "method", "seed", "status", "fits"}
	if !withCosts {
		return a.Listing(append(head, "why"), rows, out)
	}
	out.CPUSeconds = &total
	notes := []string{fmt.Sprintf("Estimated for %s: %.0f CPU seconds, %.0f of them for the longest cell.",
		text.Counted(len(costs), "missing cell"), total, longest)}
	for _, workers := range projected {
		hours := cost.Makespan(costs, workers) / 3600
		out.Projected = append(out.Projected, projection{workers, hours})
		notes = append(notes, fmt.Sprintf("Hours with %s: %.2f", text.Counted(workers, "worker"), hours))
	}
	return a.Report(append(head, "CPU seconds"), rows, notes, out)
}

// planned are all jobs of a plan, also those that only import can fill.
func planned(p plan.Plan) []plan.Job {
	var all []plan.Job
	for _, row := range p.Rows {
		all = append(all, slices.Concat(row.Jobs...)...)
	}
	return all
}

// known counts the stored cells of a plan.
type known struct {
	cells  int
	others int // that another or an unknown build computed, or a part of them
	// Bundles are those of missing cells so far: the next cell of one shares its fits.
	bundles map[string]int // the k of the first one
}

// tellOthers remarks on stored cells that a gate refuses.
func (a *app) tellOthers(p plan.Plan, k known) {
	if k.others > 0 && a.store().FS == nil {
		a.Remark("%s: gate refuses %d of %s: another or an unknown build of the program computed them; run --fresh recomputes them",
			p.Spec.Name, k.others, text.Counted(k.cells, "stored cell"))
	}
}

// lookUp looks a job up in the store, with the reason of a miss if that is wanted, and
// counts it if it is stored.
func lookUp(s *store.Store, j plan.Job, why bool, k *known) (plannedCell, error) {
	state, c, err := plan.Look(s, j)
	switch {
	case err != nil:
	case state.Status == plan.Hit:
		k.cells++
		if len(s.OtherBuilds(c)) > 0 {
			k.others++
		}
	case state.Status == plan.Miss && why:
		state.Why, err = plan.WhyMissing(s, j)
	}
	return plannedCell{Dataset: j.Entry.ID, Split: j.Inputs.Split, Method: j.Column.ID, Seed: j.Inputs.Seed, Status: string(state.Status),
		Why: state.Why, Fits: k.fits(j, state)}, err
}

// fits counts the fits that a cell still asks for, besides those that it shares with
// one before it. It may choose another point than that one.
func (k *known) fits(j plan.Job, s plan.State) int {
	if s.Status != plan.Miss {
		return 0
	}
	shared := k.shares(j)
	distinct := len(j.Distinct()) * j.Column.Restarts
	switch {
	case len(j.Inputs.Points) == 1:
		if shared {
			return 0
		}
		return 1
	case shared:
		return 1 // the chosen point, for the test samples
	case j.Joint():
		return distinct // each serves validation and test
	case j.Inputs.Folds > 0:
		distinct *= j.Inputs.Folds
	}
	if j.Surface() {
		return distinct + len(j.Distinct())*j.Column.Restarts
	}
	return distinct + 1
}

// shares tells whether a missing cell has the fits of one before it, which differs in k
// alone.
func (k *known) shares(j plan.Job) bool {
	if !j.Column.Method.Ruled() {
		return false
	}
	if k.bundles == nil {
		k.bundles = map[string]int{}
	}
	bundle := j.Bundle()
	first, ok := k.bundles[bundle]
	if !ok {
		k.bundles[bundle] = j.Inputs.Neighbors
	}
	return ok && first != j.Inputs.Neighbors
}
