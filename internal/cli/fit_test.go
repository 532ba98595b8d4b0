package cli

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"r2lmlbench/experiments/method"
	"r2lmlbench/experiments/plan"
	"r2lmlbench/experiments/registry"
	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/testkit"
	"r2lmlbench/results"
	"r2lmlbench/results/store"
)

// rowsOfWords are lines of a file: two numbers that tie often, one that does not, and a word,
// values of which are missing, and the class.
func rowsOfWords(draw *rand.Rand, n, classes int) (lines []string) {
	for i := range n {
		class := i % classes
		b, word := fmt.Sprint(draw.IntN(4)-class), []string{"red", "blue", "", "lime"}[min(3, draw.IntN(3+class))]
		if draw.IntN(8) == 0 {
			b = ""
		}
		lines = append(lines, fmt.Sprintf("%d,%s,%.3f,%s,c%d", draw.IntN(4)+class, b, 100+30*draw.NormFloat64(), word, class))
	}
	draw.Shuffle(n, func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
	return lines
}

// succeed is the standard output of a command that must not fail.
func succeed(t *testing.T, args ...string) string {
	t.Helper()
	code, stdout, stderr := command(t, args...)
	if code != 0 {
		t.Fatalf("%v: exit %d\n%s", args, code, stderr)
	}
	return stdout
}

// A fittedColumn is a column of a spec and what fit is told for the same.
type fittedColumn struct {
	method, params string
	k              int
}

// fittedColumns are all methods that have a map, with features of every kind and two k, and
// the ids of the others.
func fittedColumns() (columns []fittedColumn, mapless []string) {
	short := map[string]string{"lmnn": ", step: 1e-6, iterations: 20", "nca": ", iterations: 4", "rfm": ", iterations: 2"}
	for _, m := range registry.Methods {
		switch {
		case m.OutOfProcess || m.Imported:
		case m.Rescales || m.Metric != method.LocalMetric || m.Scope != method.Global && m.Scope != method.NothingLearned:
			mapless = append(mapless, m.ID)
		default:
			for i, features := range []string{"features: raw", "features: zscore", "features: minmax, feature-scale: 4"} {
				columns = append(columns, fittedColumn{m.ID, features + short[m.ID], 1 + 4*(i%2)}, fittedColumn{m.ID, features + short[m.ID], 5 - 4*(i%2)})
			}
		}
	}
	return columns, mapless
}

// TestFitIsRun: on the same rows, in any order, fit --predict gives the labels of run, at once
// and from the kept model, for every method that has a map; fit refuses the others.
func TestFitIsRun(t *testing.T) {
	columns, mapless := fittedColumns()
	datasets := 1
	if fixture.LongRun() {
		datasets = 6
	}
	for n := range datasets {
		draw, dir := rand.New(rand.NewPCG(uint64(n), 5)), t.TempDir()
		in := func(name string) string { return filepath.Join(dir, name) }
		const header = "a,b,c,word,class\n"
		fixture.Write(t, in("train.csv"), header+strings.Join(rowsOfWords(draw, 40+10*n, 2+n%2), "\n")+"\n")
		fixture.Write(t, in("test.csv"), header+strings.Join(rowsOfWords(draw, 30, 2+n%2), "\n")+"\n")
		text := "name: same\ndatasets: [{id: words, label: class, impute: mean, encode: onehot, missing: ''}]\n" +
			"split: {rule: files, train: train.csv, test: test.csv}\nmethods:\n"
		for i, c := range columns {
			text += fmt.Sprintf("  - {method: %s, name: column %d, params: {%s, k: %d}}\n", c.method, i, c.params, c.k)
		}
		fixture.Write(t, in("spec.yaml"), text)
		succeed(t, "run", in("spec.yaml"), "--results", in("results"))
		want := map[string][]string{} // by column, in the order of the file
		rows := fixture.Must(csv.NewReader(strings.NewReader(succeed(t, "table", in("spec.yaml"), "--results", in("results"), "--format", "long"))).ReadAll())(t)
		at := func(name string) int { return slices.Index(rows[0], name) }
		for _, row := range rows[1:] {
			if want[row[at("method")]] == nil {
				want[row[at("method")]] = make([]string, 30)
			}
			want[row[at("method")]][fixture.Must(strconv.Atoi(row[at("line")]))(t)-2] = row[at("predicted_class")]
		}
		fixture.Equal(t, "columns", len(want), len(columns))
		args := func(id string) []string {
			return []string{"fit", in("train.csv"), "--label", "class", "--stanza", "{impute: mean, encode: onehot, missing: ''}", "--method", id}
		}
		for i, c := range columns {
			fit := args(c.method)
			for _, p := range strings.Split(c.params, ", ") {
				fit = append(fit, "--param", strings.Replace(p, ": ", "=", 1))
			}
			if i%2 == 0 {
				fit = append(fit, "--param", fmt.Sprint("k=", c.k))
			} else {
				fit = append(fit, "--neighbors", fmt.Sprint(c.k))
			}
			at, model := fmt.Sprintf("data set %d, %s with %s, k = %d", n, c.method, c.params, c.k), in(fmt.Sprint(i, ".npz"))
			got := succeed(t, append(fit, "-o", model, "--predict", in("test.csv"))...)
			fixture.EqualSlice(t, at, strings.Fields(got)[1:], want[fmt.Sprint("column ", i)])
			fixture.Equal(t, at+": labels of the kept model", succeed(t, "fit", "--model", model, "--predict", in("test.csv")), got)
		}
		for _, id := range mapless {
			code, _, stderr := command(t, append(args(id), "-o", in("none.npz"))...)
			fixture.Equal(t, id+": exit status", code, 2)
			fixture.Has(t, id, stderr, "no single map")
		}
	}
	want := []string{"lmnn-mm", "glml", "plml", "t-r2lml", "e-r2lml", "dann", "scml-local", "scml-global", "manhattan", "cosine"}
	fixture.EqualSlice(t, "without a map", mapless, want)
}

// TestModelIsLearned: a kept model refuses each flag that says how files are read and rows divided.
func TestModelIsLearned(t *testing.T) {
	cmd, c := new(cobra.Command), new(ownComparison)
	c.withData(cmd)
	c.withSplits(cmd)
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		f.Changed = true
		fixture.Equal(t, "the flag that is refused", withModel(cmd.Flags()), f.Name)
		f.Changed = false
	})
}

// TestKeptLayout: a kept model reads files as those that it was learned from, and labels them as in one go.
func TestKeptLayout(t *testing.T) {
	for stanza, rows := range map[string]string{
		"{comment: '#'}":                "a,b,y\n# a remark\n1,2,u\n2,1,u\n7,8,v\n8,9,v\n",
		"{comment: '%'}":                "a,b,y\n% a remark\n1,2,u\n2,1,u\n7,8,v\n8,9,v\n",
		"{decimal: ','}":                "a;b;y\n1,5;2,5;u\n2,5;1,5;u\n7,5;8,5;v\n8,5;9,5;v\n",
		"{missing: '-9', impute: mean}": "a,b,y\n1,2,u\n2,-9,u\n7,8,v\n8,9,v\n",
	} {
		file, model := fixture.Write(t, filepath.Join(t.TempDir(), "rows.csv"), rows), filepath.Join(t.TempDir(), "model.npz")
		learn := []string{"fit", file, "--label", "y", "--neighbors", "1", "--method", "rca", "--param", "features=raw", "--stanza", stanza}
		once := succeed(t, append(learn, "--predict", file)...)
		succeed(t, append(learn, "-o", model)...)
		fixture.Equal(t, stanza+": labels", succeed(t, "fit", "--model", model, "--predict", file), once)
		fixture.Equal(t, stanza+": labels of a file with its own rows as neighbors", once, "label\nu\nu\nv\nv\n")
	}
}

// TestNamedSetting: the setting that fit names as chosen gives the same map when it is asked for,
// with raw features and with standardized ones.
func TestNamedSetting(t *testing.T) {
	chosen := map[string]bool{}
	for name, noise := range map[string]float64{"even": 0.1, "large": 1000} {
		draw, text := rand.New(rand.NewPCG(3, 3)), "a,b,class\n"
		for i := range 60 {
			text += fmt.Sprintf("%.3f,%.3f,%c\n", float64(3*(i%2))+draw.NormFloat64(), noise*draw.NormFloat64(), 'x'+i%2)
		}
		file := fixture.Write(t, filepath.Join(t.TempDir(), name+".csv"), text)
		args := []string{"fit", file, "--label", "class", "--method", "euclidean", "--splits", "3", "--apply", file, "--results", t.TempDir()}
		code, mapped, stderr := command(t, args...)
		fixture.Equal(t, "exit code", code, 0)
		named := regexp.MustCompile(`--method euclidean((?: --param \S+)+)`).FindStringSubmatch(stderr)
		if named == nil {
			t.Fatal(stderr)
		}
		chosen[named[1]] = true
		fixture.Equal(t, name+": map with"+named[1], succeed(t, append(args, strings.Fields(named[1])...)...), mapped)
	}
	fixture.Equal(t, "settings", len(chosen), 2)
}

// TestFinishedWithFailedCells: a cell that has failed ends its split, as the next run does not compute it.
func TestFinishedWithFailedCells(t *testing.T) {
	s := testkit.Parse(t, testkit.Small)
	a := &app{store: &store.Store{Dir: t.TempDir(), Log: t.Logf}}
	p := testkit.PlanFor(t, s)
	finished := fixture.Must(a.finished(p))(t)
	fixture.Equal(t, "rows before", len(finished.Splits), 0)
	for _, j := range p.Jobs() {
		fixture.Check(t, a.store.Put(results.Cell{Inputs: j.Inputs, Failure: "it diverged"}, results.Run{}))
	}
	finished = fixture.Must(a.finished(p))(t)
	fixture.Equal(t, "rows after", len(finished.Splits), len(p.Splits))
}

// TestLeftOutIsTold: in every format, of one file and of several, each method that would take too
// long is named with the reason, in the answer or beside it.
func TestLeftOutIsTold(t *testing.T) {
	dir := t.TempDir()
	var wide strings.Builder
	for row := range 60 {
		for column := range 100 {
			fmt.Fprintf(&wide, "%d,", (row*row+7*column*row)%101)
		}
		fmt.Fprintln(&wide, "ab"[row%2:row%2+1])
	}
	one, two := fixture.Write(t, filepath.Join(dir, "one.csv"), wide.String()), fixture.Write(t, filepath.Join(dir, "two.csv"), wide.String())
	for _, format := range formats {
		for _, named := range [][]string{{one}, {one, two}} {
			var out, said bytes.Buffer
			a := newApp(&out, &said)
			a.Format, a.source, a.store = format, plan.NewSource(dir), &store.Store{Dir: t.TempDir(), Log: t.Logf}
			c := &ownComparison{files: named, label: "last", stanza: "{header: false}"}
			c.Splits, c.Train, c.Validation, c.Neighbors, c.Seed = 2, 0.5, 0.2, 5, 1
			fixture.Check(t, a.readCompared(t.Context(), c))
			fixture.Check(t, a.chooseMethods(t.Context(), c))
			for i, j := range c.plan.Jobs() {
				testkit.Fill(t, a.store, j.Inputs, 18, 9+i%5) // of 30 rows of a class 9 are tested
			}
			part := c.plan
			c.plan.Splits = slices.Concat(part.Splits, part.Splits[:1]) // the last is not finished
			fixture.Check(t, a.answer(t.Context(), c, part, ""))
			fixture.Has(t, "how many splits are finished", said.String(), fmt.Sprintf(" %d of %d splits", len(part.Splits), len(c.plan.Splits)))
			for _, m := range c.leftOut {
				fixture.Has(t, format, out.String()+said.String(), m.Method, "CPU time", " beside the others")
			}
			if len(c.leftOut) == 0 {
				t.Fatal("no method takes too long")
			}
		}
	}
}

// TestDividedCells: a share tells of how many unfinished cells it has a part.
func TestDividedCells(t *testing.T) {
	var said bytes.Buffer
	a, st := newApp(io.Discard, &said), &store.Store{Dir: t.TempDir(), Log: t.Logf}
	jobs := testkit.PlanFor(t, testkit.Parse(t, testkit.Gated)).Jobs()
	for i := range jobs[1:] {
		jobs[i+1].Part = []int{0}
	}
	fixture.Check(t, st.Put(results.Cell{Inputs: jobs[1].Inputs, Failure: "it diverged"}, results.Run{}))
	fixture.Check(t, a.tellDivided(st, jobs))
	fixture.Has(t, "remark", said.String(), fmt.Sprintf("%d long cells are divided", len(jobs)-2))
}

// A fit is refused on a machine that has less than its method promises to need.
func TestRoomForAFit(t *testing.T) {
	m := registry.Methods[0]
	m.Memory = func(s method.Size, _ []results.Params) float64 { return float64(s.N << 20) }
	for _, c := range []struct {
		has     int64
		refused bool
	}{{0, false}, {64 << 20, true}, {100 << 20, true}, {200 << 20, false}} { // needed: 108 MiB, 8 of which are for any heap
		if err := roomFor(m, method.Setting{Of: struct{}{}}, method.Size{N: 100}, c.has); (err != nil) != c.refused {
			t.Errorf("%d bytes: %v", c.has, err)
		}
	}
}
