package cost

import (
	"context"
	"fmt"
	"slices"

	"r2lmlbench/experiments/method"
	"r2lmlbench/experiments/plan"
	"r2lmlbench/experiments/run"
	"r2lmlbench/experiments/spec"
	"r2lmlbench/internal/machine"
)

// A Calibration is how many CPU seconds a unit of Work takes on this machine,
// by method.
type Calibration map[string]float64

// Methods are calibrated with settings that the spec of all methods has for the
// paper's Two Norm, on generated data of that kind and size.
const (
	calibrationSpec     = "beyond"
	calibrationSettings = "twonorm"
	calibrationData     = "twonorm-gen"
)

const (
	// leastMeasured is the CPU time, in seconds, that a method is fitted for,
	// over and over again, so that the clock's resolution does not count. Eight medians
	// spread by 6 %, as with 0.1 s.
	leastMeasured = 0.03
	// mostMeasured bounds how often.
	mostMeasured = 20
	// settled is the rate of a whole cell relative to that of its first fits: told without it, 40
	// drawn cells took 0.65 of the estimate on a busy machine (geometric mean).
	settled = 0.7
	// slowKernels is the multiple of the median from which on R2LML has a rate of its own.
	slowKernels = 3
)

// typical methods do as many steps on any data of their size, in plain Go and in kernels.
var typical = []string{"dann", "dmlmj", "glml", "gmml", "lfda", "lmnn", "rfm"}

// Calibrate measures the rate of this machine, and takes it for the methods of a plan: the median
// over the typical methods on a small drawn problem, since two measurements of one method differ
// by half, and since others, such as ITML, take as many steps as the data ask for. R2LML has a
// rate of its own where its kernels are much slower, for lack of SIMD instructions, and so
// has a method without an estimate. What that spec has no method block for, such as a program
// of the user's own, is taken to run as fast as estimated.
func Calibrate(ctx context.Context, p plan.Plan) (Calibration, error) {
	calibration, err := spec.Load(calibrationSpec)
	if err != nil {
		return nil, err
	}
	planned, rates := methodIDs(p), Nominal(p)
	if !slices.ContainsFunc(calibration.Columns, func(c spec.Column) bool { return slices.Contains(planned, c.Method.ID) }) {
		return rates, nil
	}
	entry, err := spec.FindDataset(calibrationData)
	if err != nil {
		return nil, err
	}
	source, rule := plan.NewSource(""), plan.PaperRule // the set is generated
	split, err := source.Split(entry, rule)
	if err != nil {
		return nil, err
	}
	sizes, _ := source.Sizes(entry, rule)
	problem := run.ProblemOf(split, method.SelectionPhase, false, 5, 1, 0)
	own := map[string]float64{}
	var measured []float64 // rates of the typical methods
	for _, c := range calibration.Columns {
		m := c.Method
		common := slices.Contains(typical, m.ID) && m.Work != nil
		if !common && !(slices.Contains(planned, m.ID) && (m.Proposed || m.Work == nil)) {
			continue
		}
		if own[m.ID], err = rate(ctx, m, middle(c.Settings[calibrationSettings]), problem, sizes.Validation); err != nil {
			return nil, fmt.Errorf("calibration of %s: %w", m.ID, err)
		}
		if common {
			measured = append(measured, own[m.ID])
		}
	}
	slices.Sort(measured)
	usual := measured[len(measured)/2]
	for _, c := range calibration.Columns {
		m := c.Method
		switch {
		case !slices.Contains(planned, m.ID):
		case m.Work == nil || m.Proposed && own[m.ID] > slowKernels*usual:
			rates[m.ID] = own[m.ID]
		default:
			rates[m.ID] = usual
		}
	}
	return rates, nil
}

// Nominal is the calibration of an AMD EPYC without AVX-512 that does other work beside: 1.6 ns a unit,
// of which one with AVX-512 takes about 1. A method without an estimate takes the second that it counts with.
func Nominal(p plan.Plan) Calibration {
	rates := Calibration{}
	for _, j := range p.Jobs() {
		rates[j.Column.Method.ID] = 1.6e-9
		if j.Column.Method.Work == nil {
			rates[j.Column.Method.ID] = 1e-9
		}
	}
	return rates
}

// Seconds estimates the CPU time of a job on this machine.
func (c Calibration) Seconds(j plan.Job, source *plan.Source) float64 {
	return c[j.Column.Method.ID] * Work(j, source)
}

// Stages are those of a job with the CPU seconds that they take on this machine.
func (c Calibration) Stages(j plan.Job, source *plan.Source) Stages {
	stages := StagesOf(j, source)
	for _, tasks := range stages {
		for i := range tasks {
			tasks[i] *= c[j.Column.Method.ID]
		}
	}
	return stages
}

// middle picks the two settings in the middle of a grid. Those of R2LML have
// four metrics each, so that they fill a batch as those of a whole grid do.
func middle(grid []method.Setting) []method.Setting {
	at := len(grid) / 2
	return grid[max(at-1, 0) : at+1]
}

// rate fits settings to a problem, those that the method fits together, as often
// as it takes to measure the time, and returns the CPU seconds of a cell by unit of work.
func rate(ctx context.Context, m method.Method, settings []method.Setting, problem method.Problem, size method.Size) (float64, error) {
	task := m.Tasks(problem, settings)[0]
	estimate := workOf(m)
	units, _ := estimate(size, method.ParamsOf(settings[task.Settings[0]]))
	for _, i := range task.Settings {
		_, each := estimate(size, method.ParamsOf(settings[i]))
		units += each
	}
	started, runs := machine.CPUSeconds(), 0
	for runs < mostMeasured && machine.CPUSeconds()-started < leastMeasured {
		if _, err := run.FitFirst(ctx, m, settings, problem); err != nil {
			return 0, err
		}
		runs++
	}
	return settled * (machine.CPUSeconds() - started) / (units * float64(runs)), nil
}
