package study

import (
	"context"
	"fmt"
	"slices"

	"r2lmlbench/results/table"
)

// A Study is a line of the registry: a question that cells answer.
type Study struct {
	ID    string // as figures name it
	Spec  string // of the repository, with the cells that the reproduction report reads; empty: it has no part there
	Title string // one line of plain text
	// Measure writes what the study reads beside the accuracies; nil: nothing.
	Measure *Measure
	// Read reads the result from tables; nil as long as none is.
	Read func(in Input) (Result, error)
}

// An Input is what a study is read from.
type Input struct {
	Table      table.Table    // of the spec
	Classes    map[string]int // number of classes by data set id
	Accuracies table.Table    // of the spec accuracy; it may be empty
	Runs       []Runs         // of its columns, with all seeds; there may be none
	Files      []AuthorFile   // splits that the paper's authors published
}

// Studies is the registry. The order of the measures is that in which cells hold
// what they write.
var Studies = []Study{
	{"collapse", "variants", "The coefficients under the published block 2", nil, of(ReadCollapse)},
	{"steps", "steps", "The step length of T-R2LML and the size of its problem", nil,
		func(in Input) (Result, error) { return ReadSteps(in.Table, in.Accuracies) }},
	{"metrics", "metrics", "Accuracy against the number of metrics", nil,
		func(in Input) (Result, error) { return ReadMetrics(in.Table, in.Classes) }},
	{"lambda", "lambda", "Accuracy against λ on overlapping classes", &Measure{"zero-columns", NeedsLocalMetric, onLocalMetric(takeZeroColumns)}, of(ReadLambda)},
	{"triangle", "triangle", "The triangle inequality", &Measure{"triangle", NeedsLocalMetric, onLocalMetric(takeTriangle)}, of(ReadTriangle)},
	{"toy", "toy", "One global metric against local ones", &Measure{"coordinates", NeedsLocalMetric, onLocalMetric(takeCoordinates)}, of(ReadToy)},
	{"convergence", "convergence", "Convergence", &Measure{"convergence", NeedsObjective, takeConvergence}, of(ReadConvergence)},
	{"surfaces", "surfaces", "Accuracy at every point of the grids", &Measure{SurfaceMeasure, NeedsGrid, nil}, nil},
	{"gap", "", "Training, validation and test", &Measure{"training-accuracy", NeedsLocalMetric, onLocalMetric(takeTraining)}, of(ReadGap)},
	{"split-rule", "splits", "Whether the splits are those of the rule", nil, func(in Input) (Result, error) { return ReadSplitRule(in) }},
	{"alternatives", "alternatives", "Alternatives for the Euclidean accuracies", nil, of(ReadAlternatives)},
}

// Figures are the names of the figures that a spec may ask for, in the order of
// the report. Package figures draws them; specs are read without it. A test holds
// the two lists together.
var Figures = []string{"critical-difference", "verdicts", "ladder", "placebo", "surfaces", "collapse", "metrics", "lambda", "toy", "convergence", "costs"}

// of makes the Read of a study that needs its own table only.
func of[R Result](read func(table.Table) (R, error)) func(Input) (Result, error) {
	return func(in Input) (Result, error) { return read(in.Table) }
}

// Measures are those of all studies, in the order in which a cell holds them.
var Measures = measuresOf(Studies)

func measuresOf(studies []Study) []Measure {
	var all []Measure
	for _, s := range studies {
		if s.Measure != nil {
			all = append(all, *s.Measure)
		}
	}
	return all
}

// FindMeasure returns the measure of that name.
func FindMeasure(name string) (Measure, bool) {
	i := slices.IndexFunc(Measures, func(m Measure) bool { return m.Name == name })
	if i < 0 {
		return Measure{}, false
	}
	return Measures[i], true
}

// MeasureNames lists them in their order.
func MeasureNames() []string {
	names := make([]string, len(Measures))
	for i, m := range Measures {
		names[i] = m.Name
	}
	return names
}

// Take takes the wanted measures of a fit.
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
