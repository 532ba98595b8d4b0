package judge_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"r2lmlbench/datasets"
	. "r2lmlbench/experiments/judge"
	"r2lmlbench/experiments/plan"
	"r2lmlbench/experiments/spec"
	"r2lmlbench/internal/spectest"
	"r2lmlbench/results"
	"r2lmlbench/results/store"
	"r2lmlbench/results/verdict"
)

// fill stores a cell of a job in which so many test samples are right.
func fill(t *testing.T, store *store.Store, in results.Inputs, n, correct int) {
	t.Helper()
	c := results.Cell{Inputs: in, Truth: slices.Repeat([]int{1}, n), Predicted: slices.Concat(slices.Repeat([]int{1}, correct), slices.Repeat([]int{2},
		n-correct))}
	if err := store.Put(c, results.Run{}); err != nil {
		t.Fatal(err)
	}
}

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

func accuracyPlan(t *testing.T) plan.Plan {
	t.Helper()
	spec, err := spec.Load("accuracy")
	if err != nil {
		t.Fatal(err)
	}
	return spectest.PlanFor(t, spec)
}

func job(p plan.Plan, t *testing.T, letter, method string) plan.Job {
	t.Helper()
	row, column, err := Find(p, letter, method)
	if err != nil {
		t.Fatal(err)
	}
	return row.Jobs[column][0]
}

func TestVerdictsOfNothing(t *testing.T) {
	v, err := NewSession(t.TempDir()).Verdicts(accuracyPlan(t), &store.Store{Dir: t.TempDir()})
	if err != nil || len(v.Verdicts) != 144 || v.Summary.Missing != 144 || v.Summary.Unreachable != 6 {
		t.Fatalf("%d verdicts, %+v, %v", len(v.Verdicts), v.Summary, err)
	}
	for _, x := range v.Verdicts {
		if !strings.HasPrefix(x.Reason, "no cell of ours on the split of the rule: no cell of this data set") {
			t.Errorf("%s/%s: %s", x.Letter, x.Method, x.Reason)
		}
	}
}

// TestVerdictEvidence builds a store by hand. Heart (M) has 190 test samples of
// which Euclidean has 108 right in print, Ionosphere (I) 221 with 167 right.
func TestVerdictEvidence(t *testing.T) {
	plan := accuracyPlan(t)
	store := &store.Store{Dir: t.TempDir(), Log: t.Logf}
	fill(t, store, job(plan, t, "M", "euclidean").Inputs, 190, 108)
	fill(t, store, job(plan, t, "I", "euclidean").Inputs, 221, 167)
	itml := job(plan, t, "M", "itml").Inputs // printed 79.47, that is 151 of 190
	for seed := 1; seed <= 12; seed++ {
		itml.Seed = uint64(seed)
		fill(t, store, itml, 190, 150+seed%2*4)
	}
	glml := job(plan, t, "M", "glml").Inputs // printed 62.11, 118 of 190
	for repeat := 12; repeat >= 1; repeat-- {
		for seed := 2; seed >= 1; seed-- { // the second seed of a split is no evidence of its own
			in := glml
			in.Split = datasets.Rule{Kind: "random", Seed: 1, Repeat: repeat}.String()
			in.SplitDigest, in.Seed = fmt.Sprint(repeat), uint64(seed)
			fill(t, store, in, 190, 160+repeat%3-40*(seed-1))
		}
	}
	old := job(plan, t, "M", "plml").Inputs
	old.Version = 99
	fill(t, store, old, 190, 150)
	trained := job(plan, t, "M", "lmnn").Inputs
	trained.Split = "random seed=1 repeat=1 pca=train"
	fill(t, store, trained, 190, 150)

	v, err := NewSession(t.TempDir()).Verdicts(plan, store)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		letter, method, verdict, evidence string
		runs                              int
	}{
		{"M", "euclidean", "exact", "rule-split", 1},
		{"I", "euclidean", "exact", "authors-split", 1},
		{"M", "itml", "reproduced", "seeds", 12},
		{"M", "glml", "better", "random-splits", 12},
		{"M", "plml", "missing", "", 0},
		{"M", "lmnn", "missing", "", 0},
	} {
		got := verdictOf(t, v, c.letter, c.method)
		if got.Verdict != c.verdict || got.Evidence != c.evidence || got.Runs != c.runs {
			t.Errorf("%+v, want %+v", got, c)
		}
	}
	if got := verdictOf(t, v, "M", "plml"); !strings.Contains(got.Reason, "version: 99 -> 1") {
		t.Errorf("a cell of other code: %s", got.Reason)
	}
	twice := glml
	twice.Split, twice.SplitDigest = "random seed=1 repeat=3", "of other rows"
	fill(t, store, twice, 190, 150)
	if _, err := NewSession(t.TempDir()).Verdicts(plan, store); err == nil || !strings.Contains(err.Error(), "random seed=1 repeat=3") {
		t.Errorf("two splits of one name: error %v", err)
	}
}

func TestVerdictsOfOtherSpecs(t *testing.T) {
	store := &store.Store{Dir: t.TempDir()}
	quick, err := spec.Load("quick")
	if err != nil {
		t.Fatal(err)
	}
	if v, err := NewSession(t.TempDir()).Verdicts(spectest.PlanFor(t, quick),
		store); err != nil || len(v.Verdicts) != 0 || !strings.Contains(v.Notes()[0], "no published number") {
		t.Errorf("generated sets: %+v, %v", v, err)
	}
	random := spectest.Parse(t, "name: r\ndatasets: [M]\nsplit: {rule: random, repeats: 3}\nmethods: [{method: euclidean}, {method: rca}]")
	if v, err := NewSession(t.TempDir()).Verdicts(spectest.PlanFor(t, random), store); err != nil || len(v.Verdicts) != 1 {
		t.Errorf("three random splits: %+v, %v; want one verdict, on Euclidean", v, err)
	}
	three := spectest.Parse(t, "name: k\ndatasets: [M]\nneighbors: 3\nmethods: [{method: euclidean}]")
	if _, err := NewSession(t.TempDir()).Verdicts(spectest.PlanFor(t, three), store); err == nil || !strings.Contains(err.Error(), "5 neighbors") {
		t.Errorf("3 neighbors: error %v", err)
	}
}
