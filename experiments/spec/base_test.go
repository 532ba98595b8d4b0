package spec_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"r2lmlbench/experiments/registry"
	. "r2lmlbench/experiments/spec"
	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/testkit"
)

// Stanzas take the parameters of single data sets from the base. What they say
// themselves comes before that, params as well as datasets.
func TestBase(t *testing.T) {
	dir := t.TempDir()
	mine := fixture.Write(t, filepath.Join(dir, "sub", "mine.yaml"), `
name: mine
base: ../base.yaml
datasets: [robot, heart, sonar]
methods:
  - method: e-r2lml
    params: {lambda: 3}
    sweep: {metrics: [2, 3]}
    datasets: {heart: {step: 4}}
  - method: t-r2lml
    params: {step: 5}
  - method: euclidean
`)
	fixture.Write(t, filepath.Join(dir, "base.yaml"), `
name: base
datasets: [robot]
methods:
  - method: e-r2lml
    params: {variant: published, step: 1}
    datasets: {A: {step: 1e-5}, heart: {step: 1e-8, lambda: 7}, sonar: {step: 1e-3, metrics: 9}}
  - method: e-r2lml
    name: second
    params: {step: 1}
    datasets: {robot: {step: 2}}
`)
	spec := fixture.Must(Load(mine))(t)
	got := map[string][]float64{}
	for _, set := range []string{"robot", "heart", "sonar"} {
		p := spec.Columns[1].Grid(set)[0].Params
		if p["variant"] != "reference" || p["metrics"] != 3 {
			t.Errorf("%s: %v; params of the base are not inherited, and a swept value counts", set, p)
		}
		got[set] = []float64{p["step"].(float64), p["lambda"].(float64), spec.Columns[2].Grid(set)[0].Params["step"].(float64)}
	}
	fixture.Same(t, "step and lambda, and the step of t-r2lml", got, map[string][]float64{"robot": {1e-5, 3, 5}, "heart": {4, 3, 5}, "sonar": {1e-3, 3, 5}})
}

// What the spec says itself of votes and components comes before what the base says of a
// method, and that before what the base says of all.
func TestReadingOfBase(t *testing.T) {
	dir := t.TempDir()
	fixture.Write(t, filepath.Join(dir, "base.yaml"), `
name: base
datasets: [glass]
ties: random
distances: repeat-first
methods:
  - {method: lmnn, ties: nearest}
  - {method: lmnn, name: second, ties: smallest}
  - {method: euclidean}
`)
	for keys, want := range map[string]string{
		"":                "[{nearest repeat-first } {random repeat-first } {random repeat-first } {nearest  }]",
		"ties: smallest":  "[{ repeat-first } { repeat-first } { repeat-first } {  }]",
		"distances: each": "[{nearest  } {random  } {random  } {nearest  }]",
	} {
		mine := fixture.Write(t, filepath.Join(dir, "mine.yaml"), "name: mine\nbase: base.yaml\ndatasets: [glass]\n"+keys+"\nmethods: "+
			"[{method: lmnn}, {method: euclidean}, {method: itml}, {method: lmnn, name: own, distances: each}]\n")
		var got []any
		for _, c := range fixture.Must(Load(mine))(t).Columns {
			got = append(got, c.Voting)
		}
		fixture.Equal(t, keys, fmt.Sprint(got), want)
	}
}

// Faults of a base are reported where they stand, and a base that cannot be used
// where it is named.
func TestBaseFaults(t *testing.T) {
	dir := t.TempDir()
	fixture.Write(t, filepath.Join(dir, "bad.yaml"), "name: bad\ndatasets: [robot]\nmethods:\n  - method: e-r2lml\n    datasets: {robot: {stpe: 1}}\n")
	fixture.Write(t, filepath.Join(dir, "torn.yaml"), "name: torn\ndatasets: [robot\n")
	for base, want := range map[string]string{
		"bad.yaml":  filepath.Join(dir, "bad.yaml") + `:5:24: unknown key "stpe"`,
		"torn.yaml": filepath.Join(dir, "torn.yaml") + ":2",
		"mine.yaml": filepath.Join(dir, "mine.yaml") + ":2:7: a spec that serves as a base cannot have a base",
		"quick":     filepath.Join(dir, "mine.yaml") + ":2:7: quick has a base itself; name that, which is accuracy",
		"acuracy":   `no embedded spec acuracy; did you mean "accuracy"?`,
		".":         filepath.Join(dir, "mine.yaml") + ":2:7: ",
	} {
		path := fixture.Write(t, filepath.Join(dir, "mine.yaml"), "name: mine\nbase: "+base+"\ndatasets: [robot]\nmethods: [{method: euclidean}]\n")
		_, err := Load(path)
		fixture.Says(t, err, want)
		fixture.Equal(t, base+" is a fault of the spec", errors.Is(err, ErrSpec), true)
	}
}

// Words stand for the same settings as the values written out, and the schema knows them.
func TestDefaultGrid(t *testing.T) {
	text := "name: x\ndatasets: [sonar]\nmethods:\n  - {method: kissme, grid: default}\n"
	word := testkit.Parse(t, text)
	written := testkit.Parse(t, strings.Replace(text, "default", "{shrinkage: [1e-6, 1e-3, 1e-2, 0.1, 0.5]}", 1))
	fixture.Same(t, "points", word.Columns[0].Grid("sonar"), written.Columns[0].Grid("sonar"))
	fixture.Check(t, compiledSchema(t).Validate(jsonValue(t, []byte(text))))
	for in, fault := range map[string]string{
		"[{method: lmnn, grid: default}]":  "x.yaml:3:32: lmnn has no default grid",
		"[{method: lmnn, grid: defaults}]": "x.yaml:3:32: grid is not a mapping",
		"[{method: lmn, grid: default}]":   `unknown method "lmn"`,
		"everything":                       "x.yaml:3:10: ",
	} {
		fixture.Says(t, fixture.Error(Parse("x.yaml", []byte("name: x\ndatasets: [sonar]\nmethods: "+in+"\n"))), fault)
	}
}

func TestAllMethods(t *testing.T) {
	grids := fixture.Must(Grids())(t)
	for _, base := range []string{"", "base: accuracy\n"} {
		text := "name: x\ndatasets: [robot]\n" + base + "methods: all\n"
		s := testkit.Parse(t, text)
		fixture.Equal(t, "columns", len(s.Columns), len(registry.Methods)-2)
		for _, c := range s.Columns {
			points := c.Grid("robot")
			fixture.Equal(t, c.ID+" is tuned", len(points) > 1, grids[c.ID] != nil)
			if step := points[0].Params["step"]; c.Method.Proposed && (fmt.Sprint(step) == "auto") != (base == "") {
				t.Errorf("%s has step %v with %q", c.ID, step, base)
			}
		}
		fixture.Equal(t, "untuned methods", len(s.Untuned()), 0)
		fixture.Check(t, compiledSchema(t).Validate(jsonValue(t, []byte(text))))
	}
}

// written writes a spec and a table of printed numbers beside it.
func written(t *testing.T, table string) string {
	t.Helper()
	dir := t.TempDir()
	if table != "" {
		fixture.Write(t, filepath.Join(dir, "printed.yaml"), table)
	}
	return fixture.Write(t, filepath.Join(dir, "own.yaml"),
		"name: own\npublished: printed.yaml\ndatasets: [overlap30, I]\nmethods: [{method: euclidean}, {method: rca, name: other}]\n")
}

// TestFewerSettings: quick names the settings of T-R2LML, fewer than in print, and nothing of
// the columns that have all; the spec of the printed numbers names none.
func TestFewerSettings(t *testing.T) {
	for _, name := range []string{"quick", "accuracy"} {
		s := fixture.Must(Load(name))(t)
		for i := range s.Columns {
			c, want := &s.Columns[i], ""
			if name == "quick" && c.ID == "t-r2lml" {
				want = "12 of 63 settings: lambda 0.1, 10, 1000, 100000; metrics 1, 2, 3"
			}
			fixture.Equal(t, name+": fewer settings of "+c.ID, s.Published.Fewer(c, "ionosphere"), want)
		}
	}
}

func TestPublished(t *testing.T) {
	s := fixture.Must(Load(written(t, "name: t\nunit: proportion\nmeasure: error\ncolumns: [euclidean, other]\nrows:\n"+
		"  - {row: overlap30, n: 320, printed: [0.250, ~]}\n  - {row: i, n: 221, printed: [0.2443, 0.5]}\n  - {row: sonar, n: 128, printed: [~, 0.1]}\n")))(t)
	p := s.Published
	fixture.Equal(t, "origin", p.Origin, s)
	for _, c := range []struct {
		row, column int
		want        string
	}{{0, 0, "75.0"}, {0, 1, ""}, {1, 0, "75.57"}, {1, 1, "50"}} {
		n, ok := p.Number(s.Sets[c.row], &s.Columns[c.column])
		if ok != (c.want != "") || n.Accuracy != c.want || ok && n.Dataset != s.Sets[c.row].ID {
			t.Errorf("%v: %+v", c, n)
		}
	}
	for i, e := range s.Sets {
		if !p.Divided(e, s.Split.RuleOf(e, 1)) || p.OtherK(&s.Columns[i]) {
			t.Errorf("%s: not of its own split and k", e.ID)
		}
	}
}

// Without the key the table is that of the base, from the folder of the base and about its
// splits and k.
func TestPublishedOfTheBase(t *testing.T) {
	base := written(t, "name: t\ncolumns: [other]\nrows:\n  - {row: overlap30, n: 320, printed: [75.0]}\n")
	own := fixture.Write(t, filepath.Join(filepath.Dir(base), "sub", "mine.yaml"),
		"name: mine\nbase: ../own.yaml\nneighbors: 3\ndatasets: [overlap30]\nmethods: [{method: rca, name: other}]\n")
	s := fixture.Must(Load(own))(t)
	if n, ok := s.Published.Number(s.Sets[0], &s.Columns[0]); !ok || n.Accuracy != "75.0" || !s.OtherNeighbors() {
		t.Errorf("%+v, other k %t", n, s.OtherNeighbors())
	}
	fixture.Check(t, os.Remove(filepath.Join(filepath.Dir(base), "printed.yaml")))
	fixture.Says(t, fixture.Error(Load(own)), "mine.yaml:2:7: there is no file ")
}

// Faults of the table are told with its name, line and column.
func TestPublishedFaults(t *testing.T) {
	const head = "name: t\ncolumns: [euclidean, othr]\nrows:\n"
	for _, c := range []struct{ name, table, want string }{
		{"no file", "", "own.yaml:2:12: there is no file "},
		{"unknown column", head + "  - {row: overlap30, n: 320, printed: [1, 2]}\n",
			`printed.yaml:2:22: "othr" is no column of own and no method; did you mean "other"?`},
		{"unknown row", head + "  - {row: overlap31, n: 320, printed: [1, 2]}\n",
			`printed.yaml:4:11: row "overlap31" is no data set of own or of the catalogue; did you mean "overlap30"?`},
		{"no number", head + "  - {row: overlap30, n: 320, printed: [1, many]}\n", "printed.yaml:4:43: want a number as it is printed"},
		{"no spec", "spec: none.yaml\n" + head + "  - {row: overlap30, n: 320, printed: [1, 2]}\n", "none.yaml"},
	} {
		t.Run(c.name, func(t *testing.T) { fixture.Says(t, fixture.Error(Load(written(t, c.table))), c.want) })
	}
}
