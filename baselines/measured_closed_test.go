package baselines

import (
	"slices"
	"testing"

	"r2lmlbench/datasets"
	"r2lmlbench/internal/fixture"
	"r2lmlbench/r2lml"
)

// A closedRun is a setting with the numbers of samples that it labels right.
type closedRun struct {
	Split                                  string
	Features                               datasets.Scaling
	Lambda, Shrinkage, T, Ridge, Bandwidth float64
	Rank, Iterations                       int
	Validation                             int  `json:"cross_correct"`
	Test                                   *int `json:"test_correct"`
	ValidationN                            int  `json:"cross"`
	TestN                                  int  `json:"test"`
}

// TestClosedFormCounts fits the whole grids of the fixtures, as a grid, on the
// authors' splits: the counts and the choice are those of the reference.
func TestClosedFormCounts(t *testing.T) {
	checkClosedRuns(t, "kissme", FitKISSME, func(r closedRun) KISSME { return KISSME{Lambda: 1, Shrinkage: r.Shrinkage} })
	checkClosedRuns(t, "gmml", FitGMML, func(r closedRun) GMML { return GMML{T: r.T, Shrinkage: r.Shrinkage} })
	checkClosedRuns(t, "lfda", FitLFDA, func(r closedRun) LFDA { return LFDA{Rank: r.Rank, Shrinkage: r.Shrinkage} })
	checkClosedRuns(t, "dmlmj", FitDMLMJ, func(r closedRun) DMLMJ { return DMLMJ{Rank: r.Rank, Shrinkage: r.Shrinkage} })
	checkClosedRuns(t, "rfm", FitRFM, func(r closedRun) RFM {
		return RFM{Bandwidth: r.Bandwidth, Ridge: r.Ridge, Iterations: r.Iterations}
	})
}

func checkClosedRuns[M interface {
	r2lml.Method
	comparable
}](t *testing.T, method string, fit r2lml.GridFit[M], setting func(closedRun) M) {
	t.Run(method, func(t *testing.T) {
		var f struct{ Cells, Chosen []closedRun }
		fixture.Read(t, fixture.Collected(t, "golden", method, "endtoend.json"), &f)
		if want := 2 * len(documentedSplits); len(f.Chosen) != want {
			t.Fatalf("%d settings are chosen, want %d", len(f.Chosen), want)
		}
		for _, chosen := range f.Chosen {
			runs := slices.DeleteFunc(slices.Clone(f.Cells), func(r closedRun) bool {
				return r.Split != chosen.Split || r.Features != chosen.Features
			})
			g := newClosedGrid(t, chosen, runs)
			if len(g.validationY) != chosen.ValidationN || len(g.testY) != chosen.TestN {
				t.Errorf("%s has %d and %d queries, want %d and %d", chosen.Split, len(g.validationY), len(g.testY), chosen.ValidationN, chosen.TestN)
			}
			settings := make([]M, len(runs))
			for i, r := range runs {
				settings[i] = setting(r)
			}
			for _, task := range fit(g.validation, settings) {
				task.Run(t.Context(), func(i int, fitted r2lml.Fitted, err error) { g.check(t, i, fitted, err) })
			}
			best := g.best(t)
			if settings[best] != setting(chosen) {
				t.Errorf("%s, %v: %+v is chosen, want %+v", chosen.Split, chosen.Features, settings[best], setting(chosen))
			}
		}
	})
}

// A closedGrid compares the runs of a grid, on one split with scaled features, as they
// are fitted.
type closedGrid struct {
	authorSplit
	runs   []closedRun
	fitted []r2lml.Metric
	right  []int // validation samples
}

func newClosedGrid(t *testing.T, at closedRun, runs []closedRun) *closedGrid {
	t.Helper()
	s := readAuthorSplit(t, at.Split).paperSize()
	s.validation, s.test = scaled(at.Features, s.validation), scaled(at.Features, s.test)
	return &closedGrid{s, runs, make([]r2lml.Metric, len(runs)), make([]int, len(runs))}
}

// check compares the counts of run i.
func (g *closedGrid) check(t *testing.T, i int, fitted r2lml.Fitted, err error) {
	t.Helper()
	r := g.runs[i]
	if err != nil {
		t.Fatalf("%+v: %v", r, err)
	}
	if g.fitted[i] != nil {
		t.Errorf("%+v is fitted twice", r)
	}
	g.fitted[i] = fitted.Metric
	g.right[i] = correct(g.validation, fitted.Metric, g.validationY)
	if got := g.right[i]; abs(got-r.Validation) > countTolerance {
		t.Errorf("%+v: %d validation samples right, want %d", r, got, r.Validation)
	}
	if r.Test == nil {
		return
	}
	if got := correct(g.test, g.onTest(i), g.testY); abs(got-*r.Test) > countTolerance {
		t.Errorf("%+v: %d test samples right, want %d", r, got, *r.Test)
	}
}

// onTest is the metric of run i for the test samples.
func (g *closedGrid) onTest(i int) r2lml.Metric {
	return r2lml.NewGlobal(g.test, g.fitted[i].(*r2lml.LocalMetric).L[0])
}

// best returns the first run that labels most validation samples right. Every run
// must have been fitted.
func (g *closedGrid) best(t *testing.T) int {
	t.Helper()
	for i, m := range g.fitted {
		if m == nil {
			t.Fatalf("%+v is not fitted", g.runs[i])
		}
	}
	return slices.Index(g.right, slices.Max(g.right))
}

// documentedSplits are those of docs/baselines.md.
var documentedSplits = []string{"ionosphere", "robot", "winequality"}
