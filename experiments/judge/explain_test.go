package judge_test

import (
	"fmt"
	"os"
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
	"r2lmlbench/results/table"
	"r2lmlbench/results/verdict"
)

func TestExplain(t *testing.T) {
	p, fresh := runSpec(t, spectest.Parse(t, gated))
	x, err := Explain(t.Context(), NewSession(t.TempDir()), p, "my specs/gated.yaml", "overlap30", "e-r2lml", &store.Store{Dir: t.TempDir()}, fresh)
	if err != nil {
		t.Fatal(err)
	}
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
	want := []string{"r2lmlbench run 'my specs/gated.yaml' --datasets overlap30 --methods e-r2lml --results results/runs/remade"}
	if !slices.Equal(x.Commands, want) {
		t.Errorf("commands %q, want %q", x.Commands, want)
	}
	if x.Verdict != nil || x.Published != nil {
		t.Errorf("a published number of a set that the paper does not have: %+v", x)
	}
}

func TestExplainWhatIsMissing(t *testing.T) {
	empty := &store.Store{Dir: t.TempDir()}
	x, err := Explain(t.Context(), NewSession(t.TempDir()), accuracyPlan(t), "accuracy", "i", "ITML", empty, empty)
	if err != nil {
		t.Fatal(err)
	}
	if x.Status != table.StatusMissing || x.Result != nil || x.Published == nil || x.Published.Accuracy == "" || len(x.Tried) != 9 ||
		x.Verdict == nil || x.Verdict.Verdict != verdict.Missing || len(x.Data.Sources) == 0 || x.Data.Digest == "" || x.Split.Digest == "" {
		t.Errorf("%+v", x)
	}
	if len(x.Commands) != 2 || x.Commands[0] != "r2lmlbench data fetch ionosphere" {
		t.Errorf("commands %q", x.Commands)
	}
}

// TestExplainSupportingRuns: every cell that a verdict rests on is listed,
// with the runs of specs that ask for it. Heart (M) has 190 test samples of which
// Euclidean has 108 right in print.
func TestExplainSupportingRuns(t *testing.T) {
	const rerun = " --datasets heart --results results/runs/remade"
	p := accuracyPlan(t)
	st, empty := &store.Store{Dir: t.TempDir(), Log: t.Logf}, &store.Store{Dir: t.TempDir()}
	fill(t, st, job(p, t, "M", "euclidean").Inputs, 190, 108)
	for seed := 1; seed <= 12; seed++ { // accuracy asks for ten
		in := job(p, t, "M", "plml").Inputs
		in.Seed = uint64(seed)
		fill(t, st, in, 190, 120+seed)
	}
	for seed := 1; seed <= 10; seed++ { // accuracy asks for the first
		in := job(p, t, "M", "e-r2lml").Inputs
		in.Seed = uint64(seed)
		fill(t, st, in, 190, 120+seed)
	}
	for repeat := 1; repeat <= 11; repeat++ {
		in := job(p, t, "M", "glml").Inputs
		in.Split, in.SplitDigest = datasets.Rule{Kind: "random", Seed: 1, Repeat: repeat}.String(), fmt.Sprint(repeat)
		fill(t, st, in, 190, 120+repeat)
	}
	session := NewSession(t.TempDir())
	for _, c := range []struct {
		method string
		runs   int
		first  string // split of the first run
		sd     string
		runIt  []string
	}{
		{"euclidean", 1, "authors", "", []string{"accuracy"}},
		{"plml", 12, "authors", "1.90", []string{"accuracy"}},              // √13 of 190, in percent
		{"e-r2lml", 10, "authors", "1.59", []string{"seeds"}},              // √(55/6) of 190
		{"glml", 11, "random seed=1 repeat=1", "1.75", []string{"splits"}}, // √11 of 190
		{"itml", 0, "", "", nil},
	} {
		x, err := Explain(t.Context(), session, p, "accuracy", "M", c.method, empty, st)
		if err != nil {
			t.Fatal(err)
		}
		if c.runs == 0 {
			if x.Supporting != nil || x.Verdict == nil || x.Verdict.Verdict != verdict.Missing {
				t.Errorf("%s: %+v behind %+v", c.method, x.Supporting, x.Verdict)
			}
			continue
		}
		if x.Supporting == nil || len(x.Supporting.Runs) != c.runs || x.Verdict.Runs != c.runs || x.Supporting.Runs[0].Split != c.first || x.Supporting.SD != c.sd {
			t.Errorf("%s: %+v behind %+v; want %+v", c.method, x.Supporting, x.Verdict, c)
			continue
		}
		for _, r := range x.Supporting.Runs {
			if _, err := os.Stat(r.File); err != nil || r.N != 190 || r.Accuracy == "" {
				t.Errorf("%s: run %+v, %v", c.method, r, err)
			}
		}
		var want []string
		for _, s := range c.runIt {
			want = append(want, strings.Replace("r2lmlbench run "+s+rerun, " --results", " --methods "+c.method+" --results", 1))
		}
		if !slices.Equal(x.Supporting.Commands, want) {
			t.Errorf("%s: commands %q, want %q", c.method, x.Supporting.Commands, want)
		}
	}
}

// TestRerunAll: a command for as many cells as one spec asks for, another for
// the rest, and the spec at hand before those that the program carries.
func TestRerunAll(t *testing.T) {
	const end = " --datasets heart --methods "
	own := spectest.PlanFor(t, spectest.Parse(t,
		"name: own\ndatasets: [M]\nseeds: 12\nmethods: [{method: lmnn, name: mine}, {method: lmnn, name: other, params: {neighbors: 1}}]"))
	var cells []results.Cell
	for seed := 1; seed <= 13; seed++ {
		in := job(accuracyPlan(t), t, "M", "lmnn").Inputs
		in.Seed = uint64(seed)
		cells = append(cells, results.Cell{Inputs: in})
	}
	random := cells[0]
	random.Split, random.SplitDigest = "random seed=1 repeat=3", "3"
	elsewhere := cells[0]
	elsewhere.Split = "random seed=99 repeat=3"
	session := NewSession(t.TempDir())
	for _, c := range []struct {
		name  string
		plan  plan.Plan
		cells []results.Cell
		want  []string
	}{
		{"nothing", own, nil, nil},
		{"the spec at hand", own, cells[:10], []string{"own.yaml" + end + "mine"}},
		{"what the spec at hand lacks", own, append(slices.Clone(cells[:5]), random), []string{"own.yaml" + end + "mine", "splits" + end + "lmnn"}},
		{"another spec", accuracyPlan(t), []results.Cell{random}, []string{"splits" + end + "lmnn"}},
		{"some of them", accuracyPlan(t), cells, []string{"accuracy" + end + "lmnn"}},
		{"none of them", own, []results.Cell{elsewhere}, nil},
	} {
		name := c.plan.Spec.Name
		if name == "own" {
			name = "own.yaml"
		}
		got, err := RerunAll(t.Context(), session, c.plan, name, c.cells)
		if err != nil {
			t.Fatal(err)
		}
		want := []string{}
		for _, w := range c.want {
			want = append(want, "r2lmlbench run "+w+" --results results/runs/remade")
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", c.name, got, want)
		}
	}
}

// TestAcceptedSupportingRuns: the accepted cells behind every verdict on the
// paper's table are as many as it counts, and on one number of each sort of
// evidence the commands ask for all of them.
func TestAcceptedSupportingRuns(t *testing.T) {
	p := accuracyPlan(t)
	st := (&store.Store{Dir: "../../results/accepted", Log: t.Logf}).Snapshot()
	evidence, _, err := Evidence(p, st, NewPaperColumns(p.Spec))
	if err != nil {
		t.Fatal(err)
	}
	session := NewSession(t.TempDir())
	seen := map[string]bool{}
	for _, e := range evidence {
		v, err := verdict.New(e)
		if err != nil {
			t.Fatal(err)
		}
		cells := e.Supporting(v)
		if len(cells) != v.Runs {
			t.Errorf("%s/%s: %d cells behind %d runs", v.Letter, v.Method, len(cells), v.Runs)
		}
		if seen[v.Evidence] || len(cells) == 0 {
			continue
		}
		seen[v.Evidence] = true
		requests, err := Requests(t.Context(), session, p, "accuracy", cells[0])
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range requests {
			cells = Without(a, cells)
		}
		if len(cells) > 0 {
			t.Errorf("%s/%s: no spec asks for %d of %d runs, such as %s seed %d", v.Letter, v.Method, len(cells), v.Runs, cells[0].Split, cells[0].Seed)
		}
	}
	for _, kind := range []string{verdict.EvidenceAuthors, verdict.EvidenceRule, verdict.EvidenceSeeds, verdict.EvidenceRandom} {
		if !seen[kind] {
			t.Errorf("no verdict rests on %s", kind)
		}
	}
}

func TestExplainUnknown(t *testing.T) {
	empty := &store.Store{Dir: t.TempDir()}
	variants, err := spec.Load("variants")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		plan                  plan.Plan
		dataset, method, says string
	}{
		{accuracyPlan(t), "Z", "itml", `no data set "Z"`},
		{accuracyPlan(t), "A", "itlm", `did you mean "itml"`},
		{spectest.PlanFor(t, variants), "A", "e-r2lml", "name one: e-r2lml:variant=reference:metrics=1"},
	} {
		if _, err := Explain(t.Context(), NewSession(t.TempDir()), c.plan, "s", c.dataset, c.method, empty); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s/%s: error %v, want %q", c.dataset, c.method, err, c.says)
		}
	}
}
