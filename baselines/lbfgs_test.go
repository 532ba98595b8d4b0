package baselines

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"

	"r2lmlbench/internal/fixture"
)

// rosenbrock has its minimum 0 at (1, 1).
func rosenbrock(x []float64) (float64, []float64) {
	a, b := 1-x[0], x[1]-x[0]*x[0]
	return a*a + 100*b*b, []float64{-2*a - 400*b*x[0], 200 * b}
}

func TestLBFGS(t *testing.T) {
	start := []float64{-1.2, 1}
	b := lbfgs{function: rosenbrock, iterations: 100, history: 10, gradient: 1e-8}
	x := fixture.Must(b.minimize(t.Context(), start))(t)
	fixture.Near(t, "distance from the minimum", floats.Distance(x, []float64{1, 1}, 2), 0, 1e-7)
	fixture.EqualSlice(t, "start", start, []float64{-1.2, 1})
}

func TestLBFGSNeverRises(t *testing.T) {
	before, _ := rosenbrock([]float64{-1.2, 1})
	for iterations := 1; iterations < 40; iterations++ {
		b := lbfgs{function: rosenbrock, iterations: iterations, history: 3}
		x := fixture.Must(b.minimize(t.Context(), []float64{-1.2, 1}))(t)
		value, _ := rosenbrock(x)
		if value > before {
			t.Errorf("iteration %d raises the value from %g to %g", iterations, before, value)
		}
		before = value
	}
}

// 50 x² at 0.1 has the slope 10. The first step has length 1 and overshoots, as do
// its half and its quarter; an eighth lowers the value.
func TestLBFGSHalvesTheStep(t *testing.T) {
	square := func(x []float64) (float64, []float64) { return 50 * x[0] * x[0], []float64{100 * x[0]} }
	b := lbfgs{function: square, iterations: 1, history: 3}
	x, err := b.minimize(t.Context(), []float64{0.1})
	if err != nil || math.Abs(x[0]-(0.1-0.125)) > 1e-12 {
		t.Errorf("ends at %v (%v), want %v", x, err, 0.1-0.125)
	}
}

// A function that lies about its slope leaves nothing to be found.
func TestLBFGSStopsWithoutProgress(t *testing.T) {
	up := func(x []float64) (float64, []float64) { return x[0], []float64{-1} }
	b := lbfgs{function: up, iterations: 10, history: 3}
	x, err := b.minimize(t.Context(), []float64{2})
	if err != nil || x[0] != 2 {
		t.Errorf("ends at %v (%v), want the start", x, err)
	}
	nan := func(x []float64) (float64, []float64) { return math.NaN(), []float64{1} }
	if _, err := (&lbfgs{function: nan, iterations: 1}).minimize(t.Context(), []float64{2}); err == nil {
		t.Error("NaN at the start is accepted")
	}
}
