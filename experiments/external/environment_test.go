package external

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"r2lmlbench/internal/fixture"
)

// What a program tells of its environment is kept within bounds, and nothing that it writes
// there fails a fit.
func TestEnvironment(t *testing.T) {
	for name, c := range map[string]struct {
		file string
		want []string
	}{
		"told":        {`["CPython 3.13.5", "numpy 2.2.4"]`, []string{"CPython 3.13.5", "numpy 2.2.4"}},
		"no list":     {`{"python": 3}`, nil},
		"not texts":   {`[1, 2]`, nil},
		"unfinished":  {`["a"`, nil},
		"escapes":     {`["a\u001b[31m\n"]`, []string{"a [31m "}},
		"long":        {`["` + strings.Repeat("x", 300) + `"]`, []string{strings.Repeat("x", longestTold)}},
		"large":       {`["` + strings.Repeat("x", mostToldFile) + `"]`, nil},
		"many":        {"[" + strings.Repeat(`"a",`, 200) + `"a"]`, strings.Split(strings.Repeat("a ", mostTold), " ")[:mostTold]},
		"half a rune": {`["` + strings.Repeat("x", longestTold-1) + `é"]`, []string{strings.Repeat("x", longestTold-1)}},
	} {
		dir := t.TempDir()
		fixture.Check(t, os.WriteFile(filepath.Join(dir, environmentFile), []byte(c.file), 0o666))
		if got := toldEnvironment(dir); strings.Join(got, "|") != strings.Join(c.want, "|") || len(got) != len(c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	if got := toldEnvironment(t.TempDir()); got != nil {
		t.Errorf("no file: %q", got)
	}
}

// A fit by a shell tells its own words, then system and processor.
func TestFitTellsEnvironment(t *testing.T) {
	e, err := FromFlags([]string{"sh", "-c", `echo '["shell 1"]' > environment.json; awk 'NR > 1 { print 1 }' query.csv > predictions.csv`},
		oneShot, 10e9, nil)
	if err != nil || e.program.missing != nil {
		t.Skipf("%v, %v", err, e.program.missing)
	}
	f, err := e.Fit(t.Context(), blobs(2, 5, 2, 3))
	if err != nil || len(f.Environment) != 3 || f.Environment[0] != "shell 1" || f.Environment[1] == "" || f.Environment[2] == "" {
		t.Errorf("%q, %v", f.Environment, err)
	}
}
