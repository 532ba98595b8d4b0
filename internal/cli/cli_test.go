package cli

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"r2lmlbench/experiments/method"
)

// command runs the command line and returns its exit code and streams.
func command(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	t.Setenv("R2LMLBENCH_DATA", "")
	t.Setenv("R2LMLBENCH_RESULTS", "")
	var out, err bytes.Buffer
	code = Main(args, &out, &err)
	documented(t, code, args)
	return code, out.String(), err.String()
}

// documented checks that the help of a command lists the exit code that it ended with.
func documented(t *testing.T, code int, args []string) {
	t.Helper()
	cmd, _, _ := Command().Find(args)
	_, exits, _ := strings.Cut(strings.ReplaceAll(cmd.Long, "\n", " "), "Exit status: ")
	if !strings.Contains("; "+exits, fmt.Sprintf("; %d ", code)) {
		t.Errorf("%q ended with %d, and its help lists %q", args, code, exits)
	}
}

// small is a spec on generated data that takes a moment.
const small = `
name: small
datasets: [twonorm-gen, ringnorm-gen]
methods:
  - method: euclidean
  - method: e-r2lml
    params: {step: 1e-6, epochs: 1, iterations: 1}
    grid: {lambda: [1, 10]}
`

func writeFile(t *testing.T, dir, name, content string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestBadInput: every mistake has its exit code and says what is wrong.
func TestBadInput(t *testing.T) {
	dir := t.TempDir()
	misspelt := writeFile(t, dir, "misspelt.yaml", "name: x\ndatasets: I\nmethds: []\n")
	unknown := writeFile(t, dir, "unknown.yaml", "name: x\ndatasets: I\nmethods: [{method: lmn}]\n")
	flowers := writeFile(t, dir, "flowers.csv", "a,b,class\n1,2,x\n3,4,y\n")
	wrongType := writeFile(t, dir, "type.yaml", "name: x\ndatasets: I\nmethods: [{method: itml, grid: {gamma: [high]}}]\n")
	unmeasured := writeFile(t, dir, "measure.yaml", "name: x\ndatasets: I\nmeasure: [triangle]\nmethods: [{method: glml}]\n")
	spellings := writeFile(t, dir, "sweep.yaml", "name: x\ndatasets: I\nmethods: [{method: itml, sweep: {gamma: [1, 1.0]}}]\n")
	file := writeFile(t, dir, "file", "")
	data, results := filepath.Join(dir, "data"), filepath.Join(dir, "results")
	for _, c := range []struct {
		name string
		args []string
		code int
		says []string
	}{
		{"no command of that name", []string{"rum"}, 2, []string{`unknown command "rum"`, "run"}},
		{"no data command of that name", []string{"data", "fetsch"}, 2, []string{`unknown command "fetsch"`, `did you mean "fetch"`}},
		{"no script for that shell", []string{"completion", "tcsh"}, 2, []string{`"tcsh"`, "bash, fish, powershell or zsh"}},
		{"help on no command", []string{"help", "nosuch"}, 2, []string{`"nosuch"`, "audit, ", "verdict or version"}},
		{"help on no data command", []string{"help", "data", "nosuch"}, 2, []string{`"nosuch"`, "fetch, import, list, show or verify"}},
		{"help on nothing below a command", []string{"help", "run", "x"}, 2, []string{`"x"`, "run has no commands"}},
		{"an argument too many", []string{"version", "x"}, 2, []string{`version takes no arguments, got "x"`}},
		{"a script with an argument", []string{"completion", "zsh", "x"}, 2, []string{`takes no arguments, got "x"`}},
		{"a history that compares", []string{"gate", "smoke", "--history", "--methods", "itml"}, 2, []string{"gate: --history", "--methods"}},
		{"flags that must be there", []string{"import", "x.csv"}, 2, []string{"import: --dataset must be given"}},
		{"unknown flag", []string{"run", "quick", "--wrkers", "2"}, 2, []string{"--wrkers; did you mean --workers?; see `r2lmlbench run --help`"}},
		{"a flag of many in the singular", []string{"run", "quick", "--dataset=G"}, 2, []string{"unknown flag: --dataset; did you mean --datasets?"}},
		{"a flag like no other", []string{"run", "quick", "--zzzzzz"}, 2, []string{"unknown flag: --zzzzzz; see"}},
		{"a letter that no set has", []string{"explain", "Z/itml"}, 2, []string{`no data set "Z"`, "wpbc; letters A to R"}},
		{"a letter that no set of the spec has", []string{"table", "quick", "--datasets", "A"}, 2, []string{"it has ringnorm-gen, twonorm-gen; letters G, H"}},
		{"a misspelt label of a file", []string{"data", "show", flowers, "--stanza", "{label: clas}"}, 4, []string{`no column "clas"; did you mean "class"?`}},
		{"no spec", []string{"run"}, 2, []string{"run wants one SPEC"}},
		{"no workers", []string{"run", "quick", "--workers", "0"}, 2, []string{"--workers is 0"}},
		{"format", []string{"table", "quick", "--format", "yaml"}, 2, []string{`"yaml"`, "markdown"}},
		{"log", []string{"table", "quick", "--log", "xml"}, 2, []string{`"xml"`}},
		{"shard", []string{"run", "quick", "--shard", "3/2"}, 2, []string{`"3/2"`, "I/N"}},
		{"too many shares", []string{"run", "quick", "--shard", "1/99999999999"}, 2, []string{"at most 10000"}},
		{"one share too many", []string{"run", "quick", "--shard", "1/10001"}, 2, []string{"at most 10000"}},
		{"verdict on nothing", []string{"verdict", "accuracy", "--accepted", results}, 2, []string{results, "--accepted"}},
		{"data set not in the spec", []string{"table", "quick", "--datasets", "twonrm-gen"}, 2, []string{`no data set "twonrm-gen"`, `did you mean "twonorm-gen"`}},
		{"method not in the spec", []string{"table", "quick", "--methods", "nca"}, 2, []string{`no method "nca"`, "euclidean"}},
		{"results below a file", []string{"run", "quick", "--results", filepath.Join(file, "r")}, 2, []string{"directory", "--results"}},
		{"listing as LaTeX", []string{"methods", "--format", "latex"}, 2, []string{"latex"}},
		{"no such spec", []string{"run", "acuracy"}, 3, []string{`did you mean "accuracy"`}},
		{"misspelt key", []string{"run", misspelt}, 3, []string{"misspelt.yaml:3:1", `did you mean "methods"`}},
		{"data for a spec", []string{"run", flowers}, 3, []string{"flowers.csv looks like data", "r2lmlbench data show "}},
		{"unknown method", []string{"validate", unknown}, 3, []string{"unknown.yaml:3:20", `did you mean "lmnn"`}},
		{"grid value of the wrong type", []string{"plan", wrongType}, 3, []string{"type.yaml:3:41", "want a number"}},
		{"measure of another metric", []string{"validate", unmeasured}, 3, []string{"measure.yaml:3:11", "glml"}},
		{"one value in two spellings", []string{"validate", spellings}, 3, []string{"sweep.yaml:3:45", "same settings"}},
		{"no data", []string{"run", "accuracy", "--datasets", "M,P", "--methods", "euclidean", "--data", data, "--results", results}, 4,
			[]string{"heart.dat", "sonar.all-data", "data fetch"}},
		{"nothing to copy from", []string{"data", "fetch", "heart", "--from", data, "--data", data}, 4, []string{"heart"}},
		{"nothing to verify", []string{"data", "verify", "heart", "--data", data}, 4, []string{"heart"}},
		{"unknown set", []string{"data", "show", "hart"}, 2, []string{`did you mean "heart"`}},
		{"no file to import", []string{"data", "import", filepath.Join(dir, "no.mat"), "--data", data}, 4, []string{"no.mat"}},
		{"import of no MAT file", []string{"data", "import", misspelt, "--name", "x", "--data", data}, 4, []string{"misspelt.yaml"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			code, _, stderr := command(t, c.args...)
			if code != c.code {
				t.Errorf("exit code %d, want %d\n%s", code, c.code, stderr)
			}
			for _, want := range c.says {
				if !strings.Contains(stderr, want) {
					t.Errorf("stderr does not say %q:\n%s", want, stderr)
				}
			}
		})
	}
}

// TestNamedResults: commands that only read cells refuse a directory of --results
// that is not there; those that fill it, or tell what is missing, do not.
func TestNamedResults(t *testing.T) {
	dir := t.TempDir()
	spec := writeFile(t, dir, "small.yaml", small)
	file, gone, empty := writeFile(t, dir, "file", ""), filepath.Join(dir, "gone"), filepath.Join(dir, "empty")
	if err := os.Mkdir(empty, 0o777); err != nil {
		t.Fatal(err)
	}
	readers := [][]string{{"table", spec}, {"verdict", "accuracy"}, {"verdict", "accuracy", "--strict"}, {"report", spec, "-o", filepath.Join(dir,
		"report")}, {"explain", "I/itml"}}
	for _, args := range readers {
		for _, results := range []string{gone, file} {
			code, stdout, stderr := command(t, append(args, "--results", results)...)
			if code != exitUsage || stdout != "" {
				t.Errorf("%v on %s: exit code %d\n%s", args, results, code, stdout)
			}
			for _, want := range []string{args[0] + ": --results " + results + " is not a directory", "r2lmlbench run"} {
				if !strings.Contains(stderr, want) {
					t.Errorf("%v: stderr does not say %q:\n%s", args, want, stderr)
				}
			}
		}
	}
	if code, stdout, stderr := command(t, "table", spec, "--results", empty); code != exitOK || !strings.Contains(stdout,
		"missing") || !strings.Contains(stderr, empty+" holds no cells") {
		t.Errorf("a directory without cells: exit code %d\n%s%s", code, stdout, stderr)
	}
	if code, stdout, stderr := command(t, "plan", spec, "--results", gone); code != exitOK || strings.Count(stdout, "miss") != 4 {
		t.Errorf("plan: exit code %d\n%s%s", code, stdout, stderr)
	}
	t.Chdir(dir) // where the default directory is not there yet
	if code, stdout, stderr := command(t, "table", spec); code != exitOK || !strings.Contains(stdout, "missing") || stderr != "" {
		t.Errorf("the default directory: exit code %d\n%s%s", code, stdout, stderr)
	}
}

func TestRunPrintsTheTable(t *testing.T) {
	dir := t.TempDir()
	spec := writeFile(t, dir, "small.yaml", small)
	results := filepath.Join(dir, "results")
	code, stdout, stderr := command(t, "run", spec, "--results", results)
	if code != 0 || !strings.Contains(stdout, "E-R2LML") || strings.Contains(stdout, "\x1b") {
		t.Fatalf("exit code %d\n%s%s", code, stdout, stderr)
	}
	if !strings.Contains(stderr, "4 to compute") || strings.Contains(stderr, "\r") {
		t.Errorf("stderr, which is no terminal:\n%s", stderr)
	}
	code, again, stderr := command(t, "run", spec, "--results", results)
	if code != 0 || again != stdout || !strings.Contains(stderr, "4 stored") || !strings.Contains(stderr, "0 to compute") {
		t.Errorf("second run: exit code %d\n%s%s", code, again, stderr)
	}
	if code, table, stderr := command(t, "table", spec, "--results", results, "--quiet"); code != 0 || table != stdout || stderr != "" {
		t.Errorf("table: exit code %d\n%s%s", code, table, stderr)
	}
}

func TestShardsMakeTheWhole(t *testing.T) {
	dir := t.TempDir()
	spec := writeFile(t, dir, "small.yaml", small)
	whole, shared := filepath.Join(dir, "whole"), filepath.Join(dir, "shared")
	_, want, _ := command(t, "run", spec, "--results", whole)
	code, part, _ := command(t, "run", spec, "--results", shared, "--shard", "1/2")
	if code != 0 || part == want {
		t.Errorf("share 1 of 2: exit code %d\n%s", code, part)
	}
	if code, got, _ := command(t, "run", spec, "--results", shared, "--shard", "2/2"); code != 0 || got != want {
		t.Errorf("both shares: exit code %d\n%s\nwant\n%s", code, got, want)
	}
}

func TestTruncatedCellIsComputedAgain(t *testing.T) {
	dir := t.TempDir()
	spec := writeFile(t, dir, "small.yaml", small)
	results := filepath.Join(dir, "results")
	_, want, _ := command(t, "run", spec, "--results", results)
	cells, _ := filepath.Glob(filepath.Join(results, "cells", "twonorm-gen", "euclidean-*.json"))
	var cell string
	for _, path := range cells {
		if !strings.HasSuffix(path, ".run.json") {
			cell = path
		}
	}
	if err := os.Truncate(cell, 100); err != nil {
		t.Fatal(err)
	}
	code, got, stderr := command(t, "run", spec, "--results", results)
	if code != 0 || got != want || !strings.Contains(stderr, cell) || !strings.Contains(stderr, "1 to compute") {
		t.Errorf("exit code %d\n%s\n%s", code, got, stderr)
	}
	if aside, _ := filepath.Glob(cell + ".corrupt-*"); len(aside) != 1 {
		t.Errorf("the damaged file was not kept: %v", aside)
	}
}

func TestFailedCellsExitCode(t *testing.T) {
	dir := t.TempDir()
	spec := writeFile(t, dir, "failing.yaml", `
name: failing
datasets: [twonorm-gen]
methods:
  - method: euclidean
  - method: e-r2lml
    params: {step: 1e300, epochs: 1, iterations: 20}
`)
	args := []string{"run", spec, "--results", filepath.Join(dir, "results")}
	for _, extra := range [][]string{nil, nil, {"--retry-failed"}} {
		code, stdout, stderr := command(t, append(args, extra...)...)
		if code != 5 || !strings.Contains(stdout, "finite") || !strings.Contains(stdout, "95.") {
			t.Errorf("%v: exit code %d\n%s%s", extra, code, stdout, stderr)
		}
		if tried := strings.Contains(stderr, "FAILED"); tried != strings.Contains(stderr, "1 to compute") && extra != nil {
			t.Errorf("%v: %s", extra, stderr)
		}
	}
}

func TestPlanJSON(t *testing.T) {
	dir := t.TempDir()
	spec := writeFile(t, dir, "small.yaml", small)
	results := filepath.Join(dir, "results")
	command(t, "run", spec, "--results", results, "--methods", "euclidean")
	code, stdout, _ := command(t, "plan", spec, "--results", results, "--format", "json", "--datasets", "twonorm-gen")
	var plan struct {
		Schema int
		Spec   string
		Cells  []plannedCell
	}
	if err := json.Unmarshal([]byte(stdout), &plan); err != nil || code != 0 {
		t.Fatalf("exit code %d, %v\n%s", code, err, stdout)
	}
	want := []plannedCell{
		{"twonorm-gen", "authors", "euclidean", 1, "hit", "", 0},
		{"twonorm-gen", "authors", "e-r2lml", 1, "miss", "no cell of this data set and method is stored", 3},
	}
	if plan.Schema != 1 || plan.Spec != "small" || len(plan.Cells) != 2 || plan.Cells[0] != want[0] || plan.Cells[1] != want[1] {
		t.Errorf("plan %+v, want cells %+v", plan, want)
	}
}

// TestPlanFitsOfASurface: beside the selection and the final fit, all points but the
// chosen one are fitted to the test problem.
func TestPlanFitsOfASurface(t *testing.T) {
	spec := writeFile(t, t.TempDir(), "surface.yaml", `
name: surface
datasets: [overlap30]
methods: [{method: e-r2lml, measure: surface, params: {step: 1e-6}, grid: {metrics: [1, 2], lambda: [1, 2, 3]}}]
`)
	code, stdout, _ := command(t, "plan", spec, "--results", t.TempDir(), "--format", "json")
	if want := `"fits": 12`; code != 0 || !strings.Contains(stdout, want) { // 6 + 1 + 5
		t.Errorf("exit code %d, want %s in\n%s", code, want, stdout)
	}
}

func TestMethodsJSON(t *testing.T) {
	code, stdout, _ := command(t, "methods", "--format", "json")
	type described struct {
		ID, Name, Scope, Source string
		Parameters              []method.Parameter
		Grid                    map[string][]any
		Stochastic, Built       bool
	}
	var list struct {
		Schema  int
		Methods []described
	}
	if err := json.Unmarshal([]byte(stdout), &list); err != nil || code != 0 || list.Schema != 1 {
		t.Fatalf("exit code %d, %v\n%s", code, err, stdout)
	}
	at := slices.IndexFunc(list.Methods, func(m described) bool { return m.ID == "e-r2lml" })
	if at < 0 {
		t.Fatal("e-r2lml is not listed")
	}
	last := list.Methods[at]
	if last.Scope != "local" || !last.Built || !last.Stochastic || len(last.Grid["metrics"]) != 7 || len(last.Grid["lambda"]) != 5 {
		t.Errorf("%+v", last)
	}
	for _, p := range last.Parameters {
		if (p.Default == nil) != (p.Name == "step") || p.Doc == "" {
			t.Errorf("parameter %+v", p)
		}
	}
	grouped := []string{"none", "global", "class-wise", "local", "any"}
	if !slices.IsSortedFunc(list.Methods, func(a, b described) int {
		return cmp.Compare(slices.Index(grouped, a.Scope), slices.Index(grouped, b.Scope))
	}) {
		t.Errorf("the methods are not grouped by scope: %v", list.Methods)
	}
}

func TestSchemaAndVersionAndCompletion(t *testing.T) {
	for _, args := range [][]string{{"schema"}, {"version"}, {"completion", "bash"}, {"data", "list"}, {"methods", "--format", "markdown"}, {"list"},
		{"validate", "quick"}} {
		if code, stdout, stderr := command(t, args...); code != 0 || len(stdout) < 20 || stderr != "" {
			t.Errorf("%v: exit code %d, %d bytes\n%s", args, code, len(stdout), stderr)
		}
	}
}

func TestLogJSON(t *testing.T) {
	dir := t.TempDir()
	spec := writeFile(t, dir, "small.yaml", small)
	_, _, stderr := command(t, "run", spec, "--results", filepath.Join(dir, "results"), "--log", "json")
	lines := strings.Split(strings.TrimSpace(stderr), "\n")
	if len(lines) < 5 {
		t.Fatalf("%d lines", len(lines))
	}
	for _, line := range lines {
		var entry struct{ Msg string }
		if err := json.Unmarshal([]byte(line), &entry); err != nil || entry.Msg == "" {
			t.Errorf("%v: %s", err, line)
		}
	}
}

// TestRealData: data from a local copy, the Euclidean counts known from the
// paper, and a flipped byte.
func TestRealData(t *testing.T) {
	shared := os.Getenv("R2LMLBENCH_SHARED")
	if shared == "" {
		t.Skip("set R2LMLBENCH_SHARED to the folder of the reference data to run this test")
	}
	dir := t.TempDir()
	data, results := filepath.Join(dir, "data"), filepath.Join(dir, "results")
	sets := []string{"ionosphere", "heart", "sonar", "wpbc"}
	code, _, stderr := command(t, append([]string{"data", "fetch", "--from", filepath.Join(shared, "datasets", "raw"), "--data", data}, sets...)...)
	if code != 0 {
		t.Fatalf("fetch: exit code %d\n%s", code, stderr)
	}
	run := []string{"run", "accuracy", "--methods", "euclidean", "--datasets", strings.Join(sets, ","), "--data", data, "--results", results, "--format", "csv"}
	code, stdout, stderr := command(t, run...)
	if code != 0 {
		t.Fatalf("run: exit code %d\n%s", code, stderr)
	}
	// Correct of test samples: paper, Table 2, whose accuracies these are exactly.
	for _, want := range []string{",221,euclidean,", ",167,75.57,", ",108,56.84,", ",57,44.53,", ",57,36.08,"} {
		if !strings.Contains(stdout, want) {
			t.Errorf("the table lacks %q:\n%s", want, stdout)
		}
	}
	flipped := filepath.Join(data, "heart", "heart.dat")
	b, err := os.ReadFile(flipped)
	if err != nil {
		t.Fatal(err)
	}
	b[100] ^= 1
	if err := os.WriteFile(flipped, b, 0o666); err != nil {
		t.Fatal(err)
	}
	if code, _, stderr := command(t, run...); code != 4 || !strings.Contains(stderr, flipped) || strings.Contains(stderr, "sonar:") {
		t.Errorf("flipped byte: exit code %d\n%s", code, stderr)
	}
}

// says reports what a text lacks.
func says(t *testing.T, text string, wants ...string) {
	t.Helper()
	for _, want := range wants {
		if !strings.Contains(text, want) {
			t.Errorf("this does not say %q:\n%s", want, text)
		}
	}
}
