// Package cost estimates the CPU time of jobs. It fits methods to small draws on this machine,
// and scales what it measured by the work that the registry counts.
package cost

import (
	"cmp"
	"slices"

	"gonum.org/v1/gonum/mat"

	"r2lmlbench/experiments/measure"
	"r2lmlbench/experiments/method"
	"r2lmlbench/experiments/plan"
	"r2lmlbench/r2lml"
	"r2lmlbench/results"
)

// Work estimates what computing a job costs, in nanoseconds of one core of an
// AMD EPYC with AVX-512. It depends on the sizes of the data set and on
// the settings only, so that it is the same everywhere. It is 0 while the files
// of an imported split are missing, whose sizes nobody knows then.
func Work(j plan.Job, source *plan.Source) float64 { return StagesOf(j, source).work() }

// Stages are the costs of the tasks of a cell. The tasks of a stage may run in parallel, after
// those of the stage before.
type Stages [][]float64

// StagesOf divides the Work of a job as the runner does: the settings of a grid in groups
// that are fitted side by side, then the chosen one to the test problem, then, for a
// surface, the others to that.
func StagesOf(j plan.Job, source *plan.Source) Stages {
	sizes, ok := source.Sizes(*j.Dataset, *j.Rule)
	if !ok {
		return nil
	}
	validation, test := sizes.Validation, j.TestSize(sizes)
	if j.Joint() {
		validation = test
	}
	if f := j.Inputs.Folds; f > 0 {
		validation.M = test.N / f
		validation.N = test.N - validation.M
	}
	estimate := workOf(j.Column.Method)
	points := fitted(j)
	shared, _ := estimate(test, points[0].Params)
	mean := 0.0
	for _, p := range points {
		_, each := estimate(test, p.Params)
		mean += each / float64(len(points))
	}
	// The setting that is chosen is not known: the mean stands for it.
	follow := traced(j, test)
	last := []float64{shared + mean + follow}
	if len(points) == 1 {
		return Stages{last}
	}
	groups := Groups(j)
	var own [][]int // those that this share scores
	for _, g := range groups {
		if j.Scores(g[0]) {
			own = append(own, g)
		}
	}
	var selection []float64
	for range max(j.Inputs.Folds, 1) {
		selection = append(selection, tasksOf(own, j.Inputs.Settings, validation, estimate)...)
	}
	switch {
	case j.Part == nil && j.Joint() && follow > 0: // whose fits label the test samples, too
		return Stages{selection, {follow}}
	case j.Part != nil || j.Joint():
		return Stages{selection}
	case j.Surface():
		surface := tasksOf(groups, j.Inputs.Settings, test, estimate)
		for i := range surface {
			surface[i] *= 1 - 1/float64(len(points)) // without the chosen one
		}
		return Stages{selection, last, surface}
	}
	return Stages{selection, last}
}

// traced is the work of the measure convergence, 0 without it: the plain solver runs twice,
// and in every iteration it looks at all pairs for the gradient and again for the objective,
// and takes two singular value decompositions of each map.
func traced(j plan.Job, test method.Size) float64 {
	if !slices.Contains(j.Inputs.Measure, measure.Convergence) {
		return 0
	}
	if j.Column.Method.Transductive {
		test.N += test.M
	}
	mean := 0.0 // of the iterations, since the setting that is chosen is not known
	for _, p := range j.Inputs.Settings {
		iterations := 1
		for _, name := range []string{"epochs", "iterations", "metrics"} {
			n, _ := p.Params[name].(int)
			iterations *= n
		}
		mean += float64(iterations) / float64(len(j.Inputs.Settings))
	}
	d := r2lml.LearnedDimensions(test.N, test.D)
	return 2 * mean * (1.2*float64(test.N*test.N*d) + 10*float64(d*d*d))
}

// rest returns the stages that the last share of a divided cell computes: those after the
// selection. A joint cell has none, but for the fit of the chosen setting, which another share may
// have made.
func rest(whole Stages, points int) Stages {
	if len(whole) > 1 {
		return whole[1:]
	}
	return Stages{{whole.work() / float64(points)}}
}

// work is the sum of all tasks.
func (s Stages) work() float64 {
	sum := 0.0
	for _, stage := range s {
		for _, task := range stage {
			sum += task
		}
	}
	return sum
}

// tasksOf returns the costs of fitting each group of points to a problem. The first group of a
// restart also has the work that its points share.
func tasksOf(groups [][]int, points []results.Setting, size method.Size, estimate method.Work) []float64 {
	tasks := make([]float64, len(groups))
	restarts := map[int]bool{}
	for g, members := range groups {
		if restart := points[members[0]].Restart; !restarts[restart] {
			restarts[restart] = true
			tasks[g], _ = estimate(size, points[members[0]].Params)
		}
		for _, i := range members {
			_, each := estimate(size, points[i].Params)
			tasks[g] += each
		}
	}
	return tasks
}

// Groups lists the groups in which the points of a job are fitted: settings of one restart
// that a task of the method fits. Of points that differ in k alone it lists the first.
func Groups(j plan.Job) [][]int {
	var settings []method.Setting
	distinct := j.Distinct()
	for _, i := range distinct {
		settings = append(settings, j.Column.Settings[j.Dataset.ID][i].Fitted())
	}
	sample := mat.NewDense(1, 1, nil) // tasks are made by the settings alone
	nothing := method.Problem{Problem: r2lml.Problem{X: sample, Y: []int{1}, Query: sample}}
	tasks := j.Column.Method.Tasks(nothing, settings)
	var groups [][]int
	for restart := range j.Column.Restarts {
		for _, t := range tasks {
			group := make([]int, len(t.Settings))
			for k, i := range t.Settings {
				group[k] = distinct[i]*j.Column.Restarts + restart
			}
			groups = append(groups, group)
		}
	}
	return groups
}

// fitted returns the points of a job that are fitted: the first of those that differ in k.
func fitted(j plan.Job) []results.Setting {
	var points []results.Setting
	for _, i := range j.Distinct() {
		at := i * j.Column.Restarts
		points = append(points, j.Inputs.Settings[at:at+j.Column.Restarts]...)
	}
	return points
}

// unknownWork is the work of a fit without an estimate: a second.
const unknownWork = 1e9

// workOf is the estimate of a method, unknownWork a fit when its line of the
// registry has none.
func workOf(m method.Method) method.Work {
	if m.Work != nil {
		return m.Work
	}
	return func(method.Size, results.Params) (shared, each float64) { return 0, unknownWork }
}

// leastDivided is the work from which on a cell may be divided among shares: 20 s with AVX-512. They
// have to be merged before one of them can finish it.
const leastDivided = 20e9

// Shares divides the cells that can be computed into n shares. A cell that two columns ask
// for is in one of them once, and cells that differ in k alone are in the same. They are
// balanced by Work: the most costly first, each goes to the share that has the least so far
// (the first of several). A cell that is more than a share is dealt out by its Groups: every
// share that gets some has a job with these as its Part, and the Last is the one that
// has the least to finish.
func Shares(p plan.Plan, source *plan.Source, n int) [][]plan.Job {
	bundles := plan.Bundles(distinct(p.Jobs()))
	stages, total := make([]Stages, len(bundles)), 0.0
	for k, b := range bundles {
		stages[k] = StagesOf(b[0], source) // the others have its fits
		total += stages[k].work()
	}
	type unit struct {
		bundle int
		part   []int // nil: all of it
	}
	var units []unit
	var costs, left []float64
	var divided []int
	for k, b := range bundles {
		work := stages[k].work()
		if len(stages[k]) == 0 || n == 1 || len(b[0].Inputs.Settings) == 1 || work <= max(total/float64(n), leastDivided) {
			units, costs = append(units, unit{bundle: k}), append(costs, work)
			continue
		}
		groups := Groups(b[0])
		for g, part := range groups {
			c := 0.0
			for task := g; task < len(stages[k][0]); task += len(groups) { // every fold
				c += stages[k][0][task]
			}
			units, costs = append(units, unit{k, part}), append(costs, c)
		}
		divided, left = append(divided, k), append(left, rest(stages[k], len(b[0].Inputs.Settings)).work())
	}
	of := balance(costs, n)
	dealt := make([]map[int][]int, len(bundles)) // by share: the part, nil for all
	for k := range dealt {
		dealt[k] = map[int][]int{}
	}
	for u, share := range of {
		k := units[u].bundle
		dealt[k][share] = append(dealt[k][share], units[u].part...)
	}
	last := map[int]int{} // share that finishes a divided bundle
	finishing := balance(left, n)
	for i, k := range divided {
		last[k] = finishing[i]
		dealt[k][finishing[i]] = append([]int{}, dealt[k][finishing[i]]...)
	}
	shares := make([][]plan.Job, n)
	for k, b := range bundles {
		for share, part := range dealt[k] {
			for _, j := range b {
				j.Part, j.Last = part, part != nil && share == last[k]
				shares[share] = append(shares[share], j)
			}
		}
	}
	return shares
}

// distinct leaves out the second of two jobs of one cell.
func distinct(jobs []plan.Job) []plan.Job {
	seen := map[string]bool{}
	return slices.DeleteFunc(jobs, func(j plan.Job) bool {
		key := j.Inputs.Key()
		again := seen[key]
		seen[key] = true
		return again
	})
}

// Makespan estimates how long a process with so many workers needs for cells: as long as the
// tasks take when no worker is ever idle, or as the longest cell takes when each of its tasks
// has a worker of its own. It may take up to both together.
func Makespan(cells []Stages, workers int) float64 {
	total, longest := 0.0, 0.0
	for _, stages := range cells {
		chain := 0.0
		for _, tasks := range stages {
			most := 0.0
			for _, task := range tasks {
				most = max(most, task)
			}
			chain += most
		}
		total, longest = total+stages.work(), max(longest, chain)
	}
	return max(total/float64(workers), longest)
}

// mostWorkers is the widest task that Wider considers.
const mostWorkers = 64

// Wider looks for an array of as many cores in fewer tasks that ends well before the given one. It
// returns the least wide of the best, and its time as a share of the given one's; the given one if
// there is none. Such an array exists where few cells take most of the time: workers of a task
// finish a cell together, tasks one after the other.
func Wider(p plan.Plan, source *plan.Source, tasks, workers int) (widerTasks, widerWorkers int, ratio float64) {
	const well, as = 0.8, 0.95                 // shares of the time that count as better and as equal
	span := func(tasks, workers int) float64 { // time of the longest share, plus that of the longest rest of divided cells
		longest, finishing := 0.0, 0.0
		for _, share := range Shares(p, source, tasks) {
			var cells, divided []Stages
			for _, b := range plan.Bundles(share) {
				cells = append(cells, StagesOf(b[0], source))
				if whole := b[0]; whole.Last {
					whole.Part = nil
					divided = append(divided, rest(StagesOf(whole, source), len(whole.Inputs.Settings)))
				}
			}
			longest, finishing = max(longest, Makespan(cells, workers)), max(finishing, Makespan(divided, workers))
		}
		return longest + finishing
	}
	asked := span(tasks, workers)
	widerTasks, widerWorkers, ratio = tasks, workers, 1
	for by := 2; by <= tasks && by*workers <= mostWorkers; by++ {
		if tasks%by != 0 {
			continue
		}
		if r := span(tasks/by, by*workers) / asked; r < well && r < as*ratio {
			widerTasks, widerWorkers, ratio = tasks/by, by*workers, r
		}
	}
	return widerTasks, widerWorkers, ratio
}

// balance deals costs out to n bins: the largest first (ties: the lower index),
// each to the bin with the least load (ties: the lower bin). It returns the bin
// of every cost.
func balance(costs []float64, n int) []int {
	order := make([]int, len(costs))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(costs[b], costs[a]) })
	bins, loads := make([]int, len(costs)), make([]float64, n)
	for _, i := range order {
		bins[i] = slices.Index(loads, slices.Min(loads))
		loads[bins[i]] += costs[i]
	}
	return bins
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
