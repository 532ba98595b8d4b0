package results_test

import (
	"math"
	"slices"
	"testing"

	. "r2lmlbench/results"
)

func TestCountClasses(t *testing.T) {
	want := []ClassCount{{-2, 1}, {3, 3}, {7, 2}}
	if got := CountClasses([]int{7, 3, 3, -2, 7, 3}); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if got := CountClasses(nil); len(got) != 0 {
		t.Errorf("%v of no samples", got)
	}
}

func TestClassMeasures(t *testing.T) {
	for _, c := range []struct {
		name             string
		truth, predicted []int
		balanced, f1     float64
	}{
		{"all right", []int{1, 2, 2, 3}, []int{1, 2, 2, 3}, 1, 1},
		// Recalls 4/4 and 1/2; F1 of 1: 8/9, of 2: 2/3.
		{"one of two missed", []int{1, 1, 1, 1, 2, 2}, []int{1, 1, 1, 1, 2, 1}, 0.75, (8.0/9 + 2.0/3) / 2},
		// Recalls 1 and 0; F1 of 1: 6/(2·3+1), of 2, which is never given: 0.
		{"constant", []int{1, 1, 1, 2}, []int{1, 1, 1, 1}, 0.5, 3.0 / 7},
		// Recalls 2/3, 1/2 and 0; F1: 4/(4+1+1), 2/(2+1+1), 0.
		{"three classes", []int{1, 1, 1, 2, 2, 5}, []int{1, 1, 2, 2, 1, 9}, 7.0 / 18, (2.0/3 + 1.0/2) / 3},
		// 9 is no class of the test samples: 1 has 1 of 2 and F1 = 2/(2+0+1).
		{"an unknown label", []int{1, 1}, []int{1, 9}, 0.5, 2.0 / 3},
		{"nothing right", []int{1, 2}, []int{2, 1}, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			classes := CountResults(c.truth, c.predicted)
			if got := classes.BalancedAccuracy(); math.Abs(got-c.balanced) > 1e-15 {
				t.Errorf("balanced accuracy %g, want %g", got, c.balanced)
			}
			if got := classes.MacroF1(); math.Abs(got-c.f1) > 1e-15 {
				t.Errorf("macro-F1 %g, want %g", got, c.f1)
			}
		})
	}
	failed := CountResults([]int{1, 2}, nil)
	if !math.IsNaN(failed.BalancedAccuracy()) || !math.IsNaN(failed.MacroF1()) {
		t.Errorf("%g and %g of a failed cell", failed.BalancedAccuracy(), failed.MacroF1())
	}
}
