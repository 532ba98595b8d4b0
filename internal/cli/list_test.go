package cli

import (
	"encoding/csv"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"r2lmlbench/datasets"
	"r2lmlbench/experiments"
	"r2lmlbench/experiments/registry"
	"r2lmlbench/results/study"
)

// list names everything that a spec may name, each with a word about it.
func TestList(t *testing.T) {
	data := t.TempDir()
	counts := map[string]int{
		"spec": len(experiments.Names()), "dataset": len(datasets.All()), "method": len(registry.Methods), "measure": len(study.Measures),
	}
	code, stdout, stderr := command(t, "list", "--data", data, "--format", "json")
	var got struct {
		Schema int
		Names  []listedName
	}
	if err := json.Unmarshal([]byte(stdout), &got); err != nil || code != exitOK || stderr != "" || got.Schema != 1 {
		t.Fatalf("exit code %d, %v\n%s", code, err, stderr)
	}
	for _, n := range got.Names {
		counts[n.Kind]--
		if n.ID == "" || n.About == "" || strings.Contains(n.About, "\n") {
			t.Errorf("%+v", n)
		}
	}
	for kind, rest := range counts {
		if rest != 0 {
			t.Errorf("%s: %d names are not listed", kind, rest)
		}
	}
	_, stdout, _ = command(t, "list", "measures", "--format", "csv")
	lines, err := csv.NewReader(strings.NewReader(stdout)).ReadAll()
	if err != nil || len(lines) != 1+len(study.Measures) || !slices.Equal(lines[0], []string{"kind", "id", "name", "about"}) {
		t.Errorf("%v\n%s", err, stdout)
	}
	if code, _, stderr := command(t, "list", "method"); code != exitUsage || !strings.Contains(stderr, "specs, datasets, methods or measures") {
		t.Errorf("exit code %d\n%s", code, stderr)
	}
}

// validate warns and is content; with --quiet it only is content.
func TestValidateWarns(t *testing.T) {
	file := writeFile(t, t.TempDir(), "k.yaml", "name: k\ndatasets: [sonar]\nneighbors: 500\nmethods: [{method: euclidean}]\n")
	code, stdout, stderr := command(t, "validate", file)
	if code != exitOK || !strings.Contains(stdout, "k is valid") || !strings.HasPrefix(stderr, "warning: ") ||
		!strings.Contains(stderr, "k.yaml:3:12: ") {
		t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
	}
	if code, _, stderr := command(t, "validate", file, "--quiet"); code != exitOK || stderr != "" {
		t.Errorf("exit code %d\n%s", code, stderr)
	}
	writeFile(t, filepath.Dir(file), "own.csv", "a,b,class\n1,2,x\n3,1,y\n2,2,x\n4,1,y\n5,9,x\n6,7,y\n")
	own := writeFile(t, filepath.Dir(file), "own.yaml", "name: own\ndatasets: [{id: own, file: ./own.csv, label: class}]\n"+
		"split: {rule: random, train: 0.34}\nneighbors: 500\nmethods: [{method: euclidean}]\n")
	const want = "own.yaml:4:12: neighbors is 500, more than the training samples of own (2)"
	if code, _, stderr := command(t, "validate", own); code != exitOK || !strings.Contains(stderr, want) {
		t.Errorf("own data: exit code %d\n%s", code, stderr)
	}
	for _, c := range []struct {
		name, csv, split string
		code             int
		want             string
	}{
		{"too few rows", "a,b,class\n1,2,x\n3,1,y\n2,2,x\n4,4,y\n", "{rule: cv, folds: 5}", exitSpec, "bad cannot be divided by"},
		{"no such column", "a,b,kind\n1,2,x\n3,1,y\n2,2,x\n4,5,y\n", "{rule: random, train: 0.5}", exitData, "class"},
		{"no file", "", "{rule: random, train: 0.5}", exitOK, "warning: "},
	} {
		dir := t.TempDir()
		if c.csv != "" {
			writeFile(t, dir, "bad.csv", c.csv)
		}
		bad := writeFile(t, dir, "bad.yaml", "name: bad\ndatasets: [{id: bad, file: ./bad.csv, label: class}]\nsplit: "+c.split+"\nmethods: [{method: euclidean}]\n")
		if code, _, stderr := command(t, "validate", bad); code != c.code || !strings.Contains(stderr, c.want) {
			t.Errorf("%s: exit code %d, want %d\n%s", c.name, code, c.code, stderr)
		}
	}
	if _, _, stderr := command(t, "validate", "accuracy"); !strings.Contains(stderr, "warning: accuracy.yaml:6:12: ") {
		t.Errorf("%s", stderr)
	}
}
