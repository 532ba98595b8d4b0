package verdict

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"r2lmlbench/results"
	"r2lmlbench/results/resultstest"
)

// The settings of a made-up method with a grid of three, on which the stated protocol
// has shrinkage 0.5.
func points(shrinkages ...float64) []results.Point {
	var all []results.Point
	for _, gamma := range []int{1, 2, 3} {
		for _, s := range shrinkages {
			all = append(all, results.Point{Params: results.Params{"gamma": gamma, "shrinkage": s}})
		}
	}
	return all
}

var reading = Reading{Points: points(0.5), Open: []string{"shrinkage", "epochs", UnlabeledParameter}}

// cell has 100 test samples and so many validation samples. valid and test are the
// right ones by point, -1 for a point that failed; without test there is no surface.
func cell(seed uint64, all []results.Point, validation int, valid, test []int, chosen, right int) results.Cell {
	c := resultstest.NewCell("toy", "glml", right, 100, seed)
	c.Points, c.Chosen = all, chosen
	if len(all) > 1 {
		c.Validation = &results.Profile{N: validation, Correct: valid, Failures: map[int]string{}}
	}
	if test == nil {
		return c
	}
	c.Measure = []string{"surface"}
	c.Surface = &results.Surface{Labels: []int{1, 2, 3}, Of: []int{34, 33, 33}, Correct: test}
	for _, n := range test {
		c.Surface.Largest = append(c.Surface.Largest, min(n+1, 100))
	}
	return c
}

// spelled lists protocols with the right ones of their runs: "4: 80 81".
func spelled(all []Protocol) string {
	var lines []string
	for _, p := range all {
		line := fmt.Sprint(int(p.Rung))
		if p.Setting != "" {
			line += " " + p.Setting
		}
		line += ":"
		for _, r := range p.Runs {
			line += fmt.Sprint(" ", r.Correct)
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "; ")
}

func TestProtocols(t *testing.T) {
	plain := func(seed uint64, right int) results.Cell {
		return cell(seed, points(0.5), 100, []int{7, 9, 8}, nil, 1, right)
	}
	joint := plain(1, 66)
	joint.Unlabeled = results.UnlabeledJoint
	restarts := plain(1, 77)
	restarts.Points, restarts.Validation = slices.Concat(points(0.5), points(0.5)), &results.Profile{N: 9, Correct: []int{1, 1, 1, 1, 1, 9}}
	for i := 3; i < 6; i++ {
		restarts.Points[i].Restart = 1
	}
	epochs := plain(1, 55)
	epochs.Points = points(0.5)
	for i := range epochs.Points {
		epochs.Points[i].Params["epochs"] = 10
	}
	part := cell(1, points(0.5)[:2], 100, []int{7, 9}, nil, 1, 44)
	other := plain(1, 33)
	other.Points = points(0.5)
	for i := range other.Points {
		other.Points[i].Params["neighbors"] = 1
	}
	// gamma varies slowest: points 0, 2 and 4 have shrinkage 0.1, the others 0.5.
	larger := cell(1, points(0.1, 0.5), 100, []int{5, 7, 5, 9, 6, 8}, []int{50, 70, 60, 71, 55, 72}, 3, 71)
	for _, c := range []struct {
		name  string
		cells []results.Cell
		want  string
	}{
		{"nothing", nil, ""},
		{"no surface", []results.Cell{plain(1, 80)}, "1: 80"},
		{"seeds in their order", []results.Cell{plain(3, 83), plain(1, 81), plain(2, 82)}, "1: 81 82 83"},
		{"a surface", []results.Cell{cell(1, points(0.5), 100, []int{7, 9, 8}, []int{70, 80, 90}, 1, 80)}, "1: 80; 4: 90"},
		{"the first best of the grid", []results.Cell{cell(1, points(0.5), 100, []int{9, 9, 8}, []int{70, 80, 90}, 0, 70)}, "1: 70; 2: 70 80; 4: 90"},
		{"one behind the best of 59", []results.Cell{cell(1, points(0.5), 59, []int{7, 9, 8}, []int{70, 80, 90}, 1, 80)}, "1: 80; 2: 80 90; 4: 90"},
		{"one behind the best of 60", []results.Cell{cell(1, points(0.5), 60, []int{7, 9, 8}, []int{70, 80, 90}, 1, 80)}, "1: 80; 4: 90"},
		{"none right of a few", []results.Cell{cell(1, points(0.5), 9, []int{-1, 0, 0}, []int{-1, 80, 90}, 1, 80)}, "1: 80; 2: 80 90; 4: 90"},
		{"ties with one seed only", []results.Cell{
			cell(1, points(0.5), 100, []int{7, 9, 8}, []int{70, 80, 90}, 1, 80), cell(2, points(0.5), 100, []int{9, 9, 8}, []int{71, 81, 91}, 0, 71),
		}, "1: 80 71; 2: 80 71 81; 4: 90 91"},
		{"failed points", []results.Cell{cell(1, points(0.5), 100, []int{-1, 9, 9}, []int{-1, 80, -1}, 1, 80)}, "1: 80; 2: 80; 4: 80"},
		{"parts of a larger grid", []results.Cell{larger}, "1: 71; 3 shrinkage 0.1: 55; 4: 72; 5 shrinkage 0.1: 60"},
		{"a surface beside the cell itself", []results.Cell{larger, plain(1, 71)}, "1: 71; 3 shrinkage 0.1: 55; 4: 72; 5 shrinkage 0.1: 60"},
		{"a part without a validation score", []results.Cell{
			cell(1, points(0.1, 0.5), 100, []int{-1, 7, -1, 9, -1, 8}, []int{50, 70, 60, 71, 55, 72}, 3, 71),
		}, "1: 71; 4: 72"},
		{"a part that failed on test", []results.Cell{
			cell(1, points(0.1, 0.5), 100, []int{5, 7, 5, 9, 6, 8}, []int{-1, 70, -1, 71, -1, 72}, 3, 71),
		}, "1: 71; 4: 72"},
		{"unlabelled samples together", []results.Cell{plain(1, 80), joint}, "1: 80; 3 unlabeled joint: 66"},
		{"another open parameter", []results.Cell{plain(1, 80), epochs}, "1: 80; 3 epochs 10: 55"},
		{"several starts of every setting", []results.Cell{restarts, plain(1, 80)}, "1: 80"},
		{"a part of the grid", []results.Cell{part}, ""},
		{"a parameter that is not open", []results.Cell{other}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := spelled(reading.Protocols(c.cells)); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

// A cell without a surface comes first of two of a seed, whatever the order.
func TestCellsWithoutSurfaceFirst(t *testing.T) {
	plain := cell(1, points(0.5), 100, []int{7, 9, 8}, nil, 1, 80)
	surface := cell(1, points(0.5), 100, []int{7, 9, 8}, []int{70, 80, 90}, 1, 80)
	for _, cells := range [][]results.Cell{{plain, surface}, {surface, plain}} {
		if runs := reading.Protocols(cells)[0].Runs; len(runs) != 1 || len(runs[0].Inputs.Measure) > 0 {
			t.Errorf("%+v", runs)
		}
	}
}

// Open settings go by the value of the number and not by its digits.
func TestOpenSettingsInOrder(t *testing.T) {
	c := cell(1, points(0.1, 1000, 16, 2), 100, slices.Repeat([]int{5}, 12), slices.Repeat([]int{50}, 12), 0, 50)
	var settings []string
	for _, p := range reading.Protocols([]results.Cell{c}) {
		settings = append(settings, p.Setting)
	}
	want := []string{"shrinkage 0.1", "shrinkage 2", "shrinkage 16", "shrinkage 1000"}
	if !slices.Equal(settings, slices.Concat(want, want)) {
		t.Errorf("%q", settings)
	}
}

// Of several parts of a grid each is found constant by its own chosen point.
func TestConstantRuns(t *testing.T) {
	c := cell(1, points(0.1, 0.5), 100, []int{5, 7, 5, 9, 6, 8}, []int{50, 70, 60, 71, 34, 72}, 3, 71)
	c.Surface.Largest[4] = 100
	all := reading.Protocols([]results.Cell{c})
	if all[0].Runs[0].Constant || !all[1].Runs[0].Constant {
		t.Errorf("%+v", all)
	}
	one := cell(1, points(0.5), 100, []int{7, 9, 8}, nil, 1, 34)
	one.Predicted = slices.Repeat([]int{1}, 100)
	if !reading.Protocols([]results.Cell{one})[0].Runs[0].Constant {
		t.Error("a cell with one label")
	}
	one.Truth = one.Predicted
	if reading.Protocols([]results.Cell{one})[0].Runs[0].Constant {
		t.Error("a test set of one class")
	}
}

// The figures fix gamma at 2 or 3 here, and take the best of the rest on the test
// samples, of the stated protocol's settings alone.
func TestFigures(t *testing.T) {
	r := Reading{Points: nil, Open: []string{"shrinkage"}, Fixed: results.Params{"gamma": 2}}
	for _, gamma := range []int{1, 2} {
		for _, metrics := range []int{1, 2} {
			r.Points = append(r.Points, results.Point{Params: results.Params{"gamma": gamma, "metrics": metrics, "shrinkage": 1}})
		}
	}
	surface := func(seed uint64, test ...int) results.Cell {
		return cell(seed, r.Points, 100, []int{9, 8, 7, 6}, test, 0, test[0])
	}
	open := surface(1, 10, 20, 99, 99)
	open.Points = slices.Clone(r.Points)
	for i, p := range open.Points {
		open.Points[i].Params = results.Params{"gamma": p.Params["gamma"], "metrics": p.Params["metrics"], "shrinkage": 2}
	}
	runs := r.Figures([]results.Cell{open, surface(2, 90, 91, 33, 32), surface(1, 90, 91, 30, 31), cell(3, r.Points, 100, []int{9, 8, 7, 6}, nil, 0, 50)})
	if len(runs) != 2 || runs[0].Correct != 31 || runs[0].Point != 3 || runs[1].Correct != 33 || runs[1].Point != 2 {
		t.Errorf("%+v", runs)
	}
	r.Fixed = nil
	if r.Figures([]results.Cell{surface(1, 1, 2, 3, 4)}) != nil {
		t.Error("a figure that does not exist")
	}
}
