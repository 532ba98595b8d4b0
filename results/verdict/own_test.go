package verdict_test

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"r2lmlbench/experiments/spec"
	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/spectest"
	"r2lmlbench/results/store"
	"r2lmlbench/results/verdict"
)

// Any spec may have printed numbers of its own: of a column, before those of its method,
// over all splits, and with readings in the same spec.
func TestOwnTable(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"own.yaml": `
name: own
published: table.yaml
datasets: overlap30
split: {rule: random, repeats: 3}
neighbors: [1, 3]
methods:
  - {method: euclidean}
  - {method: lmnn, reading: one target neighbor, name: one, params: {neighbors: 1}}
  - {method: lmnn}
  - {method: rca}
`,
		"table.yaml": `
name: table
title: A table
columns: ["euclidean:k=1", "euclidean:k=3", lmnn]
names: [1-NN, 3-NN, LMNN]
rows: [{row: overlap30, n: 320, printed: [50.00, 60.00, 70.00]}]
`,
	} {
		fixture.Check(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
	}
	s := fixture.Must(spec.Load(filepath.Join(dir, "own.yaml")))(t)
	p := spectest.PlanFor(t, s)
	paper := fixture.Must(verdict.ReadPaper(t.Context(), p))(t)
	cells := &store.Store{Dir: t.TempDir(), Log: t.Logf}
	for i, row := range p.Rows {
		spectest.Fill(t, cells, row.Jobs[0][0].Inputs, 320, 160+3*i)
	}
	v := fixture.Must(verdict.Of(p, paper, cells.Snapshot()))(t)
	if len(v.Verdicts) != 3 || v.Title != "A table" {
		t.Fatalf("%d verdicts on %q: %+v", len(v.Verdicts), v.Title, v.Verdicts)
	}
	one := v.Verdicts[0]
	if one.Method != "euclidean:k=1" || one.Published != "50.00" || one.Runs != 3 || one.Planned != 3 || one.Samples != 320 ||
		one.Mean == nil || math.Abs(*one.Mean-100*163.0/320) > 1e-6 || one.Verdict != verdict.Agrees {
		t.Errorf("%+v", one)
	}
	for i, want := range []string{"euclidean:k=3", "lmnn:k=1"} {
		if got := v.Verdicts[i+1]; got.Method != want || got.Verdict != verdict.CannotTell {
			t.Errorf("%+v, want %s without runs", got, want)
		}
	}
	if head := v.SummaryTable().Rows[0][0]; head != "1-NN" {
		t.Errorf("the table calls the column %q", head)
	}
}
