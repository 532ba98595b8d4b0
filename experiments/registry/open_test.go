package registry_test

import (
	"slices"
	"strings"
	"testing"

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
