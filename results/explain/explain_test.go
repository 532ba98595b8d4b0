package explain

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/golden"
	"r2lmlbench/results"
	"r2lmlbench/results/published"
	"r2lmlbench/results/resultstest"
	"r2lmlbench/results/table"
	"r2lmlbench/results/table/tabletest"
	"r2lmlbench/results/verdict"
)

// sampleExplanation is of a row of three methods; b's cell has a grid, one of
// whose points failed.
func sampleExplanation() Explanation {
	in := tabletest.InvertedRow()
	b := &in.Cells[1].Cells[0]
	b.Points = []results.Point{{Params: results.Params{"gamma": 0.1}}, {Params: results.Params{"gamma": 10.0, "kind": "odd"}, Restart: 1},
		{Params: results.Params{"gamma": 1e5}}}
	b.Validation = &results.Profile{N: 40, Correct: []int{31, 35, -1}, Failures: map[int]string{2: "not finite"}}
	b.Chosen = 1
	b.Facts = []results.Fact{{Name: "coefficients at vertices", Count: 3, Of: 60}}
	b.Warnings = []string{"few pairs\x1b[31m"}
	t := table.New(tabletest.AccuracySpec(tabletest.ColumnA, tabletest.ColumnB, tabletest.ColumnC), []table.RowInput{in})
	x := Explanation{
		Schema: 3, Spec: "toy", Letter: "T", Neighbors: 5, Seed: 1,
		Method: MethodFacts{"b", "itml", "Method B", 3, true, "Somebody, 2007"},
		Data: DataFacts{
			ID: "toy", Name: "Toy", Rows: 180, Features: 40, PCA: 4, Digest: "d1", Note: "stands in",
			Classes: []ClassFact{{Code: 1, Label: "no", Rows: 90}, {Code: 2, Label: "1", Name: "yes", Rows: 90}}, Sources: []string{"https://example.org/toy.data"},
		},
		Split: SplitFacts{"authors", "s1", 80, 40, 60}, File: "cells/toy/itml.json",
		Published: &PublishedRef{"80.00", 2, "-1.67"},
		Run: &results.Run{
			Finished: time.Date(2020, 2, 3, 4, 5, 6, 0, time.UTC), Host: "h", Go: "go1", Seconds: 1.5, Heap: 5 << 20, Workers: 2,
			Environment: []string{"CPython 3", "numpy 2"},
		},
		Commands: []string{"r2lmlbench run toy"},
	}
	surface := surfaceCell()
	runs := []verdict.Run{{Inputs: surface.Inputs, Point: 4, Correct: 48, N: 60}, {Inputs: surface.Inputs, Point: 1, Correct: 50, N: 60}}
	e := verdict.Evidence{
		Published: published.Number{Letter: "T", Dataset: "toy", Accuracy: "80.00", Percent: 80}, Column: "b", Samples: 60, Planned: 2, Runs: runs,
	}
	other := e
	other.Runs = []verdict.Run{{Correct: 40, N: 60}}
	all := verdict.Judge("toy", []verdict.Evidence{e}, verdict.Reading{Text: "another step", Evidence: []verdict.Evidence{other}})
	x.Surface = newSurface(surface, "cells/toy/surface.json")
	x.AddVerdict(all)
	x.addRuns(runs, func(results.Inputs) string { return "cells/toy/runs.json" })
	for _, p := range b.Points {
		x.Tried = append(x.Tried, TriedPoint{Params: p.Params, Restart: p.Restart})
	}
	x.AddCell(*b)
	x.AddRow(t.Rows[0], t.Rows[0].Cells[1], map[string]results.Cell{"a": in.Cells[0].Cells[0], "b": *b, "c": in.Cells[2].Cells[0]})
	return x
}

// surfaceCell has a grid of two by three, the last point of which failed.
func surfaceCell() results.Cell {
	c := resultstest.NewCell("toy", "itml", 40, 60, 1)
	c.Points = nil
	for _, metrics := range []int{1, 2} {
		for _, lambda := range []float64{0.1, 10, 1e5} {
			c.Points = append(c.Points, results.Point{Params: results.Params{"metrics": metrics, "lambda": lambda, "step": 1e-5}})
		}
	}
	c.Validation = &results.Profile{N: 40, Correct: []int{39, 30, 31, 32, 33, -1}}
	c.Surface = &results.Surface{Correct: []int{40, 50, 20, 30, 48, -1}}
	return c
}

func TestSurface(t *testing.T) {
	c := surfaceCell()
	want := [][]string{
		{"lambda", "0.1", "10", "100000"}, {"metrics=1", "97.5/66.7 v", "75.0/83.3 t", "77.5/33.3"}, {"metrics=2", "80.0/50.0", "82.5/80.0 =", "-/-"},
	}
	fixture.Same(t, "two parameters", sampleExplanation().Surface.Grid(), want)
	c.Points, c.Validation.Correct, c.Surface.Correct = c.Points[:3], c.Validation.Correct[:3], c.Surface.Correct[:3]
	want = [][]string{{"lambda", "0.1", "10", "100000"}, {"", "97.5/66.7 v", "75.0/83.3 t", "77.5/33.3"}}
	fixture.Same(t, "one parameter", newSurface(c, "file").Grid(), want)
	c.Points, c.Validation, c.Surface.Correct = c.Points[:1], nil, c.Surface.Correct[:1]
	want = [][]string{{""}, {"", "66.7 vt"}}
	fixture.Same(t, "one point", newSurface(c, "file").Grid(), want)
}

// TestRender: the JSON is that of earlier versions, and the text has what it says, in lines
// that no name breaks. By hand, see tabletest.InvertedRow: B has 47 of 60 right and lacks 8 of
// A's; C lacks 14 of B's and has 13 that B lacks. Its interval is
// (47 + z²/2 ± z √(47·13/60 + z²/4)) / (60 + z²), z = 1.95996: 0.663800 to 0.868770.
func TestRender(t *testing.T) {
	x := sampleExplanation()
	data := fixture.Must(json.MarshalIndent(x, "", " "))(t)
	golden.Equal(t, "testdata/explain.json", append(data, '\n'))
	x.Data.Note = "\u202estands\nin"
	var written bytes.Buffer
	fixture.Check(t, x.RenderText(&written))
	lines := strings.Split(written.String(), "\n")
	for _, want := range []string{
		"T Toy / Method B (b), spec toy", "  accuracy   78.33 %, 47 of 60", "  published  80.00 rank 2 -1.67", "  warning                   few pairs\\x1b[31m",
		"  note      \\u202estands in", "  metrics=2  80.0/50.0    82.5/80.0 =  -/-", "  wall time             1.500 s, 2 workers",
		"  ran with              CPython 3, numpy 2", "  rerun  r2lmlbench run toy",
	} {
		if !slices.Contains(lines, want) {
			t.Errorf("the text lacks the line %q:\n%s", want, &written)
		}
	}
}

func TestExplanationOfNothing(t *testing.T) {
	x := Explanation{Status: table.StatusMissing, Reason: "not run yet"}
	x.AddRow(table.Row{}, table.Cell{Method: "a"}, nil)
	var text bytes.Buffer
	if err := x.RenderText(&text); err != nil || x.Result != nil || !bytes.Contains(text.Bytes(), []byte("missing  not run yet")) {
		t.Errorf("%v, %v\n%s", err, x.Result, &text)
	}
}
