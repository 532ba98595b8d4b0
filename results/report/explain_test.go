package report

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"r2lmlbench/experiments/plan"
	"r2lmlbench/experiments/published"
	"r2lmlbench/experiments/spec"
	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/testkit"
	"r2lmlbench/r2lml"
	"r2lmlbench/results"
	"r2lmlbench/results/paper"
	"r2lmlbench/results/store"
	"r2lmlbench/results/table"
)

// sampleExplanation is of a row of three methods; b's cell has a grid, one of
// whose points failed.
func sampleExplanation() Explanation {
	in := testkit.InvertedRow()
	b := &in.Cells[1].Cells[0]
	b.Settings = []results.Setting{{Params: results.Params{"gamma": 0.1}}, {Params: results.Params{"gamma": 10.0, "kind": "odd"}, Restart: 1},
		{Params: results.Params{"gamma": 1e5}}}
	b.Validation = &results.Profile{N: 40, Correct: []int{31, 35, -1}, Failures: map[int]string{2: "not finite"}}
	b.Chosen = 1
	b.Counts = []results.Count{{Name: "coefficients at vertices", Count: 3, Of: 60}}
	b.Warnings = []string{"few pairs\x1b[31m"}
	t := table.New(testkit.AccuracySpec(testkit.ColumnA, testkit.ColumnB, testkit.ColumnC), []table.RowInput{in})
	x := Explanation{
		Schema: 3, Spec: "toy", Letter: "T", Neighbors: 5, Seed: 1,
		Method: MethodFacts{"b", "itml", "Method B", 3, true, "Somebody, 2007"},
		Data: DataFacts{
			ID: "toy", Name: "Toy", Rows: 180, Features: 40, PCA: 4, Digest: "d1", Note: "stands in",
			Classes: []ClassFact{{Code: 1, Label: "no", Rows: 90}, {Code: 2, Label: "1", Name: "yes", Rows: 90}}, Sources: []string{"https://example.org/toy.data"},
		},
		Split: SplitFacts{"authors", 0, "s1", 80, 40, 60}, File: "cells/toy/itml.json",
		Published: &PublishedRef{"80.00", 2, "-1.67"},
		Run: &results.Run{
			Finished: time.Date(2020, 2, 3, 4, 5, 6, 0, time.UTC), Host: "h", Go: "go1", Seconds: 1.5, Heap: 5 << 20, Workers: 2,
			Environment: []string{"CPython 3", "numpy 2"},
		},
		Commands: []string{"r2lmlbench run toy"},
	}
	surface := surfaceCell()
	runs := []paper.Run{{Inputs: surface.Inputs, Setting: 4, Correct: 48, N: 60}, {Inputs: surface.Inputs, Setting: 1, Correct: 50, N: 60}}
	e := paper.Evidence{
		Published: published.Number{Letter: "T", Dataset: "toy", Accuracy: "80.00", Percent: 80}, Column: "b", Samples: 60, Planned: 2, Runs: runs,
	}
	other := e
	other.Runs = []paper.Run{{Correct: 40, N: 60}}
	all := paper.Judge("toy", []paper.Evidence{e}, paper.Reading{Text: "another step", Evidence: []paper.Evidence{other}})
	x.Surface = newSurface(surface, "cells/toy/surface.json")
	x.judge(all, &store.Store{Dir: "."})
	for _, p := range b.Settings {
		x.Tried = append(x.Tried, TriedPoint{Params: p.Params, Restart: p.Restart})
	}
	x.AddCell(*b)
	x.AddRow(t.Rows[0], t.Rows[0].Cells[1], map[string]results.Cell{"a": in.Cells[0].Cells[0], "b": *b, "c": in.Cells[2].Cells[0]})
	return x
}

// surfaceCell has a grid of two by three, the last point of which failed.
func surfaceCell() results.Cell {
	c := fixture.NewCell("toy", "itml", 40, 60, 1)
	c.Settings = nil
	for _, metrics := range []int{1, 2} {
		for _, lambda := range []float64{0.1, 10, 1e5} {
			c.Settings = append(c.Settings, results.Setting{Params: results.Params{"metrics": metrics, "lambda": lambda, "step": 1e-5}})
		}
	}
	c.Validation = &results.Profile{N: 40, Correct: []int{39, 30, 31, 32, 33, -1}}
	c.GridScores = &results.GridScores{Correct: []int{40, 50, 20, 30, 48, -1}}
	return c
}

// TestSettings: the text has a line for each setting with the parameters that vary, right
// validation samples and accuracy on the test samples, and marks what is special about it.
func TestSettings(t *testing.T) {
	c := surfaceCell()
	x := Explanation{Surface: newSurface(c, "file")}
	for _, p := range c.Settings {
		x.Tried = append(x.Tried, TriedPoint{Params: p.Params})
	}
	x.AddCell(c)
	x.Surface.Points[4].Reaches = true
	settings := func() string {
		_, all, _ := strings.Cut(x.Text(), "\nSettings")
		all, _, _ = strings.Cut(all, "\n\n")
		return all
	}
	fixture.Equal(t, "settings", settings(), ` tried: right of 40 validation samples, accuracy on test samples
  all with step=1e-05
  v: chosen; t: best on test; =: within 1 point or 1 test sample of the published accuracy
  v  lambda=0.1 metrics=1       39 (97.50)  66.67
  t  lambda=10 metrics=1        30 (75.00)  83.33
     lambda=100000 metrics=1    31 (77.50)  33.33
     lambda=0.1 metrics=2       32 (80.00)  50.00
  =  lambda=10 metrics=2        33 (82.50)  80.00
     lambda=100000 metrics=2    -           -`)
	x.Validation, x.Surface.Unlabeled = 0, results.UnlabeledJoint
	fixture.Has(t, "without validation", settings(), " tried: accuracy on test samples (validation and test samples unlabelled together)\n")
	x.Tried, x.Surface = x.Tried[:1], nil
	fixture.Equal(t, "a single setting", settings(), "\n  v  lambda=0.1 metrics=1 step=1e-05")
}

// TestRender: the JSON is that of earlier versions, and the text has what it says, in lines
// that no name breaks. By hand, see testkit.InvertedRow: B has 47 of 60 right and lacks 8 of
// A's; C lacks 14 of B's and has 13 that B lacks. Its interval is
// (47 + z²/2 ± z √(47·13/60 + z²/4)) / (60 + z²), z = 1.95996: 0.663800 to 0.868770.
func TestRender(t *testing.T) {
	x := sampleExplanation()
	data := fixture.Must(json.MarshalIndent(x, "", " "))(t)
	fixture.Golden(t, "testdata/explain.json", append(data, '\n'))
	x.Data.Note = "\u202estands\nin"
	written := x.Text()
	for _, line := range []string{
		"T Toy / Method B (b), spec toy", "  accuracy                      78.33 %, 47 of 60", "  published                     80.00 rank 2 -1.67",
		"  warning                   few pairs\\x1b[31m",
		"  note      \\u202estands in", "  wall time             1.500 s, 2 workers",
		"  ran with              CPython 3, numpy 2", "  rerun  r2lmlbench run toy",
	} {
		fixture.Has(t, "the text", "\n"+written, "\n"+line+"\n")
	}
}

func TestWarnings(t *testing.T) {
	x := Explanation{Tried: make([]TriedPoint, 1)}
	facts := []results.Count{{Name: r2lml.MovedFact, Count: 0, Of: 3}}
	x.AddCell(results.Cell{Inputs: results.Inputs{Method: published.Efficient}, Counts: facts, Warnings: []string{"few pairs"}})
	fixture.EqualSlice(t, "warnings", x.Warnings, []string{"few pairs", "the maps did not move"})
}

func TestExplanationOfNothing(t *testing.T) {
	x := Explanation{Status: table.StatusMissing, Reason: "not run yet"}
	x.AddRow(table.Row{}, table.Result{Method: "a"}, nil)
	fixture.Has(t, "the text", x.Text(), "missing  not run yet")
	fixture.Same(t, "result", x.Result, nil)
}

func TestExplain(t *testing.T) {
	p, fresh := testkit.GatedCells(t)
	x := fixture.Must(Explain(t.Context(), p, "my specs/gated.yaml", "overlap30", "e-r2lml", &store.Store{Dir: t.TempDir()}, fresh))(t)
	if x.Result == nil || x.Result.N != 320 || len(x.Result.Against) != 2 || x.Result.Against[0].Family != 3 || x.Run == nil || x.Run.Host == "" {
		t.Errorf("result %+v, run %+v", x.Result, x.Run)
	}
	chosen := 0
	for _, p := range x.Tried {
		if p.Correct == nil {
			t.Errorf("a point without a score: %+v", p)
		}
		if p.Chosen {
			chosen++
		}
	}
	if len(x.Tried) != 2 || chosen != 1 || x.Validation != 80 || x.Split.Train != 80 || x.Split.Test != 320 || len(x.Data.Classes) != 2 {
		t.Errorf("%+v", x)
	}
	for _, id := range []string{"i", "q"} {
		x := fixture.Must(Explain(t.Context(), testkit.Accuracy(t), "accuracy", id, "ITML", &store.Store{Dir: t.TempDir()}))(t)
		rows := 0
		for _, c := range x.Data.Classes {
			rows += c.Rows
		}
		fixture.Equal(t, x.Data.Name+": rows of all classes", rows, x.Data.Rows)
	}
	want := []string{"r2lmlbench run 'my specs/gated.yaml' --datasets overlap30 --methods e-r2lml --results results/runs/remade"}
	fixture.EqualSlice(t, "commands", x.Commands, want)
	if x.Verdict != nil || x.Published != nil {
		t.Errorf("a published number of a set that the paper does not have: %+v", x)
	}
}

func TestExplainWhatIsMissing(t *testing.T) {
	empty := &store.Store{Dir: t.TempDir()}
	x := fixture.Must(Explain(t.Context(), testkit.Accuracy(t), "accuracy", "i", "ITML", empty, empty))(t)
	if x.Status != table.StatusMissing || x.Result != nil || x.Published == nil || x.Published.Accuracy == "" || len(x.Tried) != 9 ||
		x.Verdict == nil || x.Verdict.Reason != "no runs" || len(x.Data.Sources) == 0 || x.Data.Digest == "" || x.Split.Digest == "" {
		t.Errorf("%+v", x)
	}
	if len(x.Commands) != 2 || x.Commands[0] != "r2lmlbench data fetch ionosphere" {
		t.Errorf("commands %q", x.Commands)
	}
}

// TestExplainRuns: every run that a verdict rests on is listed, with what each reading
// gives. Heart (M) has 190 test samples.
func TestExplainRuns(t *testing.T) {
	p := testkit.Accuracy(t)
	st, empty := &store.Store{Dir: t.TempDir(), Log: t.Logf}, &store.Store{Dir: t.TempDir()}
	in := testkit.JobsOf(p, "M", "plml")[0].Inputs
	for seed := 1; seed <= 30; seed++ { // accuracy asks for twenty
		in.Seed = uint64(seed)
		testkit.Fill(t, st, in, 190, 140+seed)
	}
	for method, want := range map[string]int{"plml": 20, "itml": 0} {
		x := fixture.Must(Explain(t.Context(), p, "accuracy", "M", method, empty, st))(t)
		fixture.Equal(t, method+": runs", [4]int{len(x.Runs), x.Verdict.Runs, len(x.Readings), x.Readings[0].Runs}, [4]int{want, want, 1, want})
		for i, r := range x.Runs {
			if _, err := os.Stat(r.File); err != nil || r.N != 190 || r.Correct != 141+i || r.Accuracy == "" || r.Seed != uint64(i+1) {
				t.Errorf("%s: run %+v, %v", method, r, err)
			}
		}
	}
}

// TestExplainSurface: the surface of the cell, with the settings near the printed number.
func TestExplainSurface(t *testing.T) {
	planned := testkit.Accuracy(t)
	cells := &store.Store{Dir: t.TempDir(), Log: t.Logf}
	right := slices.Repeat([]int{140}, 63) // printed 81.05, that is 154 of 190
	right[40], right[50] = 155, 154        // which is not as good
	testkit.FillSurface(t, cells, testkit.JobsOf(planned, "M", "t-r2lml")[0].Inputs, right)
	x := fixture.Must(Explain(t.Context(), planned, "accuracy", "M", "t-r2lml", cells))(t)
	s := x.Surface
	if s == nil || s.N != 190 || s.Validation != 100 || len(s.Points) != 63 || s.Seed != 1 {
		t.Fatalf("%+v, %+v", s, x.Verdict)
	}
	for i, p := range s.Points {
		if len(p.Params) != 2 || *p.Test != right[i] || p.Chosen != (i == 0) || p.Best != (i == 40) || p.Reaches != (i == 40 || i == 50) {
			t.Errorf("point %d: %+v", i, p)
		}
	}
}

func TestExplainUnknown(t *testing.T) {
	empty := &store.Store{Dir: t.TempDir()}
	variants := fixture.Must(spec.Load("variants"))(t)
	for _, c := range []struct {
		plan                  plan.Plan
		dataset, method, says string
	}{
		{testkit.Accuracy(t), "Z", "itml", `no data set "Z"`},
		{testkit.Accuracy(t), "A", "itlm", `did you mean "itml"`},
		{testkit.PlanFor(t, variants), "A", "e-r2lml", "name one: e-r2lml:variant=reference:metrics=1"},
	} {
		fixture.Says(t, fixture.Error(Explain(t.Context(), c.plan, "s", c.dataset, c.method, empty)), c.says)
	}
}

func TestExplainOfNoComparableColumn(t *testing.T) {
	s := fixture.Must(spec.Load("metrics"))(t)
	empty := &store.Store{Dir: t.TempDir()}
	x := fixture.Must(Explain(t.Context(), testkit.PlanFor(t, s), "metrics", "A", "e-r2lml:metrics=3", empty))(t)
	if x.Verdict != nil || !strings.Contains(x.Unjudged, "sweeps metrics, fixes lambda") {
		t.Errorf("verdict %+v, unjudged %q", x.Verdict, x.Unjudged)
	}
}
