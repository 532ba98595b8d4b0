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

// TestNothingPredicted: the measures of a failed cell are not numbers.
func TestNothingPredicted(t *testing.T) {
	failed := CountResults([]int{1, 2}, nil)
	if !math.IsNaN(failed.BalancedAccuracy()) || !math.IsNaN(failed.MacroF1()) {
		t.Errorf("%g and %g of a failed cell", failed.BalancedAccuracy(), failed.MacroF1())
	}
}
