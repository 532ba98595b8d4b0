package report

import (
	"math/rand/v2"
	"strconv"
	"testing"
	"time"

	"r2lmlbench/experiments/published"
	"r2lmlbench/results"
	"r2lmlbench/results/gate"
	"r2lmlbench/results/paper"
	"r2lmlbench/results/table"
	"r2lmlbench/stats"
)

// A shape says how large a made-up report is.
type shape struct {
	sets, methods, samples, classes, points int
	measure                                 string // that methods are ranked by
	name                                    func(kind string, i int) string
}

func plainName(kind string, i int) string { return kind + strconv.Itoa(i) }

// evil are names that mean something to one of the formats.
var evil = []string{
	"<script>window.pwned=1</script>", "a|b & c_d", "=cmd|' /C calc'!A0", `"><img src=x onerror=window.pwned=1>`, `$\input{x}$ 100% #1 {~^} λ 中 é`,
	"</script><script>window.pwned=1</script>", "javascript:window.pwned=1", "[x] line\nbreak \u2028 \x1b[31m", "../../etc/x y%2F?#", "@`-+'{{.}}",
	"\u202efdp.exe \x00\u200b",
}

func evilName(kind string, i int) string { return evil[i%len(evil)] + kind + strconv.Itoa(i) }

// newInput is a made-up report: method i is right on a share of the samples that
// grows with i, at places drawn from a seed. The first data set has a letter and
// published numbers; its last method has no cell, and the one before it failed.
// Two numbers have a surface.
func newInput(t testing.TB, s shape) Input {
	t.Helper()
	in := Input{Name: s.name("spec", 0), Description: s.name("description", 0), Store: s.name("store", 0), Neighbors: []int{5}}
	spec := table.Experiment{Name: in.Name, Test: stats.Exact, Alpha: 0.05, Measure: s.measure}
	for j := range s.methods {
		spec.Columns = append(spec.Columns, table.Column{ID: s.name("method", j), Method: "euclidean", Name: s.name("Method", j)})
	}
	var rows []table.RowInput
	for i := range s.sets {
		row := table.RowInput{Dataset: s.name("set", i), Name: s.name("Set", i), Split: "authors", Note: s.name("note", i)}
		for j := range s.methods {
			row.Cells = append(row.Cells, table.CellInput{Cells: []results.Cell{newCell(s, i, j)}})
		}
		rows = append(rows, row)
	}
	if s.sets > 0 && s.methods > 2 {
		rows[0].Letter = "A"
		rows[0].Cells[s.methods-1] = table.CellInput{Status: table.StatusMissing, Reason: s.name("reason", 0)}
		rows[0].Cells[s.methods-2] = table.CellInput{Status: table.StatusFailed, Reason: s.name("reason", 1)}
	}
	in.Table = table.New(spec, rows)
	in.Cells = explained(s, in.Table, rows)
	addVerdicts(t, s, &in)
	if s.sets > 1 && s.methods > 2 {
		in.Cells[0][0].Surface = shapedSurface(s, 1)
		in.Cells[1][2].Surface = shapedSurface(s, 1)
	}
	return in
}

// newSurface is a made-up surface of nine settings: the third is best on test and within
// the margin, as is the fifth; the eighth failed on test, and the ninth was chosen.
func shapedSurface(s shape, seed uint64) *Surface {
	x := &Surface{Seed: seed, Fixed: results.Params{"fixed": s.name("value", 0)}, Validation: 240, N: s.samples}
	for i := range 9 {
		validation, test := 150+i, s.samples/2+4*i%9
		p := SurfacePoint{
			Params:     results.Params{s.name("metrics", 0): 1 + i/3, s.name("lambda", 1): []int{0, 100, 10000}[i%3]},
			Validation: &validation, Test: &test, Chosen: i == 8, Best: i == 2, Reaches: i == 2 || i == 4,
		}
		if i == 7 {
			p.Test = nil
		}
		x.Points = append(x.Points, p)
	}
	return x
}

func newCell(s shape, i, j int) results.Cell {
	c := results.Cell{Inputs: results.Inputs{
		Dataset: s.name("set", i), DatasetDigest: "d" + strconv.Itoa(i), Split: "authors", SplitDigest: "s" + strconv.Itoa(i),
		Method: "euclidean", Version: 1, Seed: 1, Neighbors: 5,
	}}
	for p := range s.points {
		c.Settings = append(c.Settings, results.Setting{Params: results.Params{s.name("gamma", 0): p % 7, s.name("lambda", 1): p / 7, "fixed": s.name("value", 0)}})
	}
	random := rand.New(rand.NewPCG(uint64(i), uint64(j)))
	if s.points > 1 {
		c.Validation = &results.Profile{N: 240, Failures: map[int]string{1: s.name("failure", 0)}}
		for p := range s.points {
			c.Validation.Correct = append(c.Validation.Correct, 100+p)
		}
		c.Validation.Correct[1] = -1
	}
	for n := range s.samples {
		label := n%s.classes + 1
		c.Truth = append(c.Truth, label)
		if random.Float64() > 0.5+0.4*float64(j)/float64(s.methods) {
			label = random.IntN(s.classes) + 1
		}
		c.Predicted = append(c.Predicted, label)
	}
	c.Warnings = []string{s.name("warning", j)}
	c.Counts = []results.Count{{Name: s.name("fact", j), Count: 1, Of: 2}}
	return c
}

// explained makes the explanations of a table, as explainRow does.
func explained(s shape, t table.Table, rows []table.RowInput) [][]PanelData {
	var all [][]PanelData
	for i, r := range t.Rows {
		cells := map[string]results.Cell{}
		for j, c := range rows[i].Cells {
			if len(c.Cells) > 0 {
				cells[t.Columns[j].ID] = c.Cells[0]
			}
		}
		var line []PanelData
		for j, column := range t.Columns {
			x := Explanation{
				Spec: s.name("spec", 0), Letter: r.Letter, Neighbors: 5, Seed: 1, Status: r.Cells[j].Status, Reason: r.Cells[j].Reason,
				Method: MethodFacts{Column: column.ID, ID: column.Method, Name: column.Name, Version: 1, Stochastic: j%2 > 0, Source: s.name("source", j)},
				Data: DataFacts{ID: r.Dataset, Name: r.Name, Rows: 2 * s.samples, Features: 4, PCA: i % 2, Sources: []string{s.name("https://example.org/", i)},
					Licence: s.name("licence", i), Digest: "d", Note: s.name("stand-in", i)},
				Split: SplitFacts{Name: "authors", Digest: "s", Train: 40, Validation: 240, Test: s.samples},
				Tried: []TriedPoint{}, Warnings: []string{}, Facts: []results.Count{}, Commands: []string{s.name("r2lmlbench run", 0)},
			}
			for k := range s.classes {
				x.Data.Classes = append(x.Data.Classes, ClassFact{Code: k + 1, Label: s.name("class", k), Rows: 10})
			}
			if c, ok := cells[column.ID]; ok {
				for _, p := range c.Settings {
					x.Tried = append(x.Tried, TriedPoint{Params: p.Params, Restart: p.Restart})
				}
				x.AddCell(c)
				x.AddRow(r, r.Cells[j], cells)
				x.Run = &results.Run{
					Finished: time.Date(2020, 2, 3, 4, 5, 6, 0, time.UTC), Host: s.name("host", 0), Go: "go1", Commit: s.name("commit", 0), Seconds: 1.5, Workers: 2,
				}
			}
			line = append(line, PanelData{Explanation: x})
		}
		all = append(all, line)
	}
	return all
}

// addVerdicts judges the first row as if it were published, and reads the first
// number otherwise, too.
func addVerdicts(t testing.TB, s shape, in *Input) {
	t.Helper()
	if len(in.Cells) == 0 || in.Cells[0][0].Letter == "" {
		return
	}
	var evidence []paper.Evidence
	for j, c := range in.Table.Rows[0].Cells {
		e := paper.Evidence{
			Published: published.Number{Letter: "A", Dataset: in.Table.Rows[0].Dataset, Accuracy: "33.34", Percent: 33.34, Rank: 2}, Column: c.Method,
			Samples: s.samples, Planned: 1,
		}
		if c.Score != nil {
			e.Runs = []paper.Run{{Inputs: newCell(s, 0, j).Inputs, Correct: c.Correct, N: s.samples}}
		}
		evidence = append(evidence, e)
	}
	other := evidence[0]
	other.Runs = []paper.Run{{Correct: s.samples / 3, N: s.samples}, {Correct: s.samples / 2, N: s.samples}}
	reading := paper.Reading{Text: s.name("setting", 0), Evidence: []paper.Evidence{other}}
	in.Verdicts = paper.Judge(in.Name, evidence, reading)
	for j := range in.Cells[0] {
		in.Cells[0][j].AddVerdict(in.Verdicts)
	}
}

// withAll adds what newInput leaves out: the answer, a figure, a history.
func withAll(in Input, s shape) Input {
	in.Text = "# Report\n\nopening\n\n## Does it reproduce?\n\n" +
		"**Partly.** We come within 1 point of <!-- within.1 -->51<!-- / --> of them, see [here](x.md).\n\n## Next\n\nmore\n"
	in.Figures = []Figure{{
		Name: "ranks", Title: s.name("Title", 0), Alt: s.name("Alt", 0), CSV: []byte("a,b\n1,2\n"),
		SVG: []byte(`<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" width="200" height="200"><title>two marks</title>` +
			`<style>.fig-mark { fill: #0072b2; }</style><rect class="fig-mark" width="9" height="9"/></svg>`),
	}}
	in.History = &gate.History{Spec: in.Name, States: []gate.PastState{{Revision: s.name("commit", 0), Cells: 3, Columns: []gate.PastColumn{
		{Method: s.name("method", 0), Cells: 3, Accuracy: "61.25", Changed: []gate.PastCell{{Dataset: s.name("set", 0), Now: "61.25"}}},
	}}}}
	return in
}

var (
	tiny   = shape{sets: 2, methods: 4, samples: 60, classes: 2, points: 9, name: plainName}
	spoilt = shape{sets: 11, methods: 11, samples: 60, classes: 3, points: 9, name: evilName}
	full   = shape{sets: 18, methods: 12, samples: 2000, classes: 26, points: 63, name: plainName}
)

// only keeps the rows of the page's table with these numbers.
func (in Input) only(rows ...int) Input {
	t := in.Table
	t.Rows, in.Pooled = nil, nil
	var cells [][]PanelData
	for _, i := range rows {
		t.Rows, cells = append(t.Rows, in.Table.Rows[i]), append(cells, in.Cells[i])
	}
	in.Table, in.Cells, in.Verdicts = t, cells, paper.Verdicts{}
	return in
}
