package report

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"r2lmlbench/experiments/plan"
	"r2lmlbench/experiments/spec"
	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/spectest"
	"r2lmlbench/results/explain"
	"r2lmlbench/results/store"
)

func reportOf(t *testing.T, p plan.Plan, s *store.Store) Input {
	t.Helper()
	return fixture.Must(Of(t.Context(), p, "my specs/gated.yaml", s))(t)
}

func TestReport(t *testing.T) {
	p, fresh := spectest.GatedCells(t)
	in := reportOf(t, p, fresh)
	if len(in.Cells) != 2 || len(in.Cells[0]) != 3 || in.Table.Spec != "gated" || in.Verdicts.Summary.Numbers != 0 {
		t.Fatalf("%+v", in)
	}
	for i, row := range in.Cells {
		for j, c := range row {
			explained := fixture.Must(explain.Of(t.Context(), p, "my specs/gated.yaml", c.Data.ID, c.Method.Column, fresh))(t)
			if c.Result == nil || c.Result.Correct != in.Table.Rows[i].Cells[j].Correct ||
				c.Result.Interval != explained.Result.Interval || c.Run == nil || c.Seconds != 0 {
				t.Errorf("%s/%s: %+v", c.Data.ID, c.Method.Column, c)
			}
		}
	}
	fixture.Check(t, Write(t.TempDir(), in))
	_, err := Of(t.Context(), p, "gated", &store.Store{Dir: t.TempDir()})
	fixture.Is(t, err, ErrNothingStored)
	fixture.Says(t, err, "r2lmlbench run gated")
}

// TestReportOfAMeasure: a spec with a measure, and so a study, needs no printed numbers.
func TestReportOfAMeasure(t *testing.T) {
	p, fresh := spectest.Stored(t, spectest.Parse(t, "name: measured\ndatasets: [overlap30]\nmeasure: [zero-columns]\nmethods:\n  - method: euclidean\n"))
	fixture.Equal(t, "cells", len(slices.Concat(reportOf(t, p, fresh).Cells...)), 1)
}

// TestFiguresAreExplained: each figure of the accepted results has a sentence on how to read it.
func TestFiguresAreExplained(t *testing.T) {
	accepted := &store.Store{Dir: filepath.Join("..", "accepted"), Log: t.Logf}
	names := []string{"pays", "metrics", "variants", "lambda", "toy", "convergence"}
	if !fixture.LongRun() {
		names = names[1:2]
	}
	for _, name := range names {
		s := fixture.Must(spec.Load(name))(t)
		if name == "pays" { // six million predictions
			fixture.Check(t, s.Narrow([]string{"I", "L", "P"}, nil))
		}
		p := spectest.PlanFor(t, s)
		dir := t.TempDir()
		fixture.Check(t, Write(dir, fixture.Must(Of(t.Context(), p, name, accepted))(t)))
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
