package study

import (
	"context"
	"errors"

	"r2lmlbench/r2lml"
	"r2lmlbench/results"
)

// Measured is what a measure writes into a cell.
type Measured struct {
	Facts  []results.Fact
	Series []results.Series
}

// A Fit is the fit that labels the test samples of a cell.
type Fit struct {
	Problem   r2lml.Problem
	Setting   any // the hyper-parameters, resolved
	Fitted    r2lml.Fitted
	Neighbors int // k of the k-NN rule
	Voting    r2lml.Voting
	Truth     []int // labels of the test samples, for what is counted; they are the last query samples
}

// A Need is what a measure needs of a method.
type Need int

// String names it in words.
func (n Need) String() string {
	return [...]string{NeedsLocalMetric: "a local metric", NeedsObjective: "an objective", NeedsGrid: "a grid", NeedsMetric: "a metric"}[n]
}

// Needs.
const (
	NeedsLocalMetric Need = iota // its metric is a combination of linear maps, an r2lml.LocalMetric
	NeedsObjective               // its objective can be followed, see r2lml.Trace
	NeedsGrid                    // its settings can be fitted to the test problem
	NeedsMetric                  // the k-NN rule labels samples under its metric
)

// A Measure looks at the fit that labels the test samples of a cell and adds
// counts and series to the cell. Specs name it under `measure`.
type Measure struct {
	Name  string
	About string // what it counts, in words
	Needs Need
	// Take measures the fit; nil for a measure that needs fits of its own, which
	// the runner makes.
	Take func(ctx context.Context, f Fit) (Measured, error)
}

// onLocalMetric makes a measure of one that needs the maps and coefficients of a local
// metric.
func onLocalMetric(take func(context.Context, Fit, *r2lml.LocalMetric) (Measured, error)) func(context.Context, Fit) (Measured, error) {
	return func(ctx context.Context, f Fit) (Measured, error) {
		local, ok := f.Fitted.Metric.(*r2lml.LocalMetric)
		if !ok {
			return Measured{}, errors.New("the method's metric is not a combination of linear maps; leave the method out of this spec")
		}
		return take(ctx, f, local)
	}
}

// SurfaceMeasure fits every point of a grid to the test problem. Its outcome is
// no fact or series of a cell, see results.Surface.
const SurfaceMeasure = "surface"
