package report

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"r2lmlbench/experiments"
	"r2lmlbench/experiments/plan"
	"r2lmlbench/experiments/spec"
	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/spectest"
	"r2lmlbench/results"
	"r2lmlbench/results/explain"
	"r2lmlbench/results/gate"
	"r2lmlbench/results/store"
	"r2lmlbench/results/verdict"
)

func reportOf(t *testing.T, p plan.Plan, s *store.Store) Input {
	t.Helper()
	own := fixture.Must(verdict.ReadPaper(t.Context(), p))(t) // as the command does: none for a spec without printed numbers
	return fixture.Must(Of(t.Context(), p, "my specs/gated.yaml", own, s))(t)
}

func TestReport(t *testing.T) {
	p, fresh := spectest.GatedCells(t)
	in := reportOf(t, p, fresh)
	if len(in.Cells) != 2 || len(in.Cells[0]) != 3 || in.Table.Spec != "gated" || in.Verdicts.Summary.Numbers != 0 {
		t.Fatalf("%+v", in)
	}
	for i, row := range in.Cells {
		for j, c := range row {
			explained := fixture.Must(explain.Of(p, "my specs/gated.yaml", c.Data.ID, c.Method.Column, spectest.Paper(t), fresh))(t)
			if c.Result == nil || c.Result.Correct != in.Table.Rows[i].Cells[j].Correct ||
				c.Result.Interval != explained.Result.Interval || c.Run == nil || c.Seconds != 0 {
				t.Errorf("%s/%s: %+v", c.Data.ID, c.Method.Column, c)
			}
		}
	}
	fixture.Check(t, Write(t.TempDir(), in))
	_, err := Of(t.Context(), p, "gated", spectest.Paper(t), &store.Store{Dir: t.TempDir()})
	fixture.Is(t, err, ErrNothingStored)
	fixture.Says(t, err, "r2lmlbench run gated")
}

func TestAgainst(t *testing.T) {
	p, fresh := spectest.GatedCells(t)
	accepted := &store.Store{Dir: t.TempDir(), Log: t.Logf}
	fixture.Must(gate.Accept(t.Context(), p, fresh, accepted, gate.Options{}))(t)
	if c := reportOf(t, p, accepted).Cells[0][0]; c.Run != nil || c.Seconds <= 0 || c.Result == nil { // times of accepted cells are those of the list
		t.Errorf("%+v", c)
	}
	same, err := Compare(p, fresh, accepted)
	if err != nil || same.Gate.Status != gate.Pass || len(same.Gate.Cells) != 6 {
		t.Fatalf("the same results: %+v, %v", same, err)
	}
	other := &store.Store{Dir: t.TempDir(), Log: t.Logf}
	for i, j := range p.Jobs() {
		c, _, err := fresh.Find(j.Inputs)
		fixture.Check(t, err)
		switch i {
		case 0: // only in fresh
			continue
		case 1: // another label
			c.Predicted[0] = 3 - c.Predicted[0]
		}
		fixture.Check(t, other.Put(c, results.Run{}))
		if i == 2 { // the method is of a newer version now
			c.Version++
			fixture.Check(t, fresh.Put(c, results.Run{}))
			p.Rows[0].Jobs[2][0].Inputs.Version++
		}
	}
	got := fixture.Must(Compare(p, fresh, other))(t)
	cells := got.Gate.Cells
	if len(got.New) != 1 || got.New[0].Method != "euclidean" || len(got.Gone) != 0 || len(cells) != 5 ||
		cells[0].Differ != 1 || cells[1].Reason != "version 1 -> 2 of the method" || cells[2].Reason != "" {
		t.Errorf("%+v", got)
	}
	if back, err := Compare(p, &store.Store{Dir: t.TempDir()}, fresh); err != nil || len(back.Gone) != 6 || len(back.Gate.Cells) != 0 {
		t.Errorf("%+v, %v", back, err)
	}
}

// TestChangedVerdicts: a number is listed whose verdict another store does not give.
func TestChangedVerdicts(t *testing.T) {
	s := fixture.Must(spec.Load(experiments.Paper))(t)
	fixture.Check(t, s.Narrow([]string{"heart"}, []string{"itml"}))
	p := spectest.PlanFor(t, s)
	before, now := &store.Store{Dir: t.TempDir(), Log: t.Logf}, &store.Store{Dir: t.TempDir(), Log: t.Logf}
	for _, j := range p.Rows[0].Jobs[0] { // printed 79.47, that is 151 of 190
		spectest.Fill(t, before, j.Inputs, 190, 120)
		spectest.Fill(t, now, j.Inputs, 190, 151)
	}
	in := fixture.Must(Of(t.Context(), p, "accuracy", spectest.Paper(t), now))(t)
	got, err := ChangedVerdicts(p, in, spectest.Paper(t), before)
	if err != nil || len(got) != 1 || got[0].Now.Method != "itml" || got[0].Before.Verdict != verdict.Differs || got[0].Now.Verdict != verdict.Agrees {
		t.Errorf("%+v, %v", got, err)
	}
	fixture.Equal(t, "by the same cells", len(fixture.Must(ChangedVerdicts(p, in, spectest.Paper(t), now))(t)), 0)
	fixture.Equal(t, "by no cells", len(fixture.Must(ChangedVerdicts(p, in, spectest.Paper(t), &store.Store{Dir: t.TempDir()}))(t)), 0)
}

// TestReportOfAMeasure: a spec with a measure, and so a study, needs no printed numbers.
func TestReportOfAMeasure(t *testing.T) {
	p, fresh := spectest.Stored(t, spectest.Parse(t, "name: measured\ndatasets: [overlap30]\nmeasure: [zero-columns]\nmethods:\n  - method: euclidean\n"))
	fixture.Equal(t, "cells", len(slices.Concat(reportOf(t, p, fresh).Cells...)), 1)
}

// TestFiguresAreExplained: each figure of the accepted results has a sentence on how to read it.
func TestFiguresAreExplained(t *testing.T) {
	accepted := &store.Store{Dir: filepath.Join("..", "accepted"), Log: t.Logf}
	for _, name := range []string{"pays", "metrics", "variants", "lambda", "toy", "convergence"} {
		s := fixture.Must(spec.Load(name))(t)
		if name == "pays" { // six million predictions
			fixture.Check(t, s.Narrow([]string{"I", "L", "P"}, nil))
		}
		p := spectest.PlanFor(t, s)
		dir := t.TempDir()
		fixture.Check(t, Write(dir, fixture.Must(Of(t.Context(), p, name, fixture.Must(verdict.ReadPaper(t.Context(), p))(t), accepted))(t)))
		figures := strings.Split(fixture.Text(t, filepath.Join(dir, "index.html")), "<figure ")[1:]
		for _, f := range figures {
			explained, _, _ := strings.Cut(f, "</figure>")
			fixture.Has(t, name+": how to read a figure", explained, `<p class="note">`)
		}
		if len(figures) == 0 {
			t.Errorf("%s has no figures", name)
		}
	}
}
