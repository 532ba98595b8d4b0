package spec_test

import (
	"slices"
	"testing"

	"r2lmlbench/internal/spectest"
	"r2lmlbench/results"
)

// Which samples are unlabelled is part of a cell's identity. Those of the phase are
// the default, and the keys of other cells stay as they were.
func TestUnlabeledIsPartOfTheKey(t *testing.T) {
	inputs := func(key string) results.Inputs {
		spec := spectest.Parse(t, "name: one\ndatasets: [robot]\nmethods:\n  - {method: t-r2lml, params: {step: 1e-9}"+key+"}\n")
		job := spectest.PlanFor(t, spec).Jobs()[0]
		if job.Joint() != (job.Inputs.Unlabeled == results.UnlabeledJoint) {
			t.Errorf("%s: joint %v with %q", key, job.Joint(), job.Inputs.Unlabeled)
		}
		return job.Inputs
	}
	plain, queries, joint := inputs(""), inputs(", unlabeled: queries"), inputs(", unlabeled: joint")
	if plain.Key() != queries.Key() || plain.Unlabeled != "" {
		t.Errorf("the default spelled out makes another cell: %v", plain.Diff(queries))
	}
	if diff := plain.Diff(joint); plain.Key() == joint.Key() || !slices.Equal(diff, []string{"unlabeled:  -> joint"}) {
		t.Errorf("joint differs in %q", diff)
	}
}

// Rule shuffled has a row for every repeat, each with the rule's seed.
func TestShuffledRows(t *testing.T) {
	planned := spectest.PlanFor(t, spectest.Parse(t, `
name: shuffled
datasets: [overlap30]
split: {rule: shuffled, repeats: 3, seed: 7}
methods: [{method: euclidean}, {method: itml, seeds: 2}]
`))
	seen := map[string]bool{}
	for i, row := range planned.Rows {
		in := row.Jobs[1][1].Inputs
		if want := []string{"shuffled seed=7 repeat=1", "shuffled seed=7 repeat=2", "shuffled seed=7 repeat=3"}[i]; in.Split != want || in.Seed != 2 {
			t.Errorf("row %d: split %s, seed %d; want %s", i, in.Split, in.Seed, want)
		}
		seen[in.SplitDigest] = true
	}
	if len(planned.Rows) != 3 || len(seen) != 3 || seen[""] {
		t.Errorf("%d rows with %d splits", len(planned.Rows), len(seen))
	}
	one := spectest.PlanFor(t, spectest.Parse(t, "name: one\ndatasets: [overlap30]\nsplit: {rule: shuffled}\nmethods: [{method: euclidean}]\n"))
	if len(one.Rows) != 1 || one.Rows[0].Jobs[0][0].Inputs.Split != "shuffled seed=0 repeat=1" {
		t.Errorf("%+v", one.Rows)
	}
}

// The scaling that a spec names is that of every stanza without one of its own, and
// the one that is done anyway leaves keys as they were.
func TestFeaturesOfSpec(t *testing.T) {
	inputs := func(head, params string) results.Inputs {
		s := spectest.Parse(t, "name: one\ndatasets: [robot]\n"+head+"methods: [{method: euclidean"+params+"}]\n")
		return spectest.PlanFor(t, s).Jobs()[0].Inputs
	}
	const common = "features: zscore\n"
	own := inputs("", ", params: {features: zscore}")
	for _, c := range []struct {
		name string
		got  results.Inputs
		want results.Inputs
	}{
		{"raw, spelled out", inputs("features: raw\n", ""), inputs("", "")},
		{"of the spec", inputs(common, ""), own},
		{"of a stanza", inputs(common, ", params: {features: unit}"), inputs("", ", params: {features: unit}")},
		{"of a grid", inputs(common, ", grid: {features: [raw, minmax]}"), inputs("", ", grid: {features: [raw, minmax]}")},
		{"of a data set", inputs(common, ", datasets: {robot: {features: raw}}"), inputs("", "")},
	} {
		if c.got.Key() != c.want.Key() {
			t.Errorf("%s: %v", c.name, c.want.Diff(c.got))
		}
	}
	if own.Key() == inputs("", "").Key() {
		t.Error("zscore is no part of the key")
	}
}
