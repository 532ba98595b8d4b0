package baselines

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"r2lmlbench/internal/fixture"
)

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
