package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// imports is a spec of Euclidean and of two columns of imported predictions.
const imports = `
name: imports
datasets: [twonorm-gen]
seeds: 2
methods:
  - method: euclidean
  - method: imported
    name: all-one
    params: {name: one}
  - method: imported
    name: absent
    params: {name: none}
`

// Two Norm has 1950 test samples of class 1, then as many of class 2.
var allOne, perfect = strings.Repeat("1\n", 3900), "label\n" + strings.Repeat("1\n", 1950) + strings.Repeat("2\n", 1950)

func TestImport(t *testing.T) {
	dir := t.TempDir()
	spec := writeFile(t, dir, "imports.yaml", imports)
	one := writeFile(t, dir, "one.csv", allOne)
	store := filepath.Join(dir, "results")
	code, stdout, stderr := command(t, "import", one, "--dataset", "twonorm-gen", "--note", "all of class 1", "--results", store)
	if code != 0 || !strings.Contains(stdout, "twonorm-gen, authors, seed 1: one, 1950 of 3900 right, in "+store) {
		t.Fatalf("exit code %d\n%s%s", code, stdout, stderr)
	}
	code, stdout, stderr = command(t, "run", spec, "--results", store)
	for _, want := range []string{"all-one", "50.00", "absent missing (no predictions imported under this name"} {
		if code != 0 || !strings.Contains(stdout, want) {
			t.Errorf("exit code %d, want %q in\n%s%s", code, want, stdout, stderr)
		}
	}
	_, stdout, _ = command(t, "plan", spec, "--results", store, "--format", "csv", "--methods", "imported")
	if strings.Count(stdout, ",hit,0,") != 1 || strings.Count(stdout, ",not imported,0,") != 3 {
		t.Errorf("plan\n%s", stdout)
	}
	sidecars, _ := filepath.Glob(filepath.Join(store, "cells", "twonorm-gen", "imported-*.run.json"))
	if len(sidecars) != 1 {
		t.Fatalf("sidecars %v", sidecars)
	}
	b, err := os.ReadFile(sidecars[0])
	if err != nil {
		t.Fatal(err)
	}
	var sidecar struct {
		Import struct{ File, SHA256, Modified, Note string }
	}
	if err := json.Unmarshal(b, &sidecar); err != nil || sidecar.Import.File != "one.csv" || len(sidecar.Import.SHA256) != 64 ||
		sidecar.Import.Note != "all of class 1" {
		t.Errorf("%v: %s", err, b)
	}
}

// TestImportOfOtherSplitsAndSeeds: every flag that identifies the cell does.
func TestImportOfOtherSplitsAndSeeds(t *testing.T) {
	dir := t.TempDir()
	spec := writeFile(t, dir, "imports.yaml", strings.Replace(imports, "seeds: 2", "seeds: 2\nsplit: {rule: random, repeats: 2, seed: 7}", 1))
	file := writeFile(t, dir, "x.csv", perfect)
	store := filepath.Join(dir, "results")
	code, stdout, stderr := command(t, "import", file, "--dataset", "twonorm-gen", "--name", "one", "--split", "random", "--split-seed", "7",
		"--repeat", "2", "--seed", "2", "--results", store)
	if code != 0 || !strings.Contains(stdout, "random seed=7 repeat=2, seed 2: one, 3900 of 3900 right") {
		t.Fatalf("exit code %d\n%s%s", code, stdout, stderr)
	}
	_, stdout, _ = command(t, "plan", spec, "--results", store, "--format", "csv", "--methods", "all-one")
	if strings.Count(stdout, "hit") != 1 || !strings.Contains(stdout, "random seed=7 repeat=2,all-one,2,hit") {
		t.Errorf("plan\n%s", stdout)
	}
}

// TestImportOfSpec: predictions for own data of a spec become a cell of its table, on the
// split that the numbers name.
func TestImportOfSpec(t *testing.T) {
	dir := t.TempDir()
	rows := []string{"x,fold,kind"}
	for i := range 36 {
		rows = append(rows, fmt.Sprintf("%d,f%d,%s", i, i/12, []string{"a", "b"}[i%2]))
	}
	writeFile(t, dir, "mine.csv", strings.Join(rows, "\n"))
	const stanza = "{id: mine, file: ./mine.csv, label: kind, drop: [fold]}"
	for _, c := range []struct {
		name, data, split string
		args              []string
		test              int // samples
		want              string
	}{
		{"random", stanza, "{rule: random, train: 0.5, repeats: 3, seed: 5}", []string{"--repeat", "3"}, 18, "random train=0.5 seed=5 repeat=3"},
		{"cv", stanza, "{rule: cv, folds: 3, repeats: 2, seed: 1}", []string{"--repeat", "2", "--fold", "2"}, 12, "seed=1 repeat=2 fold=2"},
		{"fold", "{id: mine, file: ./mine.csv, label: kind, fold: fold}", "{rule: fold}", []string{"--fold", "3"}, 12, "fold=3"},
		{"first", stanza, "{rule: first, train: 5}", nil, 26, "first train=5"},
		{"catalogue", "toy", "{rule: cv, folds: 2, validation: 0, seed: 1}", []string{"--fold", "1"}, 0, "cv folds=2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			set := "mine"
			if c.name == "catalogue" {
				set = c.data
				c.test = 6
			}
			spec := writeFile(t, dir, c.name+".yaml", "{name: s, datasets: ["+c.data+"], split: "+c.split+", methods: [{method: imported, params: {name: ours}}]}")
			labels := writeFile(t, dir, c.name+".labels", strings.Repeat("1\n", c.test))
			store := filepath.Join(dir, c.name)
			args := append([]string{"import", labels, "--spec", spec, "--dataset", set, "--name", "ours", "--results", store}, c.args...)
			code, stdout, stderr := command(t, args...)
			if code != exitOK || !strings.Contains(stdout, c.want) || !strings.Contains(stdout, fmt.Sprintf("%d of %d right", c.test/2, c.test)) {
				t.Fatalf("exit code %d\n%s%s", code, stdout, stderr)
			}
			_, stdout, _ = command(t, "plan", spec, "--results", store, "--format", "csv")
			if strings.Count(stdout, ",hit,") != 1 || !strings.Contains(stdout, c.want) || !strings.Contains(stdout, ",imported,1,hit") {
				t.Errorf("plan\n%s", stdout)
			}
		})
	}
	cv, first := filepath.Join(dir, "cv.yaml"), filepath.Join(dir, "first.yaml")
	labels := filepath.Join(dir, "cv.labels")
	for _, c := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{"--dataset", "mine"}, exitUsage, "own data of a spec need --spec"},
		{[]string{"--dataset", "mien", "--spec", cv}, exitUsage, `did you mean "mine"?`},
		{[]string{"--dataset", "mine", "--spec", cv}, exitUsage, "mine is divided into 3 folds; say which one the predictions are of, --fold 1 to 3"},
		{[]string{"--dataset", "mine", "--spec", cv, "--fold", "4"}, exitUsage, "--fold 1 to 3"},
		{[]string{"--dataset", "mine", "--spec", cv, "--fold", "1", "--repeat", "3"}, exitUsage, "want a number from 1 to 2"},
		{[]string{"--dataset", "mine", "--spec", first, "--fold", "1"}, exitUsage, "not divided into folds"},
		{[]string{"--dataset", "mine", "--spec", first, "--split", "random"}, exitUsage, "--split does not go with --spec"},
		{[]string{"--dataset", "mine", "--spec", first}, exitData, "12 labels for 26 samples"},
		{[]string{"--dataset", "mine", "--spec", filepath.Join(dir, "none.yaml")}, exitSpec, "none.yaml"},
		{[]string{"--dataset", "own:mine"}, exitUsage, "own:mine has no split of the paper's authors; name a spec that divides it with --spec"},
		{[]string{"--dataset", "toy", "--fold", "1"}, exitUsage, "name that with --spec"},
	} {
		if code, stdout, stderr := command(t, append([]string{"import", labels, "--name", "x", "--results", dir}, c.args...)...); code != c.code ||
			stdout != "" || !strings.Contains(stderr, c.says) {
			t.Errorf("%v: exit code %d, want %d and %q\n%s%s", c.args, code, c.code, c.says, stdout, stderr)
		}
	}
}

func TestImportRefuses(t *testing.T) {
	dir := t.TempDir()
	store := filepath.Join(dir, "results")
	one := writeFile(t, dir, "one.csv", allOne)
	other := writeFile(t, dir, "other.csv", perfect)
	wrong := writeFile(t, dir, "wrong.csv", "label\n1\n3\n")
	if code, _, stderr := command(t, "import", one, "--dataset", "twonorm-gen", "--results", store); code != 0 {
		t.Fatalf("exit code %d\n%s", code, stderr)
	}
	for _, c := range []struct {
		name string
		args []string
		code int
		says string
	}{
		{"other predictions of the name", []string{other, "--dataset", "twonorm-gen", "--name", "one"}, 2, "holds other predictions"},
		{"no data set", []string{one}, 2, "--dataset must be given"},
		{"unknown data set", []string{one, "--dataset", "twonrm-gen"}, 2, `did you mean "twonorm-gen"`},
		{"unknown rule", []string{one, "--dataset", "twonorm-gen", "--split", "halves"}, 2, `"halves"`},
		{"data that is not there", []string{one, "--dataset", "robot", "--data", dir}, 4, "robot"},
		{"no file", []string{filepath.Join(dir, "no.csv"), "--dataset", "twonorm-gen"}, 4, "no.csv"},
		{"wrong label", []string{wrong, "--dataset", "twonorm-gen"}, 4, "wrong.csv:3: label 3 is unknown"},
	} {
		t.Run(c.name, func(t *testing.T) {
			code, stdout, stderr := command(t, append([]string{"import", "--results", store}, c.args...)...)
			if code != c.code || stdout != "" || !strings.Contains(stderr, c.says) {
				t.Errorf("exit code %d, want %d and %q\n%s%s", code, c.code, c.says, stdout, stderr)
			}
		})
	}
}

// TestExternalFailure: a program that fails shows in the table and in the exit
// code, and the rest is kept.
func TestExternalFailure(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skipf("needs sh: %v", err)
	}
	dir := t.TempDir()
	spec := writeFile(t, dir, "failing.yaml", `
name: failing
datasets: [twonorm-gen]
methods:
  - method: euclidean
  - method: external
    name: broken
    params: {command: [sh, -c, "echo no luck >&2; exit 7"]}
`)
	code, stdout, stderr := command(t, "run", spec, "--results", filepath.Join(dir, "results"))
	if code != 5 || !strings.Contains(stdout, "95.") || !strings.Contains(stdout+stderr, "external: sh: exit status 7; it said: no luck") {
		t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
	}
}
