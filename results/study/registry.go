package study

import (
	"context"
	"slices"

	"r2lmlbench/experiments/plan"
	"r2lmlbench/experiments/spec"
	"r2lmlbench/results/store"
	"r2lmlbench/results/table"
)

// A Study is a line of the registry: a question that cells answer and that needs code of
// its own. What compares two columns over data sets is a [Contrast] of a spec instead.
type Study struct {
	ID      string // as figures name it
	Spec    string // of the repository
	Title   string // one line of plain text
	Measure string // that writes what the study reads beside the accuracies; empty: none
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
		Measure: "zero-columns", Read: of(ReadLambda),
	},
	{
		ID: "triangle", Spec: "triangle", Title: "The triangle inequality",
		Measure: "triangle", Read: of(ReadTriangle),
	},
	{
		ID: "toy", Spec: "toy", Title: "One global metric against local ones",
		Measure: "coordinates", Read: of(ReadToy),
	},
	{
		ID: "convergence", Spec: "convergence", Title: "Convergence",
		Measure: "convergence", Read: of(ReadConvergence),
	},
}

// of makes the Read of a study that needs its table only.
func of[R Result](read func(table.Table) (R, error)) func(table.Table, map[string]int) (Result, error) {
	return func(t table.Table, _ map[string]int) (Result, error) { return read(t) }
}

// Of reads the study with this id, which there is, from the cells of its spec. The data
// files are not needed.
func Of(ctx context.Context, id string, cells *store.Store) (Result, error) {
	at := slices.IndexFunc(Studies, func(known Study) bool { return known.ID == id })
	p, err := plan.Named(ctx, Studies[at].Spec)
	if err != nil {
		return nil, err
	}
	t, err := table.Of(p, cells)
	if err != nil {
		return nil, err
	}
	return Read(id, t)
}

// Read reads the study with this id, which there is, from a table of its spec or one that
// measures the same.
func Read(id string, t table.Table) (Result, error) {
	classes := map[string]int{}
	for _, e := range spec.PaperEntries() {
		classes[e.ID] = len(e.Labels)
	}
	at := slices.IndexFunc(Studies, func(known Study) bool { return known.ID == id })
	return Studies[at].Read(t, classes)
}
