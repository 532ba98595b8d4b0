package plan

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"r2lmlbench/datasets"
	"r2lmlbench/experiments/measure"
	"r2lmlbench/experiments/method"
	"r2lmlbench/experiments/spec"
	"r2lmlbench/results"
	"r2lmlbench/results/store"
)

// A Plan is a spec spelled out: every cell of its table with the inputs that
// identify it.
type Plan struct {
	Spec *spec.Spec
	Rows []Row
}

// A Row is one split of one data set.
type Row struct {
	Entry  datasets.Entry
	Rule   datasets.Rule
	Repeat int     // which of several splits, from 1
	Jobs   [][]Job // by column, then by seed

	// Shared are the test rows, of Tested ones, that equal a training row in class and
	// features; both are 0 but for own data.
	Shared, Tested int
}

// A Job is a cell to be computed or looked up.
type Job struct {
	Entry  *datasets.Entry // shared by the jobs of a row
	Rule   *datasets.Rule  // the same, but for columns with principal components of their own
	Column *spec.Column
	Inputs results.Inputs

	// Part are the fitted points of the grid that a share scores, and leaves in the journal
	// of the cell, where several shares divide it; nil: the whole cell. Last: once the points
	// of other shares are there, too, this one finishes the cell.
	Part []int
	Last bool
}

// Scores tells whether a point is to be scored by who has the job: the first that has its
// fit is a point of the part.
func (j Job) Scores(fitted int) bool { return j.Part == nil || slices.Contains(j.Part, fitted) }

// LeftOut tells whether the stanza of the job leaves its data set out: it has a place in
// the row, and is not computed.
func (j Job) LeftOut() bool { return j.Column.LeavesOut(j.Entry.ID) }

// New spells out spec. It does not need the data files where the catalogue
// knows the digests. Own data are read, and their faults are the error;
// so is that of ctx when it ends first.
func New(ctx context.Context, s *spec.Spec, source *Source) (Plan, error) {
	plan := Plan{Spec: s}
	entries, faults := source.AllKnown(ctx, s)
	if len(faults) > 0 {
		return plan, errors.Join(faults...)
	}
	for _, e := range entries {
		for number := 1; number <= s.Split.SplitsOf(e); number++ {
			plan.Rows = append(plan.Rows, Row{Entry: e, Rule: s.Split.RuleOf(e, number), Repeat: number})
		}
	}
	digests := source.allDigests(ctx, plan.Rows)
	if ctx.Err() != nil {
		return Plan{Spec: s}, ctx.Err()
	}
	for i := range plan.Rows {
		plan.Rows[i].Shared, plan.Rows[i].Tested = digests[i].shared, digests[i].tested
		plan.Rows[i].spell(s, source, digests[i])
	}
	return plan, nil
}

// Named spells out the spec of this name or path without the data files: digests of random
// splits are unknown, and cells are found by all else.
func Named(ctx context.Context, name string) (Plan, error) {
	s, err := spec.Load(name)
	if err != nil {
		return Plan{}, err
	}
	return New(ctx, s, Catalogue())
}

// Of tells whether a plan is that of another of the same name, and not of a spec that
// only has its name: its cells are the same, all of them unless it was narrowed. Digests
// do not count, which one of them may not know. No plan is that of the zero Plan.
func (p Plan) Of(other Plan) bool {
	if other.Spec == nil || p.Spec.Name != other.Spec.Name {
		return false
	}
	cells := func(p Plan) map[store.Place]string {
		keys := map[store.Place]string{}
		for _, row := range p.Rows {
			for _, jobs := range row.Jobs { // which differ in the seed
				in := jobs[0].Inputs
				in.DatasetDigest, in.SplitDigest, in.Seed = "", "", uint64(len(jobs))
				keys[jobs[0].Place()] = in.Key()
			}
		}
		return keys
	}
	ours, theirs := cells(p), cells(other)
	for place, key := range ours {
		if theirs[place] != key {
			return false
		}
	}
	return p.Spec.Narrowed || len(ours) == len(theirs)
}

// NewRow spells out one split of a data set: the cells of all columns and seeds.
func NewRow(s *spec.Spec, source *Source, e datasets.Entry, rule datasets.Rule, repeat int) Row {
	if known, err := source.known(context.Background(), s, e); err == nil {
		e = known
	}
	row := Row{Entry: e, Rule: rule, Repeat: repeat}
	row.spell(s, source, source.digests(e, rule))
	return row
}

// spell lists the jobs of a row. Those of a column with principal components of its own
// have a rule of their own.
func (row *Row) spell(s *spec.Spec, source *Source, known digests) {
	e := &row.Entry
	for i := range s.Columns {
		col, rule, known := &s.Columns[i], &row.Rule, known
		if other := col.RuleOf(*e, *rule); other != *rule {
			rule, known = &other, source.digests(*e, other)
		}
		split := spec.SplitName(*e, *rule)
		var jobs []Job
		list, selects := col.Points(e.ID), ""
		if len(list) > 1 {
			selects = col.Select
		}
		for seed := 1; seed <= col.SeedsOf(e.ID); seed++ {
			jobs = append(jobs, Job{Entry: e, Rule: rule, Column: col, Inputs: results.Inputs{
				Dataset: e.ID, DatasetDigest: known.dataset,
				Split: split, SplitDigest: known.split,
				Method: col.Method.ID, Version: col.Method.Version,
				Points: list, Seed: uint64(seed), Neighbors: col.Neighbors[e.ID], Measure: col.Measure,
				Unlabeled: col.Unlabeled, Select: selects, Folds: col.Folds, Ties: col.Voting.Ties, Distances: col.Voting.Distances,
			}})
		}
		row.Jobs = append(row.Jobs, jobs)
	}
}

// Neighbors is the k with which point i of a job labels samples: that of the inputs,
// or its own where the grid has several. Imported predictions have none, which is 0.
func (j Job) Neighbors(i int) int {
	return cmp.Or(j.Inputs.Neighbors, j.Column.Settings[j.Entry.ID][i/j.Column.Restarts].Rule.K)
}

// Fitted tells, for every setting of a job, the first one that has the same fit: they
// differ in k at most.
func (j Job) Fitted() []int {
	settings := j.Column.Settings[j.Entry.ID]
	first := map[string]int{}
	same := make([]int, len(settings))
	for i, s := range settings {
		if s.Rule.K == 0 {
			same[i] = i
			continue
		}
		key := string(results.PointsJSON([]results.Point{{Params: method.ParamsOf(s.Fitted())}}))
		if _, ok := first[key]; !ok {
			first[key] = i
		}
		same[i] = first[key]
	}
	return same
}

// Distinct lists the settings of a job that are fitted: of those that differ in k alone,
// the first.
func (j Job) Distinct() []int {
	var distinct []int
	for i, first := range j.Fitted() {
		if first == i {
			distinct = append(distinct, i)
		}
	}
	return distinct
}

// Bundle is the same for jobs of a ruled method that differ in k alone.
func (j Job) Bundle() string {
	in := j.Inputs
	in.Neighbors = 0
	return in.Key()
}

// Bundles groups jobs that have the same fits: they differ in k at most. Jobs of methods
// whose fits depend on k, such as programs, stand alone, and so does the second of two
// jobs of one cell. Within a bundle k ascends.
func Bundles(jobs []Job) [][]Job {
	var bundles [][]Job
	if !slices.ContainsFunc(jobs, func(j Job) bool { return j.Inputs.Neighbors != jobs[0].Inputs.Neighbors }) { // no two share fits
		for i := range jobs {
			bundles = append(bundles, jobs[i:i+1:i+1])
		}
		return bundles
	}
	at := map[string]int{}
	for _, j := range jobs {
		key := j.Bundle()
		i, ok := at[key]
		if !ok || !j.Column.Method.Ruled() || slices.ContainsFunc(bundles[i], func(o Job) bool { return o.Inputs.Neighbors == j.Inputs.Neighbors }) {
			i = len(bundles)
			bundles = append(bundles, nil)
			if !ok {
				at[key] = i
			}
		}
		bundles[i] = append(bundles[i], j)
	}
	for _, b := range bundles {
		slices.SortStableFunc(b, func(a, b Job) int { return a.Inputs.Neighbors - b.Inputs.Neighbors })
	}
	return bundles
}

// Joint tells whether a transductive method has validation and test samples
// unlabelled together.
func (j Job) Joint() bool { return j.Inputs.Unlabeled == results.UnlabeledJoint }

// Surface tells whether every grid point of the job is fitted to the test
// problem, too.
func (j Job) Surface() bool { return slices.Contains(j.Inputs.Measure, measure.Surface) }

// Fits is the number of grid points that get a score for the job, those of its
// surface included; 1 without a grid. Points that differ in k alone share a fit.
func (j Job) Fits() int {
	n := len(j.Inputs.Points)
	if j.Part != nil {
		n = 0
		for _, first := range j.Fitted() {
			for restart := range j.Column.Restarts {
				if j.Scores(first*j.Column.Restarts + restart) {
					n++
				}
			}
		}
		return n
	}
	if j.Surface() && !j.Joint() {
		return 2*n - 1 // the chosen point is fitted to the test problem anyway
	}
	return n
}

// Jobs lists the cells that can be computed, row by row: those that are not
// imported or left out.
func (p Plan) Jobs() []Job {
	return slices.DeleteFunc(p.AllJobs(), func(j Job) bool { return j.Column.Method.Imported })
}

// Place is the entry of a job in a list of accepted cells, without its file.
func (j Job) Place() store.Place {
	return store.Place{Dataset: j.Inputs.Dataset, Split: j.Inputs.Split, Method: j.Column.ID, Seed: j.Inputs.Seed}
}

// AllJobs is Jobs with the cells that were imported.
func (p Plan) AllJobs() []Job {
	var jobs []Job
	for _, row := range p.Rows {
		for _, column := range row.Jobs {
			if !column[0].LeftOut() {
				jobs = append(jobs, column...)
			}
		}
	}
	return jobs
}
