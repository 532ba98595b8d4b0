package run

import (
	"maps"
	"slices"
	"time"

	"r2lmlbench/experiments/plan"
	"r2lmlbench/results"
	"r2lmlbench/results/store"
)

// stale reports whether the stored cell of a job, or the record of its failure, must be
// recomputed: because of its build, or because an external program made it before this run
// began, or at a time to come, before the clock was set back. The program may have changed in
// ways that we do not see.
func (r *Runner) stale(j plan.Job, c results.Cell) bool {
	if !r.Fresh {
		return false
	}
	made, _, _ := r.Store.RunOf(c)
	others, err := r.Store.OtherBuilds(c)
	return err != nil || len(others) > 0 || j.Column.Method.OutOfProcess && (made.Started.Before(r.began) || made.Started.After(time.Now()))
}

// done returns the usable outcomes of a phase from the journal of an earlier process:
// with Fresh only those of this build.
func (r *Runner) done(journal *store.Journal, phase string) map[int]results.Outcome {
	known := journal.Done(phase)
	if r.Fresh {
		maps.DeleteFunc(known, func(_ int, o results.Outcome) bool { return !o.Build.Same(results.ThisBuild()) })
	}
	return known
}

// builds returns this build and the builds of outcomes in the journal of an earlier
// process; resumed reports whether there are any.
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
