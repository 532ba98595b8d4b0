package cost

import (
	"cmp"
	"slices"

	"r2lmlbench/datasets"
	"r2lmlbench/experiments/method"
	"r2lmlbench/experiments/plan"
	"r2lmlbench/experiments/spec"
	"r2lmlbench/results"
)

// Work estimates what computing a job costs, in nanoseconds of one core of the
// machine of docs/dev/performance.md. It depends on the sizes of the data set and on
// the settings only, so that it is the same everywhere. It is 0 while the files
// of an imported split are missing, whose sizes nobody knows then.
func Work(j plan.Job, source *plan.Source) float64 {
	validation, test, ok := source.Sizes(*j.Entry, *j.Rule)
	if !ok {
		return 0
	}
	if j.Joint() {
		test.M += validation.M
		validation = test
	}
	if f := j.Inputs.Folds; f > 0 {
		validation.M = test.N / f
		validation.N = test.N - validation.M
	}
	estimate := workOf(j.Column.Method)
	points := fitted(j)
	mean, sum := 0.0, 0.0
	for _, p := range points {
		_, atTest := estimate(test, p.Params)
		_, atValidation := estimate(validation, p.Params)
		mean += atTest / float64(len(points))
		sum += atValidation
	}
	// The setting that is chosen is not known: the mean stands for it.
	shared, _ := estimate(test, points[0].Params)
	if len(points) == 1 {
		return shared + mean
	}
	atValidation, _ := estimate(validation, points[0].Params)
	selection := float64(float64(j.Column.Restarts)*atValidation) + sum
	if j.Inputs.Folds > 0 {
		selection *= float64(j.Inputs.Folds)
	}
	if j.Joint() {
		return selection // whose fits label the test samples, too
	}
	if j.Surface() {
		return selection + float64(float64(j.Column.Restarts+1)*shared) + float64(float64(len(points))*mean)
	}
	return selection + shared + mean
}

// fitted are the points of a job that are fitted: of those that differ in k, the first.
func fitted(j plan.Job) []results.Point {
	var points []results.Point
	for _, i := range j.Distinct() {
		at := i * j.Column.Restarts
		points = append(points, j.Inputs.Points[at:at+j.Column.Restarts]...)
	}
	return points
}

// unknownWork is that of a fit of which nothing is known: a second.
const unknownWork = 1e9

// workOf is the estimate of a method, unknownWork a fit when its line of the
// registry has none.
func workOf(m method.Method) method.Work {
	if m.Work != nil {
		return m.Work
	}
	return func(method.Size, results.Params) (shared, each float64) { return 0, unknownWork }
}

// Share returns the jobs of share i of n, 1 ≤ i ≤ n, in the order of the plan.
// The shares divide the cells that can be computed; a cell that two columns ask
// for is in one of them once, and cells that differ in k alone are in the same. They
// are balanced by Work: the most costly first, each goes to the share that has the
// least so far (the first of several).
func Share(p plan.Plan, source *plan.Source, i, n int) []plan.Job {
	var jobs []plan.Job
	seen := map[string]bool{}
	for _, j := range p.Jobs() {
		if key := j.Inputs.Key(); !seen[key] {
			seen[key] = true
			jobs = append(jobs, j)
		}
	}
	bundles := plan.Bundles(jobs)
	costs := make([]float64, len(bundles))
	for k, b := range bundles {
		costs[k] = Work(b[0], source) // the others have its fits
	}
	of, _ := balance(costs, n)
	ours := map[cell]bool{}
	for k, b := range bundles {
		for _, j := range b {
			ours[cellOf(j)] = of[k] == i-1
		}
	}
	return slices.DeleteFunc(jobs, func(j plan.Job) bool { return !ours[cellOf(j)] })
}

// A cell says which cell of a plan a job is, without its key, which takes hashing.
type cell struct {
	row    *datasets.Entry
	column *spec.Column
	seed   uint64
}

func cellOf(j plan.Job) cell { return cell{j.Entry, j.Column, j.Inputs.Seed} }

// Makespan estimates how long so many workers need for cells of these costs,
// each cell on one worker: the load of the busiest when they are dealt out as
// by Share.
func Makespan(costs []float64, workers int) float64 {
	_, loads := balance(costs, min(workers, max(len(costs), 1)))
	return slices.Max(loads)
}

// balance deals costs out to n bins: the largest first (ties: the lower index),
// each to the bin with the least load (ties: the lower bin). It returns the bin
// of every cost and the load of every bin.
func balance(costs []float64, n int) (bins []int, loads []float64) {
	order := make([]int, len(costs))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(costs[b], costs[a]) })
	bins, loads = make([]int, len(costs)), make([]float64, n)
	for _, i := range order {
		least := 0
		for b, load := range loads {
			if load < loads[least] {
				least = b
			}
		}
		bins[i] = least
		loads[least] += costs[i]
	}
	return bins, loads
}

// methodIDs lists the methods of a plan by id, each once, sorted.
func methodIDs(p plan.Plan) []string {
	var ids []string
	for _, j := range p.Jobs() {
		ids = append(ids, j.Column.Method.ID)
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}
