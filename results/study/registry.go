package study

import (
	"context"
	"fmt"
	"slices"

	"r2lmlbench/results/table"
)

// A Study is a line of the registry: a question that cells answer and that needs code of
// its own. What compares two columns over data sets is a [Contrast] of a spec instead.
type Study struct {
	ID    string // as figures name it
	Spec  string // of the repository
	Title string // one line of plain text
	// Measure writes what the study reads beside the accuracies; nil: nothing.
	Measure *Measure
	// Read reads the result of the table of the spec. classes has the number of classes
	// by data set id.
	Read func(t table.Table, classes map[string]int) (Result, error)
}

// Studies is the registry. The order of the measures is that in which cells hold
// what they write.
var Studies = []Study{
	{ID: "collapse", Spec: "variants", Title: "The coefficients under the published block 2", Read: of(ReadCollapse)},
	{
		ID: "metrics", Spec: "metrics", Title: "Accuracy against the number of metrics",
		Read: func(t table.Table, classes map[string]int) (Result, error) { return ReadMetrics(t, classes) },
	},
	{
		ID: "lambda", Spec: "lambda", Title: "Accuracy against λ on overlapping classes",
		Measure: &Measure{"zero-columns", "zero columns of the maps", NeedsLocalMetric, onLocalMetric(takeZeroColumns)}, Read: of(ReadLambda),
	},
	{
		ID: "triangle", Spec: "triangle", Title: "The triangle inequality",
		Measure: &Measure{"triangle", "violations of the triangle inequality", NeedsLocalMetric, onLocalMetric(takeTriangle)}, Read: of(ReadTriangle),
	},
	{
		ID: "toy", Spec: "toy", Title: "One global metric against local ones",
		Measure: &Measure{"coordinates", "where the samples of a small set are", NeedsLocalMetric, onLocalMetric(takeCoordinates)}, Read: of(ReadToy),
	},
	{
		ID: "convergence", Spec: "convergence", Title: "Convergence",
		Measure: &Measure{"convergence", "the objective over the iterations", NeedsObjective, takeConvergence}, Read: of(ReadConvergence),
	},
}

// Figures are the names of the figures that a spec may ask for, in the order of
// the report. Package figures draws them; specs are read without it. A test holds
// the two lists together.
var Figures = []string{
	"critical-difference", "splits", "collapse", "metrics", "lambda", "toy", "convergence", "contrasts", "costs",
}

// of makes the Read of a study that needs its table only.
func of[R Result](read func(table.Table) (R, error)) func(table.Table, map[string]int) (Result, error) {
	return func(t table.Table, _ map[string]int) (Result, error) { return read(t) }
}

// Measures are those of all studies and then two that serve verdicts, in the order in
// which a cell holds them.
var Measures = append(measuresOf(Studies),
	Measure{SurfaceMeasure, "the accuracy of every point of the grid on the test samples", NeedsGrid, nil},
	Measure{"votes", "votes that one label wins, and tied ones", NeedsMetric, takeVotes})

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
