package study

import (
	"slices"

	"r2lmlbench/results"
	"r2lmlbench/results/table"
)

// A Study is a line of the registry: a question that cells answer.
type Study struct {
	ID    string // as figures name it
	Spec  string // of the repository, with the cells that the reproduction report reads; empty: it has no part there
	Title string // one line of plain text
	// Measure writes what the study reads beside the accuracies; nil: nothing.
	Measure *Measure
	Cells   bool // it reads the cells of every seed, beside the table
	// Read reads the result of a table.
	Read func(in Input) (Result, error)
}

// An Input is what a study is read from.
type Input struct {
	Table      table.Table    // of the spec
	Classes    map[string]int // number of classes by data set id
	Accuracies table.Table    // of the spec accuracy; it may be empty
	Runs       []Runs         // of its columns, with all seeds; there may be none
	Files      []AuthorFile   // splits that the paper's authors published
	// Rows are what the table was made of, for a study with Cells. As many as the
	// table has; nil: nothing is known but the table.
	Rows []table.RowInput
}

// A Result is what cells say about the question of a study.
type Result interface {
	// Covered tells how much of the study has been run.
	Covered() Coverage
	// Claims are what the result decides.
	Claims() []Claim
	// Listings are its numbers as plain texts.
	Listings() []table.Listing
}

// Studies is the registry. The order of the measures is that in which cells hold
// what they write.
var Studies = []Study{
	{ID: "collapse", Spec: "variants", Title: "The coefficients under the published block 2", Read: of(ReadCollapse)},
	{
		ID: "steps", Spec: "steps", Title: "The step length of T-R2LML and the size of its problem",
		Read: func(in Input) (Result, error) { return ReadSteps(in.Table, in.Accuracies) },
	},
	{
		ID: "metrics", Spec: "metrics", Title: "Accuracy against the number of metrics",
		Read: func(in Input) (Result, error) { return ReadMetrics(in.Table, in.Classes) },
	},
	{
		ID: "lambda", Spec: "lambda", Title: "Accuracy against λ on overlapping classes",
		Measure: &Measure{"zero-columns", NeedsLocalMetric, onField(takeZeroColumns)}, Read: of(ReadLambda),
	},
	{
		ID: "triangle", Spec: "triangle", Title: "The triangle inequality",
		Measure: &Measure{"triangle", NeedsLocalMetric, onField(takeTriangle)}, Read: of(ReadTriangle),
	},
	{
		ID: "toy", Spec: "toy", Title: "One global metric against local ones",
		Measure: &Measure{"coordinates", NeedsLocalMetric, onField(takeCoordinates)}, Read: of(ReadToy),
	},
	{
		ID: "convergence", Spec: "convergence", Title: "Convergence",
		Measure: &Measure{"convergence", NeedsObjective, takeConvergence}, Read: of(ReadConvergence),
	},
	{
		ID: "surfaces", Spec: "surfaces", Title: "Accuracy at every point of the grids",
		Measure: &Measure{SurfaceMeasure, NeedsGrid, nil}, Cells: true,
		Read: func(in Input) (Result, error) { return ReadSurfaces(in) },
	},
	{
		ID: "gap", Title: "Training, validation and test",
		Measure: &Measure{"training-accuracy", NeedsLocalMetric, onField(takeTraining)}, Read: of(ReadGap),
	},
	{
		ID: "split-rule", Spec: "splits", Title: "Whether the splits are those of the rule",
		Read: func(in Input) (Result, error) { return ReadSplitRule(in) },
	},
	{ID: "alternatives", Spec: "alternatives", Title: "Alternatives for the Euclidean accuracies", Read: of(ReadAlternatives)},
	{
		ID: "scales", Spec: "scales", Title: "Accuracy against the scale of the features", Cells: true,
		Read: func(in Input) (Result, error) { return ReadScales(in) },
	},
	{
		ID: "joint", Spec: "joint", Title: "Validation and test samples unlabelled together", Cells: true,
		Read: func(in Input) (Result, error) { return ReadJoint(in) },
	},
	{ID: "probes", Spec: "probes", Title: "Permuted labels", Read: of(ReadProbes)},
	{
		ID: "contrasts", Spec: "splits", Title: "Differences of methods on random splits",
		Read: func(in Input) (Result, error) { return ReadContrasts(in.Table, in.Accuracies) },
	},
	{ID: "printed", Spec: "accuracy", Title: "Printed accuracies beside the classes of the test sets", Read: of(ReadPrinted)},
}

// Figures are the names of the figures that a spec may ask for, in the order of
// the report. Package figures draws them; specs are read without it.
var Figures = []string{"critical-difference", "verdicts", "collapse", "metrics", "lambda", "toy", "convergence", "costs"}

// Find returns the study with this id.
func Find(id string) (Study, bool) {
	i := slices.IndexFunc(Studies, func(s Study) bool { return s.ID == id })
	if i < 0 {
		return Study{}, false
	}
	return Studies[i], true
}

// of makes the Read of a study that needs its own table only.
func of[R Result](read func(table.Table) (R, error)) func(Input) (Result, error) {
	return func(in Input) (Result, error) { return read(in.Table) }
}

// Ids of the paper's two methods.
const (
	Efficient    = "e-r2lml"
	Transductive = "t-r2lml"
)

// PaperMethods are the paper's two methods in the order in which reports show them.
var PaperMethods = []string{Efficient, Transductive}

// The variants of the paper's methods: the authors' programs, and the algorithms
// as printed.
const (
	Reference = "reference"
	Published = "published"
)

// Variants are both, the reference first.
var Variants = []string{Reference, Published}

// Level is the level of significance of all studies.
const Level = 0.05

// A Coverage says how much of a study has been run.
type Coverage struct {
	Spec    string // name of the spec
	Cells   int    // of its table
	Missing int    // those without a result, failed ones included
	Failed  int
}

// Empty tells whether no cell has a result.
func (c Coverage) Empty() bool { return c.Missing == c.Cells }

// Covered is the coverage itself, which the results of studies embed.
func (c Coverage) Covered() Coverage { return c }

func coverageOf(t table.Table) Coverage {
	c := Coverage{Spec: t.Spec}
	for _, r := range t.Rows {
		for _, cell := range r.Cells[:min(len(r.Cells), len(t.Columns))] {
			c.Cells++
			if cell.Score == nil {
				c.Missing++
			}
			if cell.Status == table.StatusFailed {
				c.Failed++
			}
		}
	}
	return c
}

// A Set is a row of a table: a data set and its test samples.
type Set struct {
	Dataset, Letter, Name string
	N                     int // test samples
}

func setOf(r table.Row) Set { return Set{r.Dataset, r.Letter, r.Name, r.N} }

// cellAt is what a row has in a column, a missing cell where the row is cut off.
func cellAt(r table.Row, column int) table.Cell {
	if column < len(r.Cells) {
		return r.Cells[column]
	}
	return table.Cell{Status: table.StatusMissing}
}

// factOf is a fact of a score, nil without it.
func factOf(s *table.Score, key string) *results.Fact {
	if f, ok := s.FactOf(key); ok {
		return &f
	}
	return nil
}

// A Total adds facts up.
type Total struct{ Count, Of int }

func (t *Total) add(f results.Fact) {
	t.Count += f.Count
	t.Of += f.Of
}

// less tells whether the share of fact a is smaller than that of b.
func less(a, b results.Fact) bool { return a.Count*b.Of < b.Count*a.Of }
