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
	Measure string // that writes what the study reads beside the accuracies; empty: none
	// read reads the result of the table of the spec. classes has the number of classes
	// by data set id.
	read func(t table.Table, classes map[string]int) (Result, error)
}

// Studies is the registry.
var Studies = []Study{
	{"collapse", "variants", "", of(ReadCollapse)},
	{"metrics", "metrics", "", func(t table.Table, classes map[string]int) (Result, error) { return ReadMetrics(t, classes) }},
	{"lambda", "lambda", "zero-columns", of(ReadLambda)},
	{"triangle", "triangle", "triangle", of(ReadTriangle)},
	{"toy", "toy", "coordinates", of(ReadToy)},
	{"convergence", "convergence", "convergence", of(ReadConvergence)},
}

// of makes the read of a study that needs its table only.
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
	return Studies[at].read(t, classes)
}
