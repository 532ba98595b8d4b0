package run_test

import (
	"testing"

	. "r2lmlbench/experiments/run"
)

func TestFirstBest(t *testing.T) {
	for _, c := range []struct {
		correct []int
		want    int
	}{
		{[]int{3, 5, 5, 4}, 1},
		{[]int{-1, 0}, 1},
		{[]int{-1, -1}, -1},
		{[]int{7}, 0},
	} {
		if got := FirstBest(c.correct); got != c.want {
			t.Errorf("FirstBest(%v) = %d, want %d", c.correct, got, c.want)
		}
	}
}
