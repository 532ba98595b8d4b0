package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// pageOf reads the page of a report.
func pageOf(t *testing.T, dir string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, "index.html"))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestReportCommand(t *testing.T) {
	dir := t.TempDir()
	spec := writeFile(t, dir, "small.yaml", small)
	results, first, second := filepath.Join(dir, "results"), filepath.Join(dir, "first"), filepath.Join(dir, "second")
	if code, _, stderr := command(t, "report", spec, "-o", first, "--results", results); code != exitUsage || !strings.Contains(stderr, "r2lmlbench run") {
		t.Errorf("nothing stored: exit %d\n%s", code, stderr)
	}
	if code, _, stderr := command(t, "run", spec, "--results", results); code != exitOK {
		t.Fatalf("exit %d\n%s", code, stderr)
	}
	for _, out := range []string{first, second} {
		if code, stdout, stderr := command(t, "report", spec, "--output", out, "--results",
			results); code != exitOK || stdout != "" || !strings.Contains(stderr, out) {
			t.Fatalf("exit %d\n%s\n%s", code, stdout, stderr)
		}
	}
	page := pageOf(t, first)
	if page != pageOf(t, second) {
		t.Error("two reports on the same cells differ")
	}
	if !strings.Contains(page, "<h1>small</h1>") || strings.Contains(page, `id="changes"`) {
		t.Error("the page is of something else")
	}
	if code, _, stderr := command(t, "report", spec, "-o", second, "--results", results, "--against", results); code != exitOK {
		t.Fatalf("exit %d\n%s", code, stderr)
	}
	if !strings.Contains(pageOf(t, second), "4 cells in both: 4 the same, 0 changed") {
		t.Error("the comparison with itself finds a difference, or nothing")
	}
	gone, foreign := filepath.Join(dir, "gone"), filepath.Join(dir, "foreign")
	writeFile(t, foreign, "cells/robot/none.json", "")
	for _, against := range []string{gone, foreign} {
		code, _, stderr := command(t, "report", spec, "-o", filepath.Join(dir, "third"), "--results", results, "--against", against)
		if code != exitUsage || !strings.Contains(stderr, against) || !strings.Contains(stderr, "--against") {
			t.Errorf("against %s: exit %d\n%s", against, code, stderr)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "third")); err == nil {
		t.Error("a report that failed was written")
	}
	t.Chdir(dir)
	if code, _, stderr := command(t, "report", spec, "--results", results); code != exitOK || pageOf(t, "report") != page {
		t.Errorf("no directory: exit code %d\n%s", code, stderr)
	}
	// A page of somebody else stays, and so does a folder that has no page.
	for name, path := range map[string]string{"page": "index.html", "figure": "table.csv"} {
		theirs := writeFile(t, filepath.Join(dir, name), path, "mine")
		code, _, stderr := command(t, "report", spec, "--results", results, "-o", name)
		if left, err := os.ReadFile(theirs); code == exitOK || err != nil || string(left) != "mine" || !strings.Contains(stderr, path) {
			t.Errorf("%s: exit code %d, %v, %q\n%s", path, code, err, left, stderr)
		}
	}
}

// TestReportOnAcceptedCells: without --results the accepted cells are shown, and
// the paper's table has all its numbers and findings.
func TestReportOnAcceptedCells(t *testing.T) {
	out := t.TempDir()
	if code, _, stderr := command(t, "report", "accuracy", "-o", out, "--accepted", "../../results/accepted", "--data", t.TempDir()); code != exitOK {
		t.Fatalf("exit %d\n%s", code, stderr)
	}
	page := pageOf(t, out)
	for _, want := range []string{`href="#robot/e-r2lml"`, `id="finding-the-splits-follow-a-deterministic-rule"`, `id="note-unreachable"`,
		"65.86<sup>2</sup>"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	if n := strings.Count(page, `class="n"`); n != 144 {
		t.Errorf("%d numbers, want 144", n)
	}
	if len(page) > 3_000_000 {
		t.Errorf("the page has %d bytes", len(page))
	}
}
