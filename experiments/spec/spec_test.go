package spec_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"gopkg.in/yaml.v3"

	"r2lmlbench/datasets"
	"r2lmlbench/experiments"
	"r2lmlbench/experiments/plan"
	. "r2lmlbench/experiments/spec"
	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/testkit"
	"r2lmlbench/r2lml"
)

// compiledSchema is the schema that the program prints, compiled by another
// library than the one that made it.
func compiledSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	b := fixture.Must(json.Marshal(Schema()))(t)
	doc := fixture.Must(jsonschema.UnmarshalJSON(bytes.NewReader(b)))(t)
	c := jsonschema.NewCompiler()
	fixture.Check(t, c.AddResource("spec.json", doc))
	return c.MustCompile("spec.json")
}

// jsonValue converts YAML to the values that a JSON document would have.
func jsonValue(t *testing.T, b []byte) any {
	t.Helper()
	var v any
	fixture.Check(t, yaml.Unmarshal(b, &v))
	j := fixture.Must(json.Marshal(v))(t)
	return fixture.Must(jsonschema.UnmarshalJSON(bytes.NewReader(j)))(t)
}

func TestEmbeddedSpecs(t *testing.T) {
	schema := compiledSchema(t)
	for _, name := range experiments.Names() {
		t.Run(name, func(t *testing.T) {
			spec := fixture.Must(Load(name))(t)
			fixture.Equal(t, "name", spec.Name, name)
			b := fixture.Must(experiments.Specs.ReadFile(name + ".yaml"))(t)
			fixture.Check(t, schema.Validate(jsonValue(t, b)))
		})
	}
	fixture.Check(t, schema.Validate(jsonValue(t, []byte(fixture.Text(t, "../external/knn.yaml"))))) // a spec of our own beside them
}

// TestBadSpecs runs every spec of testdata/bad; its errors stand in the golden
// file beside it. The schema refuses those whose faults it can express.
func TestBadSpecs(t *testing.T) {
	files, err := filepath.Glob("testdata/bad/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no bad specs (%v)", err)
	}
	schema := compiledSchema(t)
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			b := fixture.Must(os.ReadFile(file))(t)
			_, err = Parse(filepath.Base(file), b)
			if err == nil {
				t.Fatal("no error")
			}
			fixture.Golden(t, strings.TrimSuffix(file, ".yaml")+".golden", []byte(err.Error()+"\n"))
			if strings.HasPrefix(filepath.Base(file), "schema-") && schema.Validate(jsonValue(t, b)) == nil {
				t.Error("the JSON Schema accepts it")
			}
		})
	}
}

// A sweep makes a column of every value of its cross product, the first
// parameter varying slowest; its grid is searched within each column, the first
// key slowest, values in file order, restarts innermost.
func TestSweep(t *testing.T) {
	spec := testkit.Parse(t, `
name: sweep
datasets: [robot, heart]
seeds: 2
methods:
  - method: e-r2lml
    seeds: 5
    params: {epochs: 3}
    datasets: {robot: {step: 1e-5}, heart: {step: 1e-8}}
    sweep: {variant: [reference, published], metrics: [1, 2]}
    grid: {lambda: [1, 0.1], c: [2, 1]}
    restarts: 2
  - method: itml
`)
	var ids []string
	for _, c := range spec.Columns {
		ids = append(ids, c.ID)
	}
	fixture.EqualSlice(t, "columns", ids, []string{
		"e-r2lml:variant=reference:metrics=1", "e-r2lml:variant=reference:metrics=2",
		"e-r2lml:variant=published:metrics=1", "e-r2lml:variant=published:metrics=2", "itml",
	})
	c := spec.Columns[3]
	fixture.Same(t, "swept values", c.SweptValues(), map[string]string{"variant": "published", "metrics": "2"})
	var order []any
	for i, point := range c.Grid("heart") {
		p := point.Params
		if p["variant"] != "published" || p["metrics"] != 2 || p["step"] != 1e-8 || p["epochs"] != 3 {
			t.Errorf("point %d is %v", i, p)
		}
		order = append(order, []any{p["lambda"], p["c"], point.Restart})
	}
	fixture.Equal(t, "points", fmt.Sprint(order), "[[1 2 0] [1 2 1] [1 1 0] [1 1 1] [0.1 2 0] [0.1 2 1] [0.1 1 0] [0.1 1 1]]")
	fixture.Equal(t, "seeds of the stanza", c.SeedsOf("heart"), 5)
	fixture.Equal(t, "seeds of the spec", spec.Columns[4].SeedsOf("heart"), 2)
}

// firstJob is that of a spec of robot: what head adds to the spec, and one stanza.
func firstJob(t *testing.T, head, stanza string) plan.Job {
	t.Helper()
	s := testkit.Parse(t, "name: one\ndatasets: [robot]\n"+head+"methods: [{method: "+stanza+"}]\n")
	return testkit.PlanFor(t, s).Jobs()[0]
}

// What is computed is part of a cell's identity, and how a spec writes it is not.
func TestKeys(t *testing.T) {
	const zscore, joint = "features: zscore\n", "t-r2lml, params: {step: 1e-9}, unlabeled: joint"
	for _, c := range []struct {
		name          string
		head, stanza  string
		other, second string
		diff          string // "": the same cell
	}{
		{"a swept value", "", "e-r2lml, params: {step: 1e-5}, sweep: {metrics: [3]}", "", "e-r2lml, params: {step: 1e-5, metrics: 3}", ""},
		{"a measure", "", "euclidean", "measure: [triangle]\n", "euclidean", "measure:  -> triangle"},
		{"unlabeled by default", "", "t-r2lml, params: {step: 1e-9}", "", "t-r2lml, params: {step: 1e-9}, unlabeled: queries", ""},
		{"unlabeled joint", "", "t-r2lml, params: {step: 1e-9}", "", joint, "unlabeled:  -> joint"},
		{"raw features", "features: raw\n", "euclidean", "", "euclidean", ""},
		{"features", "", "euclidean", zscore, "euclidean", "features"},
		{"features of the spec", zscore, "euclidean", "", "euclidean, params: {features: zscore}", ""},
		{"features of a stanza", zscore, "euclidean, params: {features: unit}", "", "euclidean, params: {features: unit}", ""},
		{"features of a grid", zscore, "euclidean, grid: {features: [raw, minmax]}", "", "euclidean, grid: {features: [raw, minmax]}", ""},
		{"features of a data set", zscore, "euclidean, datasets: {robot: {features: raw}}", "", "euclidean", ""},
		{"scale 1", "", "itml, params: {gamma: 1}", "", "itml, params: {gamma: 1, feature-scale: 1.0}", ""},
		{"scale 2", "", "itml, params: {gamma: 1}", "", "itml, params: {gamma: 1, feature-scale: 2}", "feature-scale"},
	} {
		one, other := firstJob(t, c.head, c.stanza), firstJob(t, c.other, c.second)
		a, b := one.Inputs, other.Inputs
		diff := strings.Join(a.Diff(b), "; ")
		if (a.Key() == b.Key()) != (c.diff == "") || (diff == "") != (c.diff == "") || !strings.Contains(diff, c.diff) {
			t.Errorf("%s: they differ in %q, want %q", c.name, diff, c.diff)
		}
	}
	if !firstJob(t, "", joint).Joint() || firstJob(t, "", "t-r2lml, params: {step: 1e-9}").Joint() {
		t.Error("a job is joint or not against the word of its stanza")
	}
}

// Parameters of data drawn with one seed are not those of another.
func TestSeededSetsInSpec(t *testing.T) {
	c := testkit.Parse(t, `
name: seeds
datasets: [overlap30, overlap30:7, "overlap60-13:8"]
methods:
  - method: e-r2lml
    params: {step: 1e-6}
    datasets: {overlap30: {step: 1e-3}, overlap60-13:8: {step: 1e-4}}
`).Columns[0]
	for id, step := range map[string]r2lml.StepLength{"overlap30": 1e-3, "overlap30:7": 1e-6, "overlap60-13:8": 1e-4} {
		fixture.Equal(t, id+": step", c.Settings[id][0].Of.(r2lml.Efficient).Step, step)
	}
}

// TestLoadReadsNoMoreThanASpec: a file that is too long is not read to its end.
func TestLoadReadsNoMoreThanASpec(t *testing.T) {
	path := fixture.Write(t, filepath.Join(t.TempDir(), "huge.yaml"), "name: x\n")
	if err := os.Truncate(path, 1<<40); err != nil {
		t.Skipf("cannot be made here: %v", err)
	}
	fixture.Says(t, fixture.Error(Load(path)), "want at most 65536")
}

func FuzzParse(f *testing.F) {
	for _, name := range experiments.Names() {
		b := fixture.Must(experiments.Specs.ReadFile(name + ".yaml"))(f)
		f.Add(b)
	}
	for _, file := range fixture.Must(filepath.Glob("testdata/bad/*.yaml"))(f) {
		f.Add([]byte(fixture.Text(f, file)))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		spec, err := Parse("fuzz.yaml", b)
		if (spec == nil) != (err != nil) {
			t.Fatalf("spec %v with error %v", spec, err)
		}
		if err == nil && (len(spec.Sets) == 0 || len(spec.Columns) == 0) {
			t.Fatal("a valid spec without data sets or methods")
		}
	})
}

// The splits of a data set come repeat by repeat, and fold by fold within one, and each is
// a row of its own. Any rule divides a set of the catalogue, and the program and the schema
// read it alike.
func TestSplits(t *testing.T) {
	schema := compiledSchema(t)
	for _, c := range []struct {
		split string
		n     int
		last  datasets.Rule
	}{
		{"{rule: first, train: 20, validation: 0.1}", 1, datasets.Rule{Kind: "first", Train: 20, Validation: 0.1}},
		{"{rule: random, train: 0.3, validation: 0.2, repeats: 20, seed: 1}", 20,
			datasets.Rule{Kind: "random", Train: 0.3, Validation: 0.2, Seed: 1, Repeat: 20}},
		{"{rule: random, repeats: 2}", 2, datasets.Rule{Kind: "random", Repeat: 2}},
		{"{rule: cv}", 5, datasets.Rule{Kind: "cv", Folds: 5, Fold: 5, Validation: 0.2, Repeat: 1}},
		{"{rule: cv, folds: 3, repeats: 4, seed: 7, validation: 0}", 12, datasets.Rule{Kind: "cv", Folds: 3, Fold: 3, Seed: 7, Repeat: 4}},
	} {
		text := []byte("name: x\ndatasets: [overlap30]\nsplit: " + c.split + "\nmethods: [{method: euclidean}]\n")
		s := fixture.Must(Parse("x.yaml", text))(t)
		fixture.Check(t, schema.Validate(jsonValue(t, text)))
		seen := map[datasets.Rule]bool{}
		for i := 1; i <= s.Split.Splits(); i++ {
			seen[s.Split.RuleOf(s.Sets[0], i)] = true
		}
		c.last.PCAFit = "all"
		fixture.Same(t, c.split+": the last", s.Split.RuleOf(s.Sets[0], c.n), c.last)
		fixture.Equal(t, c.split+": splits", len(seen), c.n)
		rows, digests := testkit.PlanFor(t, s).Splits, map[string]bool{}
		for i, row := range rows {
			in := row.Jobs[0][0].Inputs
			digests[in.SplitDigest] = true
			if want := s.Split.RuleOf(s.Sets[0], i+1); row.Rule != want || in.Split != want.String() {
				t.Errorf("%s: row %d is divided by %s, want %v", c.split, i+1, in.Split, want)
			}
		}
		if len(rows) != c.n || len(digests) != c.n || digests[""] {
			t.Errorf("%s: the plan has %d rows with %d splits, want %d", c.split, len(rows), len(digests), c.n)
		}
	}
}

// Under rule files the parts are paths beside the spec, in the program as in the schema.
func TestFilesRule(t *testing.T) {
	text := []byte("name: x\ndatasets: {id: own, label: last}\nsplit: {rule: files, train: ./a.csv, test: /b.csv}\nmethods: [{method: euclidean}]\n")
	s := fixture.Must(Parse(filepath.Join("dir", "x.yaml"), text))(t)
	fixture.Check(t, compiledSchema(t).Validate(jsonValue(t, text)))
	fixture.Has(t, "own data", s.Sets[0].Identity(), fmt.Sprintf("%q", [3]string{filepath.Join("dir", "a.csv"), "", "/b.csv"}))
	fixture.Equal(t, "rule", s.Split.RuleOf(s.Sets[0], 1), datasets.Rule{Kind: "files", PCAFit: "all"})
	sized := strings.Replace(string(text), "test: /b.csv", "test: /b.csv, validation: 0.2", 1)
	fixture.Says(t, fixture.Error(Parse(filepath.Join("dir", "x.yaml"), []byte(sized))), "want the path of a file, got the number 0.2")
	for _, key := range []string{"sha256: '" + strings.Repeat("0", 64) + "'", "fold: part", "group: g"} {
		keyed := strings.Replace(string(text), "label: last", "label: last, "+key, 1)
		fixture.Says(t, fixture.Error(Parse(filepath.Join("dir", "x.yaml"), []byte(keyed))), "remove sha256, fold and group")
	}
	for _, id := range []string{"all", "sonar", "Glass", "a b"} { // has a meaning, or cannot be in a path
		fixture.Says(t, CheckID(id), id)
	}
}

// The validation rows that are advised for a grid leave test rows, and the fault of a word stands at the word.
func TestAdvisedValidation(t *testing.T) {
	parsed := func(keys string) error {
		_, err := Parse("x.yaml", []byte("name: x\ndatasets: [sonar]\n"+keys+"\n"))
		return err
	}
	for _, train := range []string{"0.3", "0.5", "0.75", "0.8", "0.9"} {
		split := "split: {rule: random, train: " + train + "%s}\nmethods: all"
		err := parsed(fmt.Sprintf(split, ""))
		fixture.Says(t, err, "x.yaml:4:10: a grid is chosen on validation samples")
		if strings.Contains(err.Error(), "add `validation: 0.2`") {
			fixture.Check(t, parsed(fmt.Sprintf(split, ", validation: 0.2")))
		}
	}
}

// A column of own data has the parts of one split, or a split for each of its values;
// rule fold is the default of data that name such a column.
func TestColumnRule(t *testing.T) {
	for _, c := range []struct {
		name, split, folds string
		rows               int
		last               datasets.Rule
		fault              string
	}{
		{"folds", "split: {rule: fold}", "a b c", 3, datasets.Rule{Kind: "fold", Folds: 3, Fold: 3, Validation: 0.2, PCAFit: "all"}, ""},
		{"default", "", "a b c", 3, datasets.Rule{Kind: "fold", Folds: 3, Fold: 3, Validation: 0.2, PCAFit: "all"}, ""},
		{"counts", "split: {rule: fold, validation: 1}", "1 2", 2, datasets.Rule{Kind: "fold", Folds: 2, Fold: 2, Validation: 1, PCAFit: "all"}, ""},
		{"parts", "split: {rule: fold}", "train validation test", 1, datasets.Rule{Kind: "fold", PCAFit: "all"}, ""},
		{"no validation", "split: {rule: fold}", "train test", 0, datasets.Rule{}, "it has no validation rows, which a grid is chosen on"},
		{"one fold", "split: {rule: fold}", "a", 0, datasets.Rule{}, "cannot be divided by `rule: fold, validation: 0.2`: the column of folds has \"a\" alone"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			text := "x,class,part\n"
			folds := strings.Fields(c.folds)
			for i := range 24 {
				text += fmt.Sprintf("%d,%c,%s\n", i, "AB"[i%2], folds[i/2%len(folds)])
			}
			spec := "name: x\ndatasets: {id: own, file: own.csv, label: class, fold: part}\n" + c.split +
				"\nmethods: [{method: itml, grid: {gamma: [1, 2]}}]\n"
			fixture.Write(t, filepath.Join(dir, "own.csv"), text)
			s := fixture.Must(Load(fixture.Write(t, filepath.Join(dir, "x.yaml"), spec)))(t)
			p, err := plan.New(t.Context(), s, plan.NewSource(dir))
			if c.fault != "" {
				fixture.Says(t, err, c.fault)
				fixture.Equal(t, "is a fault of the spec", errors.Is(err, ErrSpec), true)
				return
			}
			fixture.Check(t, err)
			fixture.Equal(t, "rows", len(p.Splits), c.rows)
			fixture.Equal(t, "the last", p.Splits[len(p.Splits)-1].Rule, c.last)
		})
	}
}

// Sonar has 20 training samples in each of 2 classes, robot 60 in each of 4, glass 3 in
// each of 6; sonar has 60 features.
func TestWarnings(t *testing.T) {
	asIs := func(e datasets.DataSet) datasets.DataSet { return e } // no more is known of a set than in the catalogue
	const two = "methods: [{method: euclidean}, {method: rca}]\n"
	for _, c := range []struct{ name, text, want string }{
		{"all vote", "datasets: [sonar, robot]\nneighbors: 500\n" + two,
			"w.yaml:3:12: neighbors is 500, more than the training samples of sonar (40), robot (240)"},
		{"a class", "datasets: [sonar, robot]\nneighbors: 21\n" + two,
			"w.yaml:3:12: neighbors is 21, but a class has fewer training samples on sonar (class "},
		{"the default", "datasets: [glass]\n" + two, "w.yaml:1:1: neighbors is 5, but a class has fewer training samples on glass (class "},
		{"just enough", "datasets: [sonar]\nneighbors: 20\n" + two, ""},
		{"random splits", "datasets: [sonar]\nsplit: {rule: random, repeats: 3}\nneighbors: 41\n" + two, "w.yaml:4:12: neighbors is 41"},
		{"sizes of the rule", "datasets: [sonar]\nsplit: {rule: first, train: 30, validation: 20}\nneighbors: 61\n" + two,
			"w.yaml:4:12: neighbors is 61, more than the training samples of sonar (60)"},
		{"one row", "datasets: [sonar]\nsplit: {rule: first, train: 1, validation: 20}\nneighbors: 1\n" + two,
			"w.yaml:3:29: train is 1, so that one row of each class trains; shares are below 1"},
		{"unknown sizes", "datasets: ['mat:mine']\nneighbors: 500\n" + two, ""},
		{"target neighbors", "datasets: [sonar]\nmethods:\n- {method: lmnn, params: {neighbors: 20}}\n",
			"w.yaml:4: neighbors of lmnn is 20, but in the smallest class a training sample has fewer others of its class on sonar (19)"},
		{"too many metrics", "datasets: [sonar]\nmethods:\n- {method: e-r2lml, params: {metrics: 41, step: 1}}\n",
			"w.yaml:4: metrics of e-r2lml is 41, more than the training samples on sonar (40)"},
		{"a sensible point", "datasets: [sonar]\nmethods:\n- {method: e-r2lml, params: {step: 1}, grid: {metrics: [1, 41]}}\n", ""},
		{"ranks", "datasets: [sonar]\nmethods:\n- {method: dmlmj, grid: {rank: [61, 70]}}\n", "w.yaml:4: rank of dmlmj is 61, more than the features on sonar (60)"},
		{"seeds", "datasets: [sonar]\nseeds: 3\n" + two, "w.yaml:3:8: seeds is 3, and none of the methods draws random numbers"},
		{"k of a grid", "datasets: [sonar]\nmethods:\n- {method: euclidean, grid: {k: [1, 41]}}\n",
			"w.yaml:4: k of euclidean is 41, more than the training samples of sonar (40)"},
		{"k of a stanza", "datasets: [sonar]\nmethods:\n- {method: euclidean}\n- {method: rca, params: {k: 21}}\n",
			"w.yaml:5: k of rca is 21, but a class has fewer training samples on sonar (class "},
		{"nothing to choose", "datasets: [sonar]\nselect: kappa\n" + two, "w.yaml:3:9: select chooses among the settings of grids, and no method has a grid"},
		{"something to choose", "datasets: [sonar]\nselect: kappa\nmethods:\n- {method: euclidean}\n- {method: rca, grid: {k: [1, 3]}}\n", ""},
		{"folds", "datasets:\n- {id: own, file: ./own.csv, label: last, fold: part}\n" + two, ""},
		{"four test samples", "datasets: [toy]\nneighbors: 1\n" + two, "no two of 2 columns can differ significantly on the test samples of toy (4)"},
		{"untuned beside tuned", "datasets: [sonar]\nmethods:\n- {method: itml}\n- {method: kissme, grid: default}\n", "w.yaml:4: itml is not tuned"},
		{"none is tuned", "datasets: [sonar]\nmethods: [{method: itml}, {method: kissme}]\n", ""},
		{"nothing to tune", "datasets: [sonar]\nmethods: [{method: euclidean}, {method: lmnn}, {method: kissme, grid: default}]\n", ""},
		{"swept", "datasets: [sonar]\nmethods: [{method: itml, sweep: {gamma: [1, 10]}}, {method: kissme, grid: default}]\n", ""},
		{"scaled", "datasets: [sonar]\nmethods: [{method: itml, grid: {features: [raw, zscore]}}, {method: kissme, grid: default}]\n", ""},
	} {
		var got []string // as validate shows them
		for _, w := range fixture.Must(Parse("w.yaml", []byte("name: w\n"+c.text)))(t).Warnings("w.yaml", asIs) {
			got = append(got, w.Error())
		}
		if c.want == "" && len(got) > 0 || c.want != "" && (len(got) != 1 || !strings.Contains(got[0], c.want)) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// A column has the printed numbers of its method, whatever it is called.
func TestPrintedColumn(t *testing.T) {
	s := testkit.Parse(t, "name: x\npublished: accuracy\ndatasets: [heart]\nmethods:\n"+
		"  - {method: rca, name: lmnn}\n  - {method: lmnn, name: itml}\n  - {method: itml, name: own}\n")
	for i, want := range []string{"", "lmnn", "itml"} {
		got := s.Published.Column(&s.Columns[i])
		if (got == nil) != (want == "") || got != nil && got.Method.ID != want {
			t.Errorf("column %s of %s has the numbers of %+v", s.Columns[i].ID, s.Columns[i].Method.ID, got)
		}
	}
}

// A name with the other ending leads to the file that is there.
func TestOtherEnding(t *testing.T) {
	for there, asked := range map[string]string{"a.yml": "a.yaml", "b.yaml": "b.yml"} {
		dir := t.TempDir()
		fixture.Write(t, filepath.Join(dir, there), "name: x\n")
		fixture.Says(t, fixture.Error(Load(filepath.Join(dir, asked))), "did you mean "+filepath.Join(dir, there)+"?")
	}
}

// The split of a spec is of the components that the spec asks for, where a data set has any.
func TestStandardizedSplits(t *testing.T) {
	for pca, want := range map[string]bool{"centered": false, "standardized": true} {
		s := testkit.Parse(t, "name: x\ndatasets: [optdigits, heart]\npca: "+pca+"\nmethods: [{method: rca}]\n")
		for i, of := range []bool{want, false} {
			fixture.Equal(t, pca+" "+s.Sets[i].ID, s.Split.RuleOf(s.Sets[i], 1).Standardized, of)
		}
	}
}
