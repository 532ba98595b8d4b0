package spec_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"r2lmlbench/datasets"
	. "r2lmlbench/experiments/spec"
	"r2lmlbench/internal/spectest"
)

// The splits of a data set come repeat by repeat, and fold by fold within one. Any rule
// divides a set of the catalogue, and the program and the schema read it alike.
func TestSplits(t *testing.T) {
	schema := spectest.CompiledSchema(t)
	for _, c := range []struct {
		split string
		n     int
		last  datasets.Rule
	}{
		{"{rule: first, train: 20, validation: 0.1}", 1, datasets.Rule{Kind: "first", Train: 20, Validation: 0.1}},
		{"{rule: random, train: 0.3, validation: 0.2, repeats: 20, seed: 1}", 20,
			datasets.Rule{Kind: "random", Train: 0.3, Validation: 0.2, Seed: 1, Repeat: 20}},
		{"{rule: random, repeats: 2}", 2, datasets.Rule{Kind: "random", Repeat: 2}},
		{"{rule: cv}", 5, datasets.Rule{Kind: "cv", Folds: 5, Fold: 5, Validation: 0.2, Repeat: 1}},
		{"{rule: cv, folds: 3, repeats: 4, seed: 7, validation: 0}", 12, datasets.Rule{Kind: "cv", Folds: 3, Fold: 3, Seed: 7, Repeat: 4}},
	} {
		text := []byte("name: x\ndatasets: [sonar]\nsplit: " + c.split + "\nmethods: [{method: euclidean}]\n")
		s, err := Parse("x.yaml", text)
		if err != nil {
			t.Errorf("%s: %v", c.split, err)
			continue
		}
		if err := schema.Validate(spectest.JSONValue(t, text)); err != nil {
			t.Errorf("%s: %v", c.split, err)
		}
		seen := map[datasets.Rule]bool{}
		for i := 1; i <= s.Split.Splits(); i++ {
			seen[s.Split.RuleOf(s.Entries[0], i)] = true
		}
		c.last.PCAFit = "all"
		if diff := cmp.Diff(c.last, s.Split.RuleOf(s.Entries[0], c.n)); diff != "" || len(seen) != c.n {
			t.Errorf("%s: %d splits, want %d; the last (-want +got):\n%s", c.split, len(seen), c.n, diff)
		}
		if rows := spectest.PlanFor(t, s).Rows; len(rows) != c.n || rows[c.n-1].Rule != s.Split.RuleOf(s.Entries[0], c.n) {
			t.Errorf("%s: the plan has %d rows, want %d", c.split, len(rows), c.n)
		}
	}
}
