package baselines

import (
	"context"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/linalg"
	"r2lmlbench/r2lml"
)

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
