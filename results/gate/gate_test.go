package gate

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"strings"
	"testing"

	"r2lmlbench/internal/golden"
	"r2lmlbench/results"
	"r2lmlbench/results/resultstest"
	"r2lmlbench/results/store"
	"r2lmlbench/results/table"
	"r2lmlbench/stats"
)

func gateSpec() Spec {
	return Spec{Spec: table.Spec{Name: "smoke", Test: stats.Exact, Alpha: 0.05}, Tolerance: 1}
}

// pairOf returns a gate's input: accepted and fresh cell, right where the texts
// have a '1'.
func pairOf(method string, stochastic bool, accepted, fresh string) Input {
	a, f := resultstest.BitCell(method, accepted), resultstest.BitCell(method, fresh)
	return Input{
		Place:      store.AcceptedCell{Dataset: "toy", Split: "authors", Method: method, Seed: 1, File: "toy/" + method + "-0123456789abcdef.json"},
		Stochastic: stochastic, Accepted: &a, Fresh: &f,
	}
}

// other returns the same input with another wrong label at place i.
func (in Input) other(i int) Input {
	in.Fresh.Predicted[i] = 6 - in.Fresh.Truth[i] - in.Fresh.Predicted[i] // 1+2+3 = 6
	return in
}

func TestGateCells(t *testing.T) {
	hundred := resultstest.Ones(100)
	otherSplit := pairOf("a", true, hundred, hundred)
	otherSplit.Fresh.SplitDigest = "s2"
	otherData := pairOf("a", true, hundred, hundred)
	otherData.Fresh.DatasetDigest = "d2"
	otherGrid := pairOf("a", true, hundred, hundred)
	otherGrid.Fresh.Points = []results.Point{{Params: results.Params{"gamma": 2}}}
	otherTruth := pairOf("a", true, hundred, hundred)
	otherTruth.Fresh.Truth[0] = 3
	newVersion := pairOf("a", false, hundred, hundred)
	newVersion.Fresh.Version = 2
	missing := Input{Place: store.AcceptedCell{Dataset: "toy", Method: "a"}, Problem: "never ran"}
	for _, c := range []struct {
		name   string
		in     Input
		status string
		differ int
		says   string
	}{
		{"the same", pairOf("a", false, hundred, hundred), Pass, 0, ""},
		{"one more right, deterministic", pairOf("a", false, resultstest.Zeros(1)+resultstest.Ones(99), hundred), Changed, 1,
			"1 of 100 predictions differ; 99.00 -> 100.00 %"},
		{"one more right, stochastic", pairOf("a", true, resultstest.Zeros(1)+resultstest.Ones(99), hundred), Pass, 1, "not significant"},
		{"another wrong label, deterministic", pairOf("a", false, resultstest.Zeros(1)+resultstest.Ones(99),
			resultstest.Zeros(1)+resultstest.Ones(99)).other(0), Changed, 1, "1 of 100 predictions differ"},
		{"another wrong label, stochastic", pairOf("a", true, resultstest.Zeros(1)+resultstest.Ones(99),
			resultstest.Zeros(1)+resultstest.Ones(99)).other(0), Pass, 1, ""},
		// The tolerance is 1 point: one of 100 samples is not beyond it.
		{"one lost, stochastic", pairOf("a", true, hundred, resultstest.Zeros(1)+resultstest.Ones(99)), Pass, 1, "100.00 -> 99.00 %"},
		{"two lost", pairOf("a", true, hundred, resultstest.Zeros(2)+resultstest.Ones(98)), Regressed, 2, "p 0.5 after Holm, not significant"},
		{"two lost, deterministic", pairOf("a", false, hundred, resultstest.Zeros(2)+resultstest.Ones(98)), Regressed, 2, ""},
		// 6 of 1000 lost and none gained: p = 2^-5 = 0.03125, loss 0.6 points.
		{"a significant loss within the tolerance", pairOf("a", true, resultstest.Ones(1000), resultstest.Zeros(6)+resultstest.Ones(994)), Regressed, 6,
			"p 0.03125 after Holm"},
		{"a loss of five is not significant", pairOf("a", true, resultstest.Ones(1000), resultstest.Zeros(5)+resultstest.Ones(995)), Pass, 5, "p 0.0625"},
		{"a significant gain", pairOf("a", true, resultstest.Zeros(6)+resultstest.Ones(994), resultstest.Ones(1000)), Pass, 6, "p 0.03125"},
		{"as many right, elsewhere", pairOf("a", true, resultstest.Zeros(20)+resultstest.Ones(80), resultstest.Ones(80)+resultstest.Zeros(20)), Pass, 40,
			"40 of 100 predictions differ"},
		{"a new version with the same labels", newVersion, Pass, 0, "version 1 -> 2"},
		{"other rows", otherSplit, Error, 0, "split digest: s1 -> s2"},
		{"other data", otherData, Error, 0, "dataset digest: d1 -> d2"},
		{"another grid", otherGrid, Error, 0, "points: gamma (none) -> 2"},
		{"other test labels", otherTruth, Error, 0, "test labels"},
		{"missing", missing, Error, 0, "never ran"},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := New(gateSpec(), nil, []Input{c.in})
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
	lost := pairOf("a", true, resultstest.Ones(1000), resultstest.Zeros(6)+resultstest.Ones(994))
	same := pairOf("b", false, resultstest.Ones(1000), resultstest.Ones(1000))
	missing := Input{Problem: "never ran"}
	g := New(gateSpec(), nil, []Input{lost, same})
	if c := g.Cells[0]; g.Status != Pass || g.Family != 2 || c.P != 0.03125 || c.PHolm != 0.0625 || c.BCount != 6 || c.CCount != 0 {
		t.Errorf("family %d, %s, %+v", g.Family, g.Status, c)
	}
	if g := New(gateSpec(), nil, []Input{missing, lost}); g.Status != Error || g.Family != 1 || g.Cells[1].Status != Regressed {
		t.Errorf("an error is no member of the family: %+v", g)
	}
	if g := New(gateSpec(), []string{"another test"}, []Input{same}); g.Status != Error || g.Cells[0].Status != Pass {
		t.Errorf("a fault of the whole: %+v", g)
	}
}

// sampleGate has a cell of every status, and texts that every format must escape.
func sampleGate() Gate {
	hostile := Input{
		Place:   store.AcceptedCell{Dataset: "a,b:c<&>", Split: "authors", Method: "m|1\n%", Seed: 2},
		Problem: "it \"is\" <gone> & 100%\r\nfor good\x01",
	}
	return New(gateSpec(), []string{"the test <is> not the accepted one"}, []Input{
		pairOf("euclidean", false, resultstest.Ones(100), resultstest.Ones(100)),
		pairOf("glml", false, resultstest.Ones(100), resultstest.Ones(99)+resultstest.Zeros(1)),
		pairOf("itml", true, resultstest.Ones(100), resultstest.Zeros(10)+resultstest.Ones(90)),
		hostile,
	})
}

func TestGateFormats(t *testing.T) {
	g := sampleGate()
	var junit, github, text bytes.Buffer
	if err := g.RenderJUnit(&junit); err != nil {
		t.Fatal(err)
	}
	if err := g.RenderGitHub(&github, "results/accepted"); err != nil {
		t.Fatal(err)
	}
	heading, lines := g.Listing()
	for _, line := range append([][]string{heading}, lines...) {
		text.WriteString(strings.Join(line, "|") + "\n")
	}
	text.WriteString(strings.Join(g.Notes(), "\n") + "\n")
	data, err := json.MarshalIndent(g, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	golden.Equal(t, "testdata/gate.xml", junit.Bytes())
	golden.Equal(t, "testdata/gate-github.txt", github.Bytes())
	golden.Equal(t, "testdata/gate.txt", text.Bytes())
	golden.Equal(t, "testdata/gate.json", append(data, '\n'))

	var parsed struct {
		Suite struct {
			Tests    int `xml:"tests,attr"`
			Failures int `xml:"failures,attr"`
			Errors   int `xml:"errors,attr"`
			Cases    []struct {
				Name string `xml:"name,attr"`
			} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	if err := xml.Unmarshal(junit.Bytes(), &parsed); err != nil {
		t.Fatal(err)
	}
	if s := parsed.Suite; s.Tests != 5 || s.Failures != 2 || s.Errors != 2 || len(s.Cases) != 5 || s.Cases[4].Name != "m|1\n% seed 2 (authors)" {
		t.Errorf("%+v", s)
	}
	if n := strings.Count(github.String(), "\n"); n != 5 || strings.Count(github.String(), "::error ") != 4 {
		t.Errorf("%d lines:\n%s", n, &github)
	}
}
