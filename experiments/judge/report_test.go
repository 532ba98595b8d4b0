package judge_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"r2lmlbench/experiments"
	. "r2lmlbench/experiments/judge"
	"r2lmlbench/experiments/plan"
	"r2lmlbench/internal/spectest"
	"r2lmlbench/results"
	"r2lmlbench/results/gate"
	"r2lmlbench/results/report"
	"r2lmlbench/results/store"
	"r2lmlbench/results/verdict"
)

func reportOf(t *testing.T, p plan.Plan, s *store.Store) report.Input {
	t.Helper()
	in, err := Report(context.Background(), NewSession(t.TempDir()), p, "my specs/gated.yaml", s)
	if err != nil {
		t.Fatal(err)
	}
	return in
}

func TestReport(t *testing.T) {
	p, fresh := runSpec(t, spectest.Parse(t, gated))
	in := reportOf(t, p, fresh)
	if len(in.Cells) != 2 || len(in.Cells[0]) != 3 || in.Table.Spec != "gated" || in.Verdicts.Summary.Numbers != 0 {
		t.Fatalf("%+v", in)
	}
	for i, row := range in.Cells {
		for j, c := range row {
			explained, err := Explain(context.Background(), NewSession(t.TempDir()), p, "my specs/gated.yaml", c.Data.ID, c.Method.Column, fresh)
			if err != nil {
				t.Fatal(err)
			}
			if c.Result == nil || c.Result.Correct != in.Table.Rows[i].Cells[j].Correct ||
				c.Result.Interval != explained.Result.Interval || c.Run == nil || c.Seconds != 0 {
				t.Errorf("%s/%s: %+v", c.Data.ID, c.Method.Column, c)
			}
		}
	}
	if err := report.Write(t.TempDir(), in); err != nil {
		t.Error(err)
	}
	if _, err := Report(context.Background(), NewSession(t.TempDir()), p, "gated", &store.Store{Dir: t.TempDir()}); !errors.Is(err,
		ErrNothingStored) || !strings.Contains(err.Error(), "r2lmlbench run gated") {
		t.Errorf("an empty store: %v", err)
	}
}

// TestReportOfAcceptedCells: their times come from the list.
func TestReportOfAcceptedCells(t *testing.T) {
	s := acceptedStore(t, gated)
	in := reportOf(t, spectest.PlanFor(t, spectest.Parse(t, gated)), s)
	if c := in.Cells[0][0]; c.Run != nil || c.Seconds <= 0 || c.Result == nil {
		t.Errorf("%+v", c)
	}
}

func TestAgainst(t *testing.T) {
	p, fresh := runSpec(t, spectest.Parse(t, gated))
	same, err := Against(p, fresh, acceptedStore(t, gated))
	if err != nil || same.Gate.Status != gate.Pass || len(same.Gate.Cells) != 6 {
		t.Fatalf("the same results: %+v, %v", same, err)
	}
	other := &store.Store{Dir: t.TempDir(), Log: t.Logf}
	for i, j := range p.Jobs() {
		c, ok, err := fresh.Find(j.Inputs)
		if err != nil || !ok {
			t.Fatalf("%v, %v", ok, err)
		}
		switch i {
		case 0: // only in fresh
			continue
		case 1: // another label
			c.Predicted[0] = 3 - c.Predicted[0]
		}
		if err := other.Put(c, results.Run{}); err != nil {
			t.Fatal(err)
		}
		if i == 2 { // the method is of a newer version now
			c.Version++
			if err := fresh.Put(c, results.Run{}); err != nil {
				t.Fatal(err)
			}
			p.Rows[0].Jobs[2][0].Inputs.Version++
		}
	}
	got, err := Against(p, fresh, other)
	if err != nil {
		t.Fatal(err)
	}
	cells := got.Gate.Cells
	if len(got.New) != 1 || got.New[0].Method != "euclidean" || len(got.Gone) != 0 || len(cells) != 5 ||
		cells[0].Differ != 1 || cells[1].Reason != "version 1 -> 2 of the method" || cells[2].Reason != "" {
		t.Errorf("%+v", got)
	}
	if back, err := Against(p, &store.Store{Dir: t.TempDir()}, fresh); err != nil || len(back.Gone) != 6 || len(back.Gate.Cells) != 0 {
		t.Errorf("%+v, %v", back, err)
	}
}

// TestChangedVerdicts: a number is listed whose verdict another store does not give.
func TestChangedVerdicts(t *testing.T) {
	s := NewSession(t.TempDir())
	p, err := s.Plan(t.Context(), experiments.Paper, []string{"heart"}, []string{"itml"})
	if err != nil {
		t.Fatal(err)
	}
	before, now := &store.Store{Dir: t.TempDir(), Log: t.Logf}, &store.Store{Dir: t.TempDir(), Log: t.Logf}
	for _, j := range p.Rows[0].Jobs[0] { // printed 79.47, that is 151 of 190
		fill(t, before, j.Inputs, 190, 120)
		fill(t, now, j.Inputs, 190, 151)
	}
	in, err := Report(t.Context(), s, p, "accuracy", now)
	if err != nil {
		t.Fatal(err)
	}
	got, err := ChangedVerdicts(t.Context(), s, p, in, before)
	if err != nil || len(got) != 1 || got[0].Now.Method != "itml" || got[0].Before.Verdict != verdict.Differs || got[0].Now.Verdict != verdict.Agrees {
		t.Errorf("%+v, %v", got, err)
	}
	if same, err := ChangedVerdicts(t.Context(), s, p, in, now); err != nil || len(same) > 0 {
		t.Errorf("the same cells: %+v, %v", same, err)
	}
	if none, err := ChangedVerdicts(t.Context(), s, p, in, &store.Store{Dir: t.TempDir()}); err != nil || len(none) > 0 {
		t.Errorf("no cells: %+v, %v", none, err)
	}
}

// TestIsPaper: only the paper's table is it, as a whole or narrowed,
// and not a spec of the same name.
func TestIsPaper(t *testing.T) {
	shipped, err := experiments.Specs.ReadFile("accuracy.yaml")
	if err != nil {
		t.Fatal(err)
	}
	edited := func(old, replacement string) string {
		text := strings.Replace(string(shipped), old, replacement, 1)
		if text == string(shipped) {
			t.Fatalf("the spec has no %q", old)
		}
		return text
	}
	for _, c := range []struct {
		name, text string
		sets       []string
		want       bool
	}{
		{"as shipped", string(shipped), nil, true},
		{"narrowed", string(shipped), []string{"M", "P"}, true},
		{"another name", edited("name: accuracy", "name: mine"), nil, false},
		{"other data sets", edited("datasets: all", "datasets: [K, M]"), nil, false},
		{"another grid", edited("gamma: [1e-4,", "gamma: [1e-5,"), nil, false},
		{"another k", edited("neighbors: 5", "neighbors: 3"), nil, false},
		{"one column more", edited("methods:\n", "methods:\n  - {method: euclidean, name: twin}\n"), nil, false},
		{"only the name", "name: accuracy\ndatasets: [M]\nmethods: [{method: nca}]\n", nil, false},
	} {
		spec := spectest.Parse(t, c.text)
		if err := spec.Narrow(c.sets, nil); err != nil {
			t.Fatal(err)
		}
		if got, err := IsPaper(t.Context(), NewSession(t.TempDir()), spectest.PlanFor(t, spec)); got != c.want || err != nil {
			t.Errorf("%s: %v, %v; want %v", c.name, got, err, c.want)
		}
	}
}
