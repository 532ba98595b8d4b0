package spec_test

import (
	"errors"
	"fmt"
	"os"
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
			file := filepath.Join(dir, "x.yaml")
			fixture.Check(t, errors.Join(os.WriteFile(filepath.Join(dir, "own.csv"), []byte(text), 0o666), os.WriteFile(file, []byte(spec), 0o666)))
			s := fixture.Must(Load(file))(t)
			p, err := plan.New(t.Context(), s, plan.NewSource(dir))
			if c.fault != "" {
				if !errors.Is(err, ErrSpec) || !strings.Contains(err.Error(), c.fault) {
					t.Errorf("error %v does not say %q", err, c.fault)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if len(p.Rows) != c.rows || p.Rows[c.rows-1].Rule != c.last {
				t.Errorf("%d rows, want %d; the last is %+v", len(p.Rows), c.rows, p.Rows[len(p.Rows)-1].Rule)
			}
		})
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
