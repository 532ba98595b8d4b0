package registry_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"r2lmlbench/datasets"
	. "r2lmlbench/experiments/registry"
	"r2lmlbench/experiments/spec"
	"r2lmlbench/internal/text"
	"r2lmlbench/results"
)

// What is declared open is a parameter that a spec can set, with a sentence that
// quotes the paper or says what it leaves out.
func TestOpenSettings(t *testing.T) {
	for _, m := range Methods {
		var names []string
		for _, p := range m.Parameters() {
			names = append(names, p.Name)
		}
		seen := map[string]bool{}
		for _, o := range m.Open {
			if len(o.Parameters) == 0 {
				t.Errorf("%s: an open setting without parameters: %s", m.ID, o.Text)
			}
			for _, name := range o.Parameters {
				if known := slices.Contains(names, name) || name == "unlabeled" && m.Transductive; !known {
					t.Errorf("%s: %s is no parameter; it has %v", m.ID, name, names)
				}
				if seen[name] {
					t.Errorf("%s: %s is declared twice", m.ID, name)
				}
				seen[name] = true
				if o.Rescaled != (name == "feature-scale") {
					t.Errorf("%s: %s is open on rescaled sets only: %v", m.ID, name, o.Rescaled)
				}
			}
			if n := len(strings.Fields(o.Text)); n == 0 || n >= 60 || !strings.HasSuffix(o.Text, ".") {
				t.Errorf("%s: %d words: %s", m.ID, n, o.Text)
			}
			if quotes := strings.Count(o.Text, `"`); quotes == 0 || quotes%2 != 0 || text.OneLine(o.Text) != o.Text {
				t.Errorf("%s: no whole quotation: %s", m.ID, o.Text)
			}
		}
	}
}

// Only methods of the paper have settings that its text leaves open, and the paper's
// grids search none of them.
func TestOpenIsNotSearched(t *testing.T) {
	paper, err := spec.Load("accuracy")
	if err != nil {
		t.Fatal(err)
	}
	open := map[string][]string{}
	for _, m := range Methods {
		if len(m.Open) > 0 {
			open[m.ID] = m.OpenParameters(datasets.Entry{PCA: 30})
		}
	}
	for _, c := range paper.Columns {
		points := c.Points("robot")
		for _, name := range open[c.Method.ID] {
			if slices.ContainsFunc(points, func(p results.Point) bool { return p.Params[name] != points[0].Params[name] }) {
				t.Errorf("%s searches %s", c.Method.ID, name)
			}
		}
		delete(open, c.Method.ID)
	}
	for id := range open {
		t.Errorf("%s is no method of the paper", id)
	}
}

// The cells of open settings differ from those of the paper's table in open
// parameters, and in nothing else.
func TestSpecsOfOpenSettings(t *testing.T) {
	paper, err := spec.Load("accuracy")
	if err != nil {
		t.Fatal(err)
	}
	tried := map[string]bool{}
	for _, name := range []string{"open", "scales", "joint"} {
		s, err := spec.Load(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range s.Columns {
			stated := paper.Columns[slices.IndexFunc(paper.Columns, func(other spec.Column) bool { return other.Method.ID == c.Method.ID })]
			for _, e := range s.Entries {
				for _, name := range checkOpen(t, stated, c, e) {
					tried[c.Method.ID+" "+name] = true
				}
			}
		}
	}
	for _, m := range Methods {
		for _, o := range m.Open {
			if !slices.ContainsFunc(o.Parameters, func(name string) bool { return tried[m.ID+" "+name] || name == "shrinkage" }) {
				t.Errorf("no spec tries other values of %s of %s", strings.Join(o.Parameters, ", "), m.ID)
			}
		}
	}
}

// checkOpen compares the points of a column with those of the paper's table and
// returns the parameters in which they differ, which must be open.
func checkOpen(t *testing.T, stated, c spec.Column, e datasets.Entry) []string {
	t.Helper()
	open := c.Method.OpenParameters(e)
	closed := func(p results.Point) string {
		params := maps.Clone(p.Params)
		maps.DeleteFunc(params, func(name string, _ any) bool { return slices.Contains(open, name) })
		return params.String()
	}
	var want, got, differ []string
	for _, p := range stated.Points(e.ID) {
		want = append(want, closed(p))
	}
	for _, p := range c.Points(e.ID) {
		got = append(got, closed(p))
		for _, name := range open {
			if p.Params[name] != stated.Points(e.ID)[0].Params[name] && !slices.Contains(differ, name) {
				differ = append(differ, name)
			}
		}
	}
	if c.Unlabeled != "" {
		differ = append(differ, "unlabeled")
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s on %s, apart from %v:\n%s", c.ID, e.ID, open, diff)
	}
	return differ
}
