package verdict_test

import (
	"testing"

	"r2lmlbench/results"
	"r2lmlbench/results/store"
	. "r2lmlbench/results/verdict"
)

// TestSupportingRuns: they are as many as the verdict counts. The standard deviation
// of 47, 46 and 48 of 60 is 100/60.
func TestSupportingRuns(t *testing.T) {
	for _, e := range evidenceOfAll() {
		v, err := New(e)
		if err != nil {
			t.Fatal(err)
		}
		if behind := e.Supporting(v); len(behind) != v.Runs {
			t.Errorf("%s/%s: %d runs behind it, want %d", v.Letter, v.Method, len(behind), v.Runs)
		}
	}
	b := NewSupportingRuns(runs(60, 47, 46, 48), 1, &store.Store{Dir: "d"})
	if b.SD != "1.67" || len(b.Runs) != 3 || b.Runs[1].Accuracy != "76.67" || b.Runs[2].Seed != 3 || b.Runs[0].File == b.Runs[1].File ||
		!b.Runs[1].Nearest || b.Runs[0].Nearest {
		t.Errorf("%+v", b)
	}
	if NewSupportingRuns(nil, -1, &store.Store{}) != nil || NewSupportingRuns(runs(60, 47), 0, &store.Store{}).SD != "" {
		t.Error("a spread of one run, or of none")
	}
}

// settled gives runs settings: point i has gamma i, of three.
func settled(all []Run, points ...int) []Run {
	for i := range all {
		all[i].Point = points[i]
		all[i].Inputs.Points = nil
		for gamma := range 3 {
			all[i].Inputs.Points = append(all[i].Inputs.Points, results.Point{Params: results.Params{"gamma": gamma}})
		}
	}
	return all
}

// TestSurfaced: the run around which a surface is shown.
func TestSurfaced(t *testing.T) {
	stated, onTest := settled(runs(100, 70, 80), 0, 1), settled(runs(100, 90, 91), 2, 2)
	for _, c := range []struct {
		name, printed string
		protocols     []Protocol
		seed          uint64
		point         int
	}{
		{"on test", "90.00", []Protocol{{Rung: Stated, Runs: stated}, {Rung: OnTest, Runs: onTest}}, 1, 2},
		{"on test, nearest", "91.00", []Protocol{{Rung: Stated, Runs: stated}, {Rung: OnTest, Runs: onTest}}, 2, 2},
		{"stated: the surface of its seed", "80.00", []Protocol{{Rung: Stated, Runs: stated}, {Rung: OnTest, Runs: onTest}}, 2, 1},
		{"stated, no surface of its seed", "80.00", []Protocol{{Rung: Stated, Runs: stated}, {Rung: OnTest, Runs: onTest[:1]}}, 1, -1},
		{"no rung", "95.00", []Protocol{{Rung: Stated, Runs: stated}, {Rung: OnTest, Runs: onTest}}, 2, 2},
		{"an open setting", "60.00", []Protocol{
			{Rung: Stated, Runs: stated}, {Rung: Open, Setting: "a 1", Runs: settled(runs(100, 60), 1)}, {Rung: OnTest, Runs: onTest},
			{Rung: OpenOnTest, Setting: "a 1", Runs: settled(runs(100, 85), 0)},
		}, 1, 1},
	} {
		e := number("A", "m", c.printed, c.protocols...)
		v, err := New(e)
		if err != nil {
			t.Fatal(err)
		}
		if r := e.Surfaced(v); r == nil || r.Inputs.Seed != c.seed || r.Point != c.point {
			t.Errorf("%s: %+v, want seed %d and point %d", c.name, r, c.seed, c.point)
		}
	}
	e := number("A", "m", "80.00", Protocol{Rung: Stated, Runs: stated}, Protocol{Rung: OnTest, Runs: onTest})
	v, _ := New(e)
	for _, c := range []struct {
		asked, seed uint64
		point       int
	}{{1, 1, -1}, {2, 2, 1}, {3, 2, 1}} {
		if r := e.SurfacedWith(v, c.asked); r == nil || r.Inputs.Seed != c.seed || r.Point != c.point {
			t.Errorf("asked for seed %d: %+v, want seed %d and point %d", c.asked, r, c.seed, c.point)
		}
	}
	e = number("A", "m", "80.00", Protocol{Rung: Stated, Runs: stated})
	v, _ = New(e)
	if e.SurfacedWith(v, 1) != nil || e.Surfaced(v) != nil || (Evidence{}).Surfaced(Verdict{}) != nil {
		t.Error("a surface of nothing")
	}
	if got := e.ChosenOf(results.Cell{Inputs: onTest[1].Inputs}); got != 1 {
		t.Errorf("seed 2 chose point %d, want 1", got)
	}
	if !e.Reaches(81, 100) || e.Reaches(82, 100) {
		t.Error("the margin is one point")
	}
}
