package gate

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/testkit"
	"r2lmlbench/results"
	"r2lmlbench/results/store"
	"r2lmlbench/stats"
)

func gateTerms() Terms {
	return Terms{Name: "smoke", Test: stats.Exact, Alpha: 0.05, Tolerance: 1}
}

// pairOf returns a gate's input: accepted and fresh cell, right where the texts
// have a '1'.
func pairOf(method string, accepted, fresh string) Input {
	a, f := fixture.BitCell(method, accepted), fixture.BitCell(method, fresh)
	return Input{
		Key:  store.AcceptedCell{Key: store.Key{Dataset: "toy", Split: "authors", Method: method, Seed: 1}, File: "toy/" + method + "-0123456789abcdef.json"},
		Line: 7, Accepted: &a, Fresh: &f,
	}
}

// other returns the same input with another wrong label at place i.
func (in Input) other(i int) Input {
	in.Fresh.Predicted[i] = 6 - in.Fresh.Truth[i] - in.Fresh.Predicted[i] // 1+2+3 = 6
	return in
}

// withPrograms makes both cells those of a program outside, in two editions. An
// empty one stands for a method in Go.
func withPrograms(in Input, accepted, fresh string) Input {
	for cell, files := range map[*results.Cell]string{in.Accepted: accepted, in.Fresh: fresh} {
		params := results.Params{"command": "python3 ./knn.py"}
		if files != "" {
			params[results.ProgramParam] = files
		}
		cell.Settings = []results.Setting{{Params: params}}
	}
	return in
}

// searched gives both cells a grid of two settings with their validation scores.
func searched(in Input) Input {
	for _, cell := range []*results.Cell{in.Accepted, in.Fresh} {
		cell.Settings = []results.Setting{{Params: results.Params{"gamma": 1}}, {Params: results.Params{"gamma": 2}}}
		cell.Validation = &results.Profile{N: 10, Correct: []int{3, 3}}
	}
	return in
}

// TestGateSeesEveryPart changes, one after another, everything in a cell that a page may
// show and that is not a prediction. A field that is new in a cell must be compared, too:
// the test counts them.
func TestGateSeesEveryPart(t *testing.T) {
	full := func() Input {
		in := searched(pairOf("a", testkit.Ones(100), testkit.Ones(100)))
		for _, cell := range []*results.Cell{in.Accepted, in.Fresh} {
			cell.Validation.Scores = []string{"1/2", "1/3"}
			cell.Validation.Failures = map[int]string{1: "not finite"}
			cell.GridScores = &results.GridScores{Correct: []int{100, 90}}
			cell.Counts = []results.Count{{Name: "pairs", Count: 1, Of: 9}}
			cell.Series = []results.Series{{Name: "objective", Values: results.Numbers{2, 1}}}
			cell.Warnings = []string{"not converged"}
		}
		return in
	}
	if g := New(gateTerms(), nil, []Input{full()}); g.Status != Pass {
		t.Fatalf("equal cells: %s, %s", g.Status, g.Cells[0].Reason)
	}
	for name, change := range map[string]func(c *results.Cell){
		"chosen setting":      func(c *results.Cell) { c.Chosen = 1 },
		"validation count":    func(c *results.Cell) { c.Validation.Correct[1] = 2 },
		"validation samples":  func(c *results.Cell) { c.Validation.N = 11 },
		"score of the metric": func(c *results.Cell) { c.Validation.Scores[0] = "1/4" },
		"failure of a point":  func(c *results.Cell) { c.Validation.Failures[1] = "too large" },
		"surface":             func(c *results.Cell) { c.GridScores.Correct[1] = 91 },
		"no surface":          func(c *results.Cell) { c.GridScores = nil },
		"fact":                func(c *results.Cell) { c.Counts[0].Count = 2 },
		"no fact":             func(c *results.Cell) { c.Counts = nil },
		"series":              func(c *results.Cell) { c.Series[0].Values[1] = 1.5 },
		"warning":             func(c *results.Cell) { c.Warnings[0] = "converged" },
	} {
		in := full()
		change(in.Fresh)
		if g := New(gateTerms(), nil, []Input{in}); g.Status != Changed || g.Cells[0].Reason == "" {
			t.Errorf("%s: gate %s, reason %q; want %s and a reason", name, g.Status, g.Cells[0].Reason, Changed)
		}
	}
	const notCompared = 1 // Doubts, which are beside the cell
	fixture.Equal(t, "fields of a cell (compare a new one in unlike, and change it above)", reflect.TypeFor[results.Cell]().NumField()-notCompared, 10)
}

func TestGateCells(t *testing.T) {
	hundred := testkit.Ones(100)
	altered := func(in Input, change func(fresh *results.Cell)) Input {
		change(in.Fresh)
		return in
	}
	same := func() Input { return pairOf("a", hundred, hundred) }
	newer := func(c *results.Cell) { c.Version = 2 }
	lastWrong := hundred[1:] + testkit.Zeros(1)
	missing := Input{Key: store.AcceptedCell{Key: store.Key{Dataset: "toy", Method: "a"}}, Cause: NotComputed, Problem: "never ran"}
	for _, c := range []struct {
		name   string
		in     Input
		status string
		differ int
		says   string
	}{
		{"the same", same(), Pass, 0, ""},
		{"one more right", pairOf("a", testkit.Zeros(1)+testkit.Ones(99), hundred), Changed, 1,
			"1 of 100 predictions differs; 99.00 -> 100.00 %"},
		{"another wrong label", pairOf("a", testkit.Zeros(1)+testkit.Ones(99),
			testkit.Zeros(1)+testkit.Ones(99)).other(0), Changed, 1, "1 of 100 predictions differ"},
		// The tolerance is 1 point: one of 100 samples is not beyond it.
		{"one lost", pairOf("a", hundred, testkit.Zeros(1)+testkit.Ones(99)), Changed, 1, "100.00 -> 99.00 %, p 1 after Holm, not significant"},
		{"two lost", pairOf("a", hundred, testkit.Zeros(2)+testkit.Ones(98)), Regressed, 2,
			"p 0.5 after Holm, not significant; 2.00 points lost, more than the tolerance of 1"},
		// 6 of 1000 lost and none gained: p = 2^-5 = 0.03125, loss 0.6 points.
		{"a significant loss within the tolerance", pairOf("a", testkit.Ones(1000), testkit.Zeros(6)+testkit.Ones(994)), Regressed, 6,
			"p 0.03125 after Holm"},
		{"a loss of five is not significant", pairOf("a", testkit.Ones(1000), testkit.Zeros(5)+testkit.Ones(995)), Changed, 5, "p 0.0625"},
		{"a significant gain", pairOf("a", testkit.Zeros(6)+testkit.Ones(994), testkit.Ones(1000)), Changed, 6, "p 0.03125"},
		{"as many right, elsewhere", pairOf("a", testkit.Zeros(20)+testkit.Ones(80), testkit.Ones(80)+testkit.Zeros(20)), Changed, 40,
			"40 of 100 predictions differ"},
		{"a new version with the same labels", altered(same(), newer), Pass, 0, "version 1 -> 2"},
		{"a new version with other labels", altered(pairOf("a", lastWrong, lastWrong).other(99), newer), Changed, 1, "version 1 -> 2"},
		{"an edited program with the same labels", withPrograms(pairOf("a", hundred, hundred), "./knn.py 12", "./knn.py 34"), Pass, 0,
			"the program was edited: ./knn.py 12 -> ./knn.py 34"},
		{"an edited program that gains one and loses one", withPrograms(pairOf("a", testkit.Zeros(1)+hundred[1:], hundred[1:]+testkit.Zeros(1)),
			"./knn.py 12", "./knn.py 34"), Changed, 2, "2 of 100 predictions differ; the program was edited"},
		{"an edited program that loses", withPrograms(pairOf("a", hundred, testkit.Zeros(10)+hundred[10:]), "./knn.py 12", "./knn.py 34"),
			Regressed, 10,
			"100.00 -> 90.00 %, p 0.00195312 after Holm; 10.00 points lost, more than the tolerance of 1; the program was edited"},
		{"a program where there was none", withPrograms(pairOf("a", hundred, hundred), "", "./knn.py 34"), Error, 0, "points: program"},
		{"another choice of equal predictions", altered(searched(same()), func(c *results.Cell) { c.Chosen = 1 }), Changed, 0, "another setting was chosen"},
		{"other rows", altered(same(), func(c *results.Cell) { c.SplitDigest = "s2" }), Error, 0, "split digest: s1 -> s2"},
		{"other data", altered(same(), func(c *results.Cell) { c.DatasetDigest = "d2" }), Error, 0, "dataset digest: d1 -> d2"},
		{"another grid", altered(same(), func(c *results.Cell) { c.Settings = []results.Setting{{Params: results.Params{"gamma": 2}}} }),
			Error, 0, "points: gamma (none) -> 2"},
		{"other test labels", altered(same(), func(c *results.Cell) { c.Truth[0] = 3 }), Error, 0, "test labels"},
		{"missing", missing, Error, 0, "never ran"},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := New(gateTerms(), nil, []Input{c.in})
			got := g.Cells[0]
			if g.Status != c.status || got.Status != c.status || !strings.Contains(got.Reason, c.says) {
				t.Errorf("gate %s, cell %+v; want %s and a reason with %q", g.Status, got, c.status, c.says)
			}
			if compared := c.status != Error; (got.Count != nil) != compared || compared && got.Differ != c.differ {
				t.Errorf("counts %+v, want %d to differ", got.Count, c.differ)
			}
		})
	}
}

// TestGateFamily: a loss of six of 1000 has p = 1/32, which Holm's correction
// over two comparisons makes 1/16.
func TestGateFamily(t *testing.T) {
	lost := pairOf("a", testkit.Ones(1000), testkit.Zeros(6)+testkit.Ones(994))
	same := pairOf("b", testkit.Ones(1000), testkit.Ones(1000))
	missing := Input{Problem: "never ran"}
	g := New(gateTerms(), nil, []Input{lost, same})
	if c := g.Cells[0]; g.Status != Changed || g.Family != 2 || c.P != 0.03125 || c.PHolm != 0.0625 || c.BCount != 6 || c.CCount != 0 {
		t.Errorf("family %d, %s, %+v", g.Family, g.Status, c)
	}
	if g := New(gateTerms(), nil, []Input{missing, lost}); g.Status != Error || g.Family != 1 || g.Cells[1].Status != Regressed {
		t.Errorf("an error is no member of the family: %+v", g)
	}
	if g := New(gateTerms(), []string{"another test"}, []Input{same}); g.Status != Error || g.Cells[0].Status != Pass {
		t.Errorf("a fault of the whole: %+v", g)
	}
}

// sampleGate has a cell of every status, and texts that every format must escape.
func sampleGate() Gate {
	hostile := Input{
		Key:  store.AcceptedCell{Key: store.Key{Dataset: "a,b:c<&>", Split: "authors", Method: "m|1\n%", Seed: 2}},
		Line: 9, Cause: NotComputed,
		Problem: "it \"is\" <gone> & 100%\r\nfor good\x01",
	}
	spec := gateTerms()
	spec.Source = "experiments/a,b:c.yaml"
	return New(spec, []string{"the test <is> not the accepted one"}, []Input{
		pairOf("euclidean", testkit.Ones(100), testkit.Ones(100)),
		pairOf("glml", testkit.Ones(100), testkit.Ones(99)+testkit.Zeros(1)),
		pairOf("itml", testkit.Ones(100), testkit.Zeros(10)+testkit.Ones(90)),
		hostile,
	})
}

func TestGateFormats(t *testing.T) {
	g := sampleGate()
	var junit, github, markdown, text bytes.Buffer
	fixture.Check(t, g.Render(&junit, "junit"))
	fixture.Check(t, g.Render(&github, "github"))
	fixture.Check(t, g.Render(&markdown, "markdown"))
	text.WriteString(g.Headline() + "\n")
	for _, line := range g.Listing().Texts() {
		text.WriteString(strings.Join(line, "|") + "\n")
	}
	text.WriteString(strings.Join(g.Notes(), "\n") + "\n")
	data := fixture.Must(json.MarshalIndent(g, "", " "))(t)
	fixture.Golden(t, "testdata/gate.xml", junit.Bytes())
	fixture.Golden(t, "testdata/gate-github.txt", github.Bytes())
	fixture.Golden(t, "testdata/gate.md", markdown.Bytes())
	fixture.Golden(t, "testdata/gate.txt", text.Bytes())
	fixture.Golden(t, "testdata/gate.json", append(data, '\n'))
	var read struct {
		Cases []struct {
			Class string `xml:"classname,attr"`
		} `xml:"testsuite>testcase"`
	}
	fixture.Check(t, xml.Unmarshal(junit.Bytes(), &read))
	fixture.Equal(t, "test cases of the whole and of four cells", len(read.Cases), 5)
	fixture.Equal(t, "a hostile name as JUnit has it", read.Cases[4].Class, "gate.smoke.a,b:c<&>")
	for line := range strings.Lines(github.String()) { // no name adds a property, or a command
		if !regexp.MustCompile(`^::error file=[^:,]+(,line=[0-9]+)?,title=[^:,]+::[^\r]+\n$`).MatchString(line) {
			t.Errorf("line %q", line)
		}
	}
}

// TestGateNext: the first line of a gate that does not pass says what to do, and
// begins with what other steps depend on. What is allowed does not fail.
func TestGateNext(t *testing.T) {
	hundred := testkit.Ones(100)
	pass := pairOf("pass", hundred, hundred)
	changed := pairOf("changed", hundred, testkit.Zeros(1)+hundred[1:])
	regressed := pairOf("regressed", hundred, testkit.Zeros(10)+hundred[10:])
	because := func(c Cause) Input { return Input{Cause: c, Problem: "why"} }
	const nothing = "nothing is accepted"
	run, gate := "`r2lmlbench run x.yaml`", "`r2lmlbench gate x.yaml --accept`"
	for _, c := range []struct {
		name    string
		cells   []Input
		faults  []string
		allowed bool
		says    []string // empty: it passes
	}{
		{"nothing accepted yet", []Input{because(NotAccepted), because(NotAccepted)}, []string{nothing}, false,
			[]string{"gate smoke: error. Nothing is accepted yet: look at the results, then accept them with " + gate + "."}},
		{"nothing accepted or computed yet", []Input{because(NotAccepted), because(NotComputed)}, []string{nothing}, false,
			[]string{"gate smoke: error. 1 of 2 cells is not computed: run " + run + ", then accept the results with " + gate}},
		{"nothing accepted, and of another build", []Input{because(NotAccepted), because(OtherBuild)}, []string{nothing}, false,
			[]string{"gate smoke: error. 1 of 2 cells was made"}},
		{"all pass", []Input{pass}, nil, false, nil},
		{"changed", []Input{pass, changed}, nil, false, []string{"gate smoke: changed. 1 of 2 cells changed", gate, "--allow-changed"}},
		{"changed, which is allowed", []Input{pass, changed}, nil, true, nil},
		{"regressed, and changed, which is allowed", []Input{regressed, changed}, nil, true, []string{"1 of 2 cells regressed: fix", gate}},
		{"regressed and changed", []Input{regressed, changed}, nil, false, []string{"gate smoke: regressed. 1 of 2 cells regressed: fix", gate}},
		{"not computed before all else", []Input{because(NotComputed), because(OtherBuild), regressed}, nil, false,
			[]string{"gate smoke: error. 1 of 3 cells is not computed: run " + run}},
		{"failed", []Input{because(FailedBefore)}, nil, false, []string{"`r2lmlbench run x.yaml --fresh --retry-failed`"}},
		{"another build", []Input{because(OtherBuild), because(NotAccepted)}, nil, false,
			[]string{"`r2lmlbench gate x.yaml --fresh`", "--allow-other-builds"}},
		{"lost", []Input{because(Lost)}, nil, false, []string{"version control", gate}},
		{"new", []Input{because(NotAccepted), because(Dropped), because(OtherInputs)}, nil, false, []string{"3 of 3 cells are not those", gate}},
		{"one is new", []Input{because(NotAccepted), pass}, nil, false, []string{"1 of 2 cells is not the one", gate}},
		{"a fault of the whole", []Input{pass}, []string{"another test"}, false, []string{"gate smoke: error. What is compared", gate}},
		{"a fault of the whole, and changed", []Input{changed}, []string{"another test"}, true, []string{"gate smoke: error. What is compared", gate}},
	} {
		t.Run(c.name, func(t *testing.T) {
			spec := gateTerms()
			spec.Run, spec.Gate, spec.AllowChanged = "r2lmlbench run x.yaml", "r2lmlbench gate x.yaml", c.allowed
			spec.Unaccepted = slices.Contains(c.faults, nothing)
			g := New(spec, c.faults, c.cells)
			if g.Failed != (c.says != nil) || g.Failed != (g.Next != "") || g.Failed != (g.Headline() != "") {
				t.Errorf("failed %v, next %q, headline %q", g.Failed, g.Next, g.Headline())
			}
			fixture.Has(t, "the headline", g.Headline(), c.says...)
		})
	}
}

// TestAllowedChange: what is allowed is a warning, and no failure of a test.
func TestAllowedChange(t *testing.T) {
	spec := gateTerms()
	spec.AllowChanged = true
	g := New(spec, nil, []Input{pairOf("a", testkit.Ones(100), testkit.Zeros(1)+testkit.Ones(99))})
	var junit, github bytes.Buffer
	fixture.Check(t, errors.Join(g.Render(&junit, "junit"), g.Render(&github, "github")))
	if g.Status != Changed || !strings.Contains(junit.String(), `tests="1" failures="0" errors="0"`) ||
		!strings.HasPrefix(github.String(), "::notice ") || strings.Count(github.String(), "::warning ") != 1 {
		t.Errorf("%s\n%s\n%s", g.Status, &junit, &github)
	}
}

// TestLongMarkdown: a comment on GitHub has at most 65536 characters.
func TestLongMarkdown(t *testing.T) {
	for _, sign := range []string{"|", "–"} {
		long := Input{Cause: NotComputed, Problem: strings.Repeat(sign, 5000)}
		g := New(gateTerms(), nil, slices.Repeat([]Input{long}, 1000))
		var b strings.Builder
		if err := g.Render(&b, "markdown"); err != nil || strings.ContainsRune(b.String(), utf8.RuneError) || utf8.RuneCountInString(b.String()) > 65536 ||
			!strings.Contains(b.String(), "\n950 more do not pass.\n") {
			t.Errorf("%d characters, %v", utf8.RuneCountInString(b.String()), err)
		}
	}
}

// TestHistory: the mean accuracy of a column is over all cells of a state, the
// changes are those of the state.
func TestHistory(t *testing.T) {
	cell := func(dataset, method string, correct int) store.CellState {
		return store.CellState{Key: store.Key{Dataset: dataset, Split: "authors", Method: method, Seed: 1}, N: 200, Correct: correct}
	}
	h := NewHistory("smoke", []store.State{
		{Revision: "0123456789abcdef", Cells: 3, Changed: []store.CellState{cell("a", "rca", 100), cell("b", "rca", 150), cell("a", "itml", 199)}},
		{Cells: 3, Changed: []store.CellState{cell("b", "rca", 149)}},
		{Revision: "fedcba9876543210", Dirty: true, Cells: 2, Dropped: []store.Key{cell("a", "rca", 0).Key}},
	})
	want := [][]string{
		{"state", "commit", "method", "cells", "changed", "mean accuracy"},
		{"1", "0123456789ab", "itml", "1", "1", "99.50"},
		{"1", "0123456789ab", "rca", "2", "2", "62.50"},
		{"2", "unknown", "rca", "2", "1", "62.25"},
	}
	fixture.Same(t, "lines", h.Listing().Texts(), want)
	fixture.EqualSlice(t, "changed", h.States[1].Columns[1].Changed, []PastCell{{"b", "authors", 1, "75.00", "74.50"}})
	fixture.Has(t, "cells and changes of all columns", h.Notes()[0], "3 cells, 3 changed, 0 no longer")
	if last := h.States[2]; last.Dropped != 1 || last.Columns[1].Accuracy != "74.50" || len(h.Notes()) != 3 {
		t.Errorf("%+v", last)
	}
}
