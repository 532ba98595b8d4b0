package baselines

import (
	"slices"
	"testing"
)

func TestClosest(t *testing.T) {
	distance := []float64{3, 1, 2, 1, 0}
	odd := func(row int) bool { return row%2 == 1 }
	tests := []struct {
		name string
		k    int
		keep func(int) bool
		want []int
	}{
		{"all", 5, everyRow, []int{4, 1, 3, 2, 0}},
		{"equal distances by row", 2, everyRow, []int{4, 1}},
		{"only some rows", 1, odd, []int{1}},
		{"fewer than asked for", 9, odd, []int{1, 3}},
		{"none", 3, func(int) bool { return false }, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := closest(distance, tt.k, tt.keep); !slices.Equal(got, tt.want) {
				t.Errorf("rows %v, want %v", got, tt.want)
			}
		})
	}
}
