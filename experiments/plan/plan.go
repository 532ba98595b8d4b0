// Package plan lists the cells of a spec: a job for each method, data set, split and seed, with
// the digests of its inputs. It says which of them a store has, and of the others what differs.
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

// A Plan lists every cell of the table of a spec with the inputs that identify
// it.
type Plan struct {
	Spec   *spec.Spec
	Splits []Split
}

// A Split is one split of one data set, with its jobs.
type Split struct {
	Dataset datasets.DataSet
	Rule    datasets.Rule
	Repeat  int     // which of several splits, from 1
	Jobs    [][]Job // by column, then by seed

	// Shared of Tested test rows equal a training row in class and features; both are 0
	// except for own data.
	Shared, Tested int
}

// A Job is a cell to be computed or looked up.
type Job struct {
	Dataset *datasets.DataSet // shared by the jobs of a row
	Rule    *datasets.Rule    // that of the row, except for columns with their own principal components
	Column  *spec.Column
	Inputs  results.Inputs

	// Part are the fitted points of the grid that a share scores, and leaves in the journal
	// of the cell, where several shares divide it; nil: the whole cell. Last: once the points
	// of other shares are there, too, this one finishes the cell.
	Part []int
	Last bool
}

// Scores reports whether the job scores a point; fitted is the first point with the same fit.
func (j Job) Scores(fitted int) bool { return j.Part == nil || slices.Contains(j.Part, fitted) }

// LeftOut reports whether the method block excludes the data set of the job. Such a job is
// in the row but is not computed.
func (j Job) LeftOut() bool { return j.Column.LeavesOut(j.Dataset.ID) }

// New makes the plan of a spec. It needs no data files if the catalogue has the
// digests. It reads own data and returns their faults as the error, or the
// error of ctx when ctx ends first.
func New(ctx context.Context, s *spec.Spec, source *Source) (Plan, error) {
	plan := Plan{Spec: s}
	entries, faults := source.AllKnown(ctx, s)
	if len(faults) > 0 {
		return plan, errors.Join(faults...)
	}
	for _, e := range entries {
		for number := 1; number <= s.Split.SplitsOf(e); number++ {
			plan.Splits = append(plan.Splits, Split{Dataset: e, Rule: s.Split.RuleOf(e, number), Repeat: number})
		}
	}
	digests := source.allDigests(ctx, plan.Splits)
	if ctx.Err() != nil {
		return Plan{Spec: s}, ctx.Err()
	}
	for i := range plan.Splits {
		plan.Splits[i].Shared, plan.Splits[i].Tested = digests[i].shared, digests[i].tested
		plan.Splits[i].spell(s, source, digests[i])
	}
	return plan, nil
}

// Named makes the plan of the spec with this name or path without data files: digests of random
// splits are unknown, and cells are found by their other inputs.
func Named(ctx context.Context, name string) (Plan, error) {
	s, err := spec.Load(name)
	if err != nil {
		return Plan{}, err
	}
	return New(ctx, s, Catalogue())
}

// Of reports whether p and other plan the same cells, or p, if narrowed, some of them. It
// does not compare digests, because one of the plans may not know them. It is false for the
// zero Plan.
func (p Plan) Of(other Plan) bool {
	if other.Spec == nil || p.Spec.Name != other.Spec.Name {
		return false
	}
	cells := func(p Plan) map[store.Key]string {
		keys := map[store.Key]string{}
		for _, row := range p.Splits {
			for _, jobs := range row.Jobs { // they differ in the seed only
				in := jobs[0].Inputs
				in.DatasetDigest, in.SplitDigest, in.Seed = "", "", uint64(len(jobs))
				keys[jobs[0].Key()] = in.Key()
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

// NewRow returns the row of one split of a data set: the jobs of all columns and seeds.
func NewRow(s *spec.Spec, source *Source, e datasets.DataSet, rule datasets.Rule, repeat int) Split {
	if known, err := source.known(context.Background(), s, e); err == nil {
		e = known
	}
	row := Split{Dataset: e, Rule: rule, Repeat: repeat}
	row.spell(s, source, source.digests(e, rule))
	return row
}

// spell sets the jobs of a row. Columns with their own principal components have their own
// rule.
func (row *Split) spell(s *spec.Spec, source *Source, known digests) {
	e := &row.Dataset
	for i := range s.Columns {
		col, rule, known := &s.Columns[i], &row.Rule, known
		if other := col.RuleOf(*e, *rule); other != *rule {
			rule, known = &other, source.digests(*e, other)
		}
		split := spec.SplitName(*e, *rule)
		var jobs []Job
		list, selects := col.Grid(e.ID), ""
		if len(list) > 1 {
			selects = col.Select
		}
		for seed := 1; seed <= col.SeedsOf(e.ID); seed++ {
			jobs = append(jobs, Job{Dataset: e, Rule: rule, Column: col, Inputs: results.Inputs{
				Dataset: e.ID, DatasetDigest: known.dataset,
				Split: split, SplitDigest: known.split,
				Method: col.Method.ID, Version: col.Method.Version,
				Settings: list, Seed: uint64(seed), Neighbors: col.Neighbors[e.ID], Measure: col.Measure,
				Unlabeled: col.Unlabeled, Select: selects, Folds: col.Folds, Ties: col.Voting.Ties, Distances: col.Voting.Distances,
			}})
		}
		row.Jobs = append(row.Jobs, jobs)
	}
}

// Neighbors returns the k of setting i of a job: that of the inputs, or that of the setting
// if the grid has several; 0 for imported predictions.
func (j Job) Neighbors(i int) int {
	return cmp.Or(j.Inputs.Neighbors, j.Column.Settings[j.Dataset.ID][i/j.Column.Restarts].Rule.K)
}

// Fitted returns, for every setting of a job, the first setting with the same fit: they
// differ in k at most.
func (j Job) Fitted() []int {
	settings := j.Column.Settings[j.Dataset.ID]
	first := map[string]int{}
	same := make([]int, len(settings))
	for i, s := range settings {
		if s.Rule.K == 0 {
			same[i] = i
			continue
		}
		key := string(results.SettingsJSON([]results.Setting{{Params: method.ParamsOf(s.Fitted())}}))
		if _, ok := first[key]; !ok {
			first[key] = i
		}
		same[i] = first[key]
	}
	return same
}

// Distinct returns the settings of a job that are fitted: of settings that differ only in k,
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

// Joint reports whether a transductive method gets the validation and test samples
// together, without labels.
func (j Job) Joint() bool { return j.Inputs.Unlabeled == results.UnlabeledJoint }

// Surface reports whether every setting of the job is also fitted to the test
// problem.
func (j Job) Surface() bool { return slices.Contains(j.Inputs.Measure, measure.Surface) }

// Fits returns the number of scored settings of the job, including test scores of the
// grid; 1 without a grid. Settings that differ only in k share a fit.
func (j Job) Fits() int {
	n := len(j.Inputs.Settings)
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
		return 2*n - 1 // the chosen setting is fitted to the test problem once
	}
	return n
}

// Jobs returns the jobs that can be computed, row by row: those that are not
// imported or left out.
func (p Plan) Jobs() []Job {
	return slices.DeleteFunc(p.AllJobs(), func(j Job) bool { return j.Column.Method.Imported })
}

// Key is the key of a job in a list of accepted cells.
func (j Job) Key() store.Key {
	return store.Key{Dataset: j.Inputs.Dataset, Split: j.Inputs.Split, Method: j.Column.ID, Seed: j.Inputs.Seed}
}

// AllJobs returns Jobs and the imported cells.
func (p Plan) AllJobs() []Job {
	var jobs []Job
	for _, row := range p.Splits {
		for _, column := range row.Jobs {
			if !column[0].LeftOut() {
				jobs = append(jobs, column...)
			}
		}
	}
	return jobs
}
