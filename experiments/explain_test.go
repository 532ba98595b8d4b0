package experiments

import (
	"slices"
	"strings"
	"testing"

	"r2lmlbench/results"
)

func TestExplain(t *testing.T) {
	plan, fresh := ran(t, parse(t, gated))
	x, err := plan.Explain("my specs/gated.yaml", "overlap30", "e-r2lml", &results.Store{Dir: t.TempDir()}, fresh)
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
	empty := &results.Store{Dir: t.TempDir()}
	x, err := accuracyPlan(t).Explain("accuracy", "i", "ITML", empty, empty)
	if err != nil {
		t.Fatal(err)
	}
	if x.Status != results.StatusMissing || x.Result != nil || x.Published == nil || x.Published.Accuracy == "" || len(x.Tried) != 9 ||
		x.Verdict == nil || x.Verdict.Verdict != results.VerdictMissing || len(x.Data.Sources) == 0 || x.Data.Digest == "" || x.Split.Digest == "" {
		t.Errorf("%+v", x)
	}
	if len(x.Commands) != 2 || x.Commands[0] != "r2lmlbench data fetch ionosphere" {
		t.Errorf("commands %q", x.Commands)
	}
}

func TestExplainUnknown(t *testing.T) {
	empty := &results.Store{Dir: t.TempDir()}
	variants, err := Load("variants")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		plan                  Plan
		dataset, method, says string
	}{
		{accuracyPlan(t), "Z", "itml", `no data set "Z"`},
		{accuracyPlan(t), "A", "itlm", `did you mean "itml"`},
		{planFor(t, variants), "A", "e-r2lml", "name one: e-r2lml:variant=reference:metrics=1"},
	} {
		if _, err := c.plan.Explain("s", c.dataset, c.method, empty); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s/%s: error %v, want %q", c.dataset, c.method, err, c.says)
		}
	}
}
