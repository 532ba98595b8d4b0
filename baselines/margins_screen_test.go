package baselines

import (
	"math"
	"testing"
)

// A descent has the same bits with a screen as without, whether maps hardly move, move fast
// or go beyond all bounds, and lists are in use on the way.
func TestScreenLeavesOutNoImpostor(t *testing.T) {
	used := 0
	for _, s := range shapes {
		for _, step := range []float64{1e-9, 1e-6, 1e-4, 1e-2} {
			m := LMNN{Neighbors: 2, Step: step}
			screened, err := newMapDescent(s.problem(), m)
			if err != nil {
				t.Fatal(err)
			}
			plain, err := newMapDescent(s.problem(), m)
			if err != nil {
				t.Fatal(err)
			}
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
