package spec_test

import (
	"fmt"
	"strings"
	"testing"

	"r2lmlbench/experiments/registry"
	. "r2lmlbench/experiments/spec"
	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/spectest"
)

// Words stand for the same settings as the values written out, and the schema knows them.
func TestDefaultGrid(t *testing.T) {
	text := "name: x\ndatasets: [sonar]\nmethods:\n  - {method: kissme, grid: default}\n"
	word := spectest.Parse(t, text)
	written := spectest.Parse(t, strings.Replace(text, "default", "{shrinkage: [1e-6, 1e-3, 1e-2, 0.1, 0.5]}", 1))
	if got, want := fmt.Sprint(word.Columns[0].Points("sonar")), fmt.Sprint(written.Columns[0].Points("sonar")); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if err := spectest.CompiledSchema(t).Validate(spectest.JSONValue(t, []byte(text))); err != nil {
		t.Error(err)
	}
	for in, fault := range map[string]string{
		"[{method: lmnn, grid: default}]":  "x.yaml:3:32: lmnn has no default grid",
		"[{method: lmnn, grid: defaults}]": "x.yaml:3:32: grid is not a mapping",
		"[{method: lmn, grid: default}]":   `unknown method "lmn"`,
		"everything":                       "x.yaml:3:10: ",
	} {
		if _, err := Parse("x.yaml", []byte("name: x\ndatasets: [sonar]\nmethods: "+in+"\n")); err == nil || !strings.Contains(err.Error(), fault) {
			t.Errorf("%s: %v, want %q", in, err, fault)
		}
	}
}

func TestAllMethods(t *testing.T) {
	grids := fixture.Must(Grids())(t)
	for _, base := range []string{"", "base: accuracy\n"} {
		text := "name: x\ndatasets: [robot]\n" + base + "methods: all\n"
		s := spectest.Parse(t, text)
		if len(s.Columns) != len(registry.Methods)-2 {
			t.Errorf("%d columns of %d methods", len(s.Columns), len(registry.Methods))
		}
		for _, c := range s.Columns {
			points := c.Points("robot")
			if tuned := len(points) > 1; tuned != (grids[c.ID] != nil) {
				t.Errorf("%s has %d points", c.ID, len(points))
			}
			if step := points[0].Params["step"]; c.Method.Proposed && (fmt.Sprint(step) == "auto") != (base == "") {
				t.Errorf("%s has step %v with %q", c.ID, step, base)
			}
		}
		if len(s.Untuned()) > 0 {
			t.Errorf("untuned: %v", s.Untuned())
		}
		if err := spectest.CompiledSchema(t).Validate(spectest.JSONValue(t, []byte(text))); err != nil {
			t.Error(err)
		}
	}
}

func TestUntuned(t *testing.T) {
	const line = "w.yaml:4:"
	for methods, want := range map[string]string{
		"  - {method: itml}\n  - {method: kissme, grid: default}\n":                                  "itml is not tuned",
		"  - {method: itml}\n  - {method: kissme}\n":                                                 "",
		"  - {method: euclidean}\n  - {method: lmnn}\n  - {method: kissme, grid: default}\n":         "",
		"  - {method: itml, sweep: {gamma: [1, 10]}}\n  - {method: kissme, grid: default}\n":         "",
		"  - {method: itml, grid: {features: [raw, zscore]}}\n  - {method: kissme, grid: default}\n": "",
	} {
		got := strings.Join(warnings(t, "name: w\ndatasets: [sonar]\nmethods:\n"+methods), "\n")
		if (got == "") != (want == "") || want != "" && !strings.Contains(got, line) || !strings.Contains(got, want) {
			t.Errorf("%s: %q, want %q", methods, got, want)
		}
	}
}
