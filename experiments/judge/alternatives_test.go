package judge_test

import (
	"context"
	"slices"
	"testing"

	"r2lmlbench/datasets"
	"r2lmlbench/experiments/method"
	"r2lmlbench/experiments/plan"
	"r2lmlbench/experiments/registry"
	"r2lmlbench/experiments/spec"
	"r2lmlbench/internal/spectest"
	"r2lmlbench/results"
	"r2lmlbench/results/store"
)

// tried is a spec with the alternatives of a generated set, whose classes come
// one after the other.
const tried = `
name: tried
datasets: [overlap30]
split: {rule: alternatives}
methods:
  - method: euclidean
  - method: euclidean-ties
  - method: euclidean-ties
    name: nearest
    params: {vote: nearest}
`

func TestAlternatives(t *testing.T) {
	table, err := spectest.Run(t, context.Background(), spectest.Parse(t, tried), t.TempDir(), 2, nil)
	if err != nil {
		t.Fatal(err)
	}
	var splits []string
	for i, row := range table.Rows {
		splits = append(splits, row.Split)
		if row.Repeat != i+1 {
			t.Errorf("row %d has the number %d", i+1, row.Repeat)
		}
		for _, c := range row.Cells {
			if c.Score == nil {
				t.Errorf("%s %s: %s", row.Split, c.Method, c.Reason)
			}
		}
		for _, p := range row.Pairs { // by default, the same labels
			if p.A == "euclidean" && p.B == "euclidean-ties" && p.BCount+p.CCount != 0 {
				t.Errorf("%s: euclidean-ties differs from euclidean: %+v", row.Split, p)
			}
		}
	}
	want := []string{"authors", "authors order=reversed", "authors codes=appearance order=reversed"}
	if !slices.Equal(splits, want) {
		t.Errorf("splits %q, want %q", splits, want)
	}
	if first, last := table.Rows[0].Cells[0].Correct, table.Rows[1].Cells[0].Correct; first == last {
		t.Errorf("the first and the last rows both have %d right", first)
	}
}

// The rule alone is known of a set that is not there.
func TestAlternativesWithoutFiles(t *testing.T) {
	s, err := spec.Load("alternatives")
	if err != nil {
		t.Fatal(err)
	}
	p := spectest.PlanFor(t, s)
	if len(p.Rows) != len(s.Entries) {
		t.Errorf("%d rows of %d sets", len(p.Rows), len(s.Entries))
	}
	for _, row := range p.Rows {
		if row.Rule != plan.PaperRule || row.Jobs[0][0].Inputs.SplitDigest != row.Entry.SplitDigest {
			t.Errorf("%s has the rule %v", row.Entry.ID, row.Rule)
		}
	}
	if faults := plan.NewSource(t.TempDir()).Check(context.Background(), s.Entries); len(faults) != len(s.Entries) {
		t.Errorf("%d of %d sets are reported missing", len(faults), len(s.Entries))
	}
}

// The spec has the data sets whose printed Euclidean accuracy rule authors does
// not give back, and each rule for ties but the default once.
func TestAlternativesSpec(t *testing.T) {
	s, err := spec.Load("alternatives")
	if err != nil {
		t.Fatal(err)
	}
	letters := ""
	for _, e := range s.Entries {
		letters += e.Letter
	}
	if letters != "ABCEFGHJKLNOQ" {
		t.Errorf("data sets %s", letters)
	}
	seen := map[any]bool{}
	for _, c := range s.Columns {
		seen[c.Settings["robot"][0]] = true
	}
	if len(seen) != 6 || len(s.Columns) != 6 {
		t.Errorf("%d columns with %d settings, want 6 different ones", len(s.Columns), len(seen))
	}
}

// What an alternative prints is no evidence for a published number, also when
// all of them print it: Heart (M) has 190 test samples, of which Euclidean has
// 108 right in print.
func TestAlternativesAreNoEvidence(t *testing.T) {
	p := accuracyPlan(t)
	st := &store.Store{Dir: t.TempDir(), Log: t.Logf}
	in := job(p, t, "M", "euclidean").Inputs
	rules := []datasets.Rule{{Codes: "alphabet"}, {Codes: "appearance"}, {Order: "reversed"}, {Order: "swapped"}, {PCARaw: true}}
	for _, r := range rules {
		other := in
		other.Split = r.String()
		fill(t, st, other, 190, 108)
		other.SplitDigest = r.Codes + r.Order
		fill(t, st, other, 190, 108)
	}
	ties, _ := registry.Find("euclidean-ties")
	s, err := ties.Family.Resolve(ties.Family.Decode(nil))
	if err != nil {
		t.Fatal(err)
	}
	other := in
	other.Method, other.Points = ties.ID, []results.Point{{Params: method.ParamsOf(s)}}
	fill(t, st, other, 190, 108)
	if got := verdictOf(t, verdicts(t, p, st), "M", "euclidean"); got.Runs != 0 {
		t.Errorf("%+v, want no run", got)
	}
	fill(t, st, in, 190, 107)
	if got := verdictOf(t, verdicts(t, p, st), "M", "euclidean"); got.Runs != 1 {
		t.Errorf("%+v, want the cell of the rule", got)
	}
	sp := spectest.Parse(t, "name: a\ndatasets: [M]\nsplit: {rule: alternatives}\nmethods: [{method: euclidean}, {method: euclidean-ties}]")
	if v := verdicts(t, spectest.PlanFor(t, sp), st); len(v.Verdicts) != 1 || v.Verdicts[0].Planned != 1 {
		t.Errorf("a spec of alternatives: %+v, want one verdict, of rule authors", v.Verdicts)
	}
}
