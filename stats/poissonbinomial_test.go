package stats

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"r2lmlbench/internal/fixture"
)

func TestAtLeast(t *testing.T) {
	three := []float64{0.5, 0.25, 0.1}
	for k, want := range []float64{
		0: 1,
		1: 1 - 0.5*0.75*0.9,
		2: 0.5*0.25*0.9 + 0.5*0.75*0.1 + 0.5*0.25*0.1 + 0.5*0.25*0.1,
		3: 0.5 * 0.25 * 0.1,
		4: 0,
	} {
		fixture.Near(t, fmt.Sprintf("at least %d", k), AtLeast(k, three), want, 1e-15)
	}
	// Of equal probabilities it is the binomial distribution.
	same := slices.Repeat([]float64{0.05}, 80)
	for k := range 20 {
		want := 1 - distuv.Binomial{N: 80, P: 0.05}.CDF(float64(k)-1)
		fixture.Near(t, fmt.Sprintf("at least %d of 80", k), AtLeast(k, same), want, 1e-12)
	}
	// The sum loses no small probability.
	fixture.Near(t, "all 80, in their probability", AtLeast(80, same)/math.Pow(0.05, 80), 1, 1e-12)
	if AtLeast(-1, nil) != 1 || AtLeast(0, nil) != 1 || AtLeast(1, nil) != 0 {
		t.Error("without events")
	}
	mustPanic(t, map[string]func(){"a probability of 2": func() { AtLeast(1, []float64{2}) }})
}

// TestPoissonBinomialIsBinomial: with equal probabilities it is the binomial distribution.
func TestPoissonBinomialIsBinomial(t *testing.T) {
	for _, n := range []int{0, 1, 7, 234} {
		for _, p := range []float64{0, 0.2, 0.5, 1} {
			pmf := PoissonBinomial(slices.Repeat([]float64{p}, n))
			fixture.Equal(t, "probabilities", len(pmf), n+1)
			for k, got := range pmf {
				want := math.Exp(distuv.Binomial{N: float64(n), P: p}.LogProb(float64(k)))
				if p == 0 || p == 1 { // whose logarithm is not finite
					want = 0
					if k == n*int(p) {
						want = 1
					}
				}
				fixture.Near(t, fmt.Sprintf("n = %d, p = %g: probability of %d", n, p, k), got, want, 1e-13)
			}
		}
	}
}
