package run

import (
	"maps"
	"slices"

	"r2lmlbench/experiments/plan"
	"r2lmlbench/results"
	"r2lmlbench/results/store"
)

// stale tells whether the stored cell of a job, or the record of its failure, is to be
// computed again: for its build, or because a program made it before this run began. What
// such a program consists of is not all known.
func (r *Runner) stale(j plan.Job, c results.Cell) bool {
	if !r.Fresh {
		return false
	}
	made, _ := r.Store.RunOf(c)
	return len(r.Store.OtherBuilds(c)) > 0 || j.Column.Method.OutOfProcess && made.Started.Before(r.began)
}

// done returns the outcomes of a phase that an earlier process left in the journal
// and that may be used: with Fresh those of this build.
func (r *Runner) done(journal *store.Journal, phase string) map[int]results.Outcome {
	known := journal.Done(phase)
	if r.Fresh {
		maps.DeleteFunc(known, func(_ int, o results.Outcome) bool { return !o.Build.Same(results.ThisBuild()) })
	}
	return known
}

// builds lists this build and those of the outcomes that an earlier process left.
// It also tells whether there are any.
func (r *Runner) builds(journal *store.Journal) (builds []results.Build, resumed bool) {
	builds = []results.Build{results.ThisBuild()}
	for _, phase := range []string{"", results.PhaseTest} {
		known := r.done(journal, phase)
		for _, point := range slices.Sorted(maps.Keys(known)) {
			builds, resumed = results.AddBuild(builds, known[point].Build), true
		}
	}
	return builds, resumed
}
