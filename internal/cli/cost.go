package cli

import (
	"context"
	"fmt"
	"strconv"

	"r2lmlbench/experiments/cost"
	"r2lmlbench/experiments/plan"
	"r2lmlbench/internal/text"
)

const costHelp = `--cost estimates the CPU time of every missing cell. A formula in the sizes of the
data set and the settings gives the work of its grid. That is multiplied by what a
unit of the method's work takes on this machine, measured on small drawn problems.
It is an estimate: expect half to double for a whole spec, and more for single cells.
Below stand the hours that 1, 2, 16 and 256 workers of one core would take,
when cells are dealt out as --shard does; a cell stays with one worker.`

// projected are the numbers of workers that hours are projected for.
var projected = []int{1, 2, 16, 256}

// costedCell is a line of `plan --cost --format json`.
type costedCell struct {
	plannedCell
	CPUSeconds float64 `json:"cpu_seconds"` // of a missing cell, 0 for others
}

// A projection is how long so many workers need for all missing cells.
type projection struct {
	Workers int     `json:"workers"`
	Hours   float64 `json:"hours"`
}

func (a *app) cost(ctx context.Context, p plan.Plan) error {
	a.remark("measuring the methods of %s on small problems", p.Spec.Name)
	rates, err := cost.Calibrate(ctx, p)
	if err != nil {
		return err
	}
	cells := []costedCell{}
	var rows [][]string
	var costs []float64
	total, longest := 0.0, 0.0
	counted := map[string]bool{} // two columns may ask for the same cell, or for the same fits
	why := a.format == "json"    // the only format with the reasons
	store, stored := a.store().Snapshot(), known{}
	for _, row := range p.Rows {
		for _, jobs := range row.Jobs {
			for _, j := range jobs {
				if j.LeftOut() {
					continue
				}
				known, err := lookUp(store, j, why, &stored)
				if err != nil {
					return err
				}
				c := costedCell{plannedCell: known}
				key := j.Inputs.Key()
				if j.Column.Method.Ruled() {
					key = j.Bundle()
				}
				if c.Status == string(plan.Miss) && !counted[key] { // cells of other k have these fits
					counted[key] = true
					c.CPUSeconds = rates.Seconds(j, a.source())
					costs = append(costs, c.CPUSeconds)
					total, longest = total+c.CPUSeconds, max(longest, c.CPUSeconds)
				}
				cells = append(cells, c)
				rows = append(rows, []string{c.Dataset, c.Split, c.Method, strconv.FormatUint(c.Seed, 10), c.Status, strconv.Itoa(c.Fits),
					strconv.FormatFloat(c.CPUSeconds, 'f', 1, 64)})
			}
		}
	}
	a.tellOthers(p, stored)
	notes := []string{fmt.Sprintf("Estimated for %s: %.0f CPU seconds, %.0f of them for the longest cell.",
		text.Counted(len(costs), "missing cell"), total, longest)}
	hours := make([]projection, len(projected))
	for i, workers := range projected {
		hours[i] = projection{workers, cost.Makespan(costs, workers) / 3600}
		notes = append(notes, fmt.Sprintf("Hours with %s: %.2f", text.Counted(workers, "worker"), hours[i].Hours))
	}
	return a.report([]string{"data set", "split", "method", "seed", "status", "fits", "CPU seconds"}, rows, notes, struct {
		Schema     int          `json:"schema"`
		Spec       string       `json:"spec"`
		Cells      []costedCell `json:"cells"`
		CPUSeconds float64      `json:"cpu_seconds"`
		Projected  []projection `json:"projected"`
	}{1, p.Spec.Name, cells, total, hours})
}
