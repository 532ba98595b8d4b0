package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"r2lmlbench/experiments"
	"r2lmlbench/internal/fixture"
)

// flowers has 30 rows of two classes, with an id and a missing value.
func flowers() string {
	var b strings.Builder
	b.WriteString("id,length,width,species\n")
	for i := range 30 {
		width := []string{"0.2", "0.3", "0.4", "0.6", "?"}[i%5]
		if i != 4 && width == "?" {
			width = "0.7"
		}
		length := []string{"1.5", "4.7"}[i%2]
		b.WriteString(strings.Join([]string{"n" + string(rune('A'+i)), length, width, []string{"red", "blue"}[i%2]}, ",") + "\n")
	}
	return b.String()
}

const flowerSpec = `
name: flowers
datasets: {id: flowers, file: flowers.csv, label: species, drop: [id], impute: mean}
split: {rule: random, train: 0.4, validation: 0.2, repeats: 3, seed: 1}
methods:
  - method: euclidean
    datasets: {flowers: {feature-scale: 2}}
  - method: glml
`

// TestIris: the example runs from an empty directory, and a second run computes nothing.
func TestIris(t *testing.T) {
	t.Chdir(t.TempDir())
	code, stdout, stderr := command(t, "run", "iris")
	if code != 0 || !strings.Contains(stderr, "computed 100 cells") || !strings.Contains(stdout, "iris") {
		t.Fatalf("exit code %d\n%s%s", code, stdout, stderr)
	}
	if code, again, stderr := command(t, "run", "iris"); code != 0 || again != stdout || strings.Contains(stderr, "computed") {
		t.Errorf("the second run: exit code %d\n%s", code, stderr)
	}
	b, err := experiments.Specs.ReadFile("iris.csv")
	if err != nil {
		t.Fatal(err)
	}
	text, err := experiments.Specs.ReadFile("iris.yaml")
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, ".", "iris.csv", string(b))
	mine := writeFile(t, ".", "mine.yaml", strings.Replace(string(text), "name: iris", "name: mine", 1))
	if code, _, stderr := command(t, "run", mine); code != 0 || strings.Contains(stderr, "computed") {
		t.Errorf("the same data and methods in a spec of one's own have other cells: exit code %d\n%s", code, stderr)
	}
}

// TestOwnData: data beside a spec make a table; their content, and what is imputed, are
// in the keys of their cells.
func TestOwnData(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(t.TempDir())
	spec := writeFile(t, dir, "flowers.yaml", flowerSpec)
	writeFile(t, dir, "flowers.csv", flowers())
	code, stdout, stderr := command(t, "run", spec)
	if code != 0 || !strings.Contains(stderr, "computed 6 cells") || !strings.Contains(stdout, "1 value is missing") {
		t.Fatalf("exit code %d\n%s%s", code, stdout, stderr)
	}
	missing := func() int {
		t.Helper()
		code, stdout, stderr := command(t, "plan", spec, "--format", "json")
		if code != 0 {
			t.Fatalf("exit code %d\n%s", code, stderr)
		}
		return len(regexp.MustCompile(`"(miss|failed)"`).FindAllString(stdout, -1))
	}
	if n := missing(); n != 0 {
		t.Errorf("%d cells are missing after the run", n)
	}
	writeFile(t, dir, "flowers.yaml", strings.Replace(flowerSpec, "mean", "median", 1))
	if n := missing(); n != 6 {
		t.Errorf("%d cells are missing under another value to impute, want 6", n)
	}
	writeFile(t, dir, "flowers.yaml", flowerSpec)
	writeFile(t, dir, "flowers.csv", strings.Replace(flowers(), "1.5", "1.6", 1))
	if n := missing(); n != 6 {
		t.Errorf("%d cells are missing for other data, want 6", n)
	}
	writeFile(t, dir, "flowers.csv", strings.ReplaceAll(flowers(), ",", ";"))
	if n := missing(); n != 0 {
		t.Errorf("%d cells are missing for the same data in another form", n)
	}
}

// TestFaultyOwnData: all faults of all files are told with their places, the exit code
// is that of data, and nothing is stored.
func TestFaultyOwnData(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(t.TempDir())
	writeFile(t, dir, "a.csv", "x,class\n1,u\nnan,u\n3,v\n4,v\n")
	writeFile(t, dir, "b.csv", "x,class\n1,u\n2,u\n")
	spec := writeFile(t, dir, "bad.yaml", `
name: bad
datasets:
  - {id: nans, file: a.csv, label: last}
  - {id: one, file: b.csv, label: last}
  - {id: gone, file: gone.csv, label: last}
methods: [{method: euclidean}]
`)
	for _, verb := range []string{"run", "plan", "table", "report"} {
		code, stdout, stderr := command(t, verb, spec)
		for _, want := range []string{`a.csv:3:1: column "x" is missing ("nan")`, "b.csv: all 2 rows", "gone.csv: file missing"} {
			if !strings.Contains(stderr, want) {
				t.Errorf("%s does not say %q:\n%s", verb, want, stderr)
			}
		}
		if code != 4 || stdout != "" {
			t.Errorf("%s: exit code %d, want 4\n%s", verb, code, stdout)
		}
	}
	if left, _ := filepath.Glob("*"); len(left) > 0 {
		t.Errorf("%v is left", left)
	}
	writeFile(t, dir, "a.csv", "x,class\n"+strings.Repeat("1,u\n2,v\n", 2))
	few := writeFile(t, dir, "few.yaml", `
name: few
datasets: {id: nans, file: a.csv, label: last}
split: {rule: cv, folds: 5}
methods: [{method: euclidean}]
`)
	if code, _, stderr := command(t, "run", few); code != 3 || !strings.Contains(stderr, "2 rows for 5 folds") {
		t.Errorf("exit code %d, want 3\n%s", code, stderr)
	}
	if left, _ := filepath.Glob("*"); len(left) > 0 {
		t.Errorf("%v is left", left)
	}
}

// TestDataShowFiles: what `data show` prints of a file is in the file, and the stanza
// that it proposes runs.
func TestDataShowFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	file := writeFile(t, ".", "flowers.csv", flowers())
	code, stdout, stderr := command(t, "data", "show", file, "--format", "json")
	var shown struct{ Files []shownOwn }
	if err := json.Unmarshal([]byte(stdout), &shown); code != 0 || err != nil || len(shown.Files) != 1 {
		t.Fatalf("exit code %d, %v\n%s%s", code, err, stdout, stderr)
	}
	s := shown.Files[0]
	if s.Rows != 30 || s.Features != 2 || s.Missing != 1 || len(s.Labels) != 2 || s.Labels[0] != "red" || s.Histogram[1] != 15 || s.Equal != 19 {
		t.Errorf("%+v", s)
	}
	if !strings.Contains(s.Stanza, "label: species, drop: [id], impute: mean, sha256: ") {
		t.Errorf("stanza %s", s.Stanza)
	}
	spec := writeFile(t, ".", "pasted.yaml", "name: pasted\ndatasets:\n  - "+s.Stanza+"\nmethods:\n  - method: euclidean\n")
	if code, _, stderr := command(t, "run", spec); code != 0 || !strings.Contains(stderr, "computed 1 cell") {
		t.Errorf("exit code %d\n%s", code, stderr)
	}
	writeFile(t, ".", "flowers.csv", flowers()+"x,1,2,red\n")
	if code, _, stderr := command(t, "run", spec); code != 4 || !strings.Contains(stderr, "its sha256 is") {
		t.Errorf("exit code %d for other content\n%s", code, stderr)
	}
	bad := writeFile(t, ".", "bad.csv", "x,class\n1,u\n")
	code, stdout, stderr = command(t, "data", "show", file, bad)
	if code != 4 || !strings.Contains(stdout, "class 1") || !strings.Contains(stderr, "bad.csv:2:1: ") {
		t.Errorf("exit code %d for a good and a bad file\n%s%s", code, stdout, stderr)
	}
	if code, _, stderr := command(t, "data", "show", file, "--stanza", "{labl: 1}"); code == 0 || !strings.Contains(stderr, `did you mean "label"`) {
		t.Errorf("exit code %d\n%s", code, stderr)
	}
}

// TestDataImportOwn: imported data are listed with their facts and run as own:NAME; the
// same may be imported again, others under the name are refused.
func TestDataImportOwn(t *testing.T) {
	t.Chdir(t.TempDir())
	file := writeFile(t, ".", "flowers.csv", flowers())
	args := []string{"data", "import", file, "--id", "mine", "--data", "data", "--stanza", "{label: species, drop: [id], drop-rows: true}"}
	code, stdout, stderr := command(t, args...)
	if code != 0 || stdout != "own:mine: 29 rows, 2 features, 2 classes\n" || !strings.Contains(stderr, "drop-rows: true") {
		t.Fatalf("exit code %d\n%s%s", code, stdout, stderr)
	}
	if code, _, stderr := command(t, args...); code != 0 {
		t.Errorf("the same again: exit code %d\n%s", code, stderr)
	}
	code, stdout, _ = command(t, "data", "list", "--format", "json", "--data", "data")
	var list struct{ Datasets []listedSet }
	if err := json.Unmarshal([]byte(stdout), &list); code != 0 || err != nil {
		t.Fatal(code, err)
	}
	last := list.Datasets[len(list.Datasets)-1]
	if last.ID != "own:mine" || last.Rows != 29 || last.Features != 2 || last.Classes != 2 || last.State != "imported" {
		t.Errorf("%+v", last)
	}
	if code, stdout, _ := command(t, "data", "show", "own:mine", "--data", "data"); code != 0 || !strings.Contains(stdout, "red, 14 rows") {
		t.Errorf("exit code %d\n%s", code, stdout)
	}
	spec := writeFile(t, ".", "s.yaml", "name: s\ndatasets: [own:mine]\nmethods:\n  - method: euclidean\n")
	if code, _, stderr := command(t, "run", spec, "--data", "data"); code != 0 || !strings.Contains(stderr, "computed 1 cell") {
		t.Errorf("exit code %d\n%s", code, stderr)
	}
	if code, _, stderr := command(t, "run", spec, "--data", "nowhere"); code != 4 || !strings.Contains(stderr, "data import FILE --id mine") {
		t.Errorf("exit code %d without the data\n%s", code, stderr)
	}
	writeFile(t, ".", "flowers.csv", strings.Replace(flowers(), "1.5", "1.6", 1))
	if code, _, stderr := command(t, args...); code != 4 || !strings.Contains(stderr, "holds other data") {
		t.Errorf("other data: exit code %d\n%s", code, stderr)
	}
	writeFile(t, ".", "bad.csv", "x,class\n1,u\n")
	if code, _, _ := command(t, "data", "import", "bad.csv", "--data", "data"); code != 4 {
		t.Errorf("a faulty file: exit code %d", code)
	}
	kept, err := os.ReadDir(filepath.Join("data", "imported"))
	if err != nil || len(kept) != 2 {
		t.Errorf("%d files are kept, %v; want the data and how they are read", len(kept), err)
	}
}

// TestImportedSplitFacts: a split in the authors' form is listed, shown and tabled with
// the rows, features and classes that Table 1 has of robot.
func TestImportedSplitFacts(t *testing.T) {
	file := fixture.Collected(t, "datasets", "author-splits", "robot.mat")
	t.Chdir(t.TempDir())
	if code, stdout, stderr := command(t, "data", "import", file, "--data", "data"); code != 0 || !strings.Contains(stdout, "mat:robot: 240 training") {
		t.Fatalf("exit code %d\n%s%s", code, stdout, stderr)
	}
	code, stdout, _ := command(t, "data", "list", "--format", "json", "--data", "data")
	var list struct{ Datasets []listedSet }
	if err := json.Unmarshal([]byte(stdout), &list); code != 0 || err != nil {
		t.Fatal(code, err)
	}
	last := list.Datasets[len(list.Datasets)-1]
	if last.ID != "mat:robot" || last.Rows != 240+240+4976 || last.Features != 4 || last.Classes != 4 {
		t.Errorf("%+v", last)
	}
	if code, stdout, _ := command(t, "data", "show", "mat:robot", "--data", "data"); code != 0 || !strings.Contains(stdout, "class 4") {
		t.Errorf("exit code %d\n%s", code, stdout)
	}
	spec := writeFile(t, ".", "s.yaml", "name: s\ndatasets: [mat:robot]\nmethods:\n  - method: euclidean\n")
	code, stdout, stderr := command(t, "run", spec, "--data", "data")
	if code != 0 || !strings.Contains(stdout, "4976") {
		t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
	}
	code, stdout, stderr = command(t, "explain", "mat:robot/euclidean", "--spec", spec, "--data", "data", "--results", "results/runs")
	if code != 0 || !strings.Contains(stdout, "5456") {
		t.Errorf("explain: exit code %d\n%s%s", code, stdout, stderr)
	}
}

// TestLabelsAlike: labels that may mean the same are told by validate and run.
func TestLabelsAlike(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(t.TempDir())
	file := writeFile(t, dir, "alike.yaml", "name: alike\ndatasets: {id: alike, file: ./alike.csv, label: class}\n"+
		"split: {rule: random, train: 0.5, seed: 1}\nmethods: [{method: euclidean}]\n")
	writeFile(t, dir, "alike.csv", "x,class\n"+strings.Repeat("0.5,1\n1.5,2\n2.5,1.0\n3.5,2\n", 4))
	for _, verb := range []string{"validate", "run"} {
		code, _, stderr := command(t, verb, file)
		if code != 0 || !strings.Contains(stderr, `"1" (4 rows), "1.0" (4 rows)`) {
			t.Errorf("%s: exit code %d\n%s", verb, code, stderr)
		}
	}
}

// TestOneHotRun: a column of texts is learned from when the stanza says so.
func TestOneHotRun(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(t.TempDir())
	file := writeFile(t, dir, "hot.yaml", "name: hot\ndatasets: {id: hot, file: ./hot.csv, label: class, encode: onehot, decimal: \",\"}\n"+
		"split: {rule: random, train: 0.5, seed: 1}\nmethods: [{method: euclidean}]\n")
	writeFile(t, dir, "hot.csv", "color;x;class\n"+strings.Repeat("red;0,5;a\nblue;0,5;b\n", 10))
	code, stdout, stderr := command(t, "run", file)
	if code != 0 || !strings.Contains(stdout, "100.00") {
		t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
	}
}
