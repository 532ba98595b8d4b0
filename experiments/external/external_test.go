package external

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"r2lmlbench/experiments/method"
	"r2lmlbench/internal/fixture"
)

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
		fixture.EqualSlice(t, name, toldEnvironment(dir), c.want)
	}
	fixture.EqualSlice(t, "no file", toldEnvironment(t.TempDir()), nil)
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
	fixture.Check(t, err)
	moved, removeMoved, err := newScratch()
	fixture.Check(t, err)
	fixture.Check(t, os.Rename(moved, moved+"-moved"))
	var p method.Problem
	p.Query = mat.NewDense(1, 1, nil)
	fixture.Says(t, fixture.Error(External{}.outcome(moved, p, nil)), "is gone")
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
	fixture.Same(t, "there", got, want)
	remove()
	fixture.Is(t, fixture.Error(os.Stat(used)), os.ErrNotExist)
}

func TestReadLabels(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"labels alone", "1\n2\n3\n", "[1 2 3]"},
		{"header", "label\n1\n2\n3\n", "[1 2 3]"},
		{"lines of Windows, quotes, spaces", "\ufeff\"label\"\r\n\"1\"\r\n 2\r\n3 \r\n", "[1 2 3]"},
		{"blank lines", "1\n\n2\n3\n\n", "[1 2 3]"},
		{"rows", "row,label\n3,1\n1,2\n2,3\n", "[2 3 1]"},
		{"of other programs", "{\"row\": 3, \"label\": 1}\n{\"row\": 1, \"label\": 2}\n{\"row\": 2, \"label\": 3}", "[2 3 1]"},
		{"semicolons", "row;label\n3;1\n1;2\n2;3\n", "[2 3 1]"},
		{"rows behind", "label,row\n1,3\n2,1\n3,2\n", "[2 3 1]"},
		{"nothing", "", "p.csv: the file is empty"},
		{"too few", "1\n2\n", "p.csv: 2 labels for 3 samples; the first without one is row 3"},
		{"too many", "label\n1\n2\n3\n1\n", "p.csv:5: a label too many, there are 3 samples"},
		{"unknown label", "1\n2\n0\n", "p.csv:3: label 0 is unknown; want a class from 1 to 3"},
		{"fraction", "1\n2.0\n", `p.csv:2: label "2.0" is no whole number; want a class from 1 to 3`},
		{"another header", "class\n1\n2\n3\n", `p.csv:1: label "class" is no whole number; want a class from 1 to 3`},
		{"two columns without header", "1,2\n", `p.csv:1: column "1"; want the columns label and, when the rows are not in order, row`},
		{"header without label", "row,row\n1,1\n", `p.csv:1: column "row"; want the columns label and, when the rows are not in order, row`},
		{"a name twice", "row,label,label\n1,1,2\n", `p.csv:2: column "label"; want the columns label and, when the rows are not in order, row`},
		{"column missing", "row,label\n1,1\n2\n", "p.csv:3:1: 1 field, want 2 as on the first line"},
		{"row out of range", "row,label\n4,1\n", `p.csv:2: row "4", want a whole number from 1 to 3`},
		{"row twice", "row,label\n1,1\n1,2\n", "p.csv:3: row 1 has a label already"},
		{"row missing", "row,label\n1,1\n3,2\n", "p.csv: 2 labels for 3 samples; the first without one is row 2"},
		{"quote", "1\n\"2\n", "p.csv:2:1: a quote is opened here and not closed where its field ends; at most 1000 lines may stand between quotes"},
		{"endless", strings.Repeat(" ", 4289), "p.csv: more than 4288 bytes for 3 labels"},
		{"long", strings.Repeat("9", 4000) + "\n", `p.csv:1: label "9999999999999999999999999999999999999999" is no whole number; want a class from 1 to 3`},
	} {
		t.Run(c.name, func(t *testing.T) {
			labels, err := ReadLabels(t.Context(), "p.csv", []byte(c.in), 3, Notation{Classes: 3})
			got := fmt.Sprint(labels)
			if err != nil {
				got = err.Error()
			}
			fixture.Equal(t, "labels", got, c.want)
		})
	}
}

// TestLabelTexts: labels stand as in the data, which has them in another order than their codes.
func TestLabelTexts(t *testing.T) {
	for _, c := range []struct {
		in, want string
		classes  []string
	}{
		{"2\n1\n2\n", "[1 2 1]", []string{"2", "1"}},
		{"2.0\n01\n2e0\n", "[1 2 1]", []string{"2", "1"}},
		{"2\n-1\n2\n", "[1 2 1]", []string{"2.00", "-1.00"}},
		{"1\n1.0\n1\n", "[1 2 1]", []string{"1", "1.0"}},
		{"1\n1.00\n1\n", "p.csv:2: label \"1.00\" is no class", []string{"1", "1.0"}},
		{"2\n3\n", `p.csv:2: label "3" is no class of the data, which has 2, such as ["2" "1"]`, []string{"2", "1"}},
		{"row,label\n2,no\n1,\"yes, \"\"so\"\"\"\n3,no\n", "[2 1 1]", []string{"no", `yes, "so"`}},
		{"1\n", `p.csv:1: label "1" is no class`, []string{"a", "b"}},
		{"NaN\n", `p.csv:1: label "NaN" is no class`, []string{"1", "nan"}},
		{"A\n", `p.csv:1: label "A" is no class`, []string{"a", "b"}},
		{"label\na b\nc\na b\n", "[1 2 1]", []string{"a b", "c"}},
		{"#a\nb;c\n#a\n", "[1 2 1]", []string{"#a", "b;c"}},
		{"x\n1\n1\n", "[1 2 2]", []string{"x", "1"}},
	} {
		labels, err := ReadLabels(t.Context(), "p.csv", []byte(c.in), 3, Notation{Classes: len(c.classes), Texts: c.classes})
		if err != nil {
			fixture.Says(t, err, c.want)
		} else {
			fixture.Equal(t, c.in, fmt.Sprint(labels), c.want)
		}
	}
	long := []string{strings.Repeat("a", 200), strings.Repeat("b", 200)}
	all := strings.Join(slices.Repeat(long, 500), "\n")
	fixture.Must(ReadLabels(t.Context(), "p.csv", []byte(all), 1000, Notation{Classes: 2, Texts: long}))(t)
}

// TestLabelsInAnyOrder: what is written in any order with row numbers is read
// in that of the samples.
func TestLabelsInAnyOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := rapid.SliceOf(rapid.IntRange(1, 9)).Draw(t, "labels")
		var b strings.Builder
		b.WriteString("row,label\n")
		for _, i := range rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0)).Perm(len(want)) {
			fmt.Fprintf(&b, "%d,%d\n", i+1, want[i])
		}
		got, err := ReadLabels(context.Background(), "p.csv", []byte(b.String()), len(want), Notation{Classes: 9})
		if err != nil || !slices.Equal(got, want) {
			t.Fatalf("%v, %v; want %v", got, err, want)
		}
	})
}

func FuzzReadLabels(f *testing.F) {
	for _, in := range []string{"1\n2\n3\n", "label\n1\n2\n3\n", "row,label\n3,1\n1,2\n2,3\n", "\"label\"\r\n\"1\"\r\n", "1,2\n", "\"", "\xff\n"} {
		f.Add([]byte(in))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		labels, err := ReadLabels(t.Context(), "f.csv", b, 3, Notation{Classes: 3})
		if err != nil {
			if !strings.HasPrefix(err.Error(), "f.csv:") || labels != nil {
				t.Fatalf("labels %v, error %q", labels, err)
			}
			return
		}
		if len(labels) != 3 || slices.Min(labels) < 1 || slices.Max(labels) > 3 {
			t.Fatalf("labels %v", labels)
		}
	})
}

// TestBetweenRequests: a process that writes unasked is a fault, whether its lines come at once or not; one that ends is a remark.
func TestBetweenRequests(t *testing.T) {
	for _, test := range []struct {
		writes        []string // after the answer was read
		atOnce        bool     // with the answer
		remark, fault bool
	}{
		{remark: true}, {writes: []string{"x\n"}, fault: true}, {writes: []string{"x"}, fault: true}, {writes: []string{"x\n"}, atOnce: true, fault: true},
	} {
		ctx, end := context.WithCancel(t.Context())
		s := &service{answers: &lines{whole: make(chan []byte, 1), excess: end}, ctx: ctx, ended: make(chan struct{})}
		end()
		close(s.ended)
		s.answers.Write([]byte("{}\n"))
		if !test.atOnce {
			<-s.answers.whole
		}
		for _, line := range test.writes {
			s.answers.Write([]byte(line))
		}
		if test.atOnce {
			<-s.answers.whole
		}
		remark, fault := s.between()
		fixture.Equal(t, fmt.Sprint(test, " remark"), remark != "", test.remark)
		fixture.Equal(t, fmt.Sprint(test, " fault"), fault != "", test.fault)
	}
}
