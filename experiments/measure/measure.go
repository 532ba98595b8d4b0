// Package measure measures the fit that labels the test samples of a cell and writes
// counts and series into the cell. Each file writes and reads one measure, so that its
// keys occur once. Specs name measures under `measure`; results/paper evaluates their
// numbers.
package measure

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"r2lmlbench/r2lml"
	"r2lmlbench/results"
)

// Measured holds the counts and series that a measure writes into a cell.
type Measured struct {
	Facts  []results.Count
	Series []results.Series
}

// A Fit is the fit that labels the test samples of a cell.
type Fit struct {
	Problem   r2lml.Problem
	Setting   any // the hyper-parameters, resolved
	Fitted    r2lml.Fitted
	Neighbors int // k of the k-NN rule
	Voting    r2lml.Voting
	Truth     []int // labels of the test samples, which are the last query samples; for counts only
}

// A Need is a requirement of a measure on a method.
type Need int

// Needs.
const (
	NeedsLocalMetric Need = iota // its metric is a combination of linear maps, an r2lml.LocalMetric
	NeedsObjective               // its objective can be followed, see r2lml.Trace
	NeedsGrid                    // its settings can be fitted to the test problem
	NeedsMetric                  // the k-NN rule labels samples under its metric
)

// A Measure adds counts and series about the fit that labels the test samples to a
// cell. Specs name it under `measure`.
type Measure struct {
	Name  string
	About string // description
	Needs Need
	// Take measures the fit; nil for Surface, whose fits the runner makes.
	Take func(ctx context.Context, f Fit) (Measured, error)
}

// onLocalMetric converts a function on the maps and coefficients of a local metric to
// Measure.Take.
func onLocalMetric(take func(context.Context, Fit, *r2lml.LocalMetric) (Measured, error)) func(context.Context, Fit) (Measured, error) {
	return func(ctx context.Context, f Fit) (Measured, error) {
		local, ok := f.Fitted.Metric.(*r2lml.LocalMetric)
		if !ok {
			return Measured{}, errors.New("the method's metric is not a combination of linear maps; leave the method out of this spec")
		}
		return take(ctx, f, local)
	}
}

// Convergence follows the objective in runs of the plain solver, which take most of the time
// of a cell.
const Convergence = "convergence"

// Surface fits every setting of a grid to the test problem. Its result is
// results.GridScores, not a count or series.
const Surface = "surface"

// Measures lists all measures, in the order of their counts and series in cells.
var Measures = []Measure{
	{"zero-columns", "zero columns of the maps", NeedsLocalMetric, onLocalMetric(takeZeroColumns)},
	{"triangle", "violations of the triangle inequality", NeedsLocalMetric, onLocalMetric(takeTriangle)},
	{"coordinates", "where the samples of a small set are", NeedsLocalMetric, onLocalMetric(takeCoordinates)},
	{Convergence, "the objective over the iterations", NeedsObjective, takeConvergence},
	{Surface, "the accuracy of every point of the grid on the test samples", NeedsGrid, nil},
	{"votes", "votes that one label wins, and tied ones", NeedsMetric, takeVotes},
}

// Find returns the measure of that name.
func Find(name string) (Measure, bool) {
	i := slices.IndexFunc(Measures, func(m Measure) bool { return m.Name == name })
	if i < 0 {
		return Measure{}, false
	}
	return Measures[i], true
}

// Names returns the names of the measures, in their order.
func Names() []string {
	names := make([]string, len(Measures))
	for i, m := range Measures {
		names[i] = m.Name
	}
	return names
}

// Take applies the wanted measures to a fit.
func Take(ctx context.Context, wanted []string, f Fit) (Measured, error) {
	var all Measured
	for _, m := range Measures {
		if m.Take == nil || !slices.Contains(wanted, m.Name) {
			continue
		}
		one, err := m.Take(ctx, f)
		if err != nil {
			return all, fmt.Errorf("measure %s: %w", m.Name, err)
		}
		all.Facts = append(all.Facts, one.Facts...)
		all.Series = append(all.Series, one.Series...)
	}
	return all, nil
}

// factOf returns a count of a cell; nil without it.
func factOf(facts []results.Count, name string) *results.Count {
	if f, ok := results.CountOf(facts, name); ok {
		return &f
	}
	return nil
}

// floatsOf returns the numbers of a series of a cell; nil without it.
func floatsOf(series []results.Series, name string) []float64 {
	for _, s := range series {
		if s.Name == name {
			return s.Values
		}
	}
	return nil
}
