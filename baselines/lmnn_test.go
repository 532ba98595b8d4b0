package baselines

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/linalg"
	"r2lmlbench/r2lml"
	"r2lmlbench/r2lml/methodtest"
)

type lmnnFixture struct {
	samplesFixture
	Params struct{ K int }
	// TargetNeighbors lists the targets of every sample.
	TargetNeighbors [][]int `json:"target_neighbors"`
	Evaluations     []struct {
		L         [][]float64
		Objective float64
		Active    int         `json:"active_triplets"`
		Gradient  [][]float64 `json:"gradient_M"`
	}
	Descent struct {
		L0         string
		Step       float64 `json:"step0"`
		Iterations int
		Objective  []float64
		Every      int         `json:"objective_every"`
		Final      float64     `json:"final_objective"`
		M          [][]float64 `json:"final_M"`
		knn5
	}
	Optimum struct {
		Objective  float64
		LowerBound float64 `json:"certified_lower_bound"`
		M          [][]float64
		SDP        float64 `json:"objective_by_interior_point_sdp"` // a second solver
		knn5
	}
}

func TestLMNNFixtures(t *testing.T) {
	fixture.Each(t, "lmnn", "*.json", func(t *testing.T, f lmnnFixture) {
		p, d := f.problem(), len(f.X[0])
		m := globalMargins(p, f.Params.K)
		checkTargets(t, m, f.TargetNeighbors)
		for _, want := range f.Evaluations {
			e := globalMargins(p, f.Params.K).evaluate([]*mat.Dense{fixture.Dense(want.L)}) // L has D rows or fewer
			checkEvaluation(t, e, want.Objective, want.Active, [][][]float64{want.Gradient}, 1e-9)
		}

		// The descent.
		descent := fixture.Must(startMapDescent(globalMargins(p, f.Params.K), startOf(t, f.Descent.L0, d), f.Descent.Step))(t)
		for len(descent.trace) < f.Descent.Iterations {
			if descent.stalled() {
				t.Fatalf("the descent stops after %d iterations", len(descent.trace))
			}
			descent.iterate()
		}
		for i, want := range f.Descent.Objective {
			at := min(i*max(1, f.Descent.Every), f.Descent.Iterations-1)
			checkValue(t, fmt.Sprintf("objective of iteration %d", at+1), descent.trace[at], want, 1e-9)
		}
		checkValue(t, "last objective", descent.trace[len(descent.trace)-1], f.Descent.Final, 1e-9)
		if f.Descent.M != nil {
			checkMatrix(t, "last M", linalg.Gram(descent.l), fixture.Dense(f.Descent.M), 1e-9)
		}
		f.checkKNN(t, r2lml.NewGlobal(p, descent.l), f.Descent.knn5)

		// The optimum comes close to the certified bound, which holds at any metric.
		if f.Optimum.M != nil {
			l := fixture.Must(linalg.FromPSD(linalg.Symmetrize(fixture.Dense(f.Optimum.M))))(t)
			checkValue(t, "objective at the optimum", m.evaluate([]*mat.Dense{l}).value, f.Optimum.Objective, 1e-6)
			checkValue(t, "objective of the second solver", f.Optimum.SDP, f.Optimum.Objective, 1e-6)
			if f.Optimum.Correct > 0 {
				f.checkKNN(t, r2lml.NewGlobal(p, l), f.Optimum.knn5)
			}
		}
		rapid.Check(t, func(t *rapid.T) {
			e := m.evaluate([]*mat.Dense{drawMap(t, d)})
			if e.value < f.Optimum.LowerBound {
				t.Errorf("ε = %g is below the certified bound %g", e.value, f.Optimum.LowerBound)
			}
		})
	})
}

func checkTargets(t *testing.T, m *margins, want [][]int) {
	t.Helper()
	got := make([][]int, len(want))
	for _, pair := range m.targets {
		got[pair.from] = append(got[pair.from], pair.to)
	}
	for i, want := range want {
		fixture.EqualSlice(t, fmt.Sprintf("targets of sample %d", i), got[i], want)
	}
}

// checkEvaluation compares the objective, its active triplets and its gradients.
func checkEvaluation(t *testing.T, e evaluation, value float64, active int, gradients [][][]float64, tolerance float64) {
	t.Helper()
	checkValue(t, "objective", e.value, value, tolerance)
	fixture.Equal(t, "active triplets", e.active, active)
	for c, want := range gradients {
		checkMatrix(t, "gradient", e.gradient[c], fixture.Dense(want), tolerance)
	}
}

// startOf reads "0.9 * identity".
func startOf(t *testing.T, text string, d int) *mat.Dense {
	t.Helper()
	var scale float64
	if _, err := fmt.Sscanf(text, "%g * identity", &scale); err != nil {
		t.Fatalf("start %q: %v", text, err)
	}
	return scaledBy(scale, d)
}

// scaledBy is a multiple of the identity.
func scaledBy(scale float64, d int) *mat.Dense {
	l := identity(d)
	l.Scale(scale, l)
	return l
}

// shrunk starts off the identity, where some hinge arguments of iris are 0.
func shrunk(d int) *mat.Dense { return scaledBy(0.9, d) }

// A step far too long is halved until it fits.
func TestLMNNLongStep(t *testing.T) {
	p := iris(t)
	for _, step := range []float64{1, 1e10, 1e200} {
		d := fixture.Must(newMapDescent(context.Background(), p, LMNN{Neighbors: 1, Step: step}))(t)
		for range 100 {
			if v := d.iterate().At(0, 0); math.IsNaN(v) || math.IsInf(v, 0) {
				t.Fatalf("step %g: a trial with the entry %g is offered", step, v)
			}
		}
		if !slices.IsSortedFunc(d.trace, func(a, b float64) int { return cmp.Compare(b, a) }) {
			t.Errorf("step %g: the objective rises: %v", step, d.trace)
		}
	}
}

func TestLMNNDivision(t *testing.T) {
	for _, tt := range []struct {
		name     string
		classes  []int // rows of every class
		m        LMNN
		training int // 0: no division
	}{
		{"six classes of three", []int{3, 3, 3, 3, 3, 3}, LMNN{}, 13}, // round(0.7·18), one held out of five classes
		{"two classes", []int{40, 40}, LMNN{}, 56},
		{"a class of one row", []int{20, 1}, LMNN{}, 0},
		{"too few for the neighbors", []int{3, 3}, LMNN{Neighbors: 3}, 0},
		{"nothing left to hold out", []int{2, 2}, LMNN{Validation: 0.1}, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := fixture.Must(tt.m.Resolve())(t)
			p := methodtest.Blobs(tt.classes, 2, 5)
			h := m.divide(context.Background(), p)
			if tt.training == 0 {
				if h.y != nil || h.train.X != p.X {
					t.Errorf("%d samples are held out, want none", len(h.y))
				}
				return
			}
			if len(h.train.Y) != tt.training || len(h.y) != len(p.Y)-tt.training {
				t.Errorf("%d samples train and %d are held out, want %d and the rest", len(h.train.Y), len(h.y), tt.training)
			}
			for c := range tt.classes {
				if n := len(rowsOf(h.train.Y, c+1)); n < m.Neighbors+1 {
					t.Errorf("class %d trains on %d samples, want at least %d", c+1, n, m.Neighbors+1)
				}
			}
		})
	}
}

// The last of equally good maps is kept, and a worse one never.
func TestLMNNChoice(t *testing.T) {
	train := r2lml.Problem{X: fixture.Dense([][]float64{{0, 0}, {1, 5}}), Y: []int{1, 2}, Query: fixture.Dense([][]float64{{0.9, 0}})}
	c := choice{holdOut: holdOut{train: train, y: []int{1}}, neighbors: 1, errors: math.MaxInt}
	first := fixture.Dense([][]float64{{1, 0}, {0, 0}}) // sees only the first feature: wrong
	good, alsoGood := identity(2), shrunk(2)
	for i, step := range []struct{ offer, want *mat.Dense }{{first, first}, {good, good}, {alsoGood, alsoGood}, {first, alsoGood}} {
		if c.offer(context.Background(), step.offer); c.l != step.want {
			t.Errorf("offer %d: another map is kept", i+1)
		}
	}
}

type lmnnMMFixture struct {
	samplesFixture
	Targets [][]int `json:"target_neighbors"`
	Params  struct {
		K  int
		L0 string
	}
	Evaluation struct {
		Objective float64
		Active    int           `json:"active_triplets"`
		Norms     []float64     `json:"gradient_norms"`
		Gradient  [][][]float64 `json:"gradient_M"`
	}
	Reflection struct {
		M      [][]float64
		R      [][]float64 `json:"R_of_M"`
		Values []float64   `json:"eigenvalues"`
	} `json:"R_example"`
	Runs []struct {
		Step       float64 `json:"step0"`
		Iterations int
		Objective  []float64
		Active     []int `json:"active_triplets"`
		knn5
		Trace     []float64 `json:"trace_M"`
		Frobenius []float64 `json:"frobenius_M"`
		M         [][][]float64
	}
}

func TestLMNNMMFixtures(t *testing.T) {
	const tolerance = 1e-7
	fixture.Each(t, "lmnn_mm", "*.json", func(t *testing.T, f lmnnMMFixture) {
		p := f.problem()
		start := func(step float64) *classDescent {
			return newClassDescent(t.Context(), p, LMNNMM{Neighbors: f.Params.K, Step: step}, startOf(t, f.Params.L0, len(f.X[0])))
		}
		d := start(1)
		checkTargets(t, d.margins, f.Targets)
		e := d.margins.evaluate(d.l)
		checkEvaluation(t, e, f.Evaluation.Objective, f.Evaluation.Active, f.Evaluation.Gradient, tolerance)
		for c, want := range f.Evaluation.Norms {
			checkValue(t, "norm of a gradient", mat.Norm(e.gradient[c], 2), want, tolerance)
		}

		// What becomes of a matrix that is not positive semi-definite.
		if f.Reflection.M != nil {
			m := linalg.Symmetrize(fixture.Dense(f.Reflection.M))
			got, l, err := absolute(m)
			fixture.Check(t, err)
			values, _, err := linalg.Eigen(m)
			fixture.Check(t, err)
			fixture.NearMatrix(t, "eigenvalues", mat.NewVecDense(len(values), values), mat.NewVecDense(len(values), f.Reflection.Values), tolerance)
			checkMatrix(t, "R(M)", got, fixture.Dense(f.Reflection.R), tolerance)
			checkMatrix(t, "LᵀL", linalg.Gram(l), fixture.Dense(f.Reflection.R), tolerance)
		}

		for _, want := range f.Runs {
			d := start(want.Step)
			for i := range want.Iterations {
				e := d.margins.evaluate(d.l)
				fixture.Equal(t, "active triplets", e.active, want.Active[i])
				if d.stalled() {
					t.Fatalf("the descent stops after %d iterations", i)
				}
				fixture.Check(t, d.iterate())
				checkValue(t, fmt.Sprintf("objective of iteration %d", i+1), d.trace[i], want.Objective[i], tolerance)
			}
			for c := range d.m {
				checkValue(t, "trace of M", mat.Trace(d.m[c]), want.Trace[c], tolerance)
				checkValue(t, "norm of M", mat.Norm(d.m[c], 2), want.Frobenius[c], tolerance)
			}
			for c := range want.M {
				checkMatrix(t, "M", d.m[c], fixture.Dense(want.M[c]), tolerance)
			}
			f.checkKNN(t, r2lml.NewLocalMetric(p, d.l, nil, ofClass(p)), want.knn5)
		}
	})
}

// From the map of LMNN, with the paper's settings, the metrics hardly move.
func TestLMNNMMStaysNearLMNN(t *testing.T) {
	p := iris(t)
	many, want := fit(t, LMNNMM{}, p), metricOf(t, LMNN{}, p)
	for _, l := range many.Metric.(*r2lml.LocalMetric).L {
		if d := relative(linalg.Gram(l), want); d == 0 || d > 1e-3 {
			t.Errorf("a metric has moved by %.2g, want some but at most 1e-3", d)
		}
	}
}

// The distance to a training sample is that of its class, whatever the query.
func TestLMNNMMDistances(t *testing.T) {
	p := r2lml.Problem{X: fixture.Dense([][]float64{{0}, {2}}), Y: []int{1, 2}, Query: fixture.Dense([][]float64{{1}})}
	maps := []*mat.Dense{fixture.Dense([][]float64{{1}}), fixture.Dense([][]float64{{3}})}
	got := make([]float64, 2)
	r2lml.NewLocalMetric(p, maps, nil, ofClass(p)).SquaredDistances(got, 0)
	fixture.EqualSlice(t, "distances", got, []float64{1, 9})
}

// A rise of the objective leaves the metrics where they are, halves the step
// and raises the mark for the next.
func TestLMNNMMRise(t *testing.T) {
	d := newClassDescent(context.Background(), iris(t), LMNNMM{Neighbors: 1, Step: 0.5}, shrunk(4))
	d.trace = []float64{0}
	before := d.m[0]
	fixture.Check(t, d.iterate())
	value := d.margins.evaluate(d.l).value
	if d.m[0] != before || d.step != 0.25 || d.trace[1] != value+1e-5 {
		t.Errorf("step %g and mark %g, want 0.25 and %g", d.step, d.trace[1], value+1e-5)
	}
	d.step, d.trace = 1e-10, []float64{0}
	fixture.Check(t, d.iterate())
	fixture.Equal(t, "the shortest step", d.step, 1e-10)
}

func TestTargetNeighbors(t *testing.T) {
	for _, tt := range []struct {
		name string
		x    []float64 // one feature
		y    []int
		k    int
		want []target
	}{
		{"ties by index", []float64{0, 1, -1}, []int{1, 1, 1}, 1, []target{{0, 1}, {1, 0}, {2, 0}}},
		{"duplicates are neighbors, never of themselves", []float64{5, 5, 5}, []int{1, 1, 1}, 1, []target{{0, 1}, {1, 0}, {2, 0}}},
		{"small classes", []float64{0, 1, 2, 3}, []int{1, 1, 2, 3}, 3, []target{{0, 1}, {1, 0}}},
	} {
		fixture.EqualSlice(t, tt.name, targetNeighbors(context.Background(), mat.NewDense(len(tt.x), 1, tt.x), tt.y, tt.k), tt.want)
	}
}

// globalMargins is the objective of LMNN, classMargins that of LMNN-MM.
func globalMargins(p r2lml.Problem, k int) *margins {
	return newMargins(context.Background(), p.X, p.Y, k, make([]int, len(p.Y)), 1)
}

func classMargins(p r2lml.Problem, k int) *margins {
	return newClassDescent(context.Background(), p, LMNNMM{Neighbors: k, Step: 1}, identity(p.X.RawMatrix().Cols)).margins
}

// A hinge argument of exactly 0 is active for LMNN-MM only.
func TestMarginsAtTheHinge(t *testing.T) {
	p := r2lml.Problem{X: mat.NewDense(3, 2, []float64{0, 0, 0, 2, 1, -2}), Y: []int{1, 1, 2}} // 1 + 4 = 5
	fixture.Equal(t, "active triplets of LMNN", globalMargins(p, 1).evaluate([]*mat.Dense{identity(2)}).active, 0)
	fixture.Equal(t, "active triplets of LMNN-MM", classMargins(p, 1).evaluate([]*mat.Dense{identity(2), identity(2)}).active, 1)
}

// drawMap draws a D×D map around a multiple of the identity.
func drawMap(t *rapid.T, d int) *mat.Dense {
	l := scaledBy(rapid.Float64Range(0.2, 1.5).Draw(t, "scale"), d)
	l.Apply(func(_, _ int, v float64) float64 { return v + rapid.Float64Range(-0.3, 0.3).Draw(t, "entry") }, l)
	return l
}

// A plain loop over all triplets.
func (m *margins) plain(l []*mat.Dense) (value float64, active int) {
	distance := func(i, j int) float64 {
		var z mat.Dense
		z.Mul(m.x, l[m.metric[j]].T())
		return linalg.SquaredDistance(z.RawRowView(i), z.RawRowView(j))
	}
	for _, t := range m.targets {
		value += distance(t.from, t.to) / 2
		for l, y := range m.y {
			if h := 1 + distance(t.from, t.to) - distance(t.from, l); y != m.y[t.from] && h > 0 {
				value += h / 2
				active++
			}
		}
	}
	return value, active
}

func TestMarginsArePlain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawProblem(t)
		_, d := p.X.Dims()
		m := classMargins(p, rapid.IntRange(1, 3).Draw(t, "k"))
		for range 2 { // the second time memory is used again
			var l []*mat.Dense
			for range p.Classes() {
				l = append(l, drawMap(t, d))
			}
			e := m.evaluate(l)
			value, active := m.plain(l)
			if math.Abs(e.value-value) > 1e-12*(1+value) {
				t.Errorf("ε = %v with %d active, want %v with %d", e.value, e.active, value, active)
			}
		}
	})
}

// With all metrics equal LMNN-MM has the objective of LMNN, and gradients that
// add up to its gradient.
func TestEqualMetricsAreOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawProblem(t)
		k := rapid.IntRange(1, 3).Draw(t, "k")
		_, d := p.X.Dims()
		l := drawMap(t, d)
		global := globalMargins(p, k)
		global.closed = true
		one := global.evaluate([]*mat.Dense{l})
		many := classMargins(p, k).evaluate(slices.Repeat([]*mat.Dense{l}, p.Classes()))
		var sum mat.Dense
		sum.CloneFrom(many.gradient[0])
		for _, g := range many.gradient[1:] {
			sum.Add(&sum, g)
		}
		if math.Abs(one.value-many.value) > 1e-12*one.value || one.active != many.active || !mat.EqualApprox(&sum, one.gradient[0], 1e-9) {
			t.Errorf("ε = %v with %d active, LMNN has %v with %d", many.value, many.active, one.value, one.active)
		}
	})
}

// The gradients agree with differences of the objective, which is linear in M
// between two changes of the active triplets.
func TestMarginsGradient(t *testing.T) {
	p := iris(t)
	m := classMargins(p, 2)
	l := []*mat.Dense{scaledBy(0.83, 4), scaledBy(0.91, 4), scaledBy(0.77, 4)}
	e := m.evaluate(l)
	for c := range l {
		at := linalg.Gram(l[c])
		for i := range 4 {
			slope := fd.Derivative(func(v float64) float64 {
				moved := mat.NewSymDense(4, nil)
				moved.CopySym(at)
				moved.SetSym(i, i, at.At(i, i)+v)
				root := fixture.Must(linalg.FromPSD(moved))(t)
				lc := slices.Clone(l)
				lc[c] = root
				return m.evaluate(lc).value
			}, 0, &fd.Settings{Formula: fd.Central, Step: 1e-6})
			checkValue(t, "∂ε/∂M", e.gradient[c].At(i, i), slope, 1e-6)
		}
	}
}

// A descent has the same bits with a screen as without, whether maps hardly move, move fast
// or go beyond all bounds, and lists are in use on the way.
func TestScreenLeavesOutNoImpostor(t *testing.T) {
	used := 0
	for _, s := range shapes {
		for _, step := range []float64{1e-9, 1e-6, 1e-4, 1e-2} {
			m := LMNN{Neighbors: 2, Step: step}
			screened := fixture.Must(newMapDescent(context.Background(), s.problem(), m))(t)
			plain := fixture.Must(newMapDescent(context.Background(), s.problem(), m))(t)
			plain.margins.screen = nil
			for i := range 60 {
				screened.iterate()
				plain.iterate()
				if screened.now.active != plain.now.active || math.Float64bits(screened.now.value) != math.Float64bits(plain.now.value) {
					t.Fatalf("%s, step %g, iteration %d: %d impostors and %v, want %d and %v", s.name, step, i,
						screened.now.active, screened.now.value, plain.now.active, plain.now.value)
				}
				if screened.margins.screened {
					used++
				}
			}
			sameBits(t, s.name, screened.l, plain.l)
		}
	}
	if used < 300 {
		t.Errorf("the screen served %d evaluations of %d only", used, len(shapes)*4*60)
	}
}

// Maps as far from the reference as the radius allows have the impostors of a search among all
// samples: where one comes near that is far from the mean, and where a target moves away.
func TestScreenHoldsUpToItsRadius(t *testing.T) {
	for _, c := range []struct {
		name          string
		x             []float64 // two samples of class 1, then two of class 2
		reference, to [2]float64
	}{
		{"a sample comes near", []float64{0, 0, 0, 0.1, 10, 0, -10, 0}, [2]float64{1, 1}, [2]float64{0.08, 1}},
		{"a target moves away", []float64{10, 0, -10, 0, 0, 1, 0, -1}, [2]float64{1, 25}, [2]float64{1.5, 25}},
	} {
		x, y := mat.NewDense(4, 2, c.x), []int{1, 1, 2, 2}
		diagonal := func(v [2]float64) []*mat.Dense { return []*mat.Dense{mat.NewDense(2, 2, []float64{v[0], 0, 0, v[1]})} }
		m, plain := newMargins(context.Background(), x, y, 1, make([]int, 4), 1), newMargins(context.Background(), x, y, 1, make([]int, 4), 1)
		plain.screen = nil
		reference := diagonal(c.reference)
		m.evaluate(reference)
		m.screen.reference, m.screen.radius = reference[0], 1.000001*math.Abs(c.to[0]-c.reference[0])
		m.screen.list(m, reference[0], len(y)*len(y))
		got, want := m.evaluate(diagonal(c.to)), plain.evaluate(diagonal(c.to))
		if !m.screened || want.active == 0 || got.active != want.active || got.value != want.value {
			t.Errorf("%s: %d impostors and %v, want %d and %v; the screen served: %v",
				c.name, got.active, got.value, want.active, want.value, m.screened)
		}
	}
}
