package spec_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"r2lmlbench/datasets"
	"r2lmlbench/experiments/plan"
	. "r2lmlbench/experiments/spec"
	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/spectest"
)

// The splits of a data set come repeat by repeat, and fold by fold within one, and each is
// a row of its own. Any rule divides a set of the catalogue, and the program and the schema
// read it alike.
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
		{"{rule: shuffled}", 1, datasets.Rule{Kind: "shuffled", Repeat: 1}},
		{"{rule: shuffled, repeats: 3, seed: 7}", 3, datasets.Rule{Kind: "shuffled", Seed: 7, Repeat: 3}},
		{"{rule: cv}", 5, datasets.Rule{Kind: "cv", Folds: 5, Fold: 5, Validation: 0.2, Repeat: 1}},
		{"{rule: cv, folds: 3, repeats: 4, seed: 7, validation: 0}", 12, datasets.Rule{Kind: "cv", Folds: 3, Fold: 3, Seed: 7, Repeat: 4}},
	} {
		text := []byte("name: x\ndatasets: [overlap30]\nsplit: " + c.split + "\nmethods: [{method: euclidean}]\n")
		s := fixture.Must(Parse("x.yaml", text))(t)
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
		rows, digests := spectest.PlanFor(t, s).Rows, map[string]bool{}
		for i, row := range rows {
			in := row.Jobs[0][0].Inputs
			digests[in.SplitDigest] = true
			if want := s.Split.RuleOf(s.Entries[0], i+1); row.Rule != want || in.Split != want.String() {
				t.Errorf("%s: row %d is divided by %s, want %v", c.split, i+1, in.Split, want)
			}
		}
		if len(rows) != c.n || len(digests) != c.n || digests[""] {
			t.Errorf("%s: the plan has %d rows with %d splits, want %d", c.split, len(rows), len(digests), c.n)
		}
	}
}

// Under rule files the parts are paths beside the spec, in the program as in the schema.
func TestFilesRule(t *testing.T) {
	text := []byte("name: x\ndatasets: {id: own, label: last}\nsplit: {rule: files, train: ./a.csv, test: /b.csv}\nmethods: [{method: euclidean}]\n")
	s := fixture.Must(Parse(filepath.Join("dir", "x.yaml"), text))(t)
	if err := spectest.CompiledSchema(t).Validate(spectest.JSONValue(t, text)); err != nil {
		t.Error(err)
	}
	if got, want := s.Entries[0].OwnFile().Parts, [3]string{filepath.Join("dir", "a.csv"), "", "/b.csv"}; got != want {
		t.Errorf("files %q, want %q", got, want)
	}
	if rule := s.Split.RuleOf(s.Entries[0], 1); rule != (datasets.Rule{Kind: "files", PCAFit: "all"}) {
		t.Errorf("rule %+v", rule)
	}
}

// A column of own data has the parts of one split, or a split for each of its values;
// rule fold is the default of data that name such a column.
func TestColumnRule(t *testing.T) {
	for _, c := range []struct {
		name, split, folds string
		rows               int
		last               datasets.Rule
		fault              string
	}{
		{"folds", "split: {rule: fold}", "a b c", 3, datasets.Rule{Kind: "fold", Folds: 3, Fold: 3, Validation: 0.2, PCAFit: "all"}, ""},
		{"default", "", "a b c", 3, datasets.Rule{Kind: "fold", Folds: 3, Fold: 3, Validation: 0.2, PCAFit: "all"}, ""},
		{"counts", "split: {rule: fold, validation: 1}", "1 2", 2, datasets.Rule{Kind: "fold", Folds: 2, Fold: 2, Validation: 1, PCAFit: "all"}, ""},
		{"parts", "split: {rule: fold}", "train validation test", 1, datasets.Rule{Kind: "fold", PCAFit: "all"}, ""},
		{"no validation", "split: {rule: fold}", "train test", 0, datasets.Rule{}, "it has no validation rows, which a grid is chosen on"},
		{"one fold", "split: {rule: fold}", "a", 0, datasets.Rule{}, "cannot be divided by `rule: fold, validation: 0.2`: the column of folds has \"a\" alone"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			text := "x,class,part\n"
			folds := strings.Fields(c.folds)
			for i := range 24 {
				text += fmt.Sprintf("%d,%c,%s\n", i, "AB"[i%2], folds[i/2%len(folds)])
			}
			spec := "name: x\ndatasets: {id: own, file: own.csv, label: class, fold: part}\n" + c.split +
				"\nmethods: [{method: itml, grid: {gamma: [1, 2]}}]\n"
			fixture.Write(t, filepath.Join(dir, "own.csv"), text)
			s := fixture.Must(Load(fixture.Write(t, filepath.Join(dir, "x.yaml"), spec)))(t)
			p, err := plan.New(t.Context(), s, plan.NewSource(dir))
			if c.fault != "" {
				if !errors.Is(err, ErrSpec) || !strings.Contains(err.Error(), c.fault) {
					t.Errorf("error %v does not say %q", err, c.fault)
				}
				return
			}
			fixture.Check(t, err)
			if len(p.Rows) != c.rows || p.Rows[c.rows-1].Rule != c.last {
				t.Errorf("%d rows, want %d; the last is %+v", len(p.Rows), c.rows, p.Rows[len(p.Rows)-1].Rule)
			}
		})
	}
}
