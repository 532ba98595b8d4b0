package run_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"r2lmlbench/datasets"
	. "r2lmlbench/experiments/run"
	"r2lmlbench/experiments/spec"
	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/spectest"
	"r2lmlbench/results"
	"r2lmlbench/results/store"
	"r2lmlbench/results/table"
)

// importTiny imports a file of that content for mat:tiny.
func importTiny(t *testing.T, s *store.Store, content string) (Import, error) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "mine.csv")
	fixture.Check(t, os.WriteFile(file, []byte(content), 0o666))
	when := time.Date(2020, 5, 6, 7, 8, 9, 0, time.UTC)
	fixture.Check(t, os.Chtimes(file, when, when))
	im := Import{
		File: file, Name: "mine", Dataset: datasets.Entry{ID: "mat:tiny", Name: "tiny"},
		Split: spec.Split{Rule: "authors", PCA: "all"}, Repeat: 1, Seed: 1, Note: "by hand",
	}
	fixture.Check(t, im.Check())
	source, _ := tinySource(t)
	cell, from, err := im.Read(source)
	if err != nil {
		return im, err
	}
	return im, Keep(context.Background(), s, cell, from)
}

const importedStanza = "  - method: imported\n    name: ours\n    params: {name: mine}\n  - method: euclidean\n"

func TestImportedCellIsInTheTable(t *testing.T) {
	dir := t.TempDir()
	s := &store.Store{Dir: dir, Log: t.Logf}
	row, _, err := runTiny(t, context.Background(), dir, importedStanza)
	if c := row.Cells[0]; err != nil || c.Status != table.StatusMissing || !strings.Contains(c.Reason, "r2lmlbench import") {
		t.Errorf("before: %v, status %q, reason %q; want a missing cell and how to get it", err, c.Status, c.Reason)
	}
	if _, err := importTiny(t, s, strings.Repeat("1\n", 21)); err != nil {
		t.Fatal(err)
	}
	row, runs, err := runTiny(t, context.Background(), dir, importedStanza)
	if err != nil {
		t.Fatal(err)
	}
	if c := row.Cells[0]; c.Score == nil || c.Correct != 7 || len(row.Pairs) != 1 || row.Pairs[0].A != "ours" {
		t.Errorf("%+v, reason %q, pairs %+v; want 7 of 21 right and a test", c.Score, c.Reason, row.Pairs)
	}
	// The digest is that of `yes 1 | head -21 | sha256sum`.
	want := &results.Import{
		File: "mine.csv", SHA256: "fa87ee5a0884829200e9eda8f93327348fcab52bbdd7664c9b9ec4d49be7e1c2",
		Modified: time.Date(2020, 5, 6, 7, 8, 9, 0, time.UTC), Note: "by hand",
	}
	if diff := cmp.Diff(want, runs[0].Import); diff != "" {
		t.Errorf("sidecar (-want +got):\n%s", diff)
	}
}

func TestImportNeverReplaces(t *testing.T) {
	dir := t.TempDir()
	s := &store.Store{Dir: dir, Log: t.Logf}
	for range 2 {
		if _, err := importTiny(t, s, strings.Repeat("1\n", 21)); err != nil {
			t.Fatal(err)
		}
	}
	before := spectest.Cells(t, dir)
	if _, err := importTiny(t, s, "label\n"+strings.Repeat("1\n", 21)); err != nil {
		t.Errorf("the same predictions in another file: %v", err)
	}
	if _, err := importTiny(t, s, strings.Repeat("2\n", 21)); err == nil || !strings.Contains(err.Error(), "holds other predictions") {
		t.Errorf("error %v, want a refusal", err)
	}
	spectest.EqualCells(t, spectest.Cells(t, dir), before)
}

func TestImportRefuses(t *testing.T) {
	s := &store.Store{Dir: t.TempDir(), Log: t.Logf}
	if im, err := importTiny(t, s, "1\n7\n"); err == nil || err.Error() != im.File+":2: label 7 is unknown; want a class from 1 to 3" {
		t.Errorf("error %v", err)
	}
	good := Import{Name: "x", Dataset: datasets.Entry{ID: "mat:tiny"}, Split: spec.Split{Rule: "authors", PCA: "all"}, Repeat: 1, Seed: 3}
	if err := good.Check(); err != nil {
		t.Error(err)
	}
	for want, change := range map[string]func(*Import){
		"need a name":      func(im *Import) { im.Name = "" },
		"split is one":     func(im *Import) { im.Fold = 1 },
		"seed 0":           func(im *Import) { im.Seed = 0 },
		"seed 2000000000,": func(im *Import) { im.Seed = 2_000_000_000 },
	} {
		im := good
		change(&im)
		if err := im.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	good.File = t.TempDir()
	source, _ := tinySource(t)
	if _, _, err := good.Read(source); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("a directory: error %v", err)
	}
}
