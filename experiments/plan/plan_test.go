package plan

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"r2lmlbench/datasets"
	"r2lmlbench/experiments"
	"r2lmlbench/experiments/method"
	"r2lmlbench/experiments/spec"
	"r2lmlbench/internal/fixture"
	"r2lmlbench/results"
	"r2lmlbench/results/store"
)

// planOf spells out a spec of the repository without data files.
func planOf(t *testing.T, name string) Plan {
	t.Helper()
	return fixture.Must(New(t.Context(), fixture.Must(spec.Load(name))(t), Catalogue()))(t)
}

// TestNew: rows are data sets times splits, jobs rows times columns times seeds.
// The numbers are those of the specs.
func TestNew(t *testing.T) {
	for _, c := range []struct {
		spec             string
		rows, jobs, last int   // the last is the repeat of the last row
		fits             []int // of the first row; a surface fits all points but the chosen one once more, unless a fit serves both
	}{
		{"quick", 2, 2 * 8, 1, []int{1, 9, 1, 1, 7, 5, 12, 35}},                                 // two sets, eight columns
		{"pays", 18 * 10, 18*10*15 + 6*10*2, 10, nil},                                           // all sets, ten splits, 15 columns, and two on six sets only
		{"accuracy", 18, 18*6*20 + 7*5 + 7*2 + 4 + 18*10, 1, []int{1, 17, 1, 1, 13, 9, 63, 69}}, // T-R2LML has fewer seeds on large sets, and no fit twice
	} {
		p := planOf(t, c.spec)
		jobs := p.Jobs()
		var fits []int
		for i := range c.fits {
			job := p.Splits[0].Jobs[i][0]
			fits = append(fits, job.Fits())
			job.Part = []int{} // a share scores its points alone
			for at := range len(job.Inputs.Settings) {
				fixture.Equal(t, "points of a share", job.Fits(), at)
				job.Part = append(job.Part, at)
			}
		}
		got := []int{len(p.Splits), len(jobs), p.Splits[len(p.Splits)-1].Repeat}
		fixture.EqualSlice(t, c.spec+": rows, jobs, repeat of the last row", got, []int{c.rows, c.jobs, c.last})
		fixture.EqualSlice(t, c.spec+": fits", fits, c.fits)
	}
}

// TestJobs: every job has a key and a place of its own, and the split digest of
// the catalogue.
func TestJobs(t *testing.T) {
	p := planOf(t, "accuracy")
	keys, places := map[string]bool{}, map[store.Key]bool{}
	for _, j := range p.Jobs() {
		if keys[j.Inputs.Key()] || places[j.Key()] {
			t.Errorf("%+v is there twice", j.Key())
		}
		keys[j.Inputs.Key()], places[j.Key()] = true, true
		known := j.Dataset.SplitDigest
		if j.Dataset.PCA > 0 {
			known = j.Dataset.StandardizedDigest
		}
		if !OfPaper(*j.Rule) || j.Inputs.SplitDigest != known || known == "" || j.Inputs.Neighbors != 5 {
			t.Errorf("%s: %+v", j.Column.ID, j.Inputs)
		}
	}
	fixture.Equal(t, "seed of the tenth job", p.Splits[0].Jobs[0][9].Inputs.Seed, 10)
}

// TestBundles: jobs of one k stand alone in their order, k of one metric are together
// in rising order unless a program answers, and of settings that differ in k the first is fitted.
func TestBundles(t *testing.T) {
	const text = "name: b\ndatasets: [overlap30]\nneighbors: %s\n" +
		"methods: [{method: euclidean}, {method: lmnn, grid: {k: [1, 3], neighbors: [1, 2]}}, {method: rca},\n" +
		"  {method: external, params: {command: [sh]}}]\n"
	for neighbors, want := range map[string]string{
		"5":      "[[euclidean 5] [lmnn 0] [rca 5] [external 5]]",
		"[5, 1]": "[[euclidean:k=1 1 euclidean:k=5 5] [lmnn 0] [rca:k=1 1 rca:k=5 5] [external:k=5 5] [external:k=1 1]]",
	} {
		s := fixture.Must(spec.Parse("b.yaml", fmt.Appendf(nil, text, neighbors)))(t)
		p := fixture.Must(New(t.Context(), s, Catalogue()))(t)
		var got [][]any
		for _, b := range Bundles(p.Jobs()) {
			var list []any
			for _, j := range b {
				list = append(list, j.Column.ID, j.Inputs.Neighbors)
				if j.Column.ID == "lmnn" {
					fixture.EqualSlice(t, "fitted settings", j.Distinct(), []int{0, 1})
				}
			}
			got = append(got, list)
		}
		fixture.Equal(t, "neighbors "+neighbors, fmt.Sprint(got), want)
	}
}

// TestSourceWithoutFiles: generated sets are there, others are named with what is
// wrong.
func TestSourceWithoutFiles(t *testing.T) {
	robot := fixture.Must(datasets.Find("robot"))(t)
	drawn := fixture.Must(datasets.Find("overlap30"))(t)
	fixture.Says(t, fixture.Error(Catalogue().Data(robot)), "opens no data files")
	split, err := Catalogue().Split(drawn, PaperRule)
	if err != nil || split.Digest != drawn.SplitDigest || len(split.Train.Y) != 80 || len(split.Test.Y) != 320 {
		t.Errorf("overlap30: %v, want 80 training and 320 test samples", err)
	}
	faults := NewSource(t.TempDir()).Check(t.Context(), []datasets.DataSet{drawn, robot})
	if len(faults) != 1 || !errors.Is(faults[0], datasets.ErrMissing) {
		t.Errorf("%v, want one missing set", faults)
	}
}

// TestSplitIsTheCatalogues: one row fewer to train is another split, which is refused
// under the rule of the paper. Under another rule nothing is known beforehand.
func TestSplitIsTheCatalogues(t *testing.T) {
	e := fixture.Must(datasets.Find("overlap30"))(t)
	e.Sizes.Train--
	fixture.Says(t, fixture.Error(Catalogue().Split(e, PaperRule)), "overlap30: the split has the digest")
	fixture.Must(Catalogue().Split(e, datasets.Rule{Kind: "random", PCAFit: "all"}))(t)
}

// TestStateOf: what is not stored is a miss with its reason.
func TestStateOf(t *testing.T) {
	j := planOf(t, "quick").Jobs()[0]
	empty := &store.Store{Dir: t.TempDir()}
	fixture.Equal(t, "state", fixture.Must(StateOf(empty, j))(t), State{Miss, "no cell of this data set and method is stored"})
	p, tried := planOf(t, "quick"), &store.Store{Dir: t.TempDir()}
	fixture.Equal(t, "begun", fixture.Must(p.Begun(tried))(t), false)
	fixture.Check(t, tried.Put(results.Cell{Inputs: j.Inputs, Failure: "it diverged"}, results.Run{}))
	fixture.Equal(t, "begun with a failure alone", fixture.Must(p.Begun(tried))(t), true)
	broken := &store.Store{Dir: t.TempDir()}
	fixture.Write(t, broken.Path(j.Inputs), "{")
	fixture.Has(t, "state", fixture.Must(StateOf(broken.Snapshot(), j))(t).Why, broken.Path(j.Inputs)+" is damaged; no cell")
	imported := *j.Column
	imported.Method.Imported = true
	j.Column = &imported
	fixture.Equal(t, "state", fixture.Must(StateOf(empty, j))(t), State{NotImported, WhyNotImported})
}

// TestPromise: of memory the larger problem of both phases counts, of time that of the test
// phase, and a joint one has both parts.
func TestPromise(t *testing.T) {
	size := func(n, m int) method.Size { return method.Size{N: n, M: m, D: 9, C: 2} }
	for _, j := range planOf(t, "quick").Jobs() {
		small, large := Sizes{size(100, 40), size(300, 200)}, Sizes{size(300, 200), size(100, 40)}
		want := [2]method.Size{small.Test, large.Validation}
		switch j.Column.Method.ID {
		case "t-r2lml":
			want = [2]method.Size{size(300, 240), size(300, 200)}
		case "e-r2lml":
		default:
			continue
		}
		for i, sizes := range []Sizes{small, large} {
			if got, needed := j.Promise(sizes); got != want[i] || needed <= 0 {
				t.Errorf("%s: %v bytes for %v, want those of %v", j.Column.ID, needed, got, want[i])
			}
			most := method.Budget{Time: time.Nanosecond} // by the test problem alone
			fixture.Says(t, j.Refused(0, most, sizes), fmt.Sprintf("%d query samples", j.TestSize(sizes).M))
		}
	}
}

// TestTimely: a job is refused where its settings take more than ten times the limit on average, and not where they take ten times.
func TestTimely(t *testing.T) {
	size, refused := method.Size{N: 300, M: 200, D: 9, C: 2}, 0
	for _, j := range planOf(t, "quick").Jobs() {
		mean, settings := 0.0, j.Distinct()
		for _, i := range settings {
			_, each := j.Column.Method.Work(size, j.Inputs.Settings[i].Params)
			mean += each / float64(len(settings))
		}
		tenth := time.Duration(mean / 10)
		fixture.Check(t, j.Refused(0, method.Budget{Time: tenth + 1}, Sizes{Test: size}))
		if tenth > 1 {
			refused++
			fixture.Says(t, j.Refused(0, method.Budget{Time: tenth - 1}, Sizes{Test: size}), "by estimate")
		}
	}
	if refused < 10 {
		t.Errorf("%d jobs take time", refused)
	}
}

// TestOf: only the plan of the paper's table is of it, as a whole or narrowed, and not
// that of a spec of the same name.
func TestOf(t *testing.T) {
	shipped := fixture.Must(experiments.Specs.ReadFile("accuracy.yaml"))(t)
	edited := func(old, replacement string) string {
		text := strings.Replace(string(shipped), old, replacement, 1)
		if text == string(shipped) {
			t.Fatalf("the spec has no %q", old)
		}
		return text
	}
	shippedPlan := planOf(t, "accuracy")
	for _, c := range []struct {
		name, text string
		sets       []string
		want       bool
	}{
		{"as shipped", string(shipped), nil, true},
		{"narrowed", string(shipped), []string{"M", "P"}, true},
		{"another name", edited("name: accuracy", "name: mine"), nil, false},
		{"other data sets", edited("datasets: all", "datasets: [K, M]"), nil, false},
		{"another grid", edited("gamma: [1e-4,", "gamma: [1e-5,"), nil, false},
		{"another k", edited("neighbors: 5", "neighbors: 3"), nil, false},
		{"one column more", edited("methods:\n", "methods:\n  - {method: euclidean, name: twin}\n"), nil, false},
		{"only the name", "name: accuracy\ndatasets: [M]\nmethods: [{method: nca}]\n", nil, false},
	} {
		s := fixture.Must(spec.Parse("accuracy.yaml", []byte(c.text)))(t)
		fixture.Check(t, s.Narrow(c.sets, nil))
		fixture.Equal(t, c.name, fixture.Must(New(t.Context(), s, Catalogue()))(t).Of(shippedPlan), c.want)
	}
}

// TestSourceForgetsSplits: of many splits the last are kept, with those that a
// caller added; one that is asked for again is the same.
func TestSourceForgetsSplits(t *testing.T) {
	e := fixture.Must(datasets.Find("overlap30"))(t)
	s := NewSource(t.TempDir())
	mine := &datasets.Split{Digest: "mine"}
	s.Splits["mat:mine authors"] = func() (*datasets.Split, error) { return mine, nil }
	rule := func(repeat int) datasets.Rule {
		return datasets.Rule{Kind: "random", Seed: uint64(repeat), PCAFit: "all"}
	}
	first := fixture.Must(s.Split(e, rule(1)))(t)
	for repeat := range 3 * keptSplits {
		fixture.Must(s.Split(e, rule(repeat)))(t)
	}
	if n := len(s.Splits); n != keptSplits+1 || s.Splits["mat:mine authors"] == nil {
		t.Errorf("%d splits are kept, want %d and the one that was added", n, keptSplits)
	}
	if again := fixture.Must(s.Split(e, rule(1)))(t); again.Digest != first.Digest || again == first {
		t.Errorf("the first split again: digest %s, want %s, made anew", again.Digest, first.Digest)
	}
}

// The folds of own data are checked one by one, which ends with the context.
func TestOwnDataStopWithTheContext(t *testing.T) {
	dir := t.TempDir()
	fixture.Write(t, filepath.Join(dir, "own.csv"), "a,part,class\n1,1,x\n2,1,y\n3,2,x\n4,2,y\n5,3,x\n6,3,y\n")
	s := fixture.Must(spec.Load(fixture.Write(t, filepath.Join(dir, "own.yaml"),
		"name: own\ndatasets: [{id: own, file: ./own.csv, label: class, fold: part}]\nmethods: [{method: euclidean}]\n")))(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, faults := NewSource(t.TempDir()).AllKnown(ctx, s); !errors.Is(errors.Join(faults...), context.Canceled) {
		t.Errorf("%v, want the error of the context", faults)
	}
	if entries, err := NewSource(t.TempDir()).AllKnown(context.Background(), s); err != nil || len(entries) != 1 || entries[0].Folds() != 3 {
		t.Errorf("%+v, %v, want one entry of 3 folds", entries, err)
	}
}
