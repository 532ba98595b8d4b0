package explain

import (
	"os"
	"slices"
	"strings"
	"testing"

	"r2lmlbench/experiments/plan"
	"r2lmlbench/experiments/spec"
	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/spectest"
	"r2lmlbench/results/store"
	"r2lmlbench/results/table"
	"r2lmlbench/results/verdict"
)

func TestExplain(t *testing.T) {
	p, fresh := spectest.GatedCells(t)
	x := fixture.Must(Of(p, "my specs/gated.yaml", "overlap30", "e-r2lml", spectest.Paper(t), &store.Store{Dir: t.TempDir()}, fresh))(t)
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
	fixture.EqualSlice(t, "commands", x.Commands, want)
	if x.Verdict != nil || x.Published != nil {
		t.Errorf("a published number of a set that the paper does not have: %+v", x)
	}
}

func TestExplainWhatIsMissing(t *testing.T) {
	empty := &store.Store{Dir: t.TempDir()}
	x := fixture.Must(Of(spectest.Accuracy(t), "accuracy", "i", "ITML", spectest.Paper(t), empty, empty))(t)
	if x.Status != table.StatusMissing || x.Result != nil || x.Published == nil || x.Published.Accuracy == "" || len(x.Tried) != 9 ||
		x.Verdict == nil || x.Verdict.Reason != verdict.NoRuns || len(x.Data.Sources) == 0 || x.Data.Digest == "" || x.Split.Digest == "" {
		t.Errorf("%+v", x)
	}
	if len(x.Commands) != 2 || x.Commands[0] != "r2lmlbench data fetch ionosphere" {
		t.Errorf("commands %q", x.Commands)
	}
}

// TestExplainRuns: every run that a verdict rests on is listed, with what each reading
// gives. Heart (M) has 190 test samples.
func TestExplainRuns(t *testing.T) {
	p := spectest.Accuracy(t)
	st, empty := &store.Store{Dir: t.TempDir(), Log: t.Logf}, &store.Store{Dir: t.TempDir()}
	in := spectest.JobsOf(p, "M", "plml")[0].Inputs
	for seed := 1; seed <= 30; seed++ { // accuracy asks for twenty
		in.Seed = uint64(seed)
		spectest.Fill(t, st, in, 190, 140+seed)
	}
	for method, want := range map[string]int{"plml": 20, "itml": 0} {
		x := fixture.Must(Of(p, "accuracy", "M", method, spectest.Paper(t), empty, st))(t)
		fixture.Equal(t, method+": runs", [4]int{len(x.Runs), x.Verdict.Runs, len(x.Readings), x.Readings[0].Runs}, [4]int{want, want, 1, want})
		for i, r := range x.Runs {
			if _, err := os.Stat(r.File); err != nil || r.N != 190 || r.Correct != 141+i || r.Accuracy == "" || r.Seed != uint64(i+1) {
				t.Errorf("%s: run %+v, %v", method, r, err)
			}
		}
	}
}

// TestExplainSurface: the surface of the cell, with the settings near the printed number.
func TestExplainSurface(t *testing.T) {
	planned := spectest.Accuracy(t)
	cells := &store.Store{Dir: t.TempDir(), Log: t.Logf}
	right := slices.Repeat([]int{140}, 63) // printed 81.05, that is 154 of 190
	right[40], right[50] = 155, 153
	spectest.FillSurface(t, cells, spectest.JobsOf(planned, "M", "t-r2lml")[0].Inputs, right)
	x := fixture.Must(Of(planned, "accuracy", "M", "t-r2lml", spectest.Paper(t), cells))(t)
	s := x.Surface
	if s == nil || s.N != 190 || s.Validation != 100 || len(s.Points) != 63 || s.Seed != 1 {
		t.Fatalf("%+v, %+v", s, x.Verdict)
	}
	for i, p := range s.Points {
		if len(p.Params) != 2 || *p.Test != right[i] || p.Chosen != (i == 0) || p.Best != (i == 40) || p.Reaches != (i == 40 || i == 50) {
			t.Errorf("point %d: %+v", i, p)
		}
	}
}

func TestExplainUnknown(t *testing.T) {
	empty := &store.Store{Dir: t.TempDir()}
	variants := fixture.Must(spec.Load("variants"))(t)
	for _, c := range []struct {
		plan                  plan.Plan
		dataset, method, says string
	}{
		{spectest.Accuracy(t), "Z", "itml", `no data set "Z"`},
		{spectest.Accuracy(t), "A", "itlm", `did you mean "itml"`},
		{spectest.PlanFor(t, variants), "A", "e-r2lml", "name one: e-r2lml:variant=reference:metrics=1"},
	} {
		fixture.Says(t, fixture.Error(Of(c.plan, "s", c.dataset, c.method, spectest.Paper(t), empty)), c.says)
	}
}

func TestExplainOfNoComparableColumn(t *testing.T) {
	s := fixture.Must(spec.Load("metrics"))(t)
	empty := &store.Store{Dir: t.TempDir()}
	x := fixture.Must(Of(spectest.PlanFor(t, s), "metrics", "A", "e-r2lml:metrics=3", spectest.Paper(t), empty))(t)
	if x.Verdict != nil || !strings.Contains(x.Unjudged, "sweeps metrics, fixes lambda") {
		t.Errorf("verdict %+v, unjudged %q", x.Verdict, x.Unjudged)
	}
}
