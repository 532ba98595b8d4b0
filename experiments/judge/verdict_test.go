package judge_test

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"testing"

	. "r2lmlbench/experiments/judge"
	"r2lmlbench/experiments/plan"
	"r2lmlbench/experiments/spec"
	"r2lmlbench/internal/spectest"
	"r2lmlbench/results"
	"r2lmlbench/results/store"
	"r2lmlbench/results/study"
	"r2lmlbench/results/verdict"
	"r2lmlbench/results/verdict/verdicttest"
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
	if err != nil || len(v.Verdicts) != 144 || v.Summary.Unreachable != 6 {
		t.Fatalf("%d verdicts, %+v, %v", len(v.Verdicts), v.Summary, err)
	}
	for _, x := range v.Verdicts {
		if x.Verdict != verdict.Untested || !strings.HasPrefix(x.Reason, "no cell of ours on the split of the rule: no cell of this data set") {
			t.Errorf("%s/%s: %s, %s", x.Letter, x.Method, x.Verdict, x.Reason)
		}
	}
}

// fillSurface stores a surface of a job in which so many of 190 test samples are
// right at the points, the first of which is chosen.
func fillSurface(t *testing.T, cells *store.Store, in results.Inputs, right []int) {
	t.Helper()
	c := results.Cell{Inputs: in, Validation: &results.Profile{N: 100, Correct: make([]int, len(in.Points))}}
	c.Measure = []string{study.SurfaceMeasure}
	c.Validation.Correct[0] = 1
	c.Truth = slices.Concat(slices.Repeat([]int{1}, 95), slices.Repeat([]int{2}, 95))
	outcomes := map[int]results.Outcome{}
	for i, n := range right {
		outcomes[i] = results.Outcome{Test: results.TestCount{ByClass: []int{min(n, 95), max(n-95, 0)}, Largest: 95}}
	}
	c.Surface = results.NewSurface(c.Truth, len(in.Points), outcomes)
	c.Predicted = slices.Concat(slices.Repeat([]int{1}, min(right[0], 95)), slices.Repeat([]int{2}, 95-min(right[0], 95)),
		slices.Repeat([]int{2}, max(right[0]-95, 0)), slices.Repeat([]int{1}, 95-max(right[0]-95, 0)))
	if err := cells.Put(c, results.Run{}); err != nil {
		t.Fatal(err)
	}
}

// TestVerdictEvidence builds a store by hand. Heart (M) has 190 test samples of
// which Euclidean has 108 right in print, Ionosphere (I) 221 with 167 right.
func TestVerdictEvidence(t *testing.T) {
	planned := accuracyPlan(t)
	cells := &store.Store{Dir: t.TempDir(), Log: t.Logf}
	fill(t, cells, job(planned, t, "M", "euclidean").Inputs, 190, 110)
	fill(t, cells, job(planned, t, "I", "euclidean").Inputs, 221, 167)
	itml := job(planned, t, "M", "itml").Inputs // printed 79.47, that is 151 of 190
	for seed := 1; seed <= 12; seed++ {
		itml.Seed = uint64(seed)
		fill(t, cells, itml, 190, 150+seed%2*4)
	}
	right := slices.Repeat([]int{150}, 63) // printed 81.05, that is 154
	right[40] = 154
	fillSurface(t, cells, job(planned, t, "M", "t-r2lml").Inputs, right)
	v, err := NewSession(t.TempDir()).Verdicts(planned, cells)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		letter, method, verdict, slack string
		runs                           int
	}{
		{"M", "euclidean", "printed below", "0.00", 1}, // 110 of 190 is 1.05 above, and Euclidean has no row slack
		{"I", "euclidean", "equal", "0.00", 1},
		{"M", "itml", "reproduced", "1.05", 12},
		{"M", "t-r2lml", "reproduced by choice on test", "1.05", 1},
		{"M", "glml", "untested", "1.05", 0},
		{"A", "glml", "untested", "0.00", 0}, // without a cell of Euclidean nothing is known of the split
	} {
		got := verdictOf(t, v, c.letter, c.method)
		if got.Verdict != c.verdict || got.Runs != c.runs || got.Slack != c.slack {
			t.Errorf("%+v, want %+v", got, c)
		}
	}
}

// TestWhatIsNoEvidence: cells of other splits, another k, another version of the code
// and other data are not read.
func TestWhatIsNoEvidence(t *testing.T) {
	planned := accuracyPlan(t)
	right := job(planned, t, "M", "plml").Inputs
	for name, change := range map[string]func(in *results.Inputs){
		"another split":        func(in *results.Inputs) { in.Split = "random seed=1 repeat=1" },
		"other rows":           func(in *results.Inputs) { in.SplitDigest = strings.Repeat("0", 64) },
		"other data":           func(in *results.Inputs) { in.DatasetDigest = strings.Repeat("0", 64) },
		"another k":            func(in *results.Inputs) { in.Neighbors = 3 },
		"another version":      func(in *results.Inputs) { in.Version = 99 },
		"samples together":     func(in *results.Inputs) { in.Unlabeled = results.UnlabeledJoint },
		"a part of the grid":   func(in *results.Inputs) { in.Points = in.Points[:2] },
		"nothing, all is well": func(*results.Inputs) {},
	} {
		cells := &store.Store{Dir: t.TempDir(), Log: t.Logf}
		in := right
		change(&in)
		fill(t, cells, in, 190, 150)
		v, err := NewSession(t.TempDir()).Verdicts(planned, cells)
		if err != nil {
			t.Fatal(err)
		}
		if got := verdictOf(t, v, "M", "plml"); (got.Runs == 1) != strings.HasPrefix(name, "nothing") {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// settingsOf lists the open settings of the evidence on a number.
func settingsOf(t *testing.T, cells *store.Store, letter, method string) []string {
	t.Helper()
	v, err := NewSession(t.TempDir()).Verdicts(accuracyPlan(t), cells)
	if err != nil {
		t.Fatal(err)
	}
	var settings []string
	for _, step := range verdictOf(t, v, letter, method).Ladder {
		if step.Setting != "" {
			settings = append(settings, step.Setting)
		}
	}
	return settings
}

// TestOpenFeatureScale: the scale of the features is open where they were transformed
// on their way to us, as those of COIL20 (K), and nowhere else.
func TestOpenFeatureScale(t *testing.T) {
	planned := accuracyPlan(t)
	cells := &store.Store{Dir: t.TempDir(), Log: t.Logf}
	for letter, want := range map[string][]string{"K": {"feature-scale 16"}, "M": nil} {
		in := job(planned, t, letter, "e-r2lml").Inputs
		in.Points = slices.Clone(in.Points)
		for i, p := range in.Points {
			in.Points[i].Params = maps.Clone(p.Params)
			in.Points[i].Params["feature-scale"] = 16
		}
		fill(t, cells, in, 190, 150)
		if got := settingsOf(t, cells, letter, "e-r2lml"); !slices.Equal(got, want) {
			t.Errorf("%s: open settings %q, want %q", letter, got, want)
		}
	}
}

// TestOpenUnlabelled: which samples T-R2LML has without labels while it validates is
// open.
func TestOpenUnlabelled(t *testing.T) {
	planned := accuracyPlan(t)
	cells := &store.Store{Dir: t.TempDir(), Log: t.Logf}
	for method, want := range map[string][]string{"t-r2lml": {"unlabeled joint"}, "e-r2lml": nil} {
		in := job(planned, t, "M", method).Inputs
		in.Unlabeled = results.UnlabeledJoint
		fill(t, cells, in, 190, 150)
		if got := settingsOf(t, cells, "M", method); !slices.Equal(got, want) {
			t.Errorf("%s: open settings %q, want %q", method, got, want)
		}
	}
}

// TestFiguresFixLambda: the spec of the paper's figures says which lambda they have.
func TestFiguresFixLambda(t *testing.T) {
	planned := accuracyPlan(t)
	cells := &store.Store{Dir: t.TempDir(), Log: t.Logf}
	for method, lambda := range map[string]float64{"t-r2lml": 10, "e-r2lml": 1} {
		in := job(planned, t, "M", method).Inputs
		right := slices.Repeat([]int{150}, len(in.Points))
		best := 0
		for i, p := range in.Points {
			right[i] += i % 40 // the best of all is another
			if value := p.Params["lambda"]; value == lambda || value == int(lambda) {
				best = max(best, right[i])
			}
		}
		fillSurface(t, cells, in, right)
		v, err := NewSession(t.TempDir()).Verdicts(planned, cells)
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(v.Evidence, func(e verdict.Evidence) bool { return e.Published.Letter == "M" && e.Column == method })
		if figures := v.Evidence[i].Figures; len(figures) != 1 || figures[0].Correct != best || !v.Evidence[i].Proposed {
			t.Errorf("%s: %+v, want %d right", method, figures, best)
		}
	}
}

// TestAcceptedVerdicts: none of the 144 verdicts by the accepted cells contradicts
// its numbers, and the words count as the summary does.
func TestAcceptedVerdicts(t *testing.T) {
	v, err := NewSession(t.TempDir()).Verdicts(accuracyPlan(t), &store.Store{Dir: "../../results/accepted", Log: t.Logf})
	if err != nil || len(v.Verdicts) != 144 {
		t.Fatalf("%d verdicts, %v", len(v.Verdicts), err)
	}
	count := map[string]int{}
	for i, one := range v.Verdicts {
		count[one.Word()]++
		if err := verdicttest.Check(v.Evidence[i], one); err != nil {
			t.Error(err)
		}
	}
	for _, w := range v.Summary.Words {
		if w.Count != count[w.Word] {
			t.Errorf("%s: %d, the summary has %d", w.Word, count[w.Word], w.Count)
		}
	}
	if count[verdict.Untested] > 0 {
		t.Errorf("%d numbers are untested", count[verdict.Untested])
	}
	for _, e := range v.Evidence {
		for _, p := range e.Protocols {
			if !slices.IsSortedFunc(p.Runs, func(a, b verdict.Run) int { return cmp.Compare(a.Inputs.Seed, b.Inputs.Seed) }) {
				t.Errorf("%s/%s: rung %d is not by seed", e.Published.Letter, e.Column, p.Rung)
			}
		}
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
