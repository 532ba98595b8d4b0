package cost

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"r2lmlbench/experiments"
	"r2lmlbench/experiments/method"
	"r2lmlbench/experiments/plan"
	"r2lmlbench/experiments/registry"
	"r2lmlbench/experiments/run"
	"r2lmlbench/experiments/spec"
	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/machine"
	"r2lmlbench/internal/testkit"
	"r2lmlbench/r2lml"
	"r2lmlbench/results"
)

func planOf(t *testing.T, name string) (plan.Plan, *plan.Source) {
	t.Helper()
	source := plan.NewSource(t.TempDir())
	return fixture.Must(plan.New(t.Context(), fixture.Must(spec.Load(name))(t), source))(t), source
}

// TestShares: the shares of a spec divide its cells and keep their order, and
// who has other data files gets the same ones. No share of the paper's table has much more
// work than an equal part, though one cell is a quarter of all.
func TestShares(t *testing.T) {
	p, source := planOf(t, "accuracy")
	jobs, place, total := p.Jobs(), map[string]int{}, 0.0
	for at, j := range jobs {
		place[j.Inputs.Key()] = at
		total += Work(j, source)
	}
	for _, n := range []int{1, 8, 16, 200} {
		parts, finished := map[int][]int{}, make([]int, len(jobs)) // the points of divided cells, and how often a cell is finished
		for i, share := range Shares(p, source, n) {
			last, load := -1, 0.0
			for _, j := range share {
				at := place[j.Inputs.Key()]
				if at <= last {
					t.Errorf("share %d/%d: cell %d comes after cell %d", i+1, n, at, last)
				}
				last, load = at, load+Work(j, source)
				if j.Part != nil {
					parts[at] = append(parts[at], j.Part...)
				}
				if j.Part == nil || j.Last {
					finished[at]++
				}
			}
			if n <= 16 && load > 1.1*total/float64(n) {
				t.Errorf("share %d of %d has %.3g of %.3g", i+1, n, load, total)
			}
		}
		fixture.EqualSlice(t, "shares that finish a cell", finished, slices.Repeat([]int{1}, len(jobs)))
		fixture.Equal(t, fmt.Sprint(n, " shares divide cells"), len(parts) > 0, n > 1)
		for at, points := range parts {
			fixture.EqualSlice(t, "points", slices.Sorted(slices.Values(points)), slices.Sorted(slices.Values(slices.Concat(Groups(jobs[at])...))))
		}
	}
	keys := func(source *plan.Source) (all []string) {
		for _, j := range Shares(p, source, 3)[1] {
			all = append(all, j.Inputs.Key())
		}
		return all
	}
	fixture.EqualSlice(t, "the share of another call", keys(plan.NewSource(t.TempDir())), keys(source))
}

// TestBalance: every cost is in one bin, no bin is fuller than the least full
// one by more than the cost that came last into it, which bounds the fullest at
// 4/3 - 1/(3n) of the best possible (Graham, SIAM J. Appl. Math. 17, 1969).
func TestBalance(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		costs := rapid.SliceOfN(rapid.Float64Range(0, 1e6), 0, 40).Draw(t, "costs")
		n := rapid.IntRange(1, 9).Draw(t, "n")
		bins := balance(costs, n)
		sums, least, total := make([]float64, n), slices.Repeat([]float64{1e300}, n), 0.0
		for i, b := range bins {
			sums[b] += costs[i]
			least[b] = min(least[b], costs[i])
			total += costs[i]
		}
		tiny := 1e-9 * (total + 1)
		for b := range sums {
			if sums[b] > 0 && sums[b]-slices.Min(sums) > least[b]+tiny {
				t.Fatalf("bin %d has %g, another %g, and the last that came has %g", b, sums[b], slices.Min(sums), least[b])
			}
		}
	})
}

// TestMakespan: two workers share two cells, or wait for the longer one; stages follow each
// other.
func TestMakespan(t *testing.T) {
	cells := []Stages{{{4, 4, 2}, {1}}, {{3}}, {{}}}
	for workers, want := range map[int]float64{1: 14, 2: 7, 3: 5, 9: 5} {
		fixture.Equal(t, fmt.Sprint("time of ", workers), Makespan(cells, workers), want)
	}
}

// TestStages: of the longest cell of the paper's table 32 groups of eight lanes are
// fitted at once, so that 16 workers help it. In other cells the chosen setting follows,
// and then the other points of a surface.
func TestStages(t *testing.T) {
	p, source := planOf(t, "accuracy")
	longest := testkit.JobsOf(p, "Q", "t-r2lml")[0]
	stages := StagesOf(longest, source)
	if got, most := Makespan([]Stages{stages}, 16), Work(longest, source)/8; len(stages) != 1 || len(stages[0]) != 32 || got > most {
		t.Errorf("%g with 16 workers, want at most %g; stages %v", got, most, stages)
	}
	for _, name := range experiments.Names() {
		p, _ := planOf(t, name)
		for _, j := range p.Jobs() {
			fixture.Equal(t, name+": grouped points of "+j.Dataset.ID+"/"+j.Column.ID, len(slices.Concat(Groups(j)...)), len(j.Distinct())*j.Column.Restarts)
		}
	}
	each := `
name: stages
datasets: [twonorm-gen]
methods:
  - {method: e-r2lml, params: {step: 1e-6, epochs: 2, iterations: 10}, grid: {metrics: [1, 3]}, restarts: 2, measure: surface}
  - {method: lmnn, grid: {neighbors: [1, 3, 5]}, select: {on: cross-validation, folds: 3}}
`
	p = testkit.PlanFor(t, testkit.Parse(t, each))
	source = plan.NewSource("")
	var tasks [][]int
	for _, j := range p.Jobs() {
		var of []int
		for _, s := range StagesOf(j, source) {
			of = append(of, len(s))
		}
		tasks = append(tasks, of)
	}
	fixture.Equal(t, "tasks of the stages", fmt.Sprint(tasks), "[[2 1 2] [9 1]]")
}

// TestWorkOfStages: the work of a selection is that of its points on the validation problem, or on each fold, with what settings share
// once for a restart; a surface adds the points that are not chosen on the test problem.
func TestWorkOfStages(t *testing.T) {
	text := "name: work\ndatasets: [twonorm-gen]\nmethods:\n"
	for m, restarts := range map[string]int{"kissme": 1, "plml": 2, "glml": 1, "scml-local": 2} {
		text += fmt.Sprintf("  - {method: %[1]s, name: %[1]s-surface, grid: {features: [raw, zscore]}, restarts: %[2]d, measure: surface}\n"+
			"  - {method: %[1]s, name: %[1]s-folds, grid: {features: [raw, zscore]}, select: {on: cross-validation, folds: 3}}\n", m, restarts)
	}
	source, shares := plan.NewSource(""), 0
	for _, j := range testkit.PlanFor(t, testkit.Parse(t, text)).Jobs() {
		sizes, _ := source.Sizes(*j.Dataset, *j.Rule)
		test := j.TestSize(sizes)
		of := func(size method.Size) (sum float64) {
			for i, p := range j.Inputs.Settings {
				shared, each := j.Column.Method.Work(size, p.Params)
				if sum += each; i < j.Column.Restarts { // the first point of each restart
					sum += shared
				}
				shares += int(min(shared, 1))
			}
			return sum
		}
		stages, points := StagesOf(j, source), float64(len(j.Inputs.Settings))
		if f := j.Inputs.Folds; f > 0 {
			fold := test
			fold.M = test.N / f
			fold.N = test.N - fold.M
			fixture.Near(t, j.Column.ID, Stages{stages[0]}.work(), 3*of(fold), 1e-9*of(fold))
			continue
		}
		fixture.Near(t, j.Column.ID, Stages{stages[0]}.work(), of(sizes.Validation), 1e-9*of(test))
		fixture.Near(t, j.Column.ID+", surface", Stages{stages[2]}.work(), (1-1/points)*of(test), 1e-9*of(test))
	}
	if shares == 0 {
		t.Error("no settings share work")
	}
}

// TestWider: one task of 32 cores computes the paper's T-R2LML on USPS sooner than 32 tasks
// of one, of which one finishes it; cells that are alike gain nothing.
func TestWider(t *testing.T) {
	p, source := planOf(t, "accuracy")
	usps := slices.IndexFunc(p.Splits, func(r plan.Split) bool { return r.Dataset.ID == "usps" })
	p.Splits = p.Splits[usps : usps+1]
	if tasks, workers, ratio := Wider(p, source, 32, 1); tasks == 32 || tasks*workers != 32 || ratio > 0.8 {
		t.Errorf("%d tasks of %d workers, ratio %g", tasks, workers, ratio)
	}
	even := testkit.PlanFor(t, testkit.Parse(t, "name: even\ndatasets: [twonorm-gen]\nseeds: 8\nmethods: [{method: lmnn}]\n"))
	if tasks, workers, ratio := Wider(even, source, 4, 2); tasks != 4 || workers != 2 || ratio != 1 {
		t.Errorf("%d tasks of %d workers, ratio %g", tasks, workers, ratio)
	}
}

// TestWorkGrows: the paper's methods have an estimate, and every estimate is
// positive and grows with the samples, the features and the settings.
func TestWorkGrows(t *testing.T) {
	settings := testkit.ShippedSettings(t)
	for i, m := range registry.Methods {
		estimate := m.Work
		if estimate == nil {
			if i < 8 {
				t.Errorf("%s has no estimate", m.ID)
			}
			continue
		}
		p := method.ParamsOf(settings[m.ID][0])
		base := method.Size{N: 100, M: 200, D: 10, C: 3}
		shared, each := estimate(base, p)
		if !(shared >= 0 && each > 0) {
			t.Errorf("%s: %g and %g", m.ID, shared, each)
		}
		for _, larger := range []method.Size{
			{N: 200, M: 200, D: 10, C: 3}, {N: 100, M: 400, D: 10, C: 3}, {N: 100, M: 200, D: 20, C: 3}, {N: 100, M: 200, D: 10, C: 6},
		} {
			s, e := estimate(larger, p)
			shrinks := m.ID == "lfda" && larger.C > base.C // whose pairs are those of a class; some do not grow with the classes
			if s+e < shared+each && !shrinks || s+e == shared+each && larger.C == base.C {
				t.Errorf("%s: %g for %v, %g for %v", m.ID, s+e, larger, shared+each, base)
			}
		}
	}
	p, source := planOf(t, "accuracy")
	for _, j := range p.Jobs() {
		column := *j.Column
		column.Settings = map[string][]method.Setting{j.Dataset.ID: j.Column.Settings[j.Dataset.ID][:1]}
		fewer := j
		fewer.Column, fewer.Inputs.Settings = &column, j.Inputs.Settings[:1]
		if len(j.Inputs.Settings) > 1 && Work(fewer, source) >= Work(j, source) {
			t.Errorf("%s/%s: one point costs %g, all %g", j.Dataset.ID, j.Column.ID, Work(fewer, source), Work(j, source))
		}
	}
}

// TestTraced: the plain runs of convergence take much longer than the fit that is measured.
func TestTraced(t *testing.T) {
	p, source := planOf(t, "convergence")
	for _, j := range p.Jobs() {
		plain := j
		plain.Inputs.Measure = nil
		if fit, all := Work(plain, source), Work(j, source); all < 5*fit {
			t.Errorf("%s/%s: %g with the measure, %g without", j.Dataset.ID, j.Column.ID, all, fit)
		}
	}
}

// TestCalibrate: a method takes CPU time, and a program of the user's own is
// taken at its word.
func TestCalibrate(t *testing.T) {
	fixture.Long(t)
	p := testkit.PlanFor(t, testkit.Parse(t, `
name: two
datasets: [twonorm-gen]
methods:
  - method: lmnn
  - method: external
    params: {command: ["true"]}
`))
	rates := fixture.Must(Calibrate(t.Context(), p))(t)
	if len(rates) != 2 || !(rates["lmnn"] > 1e-12 && rates["lmnn"] < 1e-6) || rates["external"] != 1e-9 {
		t.Errorf("rates %v", rates)
	}
	for _, j := range p.Jobs() {
		if s := rates.Seconds(j, plan.NewSource("")); !(s > 0) || j.Column.ID == "external" && s != 1 {
			t.Errorf("%s: %g seconds", j.Column.ID, s)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	fixture.Says(t, fixture.Error(Calibrate(ctx, p)), context.Canceled.Error())

	// Nothing is measured for programs alone.
	alone := testkit.PlanFor(t, testkit.Parse(t, "name: one\ndatasets: [twonorm-gen]\nmethods: [{method: external, params: {command: [\"true\"]}}]\n"))
	fixture.Equal(t, "rate of a program alone", fixture.Must(Calibrate(ctx, alone))(t)["external"], 1e-9)
}

// A busy fit takes 5 ms of CPU time.
type busy struct{}

func (m busy) Resolve() (busy, error) { return m, nil }

func (busy) Fit(_ context.Context, p r2lml.Problem) (r2lml.Fitted, error) {
	for end := machine.CPUSeconds() + 0.005; machine.CPUSeconds() < end; {
	}
	return r2lml.Fitted{Metric: r2lml.NewGlobal(p, nil)}, nil
}

// TestRateOfAFit: a rate is that of one fit, though several are measured.
func TestRateOfAFit(t *testing.T) {
	one := func(method.Size, results.Params) (shared, each float64) { return 0, 1 }
	m := method.New("busy", "Busy", r2lml.Singly[busy], method.About{Work: one})
	x := mat.NewDense(2, 1, []float64{0, 1})
	p := method.Problem{Problem: r2lml.Problem{X: x, Y: []int{1, 2}, Query: x}, Neighbors: 1}
	got := fixture.Must(rate(t.Context(), m, []method.Setting{{Of: busy{}}}, p, method.Size{}))(t) / settled
	if got < 0.005 || got > 0.015 {
		t.Errorf("%g s of a fit of 0.005 s", got)
	}
}

// TestCostWithoutEstimate: a method without an estimate, as one that was just
// added, counts with unknownWork a fit in the shares and in a calibration.
func TestCostWithoutEstimate(t *testing.T) {
	at := slices.IndexFunc(registry.Methods, func(m method.Method) bool { return m.ID == "lmnn" })
	listed := registry.Methods[at].Work
	registry.Methods[at].Work = nil
	t.Cleanup(func() { registry.Methods[at].Work = listed })
	p := testkit.PlanFor(t, testkit.Parse(t, "name: one\ndatasets: [twonorm-gen]\nmethods: [{method: lmnn}]\n"))
	j := p.Jobs()[0]
	fixture.Equal(t, "work", Work(j, plan.NewSource("")), unknownWork)
	rates := fixture.Must(Calibrate(t.Context(), p))(t)
	// The fit takes less than the second that it counts with, and more than a microsecond.
	if s := rates.Seconds(j, plan.NewSource("")); !(s > 1e-6 && s < 1) {
		t.Errorf("%g seconds", s)
	}
}

// TestWorkOfJointCells: a fit has the samples of both parts and serves both phases, with
// a surface and without.
func TestWorkOfJointCells(t *testing.T) {
	text := "name: joint\ndatasets: [robot]\nmethods:\n"
	for _, with := range []string{"name: queries", "name: joint, unlabeled: joint", "name: surface, unlabeled: joint, measure: surface"} {
		text += "  - {method: t-r2lml, params: {step: 1e-9, epochs: 2, iterations: 10}, grid: {metrics: [1, 3]}, " + with + "}\n"
	}
	jobs, source := testkit.PlanFor(t, testkit.Parse(t, text)).Jobs(), plan.NewSource("")
	queries, joint, surface := Work(jobs[0], source), Work(jobs[1], source), Work(jobs[2], source)
	job := jobs[1]
	sizes, ok := source.Sizes(*job.Dataset, *job.Rule)
	both := sizes.Validation
	both.M += sizes.Test.M
	if !ok || both.M == sizes.Test.M || both.M == sizes.Validation.M {
		t.Fatalf("sizes %+v", sizes)
	}
	each := 0.0
	for _, p := range job.Inputs.Settings {
		_, one := job.Column.Method.Work(both, p.Params)
		each += one
	}
	fixture.Near(t, "work", joint, each, 1e-12*each)
	fixture.Near(t, "work with a surface", surface, each, 1e-12*each)
	if queries >= joint {
		t.Errorf("work %g with the samples of a phase, %g with all", queries, joint)
	}
}

// scaleSpec has one setting of every method. That of R2LML takes its step from the samples.
const scaleSpec = `
name: scale
datasets: [twonorm-gen]
methods: [
  {method: euclidean}, {method: itml, params: {gamma: 1}}, {method: lmnn}, {method: lmnn-mm}, {method: glml, params: {shrinkage: 1e-3}}, {method: plml},
  {method: t-r2lml, params: {metrics: 2, lambda: 10, step: auto, epochs: 1, iterations: 100}},
  {method: e-r2lml, params: {metrics: 2, lambda: 10, step: auto, epochs: 1, iterations: 100}},
  {method: nca}, {method: rca}, {method: dann, params: {shrinkage: 0.1}}, {method: scml-local, params: {beta: 1e-5, step: 0.7}}, {method: kissme},
  {method: lfda}, {method: gmml}, {method: dmlmj}, {method: rfm}, {method: scml-global, params: {beta: 1e-5}}]
`

// BenchmarkScale fits every method to clusters of growing size and labels a tenth as many
// query samples. Beside the time it reports by how much the heap grew at most, and the
// ratio of the CPU time to the estimate of the method's Work, which is in units of one
// machine: how that ratio changes with the size tells how well the model grows. Sizes whose
// estimate is above five minutes are left out.
func BenchmarkScale(b *testing.B) {
	s := fixture.Must(spec.Parse("scale.yaml", []byte(scaleSpec)))(b)
	for _, c := range s.Columns {
		for _, n := range []int{250, 1000, 4000, 16_000, 20_000} {
			size := method.Size{N: n, M: n / 10, D: 20, C: 4}
			settings := c.Settings["twonorm-gen"][:1]
			if shared, each := workOf(c.Method)(size, method.ParamsOf(settings[0])); shared+each > 300e9 {
				continue
			}
			b.Run(fmt.Sprintf("method=%s/n=%d", c.ID, n), func(b *testing.B) { measureScale(b, c.Method, settings, size) })
		}
	}
}

// measureScale fits once.
func measureScale(b *testing.B, m method.Method, settings []method.Setting, size method.Size) {
	p := testkit.Clusters(size)
	var meter machine.PeakMeter
	var seconds float64
	var grown int64
	for b.Loop() {
		end, started := meter.Begin(), machine.CPUSeconds()
		fixture.Must(run.FitFirst(b.Context(), m, settings, p))(b)
		seconds, grown = machine.CPUSeconds()-started, end()
	}
	shared, each := workOf(m)(size, method.ParamsOf(settings[0]))
	b.ReportMetric(seconds, "cpu-s")
	b.ReportMetric(float64(grown)/(1<<20), "MiB")
	b.ReportMetric(seconds/((shared+each)*1e-9), "cpu/model")
}

// TestQuickIsQuick: the first command of the README takes at most 20 s on two cores, by estimate.
func TestQuickIsQuick(t *testing.T) {
	p, source := planOf(t, "quick")
	var cells []Stages
	for _, j := range p.Jobs() {
		cells = append(cells, StagesOf(j, source))
	}
	if s := Makespan(cells, 2) / 1e9; s > 20 {
		t.Errorf("quick takes %.0f s on two cores, want at most 20", s)
	}
}
