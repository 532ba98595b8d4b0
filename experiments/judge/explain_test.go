package judge_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	. "r2lmlbench/experiments/judge"
	"r2lmlbench/experiments/plan"
	"r2lmlbench/experiments/spec"
	"r2lmlbench/internal/spectest"
	"r2lmlbench/results"
	"r2lmlbench/results/explain"
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
		x.Verdict == nil || x.Verdict.Verdict != verdict.Untested || len(x.Data.Sources) == 0 || x.Data.Digest == "" || x.Split.Digest == "" {
		t.Errorf("%+v", x)
	}
	if len(x.Commands) != 2 || x.Commands[0] != "r2lmlbench data fetch ionosphere" {
		t.Errorf("commands %q", x.Commands)
	}
}

// TestExplainSupportingRuns: every run that a verdict rests on is listed, with the
// commands of specs that ask for its cell. Heart (M) has 190 test samples.
func TestExplainSupportingRuns(t *testing.T) {
	session := NewSession(t.TempDir())
	const rerun = " --datasets heart --results results/runs/remade"
	p := accuracyPlan(t)
	st, empty := &store.Store{Dir: t.TempDir(), Log: t.Logf}, &store.Store{Dir: t.TempDir()}
	fill(t, st, job(p, t, "M", "euclidean").Inputs, 190, 108)
	for seed := 1; seed <= 12; seed++ { // accuracy asks for ten
		in := job(p, t, "M", "plml").Inputs
		in.Seed = uint64(seed)
		fill(t, st, in, 190, 140+seed)
	}
	for seed := 1; seed <= 10; seed++ { // accuracy asks for the first
		in := job(p, t, "M", "e-r2lml").Inputs
		in.Seed = uint64(seed)
		fill(t, st, in, 190, 145+seed)
	}
	for _, c := range []struct {
		method  string
		runs    int
		sd      string
		nearest int
		spec    string
	}{
		{"euclidean", 1, "", 0, "accuracy"},
		{"plml", 12, "1.90", 9, "seeds"},    // √13 of 190, in percent; 150 of 190 is printed
		{"e-r2lml", 10, "1.59", 8, "seeds"}, // √(55/6) of 190; 154 of 190 is printed
		{"itml", 0, "", 0, ""},
	} {
		x, err := Explain(t.Context(), session, p, "accuracy", "M", c.method, empty, st)
		if err != nil {
			t.Fatal(err)
		}
		if c.runs == 0 {
			if x.Supporting != nil || x.Verdict == nil || x.Verdict.Verdict != verdict.Untested {
				t.Errorf("%s: %+v behind %+v", c.method, x.Supporting, x.Verdict)
			}
			continue
		}
		if x.Supporting == nil || len(x.Supporting.Runs) != c.runs || x.Verdict.Runs != c.runs || x.Supporting.SD != c.sd {
			t.Errorf("%s: %+v behind %+v; want %+v", c.method, x.Supporting, x.Verdict, c)
			continue
		}
		for i, r := range x.Supporting.Runs {
			if _, err := os.Stat(r.File); err != nil || r.N != 190 || r.Accuracy == "" || r.Split != "authors" || r.Nearest != (i == c.nearest) {
				t.Errorf("%s: run %+v, %v", c.method, r, err)
			}
		}
		want := []string{strings.Replace("r2lmlbench run "+c.spec+rerun, " --results", " --methods "+c.method+" --results", 1)}
		if !slices.Equal(x.Supporting.Commands, want) {
			t.Errorf("%s: commands %q, want %q", c.method, x.Supporting.Commands, want)
		}
	}
}

// TestExplainSurface: the surface around the setting that reaches a number, with the
// command of the spec that asks for it, or the command that would compute one.
func TestExplainSurface(t *testing.T) {
	session := NewSession(t.TempDir())
	planned := accuracyPlan(t)
	cells := &store.Store{Dir: t.TempDir(), Log: t.Logf}
	right := slices.Repeat([]int{150}, 63) // printed 81.05, that is 154 of 190
	right[40], right[50] = 155, 153
	fillSurface(t, cells, job(planned, t, "M", "t-r2lml").Inputs, right)
	fill(t, cells, job(planned, t, "M", "itml").Inputs, 190, 150)
	fill(t, cells, job(planned, t, "M", "lmnn").Inputs, 190, 150)
	explained := func(method string) explain.Explanation {
		t.Helper()
		x, err := Explain(t.Context(), session, planned, "accuracy", "M", method, cells)
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	x := explained("t-r2lml")
	s := x.Surface
	if s == nil || s.N != 190 || s.Validation != 100 || len(s.Points) != 63 || s.Seed != 1 || x.Verdict.Rung == nil || *x.Verdict.Rung != int(verdict.OnTest) {
		t.Fatalf("%+v, %+v", s, x.Verdict)
	}
	for i, p := range s.Points {
		near := right[i] >= 153
		if len(p.Params) != 2 || *p.Test != right[i] || p.Chosen != (i == 0) || p.Best != (i == 40) || p.Nearest != (i == 40) || p.Reaches != near {
			t.Errorf("point %d: %+v", i, p)
		}
	}
	// The specs auto and surfaces have the same cells; the first by name is told.
	if want := []string{"r2lmlbench run auto --datasets heart --methods t-r2lml --results results/runs/remade"}; !slices.Equal(x.Supporting.Commands, want) {
		t.Errorf("commands %q, want %q", x.Supporting.Commands, want)
	}
	for method, want := range map[string]string{
		"itml": "not computed; `r2lmlbench run surfaces --datasets heart --methods itml` does", "lmnn": "the method has nothing to choose",
	} {
		if x := explained(method); x.Surface != nil || x.NoSurface != want {
			t.Errorf("%s: %q, want %q", method, x.NoSurface, want)
		}
	}
}

// TestRerunAll: a command for as many cells as one spec asks for, another for
// the rest, and the spec at hand before those that the program carries.
func TestRerunAll(t *testing.T) {
	session := NewSession(t.TempDir())
	const end = " --datasets heart --methods "
	own := spectest.PlanFor(t, spectest.Parse(t,
		"name: own\ndatasets: [M]\nseeds: 12\nmethods: [{method: lmnn, name: mine}, {method: lmnn, name: other, params: {neighbors: 1}}]"))
	var cells []results.Inputs
	for seed := 1; seed <= 13; seed++ {
		in := job(accuracyPlan(t), t, "M", "lmnn").Inputs
		in.Seed = uint64(seed)
		cells = append(cells, in)
	}
	random := cells[0]
	random.Split, random.SplitDigest = "random seed=1 repeat=3", "3"
	elsewhere := cells[0]
	elsewhere.Split = "random seed=99 repeat=3"
	for _, c := range []struct {
		name  string
		plan  plan.Plan
		cells []results.Inputs
		want  []string
	}{
		{"nothing", own, nil, nil},
		{"the spec at hand", own, cells[:10], []string{"own.yaml" + end + "mine"}},
		{"what the spec at hand lacks", own, append(slices.Clone(cells[:5]), random), []string{"own.yaml" + end + "mine", "splits" + end + "lmnn"}},
		{"another spec", accuracyPlan(t), []results.Inputs{random}, []string{"splits" + end + "lmnn"}},
		{"another spec that asks for all", accuracyPlan(t), cells, []string{"seeds" + end + "lmnn"}},
		{"none of them", own, []results.Inputs{elsewhere}, nil},
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

// TestAcceptedSupportingRuns: the accepted runs behind every verdict on the paper's
// table are as many as it counts, and for one number of each word the commands ask for
// all of their cells.
func TestAcceptedSupportingRuns(t *testing.T) {
	p := accuracyPlan(t)
	s := NewSession(t.TempDir())
	v, err := s.Verdicts(p, &store.Store{Dir: "../../results/accepted", Log: t.Logf})
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for i, e := range v.Evidence {
		one := v.Verdicts[i]
		behind := e.Supporting(one)
		if len(behind) != one.Runs {
			t.Errorf("%s/%s: %d runs behind it, want %d", one.Letter, one.Method, len(behind), one.Runs)
		}
		if seen[one.Word()] || len(behind) == 0 {
			continue
		}
		seen[one.Word()] = true
		cells := InputsOf(behind)
		requests, err := Requests(t.Context(), s, p, "accuracy", cells[0])
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range requests {
			cells = Without(a, cells)
		}
		if len(cells) > 0 {
			t.Errorf("%s/%s: no spec asks for %d of %d runs, such as %s seed %d", one.Letter, one.Method, len(cells), one.Runs, cells[0].Split, cells[0].Seed)
		}
	}
	if !seen[verdict.Stated.Word()] || !seen[verdict.Equal.Word()] {
		t.Errorf("words %v", seen)
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
