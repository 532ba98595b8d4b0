package paper_test

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"r2lmlbench/experiments/plan"
	"r2lmlbench/experiments/spec"
	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/testkit"
	"r2lmlbench/results"
	"r2lmlbench/results/paper"
	"r2lmlbench/results/store"
)

// verdicts judges the numbers of a plan by the cells in a store.
func verdicts(t *testing.T, p plan.Plan, cells *store.Store) paper.Verdicts {
	t.Helper()
	return fixture.Must(paper.Of(t.Context(), p, cells))(t)
}

func TestVerdictsOfNothing(t *testing.T) {
	v := verdicts(t, testkit.Accuracy(t), &store.Store{Dir: t.TempDir()})
	if len(v.Verdicts) != 144 || v.Summary.Count(paper.CannotTell) != 144 || v.Ranks != nil || v.Clean() {
		t.Fatalf("%d verdicts, %+v", len(v.Verdicts), v.Summary)
	}
	for _, x := range v.Verdicts {
		if x.Reason != "no runs" || x.Planned < 1 || x.Samples < 1 {
			t.Errorf("%+v", x)
		}
	}
}

// TestVerdictEvidence builds a store by hand. Heart (M) has 190 test samples of which ITML
// has 151 right in print, T-R2LML 154 and PLML 150.
func TestVerdictEvidence(t *testing.T) {
	planned := testkit.Accuracy(t)
	cells := &store.Store{Dir: t.TempDir(), Log: t.Logf}
	jobs := func(method string) []plan.Job { return testkit.JobsOf(planned, "M", method) }
	for _, j := range jobs("itml") {
		testkit.Fill(t, cells, j.Inputs, 190, 150)
	}
	for i, j := range jobs("glml") {
		testkit.Fill(t, cells, j.Inputs, 190, 100+i%2*20)
	}
	for _, j := range jobs("plml")[1:] {
		testkit.Fill(t, cells, j.Inputs, 190, 150)
	}
	right := slices.Repeat([]int{140}, 63)
	right[40] = 154
	for _, j := range jobs("t-r2lml") {
		testkit.FillSurface(t, cells, j.Inputs, right)
	}
	v := verdicts(t, planned, cells)
	for _, c := range []struct {
		method, verdict, reason string
		missing                 int
	}{
		{"itml", paper.Agrees, "within 1 point", 0},
		{"glml", paper.CannotTell, "2 sd is more than 5 points", 0},
		{"plml", paper.CannotTell, "fewer runs than planned", 1},
		{"t-r2lml", paper.Differs, "more than 1 point, 1 test sample and 2 sd away", 0},
		{"e-r2lml", paper.CannotTell, "no runs", 10},
	} {
		got := *v.Find("heart", c.method)
		fixture.Equal(t, c.method, [2]string{got.Verdict, got.Reason}, [2]string{c.verdict, c.reason})
		planned := len(jobs(c.method))
		fixture.Equal(t, c.method+": runs, planned, samples", [3]int{got.Runs, got.Planned, got.Samples}, [3]int{planned - c.missing, planned, 190})
	}
	var read []string
	for _, r := range v.Readings.Of("heart", "t-r2lml") {
		read = append(read, r.Reading+": "+r.Verdict)
		fixture.Equal(t, r.Reading+": runs", r.Runs, len(jobs("t-r2lml")))
	}
	fixture.EqualSlice(t, "readings", read, []string{"main reading: differs", "choice on test: agrees"})
	fixture.Equal(t, "readings", v.Readings.Tried, 2)
	for _, one := range v.Verdicts {
		e := one.Evidence
		if !slices.IsSortedFunc(e.Runs, func(a, b paper.Run) int { return cmp.Compare(a.Inputs.Seed, b.Inputs.Seed) }) {
			t.Errorf("the runs of %s/%s are not by seed", e.Published.Letter, e.Column)
		}
	}
}

// Columns of another spec that name a reading are read under the numbers of their
// methods; others, and numbers that the main reading does not have, are not. Of several
// columns with the same reading the first that has runs counts. A column with surfaces
// counts with its best setting on the test samples that does not answer with one class.
func TestReadingsOfColumns(t *testing.T) {
	main := testkit.PlanFor(t, testkit.Parse(t, `
name: main
published: accuracy
datasets: [M]
methods:
  - {method: lmnn}
  - {method: plml, name: mine, grid: {alpha1: [0.01, 0.1, 1, 10, 100]}}
`))
	file := fixture.Write(t, filepath.Join(t.TempDir(), "open.yaml"), `
name: open
published: accuracy
datasets: [M, P]
methods:
  - {method: lmnn, name: short, reading: first step, sweep: {step: [1e-8, 1e-6]}}
  - {method: lmnn, name: other, params: {neighbors: 1}}
  - {method: plml, name: none, reading: anchors, params: {anchors: 5}}
  - {method: plml, name: few, reading: anchors, params: {anchors: 10}}
  - {method: plml, name: more, reading: anchors, params: {anchors: 20}}
  - {method: plml, name: program, reading: on test, measure: surface, grid: {alpha1: [1, 10, 100]}}
`)
	open := testkit.PlanFor(t, fixture.Must(spec.Load(file))(t))
	table := *main.Spec.Published
	table.Origin, table.Readings = main.Spec, []string{file}
	main.Spec.Published = &table
	cells := &store.Store{Dir: t.TempDir(), Log: t.Logf}
	for column, right := range map[int]int{1: 140, 2: 141, 4: 142, 5: 143} { // all but short with step 1e-8, and none
		testkit.Fill(t, cells, open.Splits[0].Jobs[column][0].Inputs, 190, right)
		testkit.Fill(t, cells, open.Splits[1].Jobs[column][0].Inputs, 128, 100)
	}
	testkit.FillSurface(t, cells, open.Splits[0].Jobs[6][0].Inputs, []int{80, 95, 90}) // 95: all are given one label
	v := fixture.Must(paper.Of(t.Context(), main, cells))(t)
	var said []string
	for _, row := range v.Readings.Rows[1:] {
		for _, method := range v.Readings.Methods {
			for _, r := range v.Readings.Of("heart", method) {
				if r.Reading == row.Reading {
					said = append(said, fmt.Sprintf("%s: %s %.2f by %d of %d, %d constant", r.Reading, method, *r.Mean, r.Runs, r.Planned, r.LeftOut))
				}
			}
		}
	}
	fixture.EqualSlice(t, "readings", said, []string{
		"first step, step 1e-6: lmnn 73.68 by 1 of 1, 0 constant", "anchors: mine 74.74 by 1 of 1, 0 constant", "on test: mine 47.37 by 1 of 1, 1 constant",
	})
	fixture.EqualSlice(t, "by data set", v.ReadingsOf("mine").Texts()[1], []string{"M heart", "78.95", "74.74", "47.37 (1 constant)"})
	fixture.Equal(t, "readings", v.Readings.Tried, 4)
}

// On three data sets E-R2LML is first in every reading. T-R2LML passes PLML when its setting is
// chosen on the test samples, for which it has cells on two data sets only.
func TestCurve(t *testing.T) {
	narrow := *testkit.Accuracy(t).Spec
	fixture.Check(t, narrow.Narrow([]string{"heart", "sonar", "wpbc"}, nil))
	planned := testkit.PlanFor(t, &narrow)
	cells := &store.Store{Dir: t.TempDir(), Log: t.Logf}
	right := map[string]int{
		"euclidean": 100, "itml": 120, "lmnn": 130, "lmnn-mm": 135, "glml": 125, "plml": 140, "t-r2lml": 138, "e-r2lml": 150,
	}
	for _, letter := range []string{"M", "P", "R"} {
		for method, n := range right {
			for _, j := range testkit.JobsOf(planned, letter, method) {
				if method == "t-r2lml" && letter != "R" {
					testkit.FillSurface(t, cells, j.Inputs, append([]int{n}, slices.Repeat([]int{142}, 62)...))
				} else {
					testkit.Fill(t, cells, j.Inputs, 190, n)
				}
			}
		}
	}
	c := verdicts(t, planned, cells).Curve()
	// Ranks of the main reading: E-R2LML 1, PLML 2, T-R2LML 3, LMNN-MM 4, LMNN 5, GLML 6, ITML 7.
	// The critical difference of 8 methods on 3 sets is 3.031 √(8·9/(6·3)) = 6.06 (Demšar 2006, Table 5).
	var said []string
	for _, p := range c.Procedures {
		said = append(said, fmt.Sprintf("%s: %d sets, T %.2f, %v", p.Reading, p.Sets, p.Ranks[6].Ours, p.Holds))
	}
	fixture.EqualSlice(t, "procedures", said, []string{
		"main reading: 3 sets, T 3.00, [true false false true]", "choice on test: 2 sets, T 2.00, [true false true true]",
	})
	var counts [][4]int
	for _, one := range c.Conclusions {
		counts = append(counts, [4]int{one.Holds, one.Of, one.HoldsAll, one.OfAll})
	}
	fixture.EqualSlice(t, "conclusions", counts, [][4]int{{2, 2, 1, 1}, {0, 2, 0, 1}, {1, 2, 0, 1}, {2, 2, 1, 1}})
	transductive := c.Methods[6]
	fixture.EqualSlice(t, "choices", transductive.Choices, []string{"chosen on"})
	for _, row := range transductive.Matrix() {
		at := transductive.Readings[row.Readings[0]]
		fixture.Equal(t, row.Text, at.Reading, map[string]string{
			"chosen on test": paper.ChoiceOnTest, "chosen on validation": paper.MainReading,
		}[row.Text])
	}
	fixture.EqualSlice(t, "readings of Euclidean", c.Methods[0].Choices, nil)
}

// The readings of a method are sorted, have a value for each choice, stand in one row of
// the matrix for each, and have their numbers in the listing.
func TestCurveIsSorted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var main, other []paper.Evidence
		for i := range rapid.IntRange(1, 4).Draw(t, "sets") {
			letter := string(rune('A' + i))
			main = append(main, evidence(letter, "plml", "70.00", 100, rapid.IntRange(0, 100).Draw(t, "main")))
			other = append(other, evidence(letter, "plml", "70.00", 100, rapid.IntRange(0, 100).Draw(t, "other")))
		}
		c := judge(main, paper.Reading{Text: "other", Evidence: other}, paper.Reading{Text: "again", Evidence: main}).Curve()
		m := c.Methods[0]
		if len(m.Readings) != 3 || !slices.IsSortedFunc(m.Readings, func(a, b paper.CurveReading) int { return cmp.Compare(*a.Mean, *b.Mean) }) {
			t.Fatalf("%+v", m.Readings)
		}
		for i, line := range c.Listing().Texts()[1:] {
			if r := m.Readings[i]; line[3] != strconv.Itoa(r.Agree) || line[4] != strconv.Itoa(r.Numbers) {
				t.Fatalf("%q of %+v", line, r)
			}
		}
		dots := 0
		for _, row := range m.Matrix() {
			dots += len(row.Readings)
		}
		if dots != len(m.Choices)*len(m.Readings) {
			t.Fatalf("%d dots of %d choices", dots, len(m.Choices))
		}
	})
}

// TestWhatIsNoEvidence: cells of other splits, another k, another version of the code
// and other data are not read.
func TestWhatIsNoEvidence(t *testing.T) {
	narrow := *testkit.Accuracy(t).Spec
	fixture.Check(t, narrow.Narrow([]string{"heart"}, []string{"plml"}))
	planned := testkit.PlanFor(t, &narrow)
	right := testkit.JobsOf(planned, "M", "plml")[0].Inputs
	for name, change := range map[string]func(in *results.Inputs){
		"another split":        func(in *results.Inputs) { in.Split = "random seed=1 repeat=1" },
		"other rows":           func(in *results.Inputs) { in.SplitDigest = strings.Repeat("0", 64) },
		"other data":           func(in *results.Inputs) { in.DatasetDigest = strings.Repeat("0", 64) },
		"another k":            func(in *results.Inputs) { in.Neighbors = 3 },
		"another version":      func(in *results.Inputs) { in.Version = 99 },
		"samples together":     func(in *results.Inputs) { in.Unlabeled = results.UnlabeledJoint },
		"other votes":          func(in *results.Inputs) { in.Ties = "" },
		"a part of the grid":   func(in *results.Inputs) { in.Settings = in.Settings[:2] },
		"nothing, all is well": func(*results.Inputs) {},
	} {
		cells := &store.Store{Dir: t.TempDir(), Log: t.Logf}
		in := right
		change(&in)
		testkit.Fill(t, cells, in, 190, 150)
		got := *verdicts(t, planned, cells).Find("heart", "plml")
		fixture.Equal(t, name+": there is a run", got.Runs == 1, strings.HasPrefix(name, "nothing"))
	}
}

func TestVerdictsOfOtherSpecs(t *testing.T) {
	store := &store.Store{Dir: t.TempDir()}
	random := testkit.Parse(t, "name: r\npublished: accuracy\ndatasets: [M]\nsplit: {rule: random, repeats: 3}\nmethods: [{method: euclidean}, {method: rca}]")
	fixture.Equal(t, "verdicts on three random splits", len(verdicts(t, testkit.PlanFor(t, random), store).Verdicts), 0)
	three := testkit.Parse(t, "name: k\npublished: accuracy\ndatasets: [M]\nneighbors: 3\nmethods: [{method: euclidean}]")
	fixture.Says(t, fixture.Error(paper.Of(t.Context(), testkit.PlanFor(t, three), store)), "5 neighbors")
}

// TestComparableColumns: a column stands for the printed number if it chooses as the
// paper did, by the grids of the spec accuracy.
func TestComparableColumns(t *testing.T) {
	const (
		metrics = "metrics: [1, 2, 3, 4, 5, 6, 7]"
		lambda  = "lambda: [0.01, 0.1, 1, 10, 100]"
		chosen  = "; the paper chose lambda and metrics on the validation samples"
	)
	for _, c := range []struct{ name, stanza, want string }{
		{"nothing to choose", "{method: euclidean}", ""},
		{"another parameter", "{method: lmnn, params: {neighbors: 1}}", ""},
		{"the grid", "{method: e-r2lml, params: {step: 1}, grid: {" + metrics + ", " + lambda + "}}", ""},
		{"the grid, turned round", "{method: e-r2lml, params: {step: 1}, grid: {" + metrics + ", lambda: [100, 10.0, 1e0, 1e-1, 0.01]}}", ""},
		{"the grid, from several starts", "{method: e-r2lml, params: {step: 1}, restarts: 2, grid: {" + lambda + ", " + metrics + "}}", ""},
		{"the grid of another method", "{method: t-r2lml, params: {step: 1}, grid: {" + metrics + ", " + lambda + "}}", "has other samples without labels"},
		{"a parameter more", "{method: e-r2lml, params: {step: 1}, grid: {" + metrics + ", " + lambda + ", c: [1, 2]}}", ""},
		{"one fixed", "{method: e-r2lml, params: {step: 1}, grid: {metrics: [7], " + lambda + "}}", "fixes metrics" + chosen},
		{"both fixed", "{method: e-r2lml, params: {step: 1, lambda: 1, metrics: 2}}", "fixes lambda and metrics" + chosen},
		{"one swept", "{method: e-r2lml, params: {step: 1}, sweep: {" + metrics + "}, grid: {lambda: [1, 2]}}",
			"sweeps metrics, searches other values of lambda" + chosen},
		{"a variant swept", "{method: e-r2lml, params: {step: 1}, sweep: {variant: [reference, published]}, grid: {" + metrics + ", " + lambda + "}}",
			"sweeps variant" + chosen},
		{"swept, of a method without a grid", "{method: lmnn, sweep: {neighbors: [1, 2]}}", "sweeps neighbors"},
		{"other unlabelled samples",
			"{method: t-r2lml, params: {step: 1}, grid: {" + metrics + ", lambda: [0.1, 1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7]}}",
			"has other samples without labels"},
		{"another choice", "{method: e-r2lml, params: {step: 1}, select: kappa, grid: {" + metrics + ", " + lambda + "}}", "chooses by kappa"},
		{"a choice by folds", "{method: e-r2lml, params: {step: 1}, select: {on: cross-validation}, grid: {" + metrics + ", " + lambda + "}}",
			"chooses by cross-validation"},
		{"default instead of the grid", "{method: itml}", "fixes gamma; the paper chose gamma on the validation samples"},
	} {
		t.Run(c.name, func(t *testing.T) {
			plan := testkit.PlanFor(t, testkit.Parse(t, "name: x\npublished: accuracy\ndatasets: [M, P]\nmethods: ["+c.stanza+"]"))
			v := verdicts(t, plan, &store.Store{Dir: t.TempDir()})
			judged, excluded := 2, 0
			if c.want != "" {
				judged, excluded = 0, len(plan.Spec.Columns)
			}
			fixture.Equal(t, "numbers judged, columns left out", [2]int{len(v.Verdicts), len(v.Excluded)}, [2]int{judged, excluded})
			for _, l := range v.Excluded {
				fixture.Equal(t, "reason", l.Reason, c.want)
				fixture.EqualSlice(t, "rows", l.Letters, []string{"M", "P"})
			}
		})
	}
}

// TestComparableColumnsOfEmbeddedSpecs: the specs of the paper's table judge all of
// it, those that take it apart none, and quick leaves out T-R2LML, which it gives a smaller grid.
func TestComparableColumnsOfEmbeddedSpecs(t *testing.T) {
	st := (&store.Store{Dir: t.TempDir()}).Snapshot()
	for name, want := range map[string]int{
		"accuracy": 144, "beyond": 126, "measured": 18,
		"variants": 0, "metrics": 0, "convergence": 0, "triangle": 0, "lambda": 0, "quick": 14, "smoke": 3,
		"pays": 0,
	} {
		s := fixture.Must(spec.Load(name))(t)
		v, err := paper.Of(t.Context(), testkit.PlanFor(t, s), st)
		if s.Published == nil && want == 0 && errors.Is(err, paper.ErrNothingPrinted) {
			continue
		}
		fixture.Check(t, err)
		fixture.Equal(t, name, v.Summary.Numbers, want)
		if want == 0 && !strings.Contains(v.Notes()[0], "no published number") {
			t.Errorf("%s: notes %q", name, v.Notes())
		}
	}
}

// A number is judged once, whatever the columns of its method.
func TestNumbersAreJudgedOnce(t *testing.T) {
	planned := testkit.PlanFor(t, testkit.Parse(t,
		"name: x\npublished: accuracy\ndatasets: [M]\nmethods: [{method: lmnn}, {method: euclidean}, {method: lmnn, name: other, params: {neighbors: 1}}]"))
	v, err := paper.Of(t.Context(), planned, &store.Store{Dir: t.TempDir()})
	if err != nil || len(v.Verdicts) != 2 || len(v.Excluded) != 1 || v.Excluded[0].Method != "other" || v.Excluded[0].Reason != "judges it with the column lmnn" {
		t.Errorf("%v: %+v, %+v", err, v.Verdicts, v.Excluded)
	}
}

// Any spec may have printed numbers of its own: of a column, before those of its method,
// over all splits, and with readings in the same spec.
func TestOwnTable(t *testing.T) {
	dir := t.TempDir()
	own := fixture.Write(t, filepath.Join(dir, "own.yaml"), `
name: own
published: table.yaml
datasets: overlap30
split: {rule: random, repeats: 3}
neighbors: [1, 3]
methods:
  - {method: euclidean}
  - {method: lmnn, reading: one target neighbor, name: one, params: {neighbors: 1}}
  - {method: lmnn}
  - {method: rca}
`)
	fixture.Write(t, filepath.Join(dir, "table.yaml"), `
name: table
title: A table
columns: ["euclidean:k=1", "euclidean:k=3", lmnn]
names: [1-NN, 3-NN, LMNN]
rows: [{row: overlap30, n: 320, printed: [50.00, 60.00, 70.00]}]
`)
	p := testkit.PlanFor(t, fixture.Must(spec.Load(own))(t))
	cells := &store.Store{Dir: t.TempDir(), Log: t.Logf}
	for i, row := range p.Splits {
		testkit.Fill(t, cells, row.Jobs[0][0].Inputs, 320, 160+3*i)
	}
	v := fixture.Must(paper.Of(t.Context(), p, cells.Snapshot()))(t)
	if len(v.Verdicts) != 3 || v.Title != "A table" {
		t.Fatalf("%d verdicts on %q: %+v", len(v.Verdicts), v.Title, v.Verdicts)
	}
	fixture.Near(t, "mean", *v.Verdicts[0].Mean, 100*163.0/320, 1e-6)
	for i, want := range []string{"euclidean:k=1 50.00 3 of 3 320 agrees", "euclidean:k=3 60.00 0 of 3 320 cannot tell", "lmnn:k=1 70.00 0 of 3 320 cannot tell"} {
		one := v.Verdicts[i]
		got := fmt.Sprintf("%s %s %d of %d %d %s", one.Method, one.Published, one.Runs, one.Planned, one.Samples, one.Verdict)
		fixture.Equal(t, "verdict", got, want)
	}
	fixture.Equal(t, "name of the column", v.SummaryTable().Rows[0][0].Text, "1-NN")
}
