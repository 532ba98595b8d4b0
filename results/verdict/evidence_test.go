package verdict_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"r2lmlbench/experiments/plan"
	"r2lmlbench/experiments/spec"
	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/spectest"
	"r2lmlbench/results"
	"r2lmlbench/results/published"
	"r2lmlbench/results/store"
	"r2lmlbench/results/verdict"
)

// verdictOf returns the verdict on one number.
func verdictOf(t *testing.T, v verdict.Verdicts, letter, method string) verdict.Verdict {
	t.Helper()
	for _, x := range v.Verdicts {
		if x.Letter == letter && x.Method == method {
			return x
		}
	}
	t.Fatalf("no verdict on %s/%s", letter, method)
	return verdict.Verdict{}
}

// jobsOf are the jobs of a data set and a method, by seed.
func jobsOf(p plan.Plan, letter, method string) []plan.Job {
	row := slices.IndexFunc(p.Rows, func(r plan.Row) bool { return r.Entry.Letter == letter })
	column := slices.IndexFunc(p.Spec.Columns, func(c spec.Column) bool { return c.ID == method })
	return p.Rows[row].Jobs[column]
}

// verdicts judges the numbers of a plan by the cells in a store.
func verdicts(t *testing.T, p plan.Plan, cells *store.Store) verdict.Verdicts {
	t.Helper()
	v, err := verdict.Of(p, spectest.Paper(t), cells)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestVerdictsOfNothing(t *testing.T) {
	v := verdicts(t, spectest.Accuracy(t), &store.Store{Dir: t.TempDir()})
	if len(v.Verdicts) != 144 || v.Summary.Count(verdict.CannotTell) != 144 || v.Ranks != nil || v.Clean() {
		t.Fatalf("%d verdicts, %+v", len(v.Verdicts), v.Summary)
	}
	for _, x := range v.Verdicts {
		if x.Reason != verdict.NoRuns || x.Planned < 1 || x.Samples < 1 {
			t.Errorf("%+v", x)
		}
	}
}

// TestVerdictEvidence builds a store by hand. Heart (M) has 190 test samples of which ITML
// has 151 right in print, T-R2LML 154 and PLML 150.
func TestVerdictEvidence(t *testing.T) {
	planned := spectest.Accuracy(t)
	cells := &store.Store{Dir: t.TempDir(), Log: t.Logf}
	jobs := func(method string) []plan.Job { return jobsOf(planned, "M", method) }
	for _, j := range jobs("itml") {
		spectest.Fill(t, cells, j.Inputs, 190, 150)
	}
	for i, j := range jobs("glml") {
		spectest.Fill(t, cells, j.Inputs, 190, 100+i%2*20)
	}
	for _, j := range jobs("plml")[1:] {
		spectest.Fill(t, cells, j.Inputs, 190, 150)
	}
	right := slices.Repeat([]int{140}, 63)
	right[40] = 154
	for _, j := range jobs("t-r2lml") {
		spectest.FillSurface(t, cells, j.Inputs, right)
	}
	v := verdicts(t, planned, cells)
	for _, c := range []struct {
		method, verdict, reason string
		missing                 int
	}{
		{"itml", verdict.Agrees, verdict.WithinPoint, 0},
		{"glml", verdict.CannotTell, verdict.TooSpread, 0},
		{"plml", verdict.CannotTell, verdict.TooFew, 1},
		{"t-r2lml", verdict.Differs, verdict.Farther, 0},
		{"e-r2lml", verdict.CannotTell, verdict.NoRuns, 10},
	} {
		got := verdictOf(t, v, "M", c.method)
		if got.Verdict != c.verdict || got.Reason != c.reason || got.Planned-got.Runs != c.missing || got.Planned != len(jobs(c.method)) || got.Samples != 190 {
			t.Errorf("%+v, want %+v", got, c)
		}
	}
	want := []verdict.NumberReading{{Reading: verdict.MainReading, Verdict: verdict.Differs}, {Reading: verdict.ChoiceOnTest, Verdict: verdict.Agrees}}
	for i, r := range v.Readings.Of("heart", "t-r2lml") {
		if r.Reading != want[i].Reading || r.Verdict != want[i].Verdict || r.Runs != len(jobs("t-r2lml")) {
			t.Errorf("%+v, want %+v", r, want[i])
		}
	}
	if v.Readings.Tried != 2 {
		t.Errorf("%d readings", v.Readings.Tried)
	}
}

// Columns of another spec that name a reading are read under the numbers of their
// methods; others, and numbers that the main reading does not have, are not.
func TestReadingsOfColumns(t *testing.T) {
	open := spectest.PlanFor(t, spectest.Parse(t, `
name: open
published: accuracy
datasets: [M, P]
methods:
  - {method: lmnn, name: lmnn-short, reading: first step, sweep: {step: [1e-8, 1e-6]}}
  - {method: lmnn, name: other, params: {neighbors: 1}}
  - {method: plml, name: few, reading: anchors, params: {anchors: 10}}
`))
	lmnn, _ := published.Of(published.Table()).Lookup("M", "lmnn")
	plml, _ := published.Of(published.Table()).Lookup("M", "plml")
	main := []verdict.Evidence{{Published: lmnn, Column: "lmnn"}, {Published: plml, Column: "mine"}}
	cells := &store.Store{Dir: t.TempDir(), Log: t.Logf}
	spectest.Fill(t, cells, open.Rows[0].Jobs[1][0].Inputs, 190, 140)
	got, err := verdict.ReadingsOf([]plan.Plan{open}, main, cells.Snapshot())
	if err != nil {
		t.Fatal(err)
	}
	var said []string
	for _, r := range got {
		for _, e := range r.Evidence {
			said = append(said, fmt.Sprintf("%s: %s/%s %d of %d", r.Text, e.Published.Letter, e.Column, len(e.Runs), e.Planned))
		}
	}
	want := []string{"first step, step 1e-8: M/lmnn 0 of 1", "first step, step 1e-6: M/lmnn 1 of 1", "anchors: M/mine 0 of 1"}
	if !slices.Equal(said, want) {
		t.Errorf("%q, want %q", said, want)
	}
}

// TestWhatIsNoEvidence: cells of other splits, another k, another version of the code
// and other data are not read.
func TestWhatIsNoEvidence(t *testing.T) {
	narrow := *spectest.Accuracy(t).Spec
	fixture.Check(t, narrow.Narrow([]string{"heart"}, []string{"plml"}))
	planned := spectest.PlanFor(t, &narrow)
	right := jobsOf(planned, "M", "plml")[0].Inputs
	for name, change := range map[string]func(in *results.Inputs){
		"another split":        func(in *results.Inputs) { in.Split = "random seed=1 repeat=1" },
		"other rows":           func(in *results.Inputs) { in.SplitDigest = strings.Repeat("0", 64) },
		"other data":           func(in *results.Inputs) { in.DatasetDigest = strings.Repeat("0", 64) },
		"another k":            func(in *results.Inputs) { in.Neighbors = 3 },
		"another version":      func(in *results.Inputs) { in.Version = 99 },
		"samples together":     func(in *results.Inputs) { in.Unlabeled = results.UnlabeledJoint },
		"other votes":          func(in *results.Inputs) { in.Ties = "" },
		"a part of the grid":   func(in *results.Inputs) { in.Points = in.Points[:2] },
		"nothing, all is well": func(*results.Inputs) {},
	} {
		cells := &store.Store{Dir: t.TempDir(), Log: t.Logf}
		in := right
		change(&in)
		spectest.Fill(t, cells, in, 190, 150)
		v := verdicts(t, planned, cells)
		if got := verdictOf(t, v, "M", "plml"); (got.Runs == 1) != strings.HasPrefix(name, "nothing") {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// TestAcceptedVerdicts: runs are by seed.
func TestAcceptedVerdicts(t *testing.T) {
	for _, e := range verdicts(t, spectest.Accuracy(t), &store.Store{Dir: "../accepted", Log: t.Logf}).Evidence {
		if !slices.IsSortedFunc(e.Runs, func(a, b verdict.Run) int { return cmp.Compare(a.Inputs.Seed, b.Inputs.Seed) }) {
			t.Errorf("%s/%s is not by seed", e.Published.Letter, e.Column)
		}
	}
}

func TestVerdictsOfOtherSpecs(t *testing.T) {
	store := &store.Store{Dir: t.TempDir()}
	smoke, err := spec.Load("smoke")
	if err != nil {
		t.Fatal(err)
	}
	if err := smoke.Narrow([]string{"twonorm-gen", "overlap30"}, nil); err != nil {
		t.Fatal(err)
	}
	if v := verdicts(t, spectest.PlanFor(t, smoke), store); len(v.Verdicts) != 0 || !strings.Contains(v.Notes()[0], "no published number") {
		t.Errorf("generated sets: %d verdicts", len(v.Verdicts))
	}
	random := spectest.Parse(t, "name: r\npublished: accuracy\ndatasets: [M]\nsplit: {rule: random, repeats: 3}\nmethods: [{method: euclidean}, {method: rca}]")
	if v := verdicts(t, spectest.PlanFor(t, random), store); len(v.Verdicts) != 0 {
		t.Errorf("three random splits: %+v; want no verdict", v)
	}
	three := spectest.Parse(t, "name: k\npublished: accuracy\ndatasets: [M]\nneighbors: 3\nmethods: [{method: euclidean}]")
	if _, err := verdict.Of(spectest.PlanFor(t, three), spectest.Paper(t), store); err == nil || !strings.Contains(err.Error(), "5 neighbors") {
		t.Errorf("3 neighbors: error %v", err)
	}
}
