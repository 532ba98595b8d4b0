package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"r2lmlbench/results"
	"r2lmlbench/results/store"
)

// TestMergedShardsMakeTheWhole: shares computed in directories of their own
// give, merged, the table of a single run.
func TestMergedShardsMakeTheWhole(t *testing.T) {
	dir := t.TempDir()
	spec := writeFile(t, dir, "small.yaml", small)
	whole, joined := filepath.Join(dir, "whole"), filepath.Join(dir, "joined")
	one, two := filepath.Join(dir, "1"), filepath.Join(dir, "2")
	_, want, _ := command(t, "run", spec, "--results", whole)
	command(t, "run", spec, "--results", one, "--shard", "1/2")
	command(t, "run", spec, "--results", two, "--shard", "2/2")
	code, stdout, stderr := command(t, "merge", one, two, "--results", joined, "--format", "json")
	var merged struct {
		Schema  int
		Results string
		Sources []store.Merged
	}
	if err := json.Unmarshal([]byte(stdout), &merged); err != nil || code != 0 || stderr != "" {
		t.Fatalf("exit code %d, %v\n%s%s", code, err, stdout, stderr)
	}
	if s := merged.Sources; merged.Schema != 1 || merged.Results != joined || len(s) != 2 || s[0].Copied+s[1].Copied != 4 || s[0].Copied == 0 || s[1].Copied == 0 {
		t.Errorf("%+v", merged)
	}
	if code, got, stderr := command(t, "table", spec, "--results", joined); code != 0 || got != want {
		t.Errorf("exit code %d\n%s%s\nwant\n%s", code, got, stderr, want)
	}
}

// TestMergeFaults: conflicts end with exit code 2 and change nothing, damaged
// cells with 5 and the rest merged.
func TestMergeFaults(t *testing.T) {
	dir := t.TempDir()
	spec := writeFile(t, dir, "small.yaml", small)
	from, into := filepath.Join(dir, "from"), filepath.Join(dir, "into")
	command(t, "run", spec, "--results", from)
	cells, _ := filepath.Glob(filepath.Join(from, "cells", "*", "euclidean-????????????????.json"))
	if len(cells) != 2 {
		t.Fatalf("cells %q", cells)
	}
	if err := os.Truncate(cells[0], 100); err != nil {
		t.Fatal(err)
	}
	code, stdout, stderr := command(t, "merge", from, "--results", into)
	if code != 5 || !strings.Contains(stderr, cells[0]) || !strings.Contains(stdout, "copied") {
		t.Errorf("damage: exit code %d\n%s%s", code, stdout, stderr)
	}
	if copied, _ := filepath.Glob(filepath.Join(into, "cells", "*", "*-????????????????.json")); len(copied) != 3 {
		t.Errorf("copied %q, want 3 cells", copied)
	}
	// A cell with another prediction, sound in itself, under the same name.
	cell, err := os.ReadFile(cells[1])
	if err != nil {
		t.Fatal(err)
	}
	c, err := results.DecodeCell(cell)
	if err != nil {
		t.Fatal(err)
	}
	c.Predicted[0] = 3 - c.Predicted[0]
	if cell, err = results.EncodeCell(c); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(cells[1], cell, 0o666); err != nil {
		t.Fatal(err)
	}
	if code, _, stderr := command(t, "merge", from, "--results", into); code != 2 || !strings.Contains(stderr, cells[1]) {
		t.Errorf("conflict: exit code %d\n%s", code, stderr)
	}
	for _, args := range [][]string{{"merge", "--results", into}, {"merge", filepath.Join(dir, "gone"), "--results", into}} {
		if code, _, stderr := command(t, args...); code != 2 || stderr == "" {
			t.Errorf("%q: exit code %d\n%s", args, code, stderr)
		}
	}
}

// TestSlurmScript: paths are absolute, narrowing is kept, and what cannot be is
// refused.
func TestSlurmScript(t *testing.T) {
	dir := t.TempDir()
	spec := writeFile(t, dir, "it's small.yaml", small)
	t.Chdir(dir)
	code, stdout, stderr := command(t, "slurm", "it's small.yaml", "--program", "r2lmlbench", "--results", "out", "--tasks", "3", "--datasets",
		"twonorm-gen,ringnorm-gen", "--workers", "2")
	for _, want := range []string{"--array=1-3\n", "--cpus-per-task=2\n", "program='" + filepath.Join(dir, "r2lmlbench") + "'",
		"results='" + filepath.Join(dir, "out") + "'",
		strings.ReplaceAll(spec, "'", `'\''`), "'--datasets' 'twonorm-gen,ringnorm-gen'\n", `--shard "$task/3"`} {
		if !strings.Contains(stdout, want) {
			t.Errorf("the script lacks %q:\n%s", want, stdout)
		}
	}
	if code != 0 || strings.Contains(stdout, "--methods") {
		t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
	}
	code, quiet, stderr := command(t, "slurm", "it's small.yaml", "--program", "x", "--tasks", "9", "-o", "script")
	if written, err := os.ReadFile("script"); err != nil || code != 0 || quiet != "" || !strings.HasPrefix(string(written),
		"#!/bin/sh\n") || !strings.Contains(stderr, "5 of the 9 tasks") {
		t.Errorf("exit code %d, %v\n%s%s", code, err, quiet, stderr)
	}
	for _, c := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{"slurm", "quick", "--tasks", "0"}, 2, "--tasks is 0"},
		{[]string{"slurm", "quick", "--tasks", "10001", "--program", "x"}, 2, "from 1 to 10000"},
		{[]string{"k8s", "quick", "--tasks", "100000000"}, 2, "from 1 to 10000"},
		{[]string{"slurm", "quick", "--shard", "1/2"}, 2, "unknown flag: --shard"},
		{[]string{"slurm", "quick"}, 2, "go build"}, // the test's own program is such a one
		{[]string{"slurm", "quik", "--program", "x"}, 3, "quick"},
		{[]string{"k8s", "quick", "--methods", "gml"}, 2, "glml"},
		{[]string{"slurm", "accuracy", "--submit", "--program", "x", "--data", dir}, 4, "data fetch"},
	} {
		if code, _, stderr := command(t, c.args...); code != c.code || !strings.Contains(stderr, c.says) {
			t.Errorf("%q: exit code %d, want %d and %q\n%s", c.args, code, c.code, c.says, stderr)
		}
	}
}

// TestSlurmSubmit: the array is submitted first, then its last task, which
// depends on it.
func TestSlurmSubmit(t *testing.T) {
	dir := t.TempDir()
	record := filepath.Join(dir, "record")
	sbatch := writeFile(t, dir, "sbatch", "#!/bin/sh\necho \"$*\" >>"+record+"\ncat >>"+record+".in\necho \"4$(wc -l <"+record+");here\"\n")
	if err := os.Chmod(sbatch, 0o777); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	code, stdout, stderr := command(t, "slurm", "quick", "--submit", "--program", "x")
	if code != 0 || strings.ReplaceAll(stdout, " ", "") != "arrayjob41\nlastjob42\n" {
		t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
	}
	calls, _ := os.ReadFile(record)
	if got := strings.ReplaceAll(string(calls), "4 1", "41"); got != "--parsable\n--parsable --dependency=afterany:41 --array=0\n" {
		t.Errorf("calls of sbatch:\n%s", calls)
	}
	scripts, _ := os.ReadFile(record + ".in")
	if strings.Count(string(scripts), "#SBATCH --array=1-4\n") != 2 {
		t.Errorf("scripts:\n%s", scripts)
	}
	writeFile(t, dir, "sbatch", "#!/bin/sh\necho no partition >&2\nexit 1\n")
	if code, _, stderr := command(t, "slurm", "quick", "--submit", "--program", "x"); code != 2 || !strings.Contains(stderr, "no partition") {
		t.Errorf("exit code %d\n%s", code, stderr)
	}
}

func TestKubernetesManifest(t *testing.T) {
	dir := t.TempDir()
	spec := writeFile(t, dir, "small.yaml", small)
	code, stdout, stderr := command(t, "k8s", spec, "--image", "mine:1", "--tasks", "2", "--methods", "euclidean")
	for _, want := range []string{"kind: PersistentVolumeClaim\n", "kind: ConfigMap\n", "completions: 2\n", "image: mine:1\n", "- /spec/spec.yaml\n",
		"- euclidean\n", "name: small"} {
		if !strings.Contains(stdout, want) {
			t.Errorf("the manifest lacks %q:\n%s", want, stdout)
		}
	}
	if code != 0 || stderr != "" {
		t.Errorf("exit code %d\n%s", code, stderr)
	}
	if code, stdout, _ := command(t, "k8s", "quick", "--claim", "mine"); code != 0 || strings.Contains(stdout,
		"kind: ConfigMap") || strings.Contains(stdout, "kind: PersistentVolumeClaim") || !strings.Contains(stdout, "claimName: mine\n") {
		t.Errorf("exit code %d\n%s", code, stdout)
	}
}

// TestKubernetesFiles: what a spec names beside itself is not in the manifest, and a
// remark says where the pods look for each file.
func TestKubernetesFiles(t *testing.T) {
	dir := t.TempDir()
	rows := "x,kind\n" + strings.Repeat("1,a\n2,b\n", 20)
	for _, name := range []string{"mine.csv", "a.csv", "b.csv"} {
		writeFile(t, dir, name, rows)
	}
	writeFile(t, dir, "m.sh", "exit 1\n")
	for _, c := range []struct {
		spec string
		want []string // files with their places
	}{
		{"datasets: [{id: mine, file: ./mine.csv, label: kind}]\nmethods: [{method: euclidean}]", []string{"./mine.csv", "/spec/mine.csv"}},
		{"datasets: [{id: mine, file: " + filepath.Join(dir, "mine.csv") + ", label: kind}]\nmethods: [{method: euclidean}]",
			[]string{filepath.Join(dir, "mine.csv"), filepath.Join(dir, "mine.csv")}},
		{"datasets: {id: mine, label: kind}\nsplit: {rule: files, train: ./a.csv, test: ./b.csv}\nmethods: [{method: euclidean}]",
			[]string{"./a.csv", "/spec/a.csv", "./b.csv", "/spec/b.csv"}},
		{"datasets: [toy]\nmethods: [{method: external, params: {command: [sh, ./m.sh]}, grid: {p: [1, 2]}}]", []string{"./m.sh", "/spec/m.sh"}},
		{"datasets: [toy]\nmethods: [{method: external, params: {command: [sh, -c, exit]}}]", nil},
		{"datasets: [toy]\nmethods: [{method: euclidean}]", nil},
	} {
		file := writeFile(t, dir, "files.yaml", "name: files\n"+c.spec)
		code, stdout, stderr := command(t, "k8s", file, "--tasks", "1")
		if code != exitOK || !strings.Contains(stdout, "subPath: spec.yaml") || strings.Count(stderr, "COPY") != len(c.want)/2 {
			t.Errorf("exit code %d\n%s", code, stderr)
		}
		for i := 0; i < len(c.want); i += 2 {
			if !strings.Contains(stderr, "COPY "+c.want[i]+" "+c.want[i+1]+"\n") {
				t.Errorf("no word of %s at %s:\n%s", c.want[i], c.want[i+1], stderr)
			}
		}
	}
}

// TestPlanCost: missing cells cost something, stored ones nothing, and more
// workers never take longer.
func TestPlanCost(t *testing.T) {
	dir := t.TempDir()
	spec := writeFile(t, dir, "small.yaml", small)
	out := filepath.Join(dir, "results")
	command(t, "run", spec, "--results", out, "--methods", "euclidean")
	code, stdout, stderr := command(t, "plan", spec, "--cost", "--results", out, "--format", "json")
	var plan struct {
		Schema     int
		Spec       string
		Cells      []costedCell
		CPUSeconds float64 `json:"cpu_seconds"`
		Projected  []projection
	}
	if err := json.Unmarshal([]byte(stdout), &plan); err != nil || code != 0 {
		t.Fatalf("exit code %d, %v\n%s%s", code, err, stdout, stderr)
	}
	sum := 0.0
	for _, c := range plan.Cells {
		if (c.Status == "hit") != (c.CPUSeconds == 0) || (c.Status == "hit") != (c.Method == "euclidean") {
			t.Errorf("%+v", c)
		}
		if (c.Why == "") != (c.Status == "hit") {
			t.Errorf("%+v has no reason, or one that it should not have", c)
		}
		sum += c.CPUSeconds
	}
	if len(plan.Cells) != 4 || plan.CPUSeconds != sum || len(plan.Projected) != 4 || plan.Projected[0].Workers != 1 || plan.Projected[3].Workers != 256 {
		t.Fatalf("%+v", plan)
	}
	for i, p := range plan.Projected[1:] {
		if before := plan.Projected[i]; p.Hours > before.Hours || p.Hours <= 0 {
			t.Errorf("%+v after %+v", p, before)
		}
	}
	if got := plan.Projected[0].Hours * 3600; got < 0.999*sum || got > 1.001*sum {
		t.Errorf("one worker takes %g of %g seconds", got, sum)
	}
	code, stdout, _ = command(t, "plan", spec, "--cost", "--results", out, "--methods", "euclidean")
	if code != 0 || !strings.Contains(stdout, "0 missing cells") {
		t.Errorf("exit code %d\n%s", code, stdout)
	}
}
