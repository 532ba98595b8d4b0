package cost

import (
	"context"
	"fmt"

	"r2lmlbench/datasets"
	"r2lmlbench/experiments/method"
	"r2lmlbench/experiments/plan"
	"r2lmlbench/experiments/run"
	"r2lmlbench/experiments/spec"
	"r2lmlbench/internal/machine"
	"r2lmlbench/results"
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
	// over and over again, so that the clock's resolution does not count.
	leastMeasured = 0.1
	// mostMeasured bounds how often.
	mostMeasured = 20
)

// Calibrate fits every method of a plan to a small drawn problem, and measures
// the CPU time. What that spec has no stanza for, such as a program of the
// user's own, is taken to run as fast as estimated.
func Calibrate(ctx context.Context, p plan.Plan) (Calibration, error) {
	calibration, err := spec.Load(calibrationSpec)
	if err != nil {
		return nil, err
	}
	entry, err := spec.FindDataset(calibrationData)
	if err != nil {
		return nil, err
	}
	source, rule := plan.NewSource(""), datasets.Rule{Kind: "authors", PCAFit: "all"} // the set is generated
	split, err := source.Split(entry, rule)
	if err != nil {
		return nil, err
	}
	sizes, _ := source.Sizes(entry, rule)
	problem := run.ProblemOf(plan.Job{Entry: &entry, Inputs: results.Inputs{Seed: 1, Neighbors: 5}}, split, method.SelectionPhase, 0)
	rates := Nominal(p)
	for _, id := range methodIDs(p) {
		for _, c := range calibration.Columns {
			if c.Method.ID != id {
				continue
			}
			if rates[id], err = rate(ctx, c.Method, middle(c.Settings[calibrationSettings]), problem, sizes.Validation); err != nil {
				return nil, fmt.Errorf("calibration of %s: %w", id, err)
			}
		}
	}
	return rates, nil
}

// Nominal is the calibration of the machine whose time Work is in.
func Nominal(p plan.Plan) Calibration {
	rates := Calibration{}
	for _, id := range methodIDs(p) {
		rates[id] = 1e-9
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
// as it takes to measure the time, and returns the CPU seconds by unit of work.
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
	return (machine.CPUSeconds() - started) / (units * float64(runs)), nil
}
