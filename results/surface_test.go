package results_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"r2lmlbench/internal/fixture"
	. "r2lmlbench/results"
	"r2lmlbench/results/resultstest"
)

// surfaceCell has two points of which the second failed: 3 of 5 samples right, and
// three labelled 2.
func surfaceCell() Cell {
	c := resultstest.GridCell()
	c.Truth, c.Predicted = []int{1, 1, 2, 2, 7}, []int{1, 2, 2, 2, 1}
	c.Chosen = 0
	c.Surface = NewSurface(c.Truth, len(c.Points), map[int]Outcome{
		0: {Phase: PhaseTest, Test: CountTest(c.Truth, c.Predicted)},
		1: {Phase: PhaseTest, Point: 1, Failed: "not finite"},
	})
	return c
}

func TestSurface(t *testing.T) {
	c := surfaceCell()
	want := &Surface{
		Labels: []int{1, 2, 7}, Of: []int{2, 2, 1},
		Correct: []int{3, -1}, ByClass: [][]int{{1, 2, 0}, {}}, Largest: []int{3, -1},
		Failures: map[int]string{1: "not finite"},
	}
	fixture.Same(t, "the surface", c.Surface, want)
	data := fixture.Must(EncodeCell(c))(t)
	back, err := DecodeCell(data)
	if diff := cmp.Diff(c.Surface, back.Surface); diff != "" || err != nil {
		t.Errorf("%v\n%s", err, diff)
	}
}

// A surface that contradicts itself or its cell is not stored.
func TestSurfaceContradictions(t *testing.T) {
	for want, spoil := range map[string]func(*Cell){
		"a surface of 1 points for 2":                     func(c *Cell) { c.Surface.Correct = []int{3} },
		"other classes":                                   func(c *Cell) { c.Surface.Of = []int{2, 1, 2} },
		"counts of a point that failed":                   func(c *Cell) { c.Surface.Largest[1] = 2 },
		"2 classes, want 3":                               func(c *Cell) { c.Surface.ByClass[0] = []int{1, 2} },
		"3 of 2 right in class 2":                         func(c *Cell) { c.Surface.ByClass[0] = []int{0, 3, 0} },
		"-1 of 2 right in class 1":                        func(c *Cell) { c.Surface.ByClass[0] = []int{-1, 2, 1} },
		"3 right, by class 2":                             func(c *Cell) { c.Surface.ByClass[0] = []int{1, 1, 0} },
		"a label given to 6 of 5 samples":                 func(c *Cell) { c.Surface.Largest[0] = 6 },
		"a reason for a failure of point 0":               func(c *Cell) { c.Surface.Failures[0] = "none" },
		"the chosen point has 3 right, its predictions 2": func(c *Cell) { c.Predicted[0] = 2 },
	} {
		c := surfaceCell()
		spoil(&c)
		fixture.Says(t, fixture.Error(EncodeCell(c)), want)
	}
}
