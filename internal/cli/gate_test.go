package cli

import (
	"encoding/json"
	"encoding/xml"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"r2lmlbench/results"
	"r2lmlbench/results/verdict"
)

// TestGate accepts a run, sees it pass, and fail once a cell is another.
func TestGate(t *testing.T) {
	dir := t.TempDir()
	spec := writeFile(t, dir, "small.yaml", small)
	runs, accepted := filepath.Join(dir, "runs"), filepath.Join(dir, "accepted")
	flags := []string{"--results", runs, "--accepted", accepted}
	gate := func(more ...string) (int, string, string) {
		return command(t, append(append([]string{"gate", spec}, flags...), more...)...)
	}
	if code, stdout, stderr := gate(); code != 1 || !strings.Contains(stdout, "nothing is accepted for small") ||
		!strings.HasPrefix(stdout, "gate small: error. 4 of 4 cells are not computed: run `r2lmlbench run ") || !strings.Contains(stderr, "not passed: error") {
		t.Errorf("before anything is accepted: exit code %d\n%s%s", code, stdout, stderr)
	}
	if code, _, stderr := gate("--accept"); code != 2 || !strings.Contains(stderr, "run small first") {
		t.Errorf("accepting nothing: exit code %d\n%s", code, stderr)
	}
	command(t, "run", spec, "--results", runs)
	first := "gate small: error. Nothing is accepted yet: look at the results, then accept them with `r2lmlbench gate " + spec + " "
	if code, stdout, stderr := gate(); code != 1 || !strings.HasPrefix(stdout, first) || strings.Contains(stdout, "family of tests larger") {
		t.Errorf("the first gate: exit code %d\n%s%s", code, stdout, stderr)
	}
	if code, stdout, stderr := gate("--accept"); code != 0 || stdout != "" || !strings.Contains(stderr,
		"4 cells of small are accepted") {
		t.Errorf("accepting: exit code %d\n%s%s", code, stdout, stderr)
	}
	if code, stdout, stderr := gate("--format", "markdown"); code != 0 || stdout != "## Gate small: pass\n\ngate small: pass. Of 4 cells 4 pass, 0 changed, "+
		"0 regressed, 0 in error; mcnemar-exact, Holm's correction over 4 comparisons, alpha 0.05, tolerance 1 in points of accuracy.\n" {
		t.Errorf("Markdown: exit code %d\n%s%s", code, stdout, stderr)
	}
	if code, stdout, stderr := gate(); code != 0 || !strings.Contains(stdout, "gate small: pass. Of 4 cells 4 pass") || stderr != "" {
		t.Errorf("accepted: exit code %d\n%s%s", code, stdout, stderr)
	}
	if err := os.Remove(filepath.Join(accepted, "packs", "ringnorm-gen", "euclidean.jsonl")); err != nil {
		t.Fatal(err)
	}
	for format, says := range map[string]string{
		"text": "ringnorm-gen  authors  euclidean", "markdown": "## Gate small: error\n\n**What to do:** 1 of 4 cells is lost",
		"csv":  "ringnorm-gen,authors,euclidean,1,,,,,,,,error,",
		"json": `"status": "error"`, "junit": `<testsuite name="gate small" tests="4" failures="0" errors="1">`,
		"github": "::error file=" + filepath.ToSlash(spec) + ",line=",
	} {
		code, stdout, _ := gate("--format", format)
		if code != 1 || !strings.Contains(stdout, says) {
			t.Errorf("%s: exit code %d, want 1 and %q\n%s", format, code, says, stdout)
		}
		if format == "json" && !json.Valid([]byte(stdout)) || format == "junit" && xml.Unmarshal([]byte(stdout), new(struct{})) != nil {
			t.Errorf("%s is not well formed:\n%s", format, stdout)
		}
	}
	if code, stdout, _ := gate("--datasets", "twonorm-gen"); code != 0 || !strings.Contains(stdout, "Of 2 cells 2 pass") {
		t.Errorf("narrowed to the other set: exit code %d\n%s", code, stdout)
	}
	for _, args := range [][]string{{"table", spec, "--format", "junit"}, {"gate", spec, "--format", "latex"}} {
		if code, stdout, stderr := command(t, append(args, "--results", runs)...); code != 2 || stdout != "" {
			t.Errorf("%v: exit code %d\n%s%s", args, code, stdout, stderr)
		}
	}
}

// otherBuild makes the records beside all stored cells those of another build.
func otherBuild(t *testing.T, dir string) {
	t.Helper()
	records := storedFiles(t, dir, ".run.json")
	if len(records) == 0 {
		t.Fatal("no records of cells")
	}
	for name, text := range records {
		var run results.Run
		if err := json.Unmarshal([]byte(text), &run); err != nil || len(run.Builds) != 1 {
			t.Fatalf("%v: %s", err, text)
		}
		run.Builds[0] = results.Build{Sum: "f00d"}
		b, err := json.Marshal(run)
		if err != nil {
			t.Fatal(err)
		}
		writeFile(t, dir, name, string(b))
	}
}

// TestGateFresh: cells of another build are refused with what to do, which computes
// them again.
func TestGateFresh(t *testing.T) {
	dir := t.TempDir()
	spec := writeFile(t, dir, "small.yaml", small)
	runs, accepted := filepath.Join(dir, "runs"), filepath.Join(dir, "accepted")
	gate := func(more ...string) (int, string, string) {
		return command(t, append([]string{"gate", spec, "--results", runs, "--accepted", accepted}, more...)...)
	}
	if code, stdout, stderr := gate("--fresh", "--accept"); code != 0 || !strings.Contains(stderr, "4 cells of small are accepted") {
		t.Fatalf("computing and accepting: exit code %d\n%s%s", code, stdout, stderr)
	}
	cells := cellFiles(t, runs)
	otherBuild(t, runs)
	if code, _, stderr := command(t, "run", spec, "--results", runs); code != 0 || !strings.Contains(stderr, "4 stored, 0 failed before, 0 to compute") {
		t.Errorf("run: exit code %d\n%s", code, stderr)
	}
	for _, args := range [][]string{{"run"}, {"plan"}, {"plan", "--cost"}} {
		code, _, stderr := command(t, append(args, spec, "--results", runs)...)
		if code != 0 || strings.Count(stderr, "gate refuses 4 of 4 stored cells") != 1 || !strings.Contains(stderr, "run --fresh") {
			t.Errorf("%v: exit code %d\n%s", args, code, stderr)
		}
	}
	code, stdout, stderr := gate()
	first, _, _ := strings.Cut(stdout, "\n")
	remedy := "r2lmlbench gate " + spec + " --results " + runs + " --accepted " + accepted + " --fresh"
	const refused = "gate small: error. 4 of 4 cells were made, wholly or in part, by another or an unknown build"
	if code != 1 || !strings.HasPrefix(first, refused) || !strings.Contains(first, remedy) ||
		!strings.Contains(stderr, remedy) {
		t.Errorf("exit code %d, want 1 and %q first\n%s%s", code, remedy, stdout, stderr)
	}
	if code, _, stderr := gate("--accept"); code != 2 || !strings.Contains(stderr, "--allow-other-builds") {
		t.Errorf("accepting: exit code %d\n%s", code, stderr)
	}
	for _, more := range [][]string{nil, {"--accept"}} {
		code, stdout, stderr := gate(append(more, "--allow-other-builds")...)
		if code != 0 || !strings.Contains(stdout, "4 made, wholly or in part, by another or an unknown build, which --allow-other-builds lets pass.") {
			t.Errorf("allowed %v: exit code %d\n%s%s", more, code, stdout, stderr)
		}
	}
	if code, stdout, stderr := gate("--fresh", "--datasets", "twonorm-gen"); code != 0 || !strings.Contains(stdout, "Of 2 cells 2 pass") ||
		!strings.Contains(stderr, "2 to compute, of which 2 are stored by other builds") {
		t.Errorf("fresh, narrowed: exit code %d\n%s%s", code, stdout, stderr)
	}
	if code, stdout, stderr := gate(); code != 1 || !strings.Contains(stdout, "2 of 4 cells were made, wholly or in part, by another or an unknown build") {
		t.Errorf("after half of them: exit code %d\n%s%s", code, stdout, stderr)
	}
	if _, _, stderr := command(t, "plan", spec, "--results", runs); !strings.Contains(stderr, "gate refuses 2 of 4 stored cells") {
		t.Errorf("plan after half of them: %s", stderr)
	}
	if code, _, stderr := command(t, "run", spec, "--results", runs, "--fresh"); code != 0 ||
		!strings.Contains(stderr, "2 stored, 0 failed before, 2 to compute") {
		t.Errorf("run --fresh: exit code %d\n%s", code, stderr)
	}
	if code, stdout, _ := gate(); code != 0 || !strings.Contains(stdout, "Of 4 cells 4 pass") {
		t.Errorf("after all of them: exit code %d\n%s", code, stdout)
	}
	for _, args := range [][]string{{"run"}, {"plan"}} {
		if _, _, stderr := command(t, append(args, spec, "--results", runs)...); strings.Contains(stderr, "refuses") {
			t.Errorf("%v after all of them: %s", args, stderr)
		}
	}
	mismatches(t, cellFiles(t, runs), cells)
}

// TestGateHistory: a history begins with the first acceptance or when asked to, and
// explain says since when a number is what it is.
func TestGateHistory(t *testing.T) {
	dir := t.TempDir()
	spec := writeFile(t, dir, "small.yaml", small)
	runs, accepted := filepath.Join(dir, "runs"), filepath.Join(dir, "accepted")
	gate := func(more ...string) (int, string, string) {
		return command(t, append([]string{"gate", spec, "--results", runs, "--accepted", accepted}, more...)...)
	}
	states := func() (states []struct{ Cells int }) {
		t.Helper()
		code, stdout, stderr := gate("--history", "--format", "json")
		var h struct{ States []struct{ Cells int } }
		if err := json.Unmarshal([]byte(stdout), &h); err != nil || code != 0 {
			t.Fatalf("exit code %d, %v\n%s%s", code, err, stdout, stderr)
		}
		return h.States
	}
	if code, _, stderr := gate("--history", "--accept"); code != 2 || !strings.Contains(stderr, "nothing is accepted") {
		t.Errorf("nothing to begin with: exit code %d\n%s", code, stderr)
	}
	if n := len(states()); n != 0 {
		t.Errorf("%d states of nothing", n)
	}
	gate("--fresh", "--accept", "--datasets", "twonorm-gen")
	gate("--fresh", "--accept")
	if s := states(); len(s) != 2 || s[0].Cells != 2 || s[1].Cells != 4 {
		t.Errorf("%+v, want 2 cells, then 4", s)
	}
	for format, says := range map[string]string{
		"text": "State 2 of small: 4 cells, 2 changed, 0 dropped; commit unknown.", "markdown": "- State 2 of small:", "csv": "\n2,unknown,euclidean,2,1,",
	} {
		if code, stdout, _ := gate("--history", "--format", format); code != 0 || !strings.Contains(stdout, says) {
			t.Errorf("%s: exit code %d, want %q\n%s", format, code, says, stdout)
		}
	}
	since := func(number, want string) {
		t.Helper()
		code, stdout, stderr := command(t, "explain", number, "--spec", spec, "--results", runs, "--accepted", accepted)
		if code != 0 || strings.Contains(stdout, "accepted state ") != (want != "") || !strings.Contains(stdout, want) {
			t.Errorf("%s: exit code %d, want %q\n%s%s", number, code, want, stdout, stderr)
		}
	}
	since("G/euclidean", "accepted state 1 of 2, where the history begins")
	since("H/euclidean", "accepted state 2 of 2")
	file := filepath.Join(accepted, "gates", "small.history.jsonl")
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	since("G/euclidean", "")
	if code, stdout, stderr := gate("--history", "--accept"); code != 0 || !strings.Contains(stdout, "State 1 of small: 4 cells, 4 changed") {
		t.Errorf("begun anew: exit code %d\n%s%s", code, stdout, stderr)
	}
	since("H/euclidean", "accepted state 1 of 1")
}

// TestGateRefusesFlags: flags that do nothing together are told, and nothing is
// computed into the cells of the program.
func TestGateRefusesFlags(t *testing.T) {
	dir := t.TempDir()
	spec := writeFile(t, dir, "small.yaml", small)
	t.Chdir(dir)
	for _, c := range []struct {
		says string
		args []string
	}{
		{"want text, markdown, csv or json", []string{"--history", "--format", "junit"}},
		{"want text, markdown, csv or json", []string{"--history", "--format", "github"}},
		{"takes no --fresh", []string{"--history", "--fresh"}},
		{"takes no --allow-changed", []string{"--history", "--allow-changed"}},
		{"takes no --datasets", []string{"--history", "--datasets", "twonorm-gen"}},
		{"cannot be changed", []string{"--fresh", "--results", embeddedAccepted, "--accepted", dir}},
	} {
		code, stdout, stderr := command(t, append([]string{"gate", spec}, c.args...)...)
		if code != exitUsage || stdout != "" || !strings.Contains(stderr, c.says) {
			t.Errorf("%v: exit code %d, want %q\n%s%s", c.args, code, c.says, stdout, stderr)
		}
	}
	if _, err := os.Stat(filepath.Dir(embeddedAccepted)); err == nil {
		t.Error("a folder was made under the name of the cells in the program")
	}
}

// TestGateOfAnEditedProgram: a program outside is compared across its edits.
func TestGateOfAnEditedProgram(t *testing.T) {
	dir := t.TempDir()
	spec := writeFile(t, dir, "program.yaml", `
name: program
datasets: [overlap30]
methods:
  - method: euclidean
  - method: external
    name: constant
    params: {command: [sh, ./constant.sh]}
`)
	runs, accepted := filepath.Join(dir, "runs"), filepath.Join(dir, "accepted")
	gate := func(more ...string) (int, string, string) {
		return command(t, append([]string{"gate", spec, "--results", runs, "--accepted", accepted}, more...)...)
	}
	edit := func(script string) { writeFile(t, dir, "constant.sh", script) }
	const ones = "sed 1d query.csv | sed 's/.*/1/' > predictions.csv\n"
	edit(ones)
	if code, _, stderr := gate("--fresh", "--accept"); code != 0 {
		t.Fatalf("accepting: exit code %d\n%s", code, stderr)
	}
	for _, c := range []struct {
		name, script, status string
		code                 int
		says                 []string
	}{
		{"a comment", "# the same\n" + ones, "pass", 0, []string{"the program was edited: ./constant.sh "}},
		{"another label of the last sample", strings.Replace(ones, "> pred", "| sed '$s/1/2/' > pred", 1), "changed", 1,
			[]string{"1 of 320 predictions differs", "the program was edited", ",line=6,"}},
		{"forty right labels less", strings.Replace(ones, "> pred", "| sed '1,40s/1/2/' > pred", 1), "regressed", 1,
			[]string{"40 of 320 predictions differ; 50.00 -> 37.50 %, p ", "the program was edited", "right labels: 40 lost, 0 gained"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			edit(c.script)
			code, stdout, stderr := gate("--fresh", "--format", "json")
			var g struct {
				Status string
				Family int
				Cells  []struct {
					Method, Status, Reason string
					N                      int
				}
			}
			if err := json.Unmarshal([]byte(stdout), &g); err != nil {
				t.Fatalf("%v\n%s%s", err, stdout, stderr)
			}
			if code != c.code || g.Status != c.status || g.Family != 2 || g.Cells[1].N != 320 {
				t.Errorf("exit code %d, %+v; want %d, %s", code, g, c.code, c.status)
			}
			_, annotations, _ := gate("--format", "github")
			for _, s := range c.says {
				if !strings.Contains(g.Cells[1].Reason+annotations, s) {
					t.Errorf("%q lacks %q\n%s", g.Cells[1].Reason, s, annotations)
				}
			}
		})
	}
}

// TestAcceptingTogether: processes that accept parts of a spec at the same time
// lose nothing of each other.
func TestAcceptingTogether(t *testing.T) {
	dir := t.TempDir()
	spec := writeFile(t, dir, "small.yaml", small)
	runs, accepted := filepath.Join(dir, "runs"), filepath.Join(dir, "accepted")
	command(t, "run", spec, "--results", runs)
	gate := []string{"gate", spec, "--results", runs, "--accepted", accepted}
	var all []*process
	for _, narrow := range [][]string{
		{"--datasets", "twonorm-gen", "--methods", "euclidean"}, {"--datasets", "twonorm-gen", "--methods", "e-r2lml"},
		{"--datasets", "ringnorm-gen", "--methods", "euclidean"}, {"--datasets", "ringnorm-gen", "--methods", "e-r2lml"},
	} {
		p := program(t, slices.Concat(gate, []string{"--accept"}, narrow)...)
		if err := p.Start(); err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
	for _, p := range all {
		if code := p.code(t); code != 0 {
			t.Errorf("exit code %d\n%s", code, p.stderr.String())
		}
	}
	if code, stdout, stderr := command(t, gate...); code != 0 || !strings.Contains(stdout, "Of 4 cells 4 pass") {
		t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
	}
	if left := leftovers(t, accepted); len(left) > 0 {
		t.Errorf("files %q are left", left)
	}
}

// TestPacks: merging packs the cells of runs and unpacks them again, and tables
// come from either.
func TestPacks(t *testing.T) {
	dir := t.TempDir()
	spec := writeFile(t, dir, "small.yaml", small)
	runs, packed, unpacked := filepath.Join(dir, "runs"), filepath.Join(dir, "packed"), filepath.Join(dir, "unpacked")
	_, want, _ := command(t, "run", spec, "--results", runs)
	if err := os.MkdirAll(filepath.Join(packed, "packs"), 0o777); err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct{ into, from string }{{packed, runs}, {unpacked, packed}} {
		if code, stdout, stderr := command(t, "merge", step.from, "--results", step.into); code != 0 {
			t.Fatalf("exit code %d\n%s%s", code, stdout, stderr)
		}
		if code, stdout, stderr := command(t, "table", spec, "--results", step.into); code != 0 || stdout != want || stderr != "" {
			t.Errorf("exit code %d\n%s%swant\n%s", code, stdout, stderr, want)
		}
	}
	mismatches(t, cellFiles(t, unpacked), cellFiles(t, runs))
	if packs := storedFiles(t, packed, ".jsonl"); len(packs) != 4 || len(cellFiles(t, packed)) > 0 {
		t.Errorf("%d packs, want 4 and nothing else", len(packs))
	}
}

func TestVerdictCommand(t *testing.T) {
	dir := t.TempDir()
	none := filepath.Join(dir, "none")
	if err := os.MkdirAll(filepath.Join(none, "cells"), 0o777); err != nil {
		t.Fatal(err)
	}
	code, stdout, stderr := command(t, "verdict", "accuracy", "--accepted", none)
	if code != 0 || strings.Count(stdout, "  cannot tell  no runs") != 144 ||
		!strings.Contains(stdout, "144 printed numbers: agrees 0; differs 0; cannot tell 144.") {
		t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
	}
	code, stdout, stderr = command(t, "verdict", "accuracy", "--accepted", none, "--strict", "--format", "json", "--datasets", "P")
	var got struct {
		Schema   int
		Spec     string
		Verdicts []struct{ Letter, Method, Published, Verdict, Reason string }
		Summary  struct {
			Words []verdict.WordCount
		}
		Readings verdict.Readings
	}
	if err := json.Unmarshal([]byte(stdout), &got); err != nil || code != 1 || !strings.Contains(stderr, "not every number") {
		t.Fatalf("exit code %d, %v\n%s%s", code, err, stdout, stderr)
	}
	if got.Schema != 3 || got.Spec != "accuracy" || len(got.Verdicts) != 8 || got.Verdicts[2].Method != "lmnn" || got.Verdicts[2].Reason != verdict.NoRuns ||
		!slices.Contains(got.Summary.Words, verdict.WordCount{Word: verdict.CannotTell, Count: 8}) || len(got.Readings.Methods) != 8 {
		t.Errorf("%+v", got)
	}
	if code, _, stderr := command(t, "verdict", "accuracy", "--accepted", none, "--format", "latex"); code != 2 || !strings.Contains(stderr, "latex") {
		t.Errorf("LaTeX: exit code %d\n%s", code, stderr)
	}
}

func TestExplainCommand(t *testing.T) {
	dir := t.TempDir()
	spec := writeFile(t, dir, "small.yaml", small)
	runs, none := filepath.Join(dir, "runs"), filepath.Join(dir, "none")
	if err := os.Mkdir(none, 0o777); err != nil {
		t.Fatal(err)
	}
	command(t, "run", spec, "--results", runs, "--datasets", "twonorm-gen")
	args := []string{"explain", "G/e-r2lml", "--spec", spec, "--results", runs, "--accepted", none}
	code, stdout, stderr := command(t, args...)
	for _, want := range []string{"accuracy", "of 3900", "Wilson", "published  97.15", "Confusion matrix", "family of 1 pair", "wall time",
		"--datasets twonorm-gen --methods e-r2lml"} {
		if code != 0 || !strings.Contains(stdout, want) {
			t.Fatalf("exit code %d, want 0 and %q\n%s%s", code, want, stdout, stderr)
		}
	}
	if code, stdout, _ := command(t, append(args, "--format", "json")...); code != 0 || !json.Valid([]byte(stdout)) {
		t.Errorf("JSON: exit code %d\n%s", code, stdout)
	}
	for code, args := range map[int][]string{
		2: {"explain", "G"},
		3: {"explain", "G/itml", "--spec", "acuracy"},
		0: {"explain", "R/plml", "--results", none, "--accepted", none},
	} {
		if got, stdout, stderr := command(t, args...); got != code {
			t.Errorf("%v: exit code %d, want %d\n%s%s", args, got, code, stdout, stderr)
		}
	}
	if code, _, stderr := command(t, append(args, "--format", "csv")...); code != 2 || !strings.Contains(stderr, "text or json") {
		t.Errorf("CSV: exit code %d\n%s", code, stderr)
	}
}

// TestExplainAccepted: every run that a verdict on accepted cells rests on is listed, with
// what the readings give.
func TestExplainAccepted(t *testing.T) {
	args := []string{"explain", "A/itml", "--accepted", "../../results/accepted", "--data", t.TempDir()}
	code, stdout, stderr := command(t, append(args, "--format", "json")...)
	var got struct {
		Verdict  struct{ Runs, Planned int }
		Runs     []struct{ File string }
		Readings []verdict.NumberReading
	}
	if err := json.Unmarshal([]byte(stdout), &got); err != nil || code != exitOK {
		t.Fatalf("exit code %d, %v\n%s%s", code, err, stdout, stderr)
	}
	if got.Verdict.Planned < 10 || len(got.Runs) != got.Verdict.Runs || len(got.Readings) == 0 || got.Readings[0].Runs != got.Verdict.Runs {
		t.Errorf("%+v", got)
	}
	code, stdout, _ = command(t, args...)
	want := []string{verdict.MainReading}
	for _, r := range got.Runs {
		want = append(want, r.File)
	}
	for _, w := range want {
		if code != exitOK || !strings.Contains(stdout, w) {
			t.Errorf("exit code %d, want 0 and %q\n%s", code, w, stdout)
		}
	}
}

// TestGateOfItself: a store is not held to itself, by whatever path.
func TestGateOfItself(t *testing.T) {
	dir := t.TempDir()
	spec := writeFile(t, dir, "small.yaml", small)
	cells, link := filepath.Join(dir, "cells"), filepath.Join(dir, "link")
	for _, err := range []error{os.Mkdir(cells, 0o777), os.Symlink(cells, link)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	for _, fresh := range []string{cells, "cells", "./link/../cells/", link} {
		for _, more := range [][]string{nil, {"--accept"}} {
			code, stdout, stderr := command(t, append([]string{"gate", spec, "--results", fresh, "--accepted", cells}, more...)...)
			if code != exitUsage || stdout != "" || !strings.Contains(stderr, "the same directory") || !strings.Contains(stderr, fresh) {
				t.Errorf("%s %v: exit code %d\n%s%s", fresh, more, code, stdout, stderr)
			}
		}
	}
}

// TestVerdictTables: the text and Markdown have the tables below the verdicts, CSV the
// verdicts alone.
func TestVerdictTables(t *testing.T) {
	args := []string{"verdict", "accuracy", "--accepted", "../../results/accepted", "--datasets", "I,P", "--data", t.TempDir(), "--format"}
	for format, want := range map[string]bool{"text": true, "markdown": true, "csv": false} {
		code, stdout, stderr := command(t, append(args, format)...)
		for _, title := range []string{"Verdicts by method", "Readings of the protocol, by method"} {
			if code != exitOK || strings.Contains(stdout, title) != want {
				t.Errorf("%s: exit code %d, %q is there: %v, want %v\n%s%s", format, code, title, !want, want, stdout, stderr)
			}
		}
	}
}

// TestStrictVerdictOnNothing: without a number nothing was checked.
func TestStrictVerdictOnNothing(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, dir, "cells/keep", "")
	for spec, says := range map[string]string{"smoke": "no published number", "metrics": "the spec sweeps metrics"} {
		code, stdout, stderr := command(t, "verdict", spec, "--accepted", dir, "--strict")
		if code != exitUsage || stdout != "" || !strings.Contains(stderr, says) || !strings.Contains(stderr, "leave out --strict") {
			t.Errorf("%s: exit code %d\n%s%s", spec, code, stdout, stderr)
		}
		if code, stdout, stderr := command(t, "verdict", spec, "--accepted", dir); code != exitOK || !strings.Contains(stdout, says) {
			t.Errorf("%s without --strict: exit code %d\n%s%s", spec, code, stdout, stderr)
		}
	}
}

// TestVerdictsOfRealData: sets whose Euclidean cell prints the paper's value.
func TestVerdictsOfRealData(t *testing.T) {
	shared := os.Getenv("R2LMLBENCH_SHARED")
	if shared == "" {
		t.Skip("set R2LMLBENCH_SHARED to the folder of the reference data to run this test")
	}
	dir := t.TempDir()
	data, runs := filepath.Join(dir, "data"), filepath.Join(dir, "results")
	sets := []string{"winequality", "ionosphere", "heart", "sonar", "wpbc"}
	if code, _, stderr := command(t, append([]string{"data", "fetch", "--from", filepath.Join(shared, "datasets", "raw"), "--data", data},
		sets...)...); code != 0 {
		t.Fatalf("fetch: exit code %d\n%s", code, stderr)
	}
	narrow := []string{"accuracy", "--methods", "euclidean", "--datasets", strings.Join(sets, ","), "--data", data, "--results", runs}
	if code, _, stderr := command(t, append([]string{"run"}, narrow...)...); code != 0 {
		t.Fatalf("run: exit code %d\n%s", code, stderr)
	}
	code, stdout, stderr := command(t, append([]string{"verdict", "--strict"}, narrow...)...)
	if code != 0 || strings.Count(stdout, "20 of 20") != 5 || strings.Count(stdout, "agrees   within 1 point") != 5 {
		t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
	}
}

// TestRunKeepsTheAttemptWithFresh: a run that takes the cell of another build for
// stored leaves what an attempt to compute it again has left beside it: the journal of
// an interruption, and the record of a failure, without which --fresh fails once more.
func TestRunKeepsTheAttemptWithFresh(t *testing.T) {
	for _, byOther := range []bool{true, false} {
		dir := t.TempDir()
		spec, runs := writeFile(t, dir, "small.yaml", small), filepath.Join(dir, "runs")
		if code, _, stderr := command(t, "run", spec, "--results", runs); code != exitOK {
			t.Fatalf("exit code %d\n%s", code, stderr)
		}
		if byOther {
			otherBuild(t, runs)
		}
		for name, cell := range cellFiles(t, runs) {
			c, err := results.DecodeCell([]byte(cell))
			if err != nil {
				t.Fatal(err)
			}
			failed, err := results.EncodeCell(results.Cell{Inputs: c.Inputs, Failure: "it failed"})
			if err != nil {
				t.Fatal(err)
			}
			stem := strings.TrimSuffix(name, ".json")
			writeFile(t, runs, stem+".journal", "")
			writeFile(t, runs, stem+".failed.json", string(failed))
		}
		if code, _, stderr := command(t, "run", spec, "--results", runs); code != exitOK || !strings.Contains(stderr, "4 stored") {
			t.Fatalf("exit code %d\n%s", code, stderr)
		}
		want := 0
		if byOther {
			want = 4
		}
		for _, suffix := range []string{".journal", ".failed.json"} {
			if left := len(storedFiles(t, runs, suffix)); left != want {
				t.Errorf("cells of another build %v: %d files %s are left, want %d", byOther, left, suffix, want)
			}
		}
	}
}
