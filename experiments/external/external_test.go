package external

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/strictyaml"
)

// TestTimeout: a time is the same seconds with a unit and without, so that the key of a
// cell is the same, too.
func TestTimeout(t *testing.T) {
	for _, c := range []struct {
		text string
		want float64
		err  string
	}{
		{"90", 90, ""},
		{"90s", 90, ""},
		{"'90s'", 90, ""},
		{"1.5m", 90, ""},
		{"1h30m", 5400, ""},
		{"250ms", 0.25, ""},
		{"0.25", 0.25, ""},
		{"720h", mostSeconds, ""},
		{"721h", 0, "t.yaml:1:32: timeout is 721h, want at most 30 days"},
		{"3 s", 0, `t.yaml:1:32: timeout is "3 s", want seconds, such as 90, or a time with its unit`},
		{"-3s", 0, `timeout is "-3s", want seconds`},
		{"3d", 0, `timeout is "3d", want seconds`},
		{"'90'", 0, `timeout is "90", want seconds`},
		{"[3]", 0, "want a number, got a list"},
	} {
		root := fixture.Must(strictyaml.Parse("t.yaml", []byte("{command: [sh, -c], timeout:   "+c.text+"}")))(t)
		d := &strictyaml.Decoder{File: "t.yaml"}
		e := Programs{}.Decode(d, []*yaml.Node{root}).(External)
		switch err := d.Err(); {
		case c.err == "" && (err != nil || e.Timeout != c.want):
			t.Errorf("%s: %v s, %v; want %v s", c.text, e.Timeout, err, c.want)
		case c.err != "" && (!errors.As(err, new(strictyaml.Errors)) || !strings.Contains(err.Error(), c.err)):
			t.Errorf("%s: %v, want %q", c.text, err, c.err)
		}
	}
}

// TestIdentity: two settings share a process when their program, arguments, files and
// environment are the same, and never because texts look alike once they are joined.
func TestIdentity(t *testing.T) {
	of := func(digest string, env []string, argv ...string) string {
		p := program{argv: argv, path: argv[0], files: []file{{name: "./a", path: "/x/a", digest: digest}}}
		return External{Env: env, program: p}.identity()
	}
	all := map[string]string{}
	for name, id := range map[string]string{
		"two arguments":     of("1", nil, "sh", "a", "b"),
		"one, with a blank": of("1", nil, "sh", "a b"),
		"one, with a zero":  of("1", nil, "sh", "a\x00b"),
		"one, with quotes":  of("1", nil, "sh", `a" "b`),
		"an empty one":      of("1", nil, "sh", "a", "b", ""),
		"another file":      of("2", nil, "sh", "a", "b"),
		"a variable":        of("1", []string{"A"}, "sh", "a", "b"),
		"two variables":     of("1", []string{"A", "B"}, "sh", "a", "b"),
		"one for two":       of("1", []string{"A B"}, "sh", "a", "b"),
	} {
		if other, there := all[id]; there {
			t.Errorf("%s and %s have one identity: %s", name, other, id)
		}
		all[id] = name
	}
	if again := of("1", []string{"A"}, "sh", "a", "b"); all[again] != "a variable" {
		t.Error("one setting has two identities")
	}
}

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
		fixture.Write(t, filepath.Join(dir, environmentFile), c.file)
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

// TestSweepScratch: directories of killed processes go, and those that a program has
// renamed; others stay. Predictions in a renamed one are missed by name.
func TestSweepScratch(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	used, remove, err := newScratch()
	if err != nil {
		t.Fatal(err)
	}
	moved, removeMoved, err := newScratch()
	if err != nil {
		t.Fatal(err)
	}
	fixture.Check(t, os.Rename(moved, moved+"-moved"))
	if _, err := readPredictions(moved, 1, 2); err == nil || !strings.Contains(err.Error(), "is gone") {
		t.Errorf("predictions: %v", err)
	}
	removeMoved()
	want := map[string]bool{used: true, moved + "-moved": false}
	for name, stays := range map[string]bool{scratchPrefix + "123": false, scratchPrefix + "results": true, "r2lmlbench-7": true} {
		want[filepath.Dir(fixture.Write(t, filepath.Join(os.TempDir(), name, "content"), ""))] = stays
	}
	sweepScratch()
	got := maps.Clone(want)
	for path := range got {
		_, err := os.Stat(path)
		got[path] = err == nil
	}
	if !maps.Equal(got, want) {
		t.Errorf("there: %v, want %v", got, want)
	}
	remove()
	if _, err := os.Stat(used); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%s after use: %v", used, err)
	}
}
