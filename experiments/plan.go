package experiments

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"r2lmlbench/datasets"
	"r2lmlbench/results"
	"r2lmlbench/results/study"
)

// A Plan is a spec spelled out: every cell of its table with the inputs that
// identify it.
type Plan struct {
	Spec *Spec
	Rows []Row
}

// A Row is one split of one data set.
type Row struct {
	Entry  datasets.Entry
	Rule   datasets.Rule
	Repeat int     // which of several splits, or of the alternatives, from 1
	Jobs   [][]Job // by column, then by seed
}

// A Job is a cell to be computed or looked up.
type Job struct {
	Entry  datasets.Entry
	Rule   datasets.Rule
	Column *Column
	Inputs results.Inputs
}

// NewPlan spells out spec. It does not need the data files where the catalogue
// knows the digests, but for rule alternatives: while they are missing, that one
// has only the row of rule authors. It returns the error of ctx when that ends first.
func NewPlan(ctx context.Context, spec *Spec, source *Source) (Plan, error) {
	plan := Plan{Spec: spec}
	for _, e := range spec.Entries {
		for i, rule := range rules(spec, source, e) {
			if ctx.Err() != nil {
				return plan, ctx.Err()
			}
			plan.Rows = append(plan.Rows, newRow(spec, source, e, rule, i+1))
		}
	}
	return plan, nil
}

// rules lists the ways in which a spec divides a data set, one for each row.
func rules(spec *Spec, source *Source, e datasets.Entry) []datasets.Rule {
	if spec.Split.Rule == "alternatives" {
		return source.alternatives(e)
	}
	var list []datasets.Rule
	for repeat := 1; repeat <= spec.Split.Repeats; repeat++ {
		list = append(list, spec.Split.of(e, repeat))
	}
	return list
}

// of is the rule of a data set's split, the given one among random ones.
func (s Split) of(e datasets.Entry, repeat int) datasets.Rule {
	rule := datasets.Rule{Kind: s.Rule, PCAFit: "all"}
	if e.PCA > 0 {
		rule.PCAFit = s.PCA
	}
	if rule.Kind == "random" {
		rule.Seed, rule.Repeat = s.Seed, repeat
	}
	return rule
}

func newRow(spec *Spec, source *Source, e datasets.Entry, rule datasets.Rule, repeat int) Row {
	row := Row{Entry: e, Rule: rule, Repeat: repeat}
	dataset, split := source.digests(e, rule)
	for i := range spec.Columns {
		col := &spec.Columns[i]
		var jobs []Job
		for seed := 1; seed <= col.seeds(e.ID); seed++ {
			jobs = append(jobs, Job{Entry: e, Rule: rule, Column: col, Inputs: results.Inputs{
				Dataset: e.ID, DatasetDigest: dataset,
				Split: splitName(e, rule), SplitDigest: split,
				Method: col.Method.ID, Version: col.Method.Version,
				Points: col.points(e.ID), Seed: uint64(seed), Neighbors: neighbors(spec, col), Measure: col.Measure,
			}})
		}
		row.Jobs = append(row.Jobs, jobs)
	}
	return row
}

// splitName names a split in cells and tables.
func splitName(e datasets.Entry, rule datasets.Rule) string {
	if Imported(e) {
		return "imported"
	}
	return rule.String()
}

// neighbors is the k that labels the samples of a column; predictions that
// were made elsewhere know of none.
func neighbors(spec *Spec, col *Column) int {
	if col.Method.Imported {
		return 0
	}
	return spec.Neighbors
}

// seeds is the number of times a column is fitted to a data set: once when its method draws
// no random numbers.
func (c *Column) seeds(dataset string) int {
	if c.Method.Stochastic {
		return c.Seeds.of(dataset, 1)
	}
	return 1
}

// surface tells whether every grid point of the job is fitted to the test
// problem, too.
func (j Job) surface() bool { return slices.Contains(j.Inputs.Measure, study.SurfaceMeasure) }

// Fits is the number of grid points that are fitted for the job, those of its
// surface included; 1 without a grid.
func (j Job) Fits() int {
	n := len(j.Inputs.Points)
	if j.surface() {
		return 2*n - 1 // the chosen point is fitted to the test problem anyway
	}
	return n
}

// points lists what is tried on a data set: settings in grid order, the
// restarts of each innermost.
func (c *Column) points(dataset string) []results.Point {
	var points []results.Point
	for _, s := range c.settings[dataset] {
		for restart := range c.Restarts {
			points = append(points, results.Point{Params: paramsOf(s), Restart: restart})
		}
	}
	return points
}

// Jobs lists the cells that can be computed, row by row: those of methods that
// are built and whose cells are not imported.
func (p Plan) Jobs() []Job {
	var jobs []Job
	for _, row := range p.Rows {
		for i, column := range row.Jobs {
			if m := p.Spec.Columns[i].Method; m.Built && !m.Imported {
				jobs = append(jobs, column...)
			}
		}
	}
	return jobs
}

// Narrow keeps the named data sets and methods of a spec; empty lists keep
// all. A method is named by its column or by its id. Unknown names are errors.
func (s *Spec) Narrow(datasetNames, methodNames []string) error {
	entries, err := pick(s.Entries, datasetNames, "data set", func(e datasets.Entry) []string { return []string{e.ID, e.Letter} })
	if err != nil {
		return err
	}
	columns, err := pick(s.Columns, methodNames, "method", func(c Column) []string { return []string{c.ID, c.Method.ID} })
	if err != nil {
		return err
	}
	s.narrowed = s.narrowed || len(entries) < len(s.Entries) || len(columns) < len(s.Columns)
	s.Entries, s.Columns = entries, columns
	return nil
}

// pick keeps the items that have one of the wanted names, in their own order.
func pick[T any](items []T, wanted []string, what string, names func(T) []string) ([]T, error) {
	if len(wanted) == 0 {
		return items, nil
	}
	keep := make([]bool, len(items))
	for _, w := range wanted {
		found := false
		var known []string
		for i, item := range items {
			known = append(known, names(item)[0])
			if slices.ContainsFunc(names(item), func(n string) bool { return n != "" && strings.EqualFold(n, w) }) {
				keep[i], found = true, true
			}
		}
		if !found {
			return nil, fmt.Errorf("the spec has no %s %q%s; it has %s", what, w, suggest(w, known), strings.Join(known, ", "))
		}
	}
	var kept []T
	for i, item := range items {
		if keep[i] {
			kept = append(kept, item)
		}
	}
	return kept, nil
}
