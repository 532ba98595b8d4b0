package figures

import (
	"errors"

	"r2lmlbench/results"
	"r2lmlbench/results/study"
	"r2lmlbench/results/table"
	"r2lmlbench/results/verdict"
)

// A Drawing is a line of the registry: figures that a spec can ask for by name.
type Drawing struct {
	Name  string
	Study string // id of the study that it draws; empty: none
	Draw  func(in Input) ([]Figure, error)
}

// An Input is what drawings are made from.
type Input struct {
	Table    table.Table
	Pooled   *table.Table     // Table with one row for each data set; nil where it is the same
	Verdicts verdict.Verdicts // on the published numbers of Table
	Costs    []Cost           // of the cells of Table
	Surfaces []results.Cell   // of the paper's two methods, with surfaces, of seed 1
	Study    study.Result     // of the drawing's study
}

// Names of drawings that reports choose themselves.
const (
	Ranks      = "critical-difference" // of a spec that says nothing about figures
	CostsName  = "costs"               // of every spec
	SplitsName = "splits"              // of every spec with several splits
	PaysName   = "pays"                // of the page of the reproduction report
)

// Drawings is the registry, in the order of the reproduction report.
var Drawings = []Drawing{
	{Ranks, "", func(in Input) ([]Figure, error) { return ranks(in.sets()) }},
	{SplitsName, "", func(in Input) ([]Figure, error) { return Splits(in.Table) }},
	{"verdicts", "", func(in Input) ([]Figure, error) { return Verdicts(in.Verdicts, in.names()) }},
	{"ladder", "", func(in Input) ([]Figure, error) { return Ladder(in.Verdicts) }},
	{"placebo", "", func(in Input) ([]Figure, error) { return Placebo(in.Verdicts.Placebo) }},
	{"surfaces", "surfaces", func(in Input) ([]Figure, error) { return Surfaces(in.Surfaces, in.Verdicts.Evidence, in.names()) }},
	{"collapse", "collapse", of(Collapse)},
	{"metrics", "metrics", of(Metrics)},
	{"lambda", "lambda", of(Lambda)},
	{"toy", "toy", of(Toy)},
	{"convergence", "convergence", of(Convergence)},
	{PaysName, "pays", of(Pays)},
	{CostsName, "", func(in Input) ([]Figure, error) { return timesAndCosts(in) }},
}

// sets is the table in which every data set counts once.
func (in Input) sets() table.Table {
	if in.Pooled != nil {
		return *in.Pooled
	}
	return in.Table
}

// names are those of the data sets, by id.
func (in Input) names() map[string]string {
	all := map[string]string{}
	for _, r := range in.Table.Rows {
		all[r.Dataset] = r.Name
	}
	return all
}

// ranks are the figures of the methods over the data sets.
func ranks(t table.Table) ([]Figure, error) { return both(CriticalDifference(t))(Comparisons(t)) }

// timesAndCosts are the figures of what the methods took.
func timesAndCosts(in Input) ([]Figure, error) {
	return both(Times(in.Costs, in.Table))(Costs(in.Costs))
}

// both joins the figures of two constructors.
func both(first []Figure, err error) func([]Figure, error) ([]Figure, error) {
	return func(second []Figure, other error) ([]Figure, error) {
		return append(first, second...), errors.Join(err, other)
	}
}

// of makes the Draw of a drawing of a study.
func of[R study.Result](draw func(R) ([]Figure, error)) func(Input) ([]Figure, error) {
	return func(in Input) ([]Figure, error) { return draw(in.Study.(R)) }
}
