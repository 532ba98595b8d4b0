package study

import (
	"context"
	"slices"

	"r2lmlbench/experiments/plan"
	"r2lmlbench/results/published"
	"r2lmlbench/results/store"
	"r2lmlbench/results/table"
)

// A Study is a line of the registry: a question that cells answer and that needs code of
// its own. What compares two columns over data sets is a [Contrast] of a spec instead.
type Study struct {
	ID      string                            // as figures name it
	Spec    string                            // of the repository
	Measure string                            // that writes what the study reads beside the accuracies; empty: none
	read    func(table.Table) (Result, error) // of the spec
}

// Studies is the registry.
var Studies = []Study{
	{"collapse", "variants", "", of(ReadCollapse)},
	{"metrics", "metrics", "", of(ReadMetrics)},
	{"lambda", "lambda", "zero-columns", of(ReadLambda)},
	{"toy", "toy", "coordinates", of(ReadToy)},
	{"convergence", "convergence", "convergence", of(ReadConvergence)},
}

// of is a reader whose result is a Result.
func of[R Result](read func(table.Table) (R, error)) func(table.Table) (Result, error) {
	return func(t table.Table) (Result, error) { return read(t) }
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
	at := slices.IndexFunc(Studies, func(known Study) bool { return known.ID == id })
	return Studies[at].read(t)
}

// PaperMethods are the paper's two methods in the order in which reports show them.
var PaperMethods = []string{published.Efficient, published.Transductive}

// The variants of the paper's methods: the authors' programs, and the algorithms
// as printed.
const (
	Reference = "reference"
	Published = "published"
)

// Variants are both, the reference first.
var Variants = []string{Reference, Published}
