package stats_test

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	. "r2lmlbench/stats"
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
		if got := AtLeast(k, three); math.Abs(got-want) > 1e-15 {
			t.Errorf("at least %d: %g, want %g", k, got, want)
		}
	}
	// Of equal probabilities it is the binomial distribution.
	same := slices.Repeat([]float64{0.05}, 80)
	for k := range 20 {
		want := 1 - distuv.Binomial{N: 80, P: 0.05}.CDF(float64(k)-1)
		if got := AtLeast(k, same); math.Abs(got-want) > 1e-12 {
			t.Errorf("at least %d of 80: %g, want %g", k, got, want)
		}
	}
	// The sum loses no small probability.
	if got, want := AtLeast(80, same), math.Pow(0.05, 80); math.Abs(got/want-1) > 1e-12 {
		t.Errorf("all 80: %g, want %g", got, want)
	}
	if AtLeast(-1, nil) != 1 || AtLeast(0, nil) != 1 || AtLeast(1, nil) != 0 {
		t.Error("without events")
	}
	defer func() {
		if recover() == nil {
			t.Error("no panic of a probability of 2")
		}
	}()
	AtLeast(1, []float64{2})
}
