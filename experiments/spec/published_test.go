package spec_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"r2lmlbench/experiments/spec"
	"r2lmlbench/internal/fixture"
)

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

func TestPublished(t *testing.T) {
	s := fixture.Must(spec.Load(written(t, "name: t\nunit: proportion\nmeasure: error\ncolumns: [euclidean, other]\nrows:\n"+
		"  - {row: overlap30, n: 320, printed: [0.250, ~]}\n  - {row: i, n: 221, printed: [0.2443, 0.5]}\n  - {row: sonar, n: 128, printed: [~, 0.1]}\n")))(t)
	p := s.Published
	if p.Origin != s {
		t.Error("the numbers are not of the spec itself")
	}
	for _, c := range []struct {
		row, column int
		want        string
	}{{0, 0, "75.0"}, {0, 1, ""}, {1, 0, "75.57"}, {1, 1, "50"}} {
		n, ok := p.Number(s.Entries[c.row], &s.Columns[c.column])
		if ok != (c.want != "") || n.Accuracy != c.want || ok && n.Dataset != s.Entries[c.row].ID {
			t.Errorf("%v: %+v", c, n)
		}
	}
	for i, e := range s.Entries {
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
	s := fixture.Must(spec.Load(own))(t)
	if n, ok := s.Published.Number(s.Entries[0], &s.Columns[0]); !ok || n.Accuracy != "75.0" || !s.OtherNeighbors() {
		t.Errorf("%+v, other k %t", n, s.OtherNeighbors())
	}
	fixture.Check(t, os.Remove(filepath.Join(filepath.Dir(base), "printed.yaml")))
	if _, err := spec.Load(own); err == nil || !strings.Contains(err.Error(), "mine.yaml:2:7: there is no file ") {
		t.Errorf("without the table: %v", err)
	}
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
		_, err := spec.Load(written(t, c.table))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
}
