package baselines

import (
	"fmt"
	"os"
	"slices"
	"strings"
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
}

// TestClosedFormCounts fits the whole grids of the fixtures, as a grid, on the
// authors' splits: the counts and the choice are those of the reference, and the
// accuracies of the choice those of docs/baselines.md.
func TestClosedFormCounts(t *testing.T) {
	checkClosedRuns(t, "kissme", FitKISSME, func(r closedRun) KISSME { return KISSME{Lambda: 1, Shrinkage: r.Shrinkage} })
	checkClosedRuns(t, "gmml", FitGMML, func(r closedRun) GMML { return GMML{T: r.T, Shrinkage: r.Shrinkage} })
	checkClosedRuns(t, "lfda", FitLFDA, func(r closedRun) LFDA { return LFDA{Rank: r.Rank, Shrinkage: r.Shrinkage} })
	checkClosedRuns(t, "dmlmj", FitDMLMJ, func(r closedRun) DMLMJ { return DMLMJ{Rank: r.Rank, Shrinkage: r.Shrinkage} })
	checkClosedRuns(t, "rfm", FitRFM, func(r closedRun) RFM {
		return RFM{Bandwidth: r.Bandwidth, Ridge: r.Ridge, Iterations: r.Iterations}
	})
}

func TestEuclideanDocument(t *testing.T) {
	for _, features := range []datasets.Scaling{datasets.Unscaled, datasets.ZScore} {
		for _, name := range documentedSplits {
			s := readAuthorSplit(t, name).paperSize()
			s.test = scaled(features, s.test)
			checkDocumented(t, "Euclidean", name, features, testAccuracy(t, Euclidean{}, s))
		}
	}
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
			right := correct(g.test, g.onTest(best), g.testY)
			checkDocumented(t, strings.ToUpper(method), chosen.Split, chosen.Features, 100*float64(right)/float64(len(g.testY)))
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

// documentedSplits are the columns of the tables of docs/baselines.md.
var documentedSplits = []string{"ionosphere", "robot", "winequality"}

// checkDocumented compares an accuracy with the digits of docs/baselines.md.
func checkDocumented(t *testing.T, method, split string, features datasets.Scaling, accuracy float64) {
	t.Helper()
	names := map[datasets.Scaling]string{datasets.Unscaled: "raw", datasets.ZScore: "z-scores"}
	row := documentedRow(t, method+", "+names[features])
	got := fmt.Sprintf("%.2f", accuracy)
	if want := row[slices.Index(documentedSplits, split)]; got != want {
		t.Errorf("%s, %s features of %s: accuracy %s, docs/baselines.md has %s", method, names[features], split, got, want)
	}
}

// documentedRow returns the accuracies of the row that begins with name.
func documentedRow(t *testing.T, name string) []string {
	t.Helper()
	document, err := os.ReadFile("../docs/baselines.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, found := strings.Cut(string(document), "| method, features | | ionosphere | robot | wine quality |\n")
	if !found {
		t.Fatal("docs/baselines.md: no table of methods and features")
	}
	table, _, _ = strings.Cut(table, "\n\n")
	for line := range strings.Lines(table) {
		cells := strings.Split(strings.Trim(line, "| \n"), " | ")
		if cells[0] == name && len(cells) == 2+len(documentedSplits) {
			return cells[2:]
		}
	}
	t.Fatalf("docs/baselines.md: no row %q with %d accuracies", name, len(documentedSplits))
	return nil
}
