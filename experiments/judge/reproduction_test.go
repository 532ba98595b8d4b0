package judge_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	. "r2lmlbench/experiments/judge"
	"r2lmlbench/experiments/plan"
	"r2lmlbench/experiments/run"
	"r2lmlbench/experiments/spec"
	"r2lmlbench/results"
	"r2lmlbench/results/reproduction"
	"r2lmlbench/results/store"
	"r2lmlbench/results/table"
	"r2lmlbench/results/verdict"
)

// reportOn writes the reproduction report of a store, with data files or without.
func reportOn(t *testing.T, accepted *store.Store, data string) []reproduction.File {
	t.Helper()
	in, err := Reproduction(t.Context(), NewSession(data), accepted)
	if err != nil {
		t.Fatal(err)
	}
	report, err := reproduction.New(in)
	if err != nil {
		t.Fatal(err)
	}
	return append(report.Files, reproduction.File{Name: reproduction.PageName, Data: []byte(report.Page.Markdown())})
}

// The reproduction report is what the command writes from the accepted cells, byte
// for byte, on a machine without any data. Its page is short.
func TestReproductionIsUpToDate(t *testing.T) {
	const root, update = "../..", "run `go run . reproduction -o .` and review the difference"
	st := &store.Store{Dir: filepath.Join(root, "results", "accepted"), Log: t.Errorf}
	report := reportOn(t, st, t.TempDir())
	for _, f := range report {
		want, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(f.Name)))
		if err != nil {
			t.Fatalf("%v; %s", err, update)
		}
		if !bytes.Equal(f.Data, want) {
			t.Errorf("%s is not what the accepted cells say; %s", f.Name, update)
		}
		if f.Name == reproduction.PageName && len(f.Data) > 25_000 {
			t.Errorf("the page has %d bytes, want at most 25000", len(f.Data))
		}
	}
	stored, err := os.ReadDir(filepath.Join(root, reproduction.Folder))
	if made := len(report) - 3; err != nil || len(stored) != made { // without the page, the note and the strip
		t.Errorf("%d appendices are stored, %d made (%v); remove what nothing writes any more", len(stored), made, err)
	}
	if diff := cmp.Diff(report, reportOn(t, st, t.TempDir())); diff != "" {
		t.Errorf("a second report differs from the first:\n%s", diff)
	}
}

// The first ten lines of README.md hold what the accepted cells answer.
func TestReadmeHasTheAnswer(t *testing.T) {
	const lines = 10
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	v, err := NewSession(t.TempDir()).Verdicts(accuracyPlan(t), &store.Store{Dir: "../../results/accepted", Log: t.Errorf})
	if err != nil {
		t.Fatal(err)
	}
	answer := strings.Join(verdict.Answer(v), " ")
	first := strings.SplitAfterN(string(readme), "\n", lines+1)[:lines]
	if shown := strings.Join(strings.Fields(strings.Join(first, "")), " "); answer == "" || !strings.Contains(shown, answer) {
		t.Errorf("the first %d lines of README.md lack the answer; paste it into them, in lines of any length:\n%s", lines, answer)
	}
}

// Without a single cell the report still stands, and no study has been run.
func TestReproductionOfNothing(t *testing.T) {
	empty := &store.Store{Dir: t.TempDir(), Log: t.Errorf}
	in, err := Reproduction(t.Context(), NewSession(t.TempDir()), empty)
	if err != nil {
		t.Fatal(err)
	}
	if in.Cells != 0 || len(in.Verdicts.Verdicts) != 144 || in.Verdicts.Verdicts[0].Verdict != verdict.Untested {
		t.Errorf("%d cells, %d numbers, want 0 and 144 untested", in.Cells, len(in.Verdicts.Verdicts))
	}
	for _, g := range in.Absent {
		for _, a := range g.Sets {
			if a.Cells != a.Of || a.Seconds != 0 {
				t.Errorf("%s %s: %+v, want all cells absent and no time to go by", g.Spec, g.Method, a)
			}
		}
	}
	if !in.Across.Empty() {
		t.Errorf("%+v, want no cell", in.Across.Coverage)
	}
	for _, s := range in.Studies {
		if c := s.Result.Covered(); c.Spec == "" || !c.Empty() || c.Failed > 0 {
			t.Errorf("%s: %+v, want no cell", s.ID, c)
		}
	}
	for _, o := range in.Open {
		if len(o.Specs) == 0 || o.Planned == 0 || o.Planned > o.Of || len(o.Run) > 0 {
			t.Errorf("%+v, want a spec with other values and none that was run", o)
		}
	}
	if len(in.Open) == 0 {
		t.Error("no open parameter")
	}
	if len(in.Studies) < 8 {
		t.Errorf("%d studies, want all that are read", len(in.Studies))
	}
	if _, err := reproduction.New(in); err != nil {
		t.Error(err)
	}
}

// What is absent is counted by spec, method and data set.
func TestReproductionCountsTheAbsent(t *testing.T) {
	st := &store.Store{Dir: t.TempDir(), Log: t.Errorf}
	s, err := spec.Load("toy")
	if err != nil {
		t.Fatal(err)
	}
	source := plan.NewSource(t.TempDir())
	p, err := plan.New(t.Context(), s, source)
	if err != nil {
		t.Fatal(err)
	}
	r := run.Runner{Store: st, Source: source, Workers: 1}
	if err := r.Run(t.Context(), p.Jobs()[:3]); err != nil { // Euclidean and two of six
		t.Fatal(err)
	}
	in, err := Reproduction(t.Context(), NewSession(t.TempDir()), st)
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(in.Absent, func(g reproduction.Group) bool { return g.Spec == "toy" })
	want := reproduction.Group{Spec: "toy", Method: "e-r2lml", Of: 6, Sets: []reproduction.Absence{{Dataset: "toy", Cells: 4, Of: 6}}}
	if at < 0 || in.Cells != 3 {
		t.Fatalf("%d cells and %+v, want 3 and some absent of toy", in.Cells, in.Absent)
	}
	if diff := cmp.Diff(want, in.Absent[at]); diff != "" {
		t.Error(diff)
	}
}

// A failed cell is no absent one: its reason is kept among the accepted cells,
// and goes when the cell can be had.
func TestAcceptedFailure(t *testing.T) {
	s, err := spec.Parse("fail.yaml",
		[]byte("name: fail\ndatasets: [toy]\nmethods:\n  - {method: e-r2lml, params: {step: 1e300, iterations: 9, epochs: 1}}\n  - method: euclidean\n"))
	if err != nil {
		t.Fatal(err)
	}
	source := plan.NewSource(t.TempDir())
	p, err := plan.New(t.Context(), s, source)
	if err != nil {
		t.Fatal(err)
	}
	fresh, accepted := &store.Store{Dir: t.TempDir()}, &store.Store{Dir: t.TempDir(), Log: t.Errorf}
	r := run.Runner{Store: fresh, Source: source, Workers: 1}
	if err := r.Run(t.Context(), p.Jobs()); !errors.Is(err, run.ErrCells) {
		t.Fatalf("error %v, want ErrCells", err)
	}
	done, err := Accept(t.Context(), p, fresh, accepted, GateOptions{})
	if err != nil || done != (Acceptance{Accepted: 1, Failed: 1}) {
		t.Fatalf("%+v, %v, want one accepted and one failed", done, err)
	}
	failing := p.Jobs()[0].Inputs
	if c, ok, err := accepted.Failed(failing); !ok || err != nil || !strings.Contains(c.Failure, "no longer finite") {
		t.Errorf("%q, %v, %v, want the reason of the failure", c.Failure, ok, err)
	}
	ranked, err := Table(p, accepted)
	if err != nil || ranked.Rows[0].Cells[0].Status != table.StatusFailed {
		t.Errorf("%v, %v, want a failed cell in the table", ranked.Rows[0].Cells[0], err)
	}
	if groups, err := Absent(NewSession(t.TempDir()), p, accepted); err != nil || len(groups) != 0 {
		t.Errorf("%+v, %v, want nothing absent", groups, err)
	}
	update, err := accepted.Update(t.Context(), p.Spec.Name)
	if err != nil {
		t.Fatal(err)
	}
	defer update.Close()
	if _, err := update.Put(results.Cell{Inputs: failing, Truth: []int{1}, Predicted: []int{1}}); err != nil {
		t.Fatal(err)
	}
	if err := update.Commit(update.Accepted()); err != nil {
		t.Fatal(err)
	}
	if _, ok, err := accepted.Failed(failing); ok || err != nil {
		t.Errorf("the record of the failure is still there, %v", err)
	}
}
