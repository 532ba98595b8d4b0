package run_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"r2lmlbench/datasets"
	"r2lmlbench/experiments/plan"
	. "r2lmlbench/experiments/run"
	"r2lmlbench/experiments/spec"
	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/testkit"
	"r2lmlbench/results"
	"r2lmlbench/results/store"
)

// importTiny imports a file of that content for mat:tiny.
func importTiny(t *testing.T, s *store.Store, content string) (Import, error) {
	t.Helper()
	file := fixture.Write(t, filepath.Join(t.TempDir(), "mine.csv"), content)
	when := time.Date(2020, 5, 6, 7, 8, 9, 0, time.UTC)
	fixture.Check(t, os.Chtimes(file, when, when))
	im := Import{
		File: file, Name: "mine", Dataset: datasets.DataSet{ID: "mat:tiny", Name: "tiny"},
		Split: spec.Split{Rule: "authors", PCA: "all"}, Repeat: 1, Seed: 1, Note: "by hand",
	}
	fixture.Check(t, im.Check())
	source, _ := tinySource(t)
	cell, from, err := im.Read(source)
	if err != nil {
		return im, err
	}
	return im, Keep(t.Context(), s, cell, from)
}

// TestImportedCell: what is imported has the key of a column imported.
func TestImportedCell(t *testing.T) {
	s := storeIn(t, t.TempDir())
	fixture.Must(importTiny(t, s, strings.Repeat("1\n", 21)))(t)
	source, _ := tinySource(t)
	spec := testkit.Parse(t, tiny("  - method: imported\n    name: ours\n    params: {name: mine}\n"))
	in := fixture.Must(plan.New(t.Context(), spec, source))(t).Splits[0].Jobs[0][0].Inputs
	if c, ok, err := s.Find(in); !ok || err != nil || c.Correct() != 7 || len(c.Truth) != 21 {
		t.Errorf("%v, %v, %d of %d right, want 7 of 21", ok, err, c.Correct(), len(c.Truth))
	}
	// The digest is that of `yes 1 | head -21 | sha256sum`.
	want := &results.Import{
		File: "mine.csv", SHA256: "fa87ee5a0884829200e9eda8f93327348fcab52bbdd7664c9b9ec4d49be7e1c2",
		Modified: time.Date(2020, 5, 6, 7, 8, 9, 0, time.UTC), Note: "by hand",
	}
	run, _, _ := s.Run(in)
	fixture.Same(t, "sidecar", run.Import, want)
}

// TestImportOfASplit: what is imported for a repeat, a fold and a seed of a spec has the key of
// its job, and no two have the same.
func TestImportOfASplit(t *testing.T) {
	s := testkit.Parse(t, "name: several\ndatasets: [overlap30]\nseeds: 2\nsplit: {rule: cv, folds: 3, repeats: 2}\n"+
		"methods:\n  - {method: imported, params: {name: mine}}\n")
	p, source := testkit.PlanFor(t, s), plan.NewSource(t.TempDir())
	fixture.Equal(t, "splits", len(p.Splits), 6)
	keys := map[string]bool{}
	for i, row := range p.Splits {
		for seed, j := range row.Jobs[0] {
			test := fixture.Must(source.Split(*j.Dataset, *j.Rule))(t).Test
			im := Import{Name: "mine", Dataset: s.Sets[0], Split: s.Split, Repeat: 1 + i/3, Fold: 1 + i%3, Of: s, Seed: 1 + seed, Codes: true}
			im.File = fixture.Write(t, filepath.Join(t.TempDir(), "mine.csv"), strings.Repeat("1\n", len(test.Y)))
			fixture.Check(t, im.Check())
			cell, _, err := im.Read(source)
			fixture.Check(t, err)
			fixture.EqualSlice(t, "differences to "+j.Inputs.Split, cell.Inputs.Diff(j.Inputs), nil)
			fixture.EqualSlice(t, "labels", cell.Truth, test.Y)
			keys[cell.Key()] = true
		}
	}
	fixture.Equal(t, "keys", len(keys), 12)
	for _, im := range []Import{{Repeat: 3, Fold: 1}, {Repeat: 1, Fold: 4}, {Repeat: 1}} {
		im.Name, im.Dataset, im.Split, im.Of, im.Seed = "mine", s.Sets[0], s.Split, s, 1
		_, _, err := im.Read(source)
		fixture.Is(t, err, ErrSplit)
	}
}

func TestImportNeverReplaces(t *testing.T) {
	s := storeIn(t, t.TempDir())
	for range 2 {
		fixture.Must(importTiny(t, s, strings.Repeat("1\n", 21)))(t)
	}
	before := testkit.Cells(t, s.Dir)
	fixture.Must(importTiny(t, s, "label\n"+strings.Repeat("1\n", 21)))(t) // the same predictions in another file
	fixture.Says(t, fixture.Error(importTiny(t, s, strings.Repeat("2\n", 21))), "holds other predictions")
	testkit.EqualCells(t, testkit.Cells(t, s.Dir), before)
}

func TestImportRefuses(t *testing.T) {
	s := storeIn(t, t.TempDir())
	if im, err := importTiny(t, s, "1\n7\n"); err == nil || err.Error() != im.File+
		":2: label \"7\" is no class of the data, which has 3, such as [\"1\" \"2\" \"3\"]; class codes are read with --codes" {
		t.Errorf("error %v", err)
	}
	good := Import{Name: "x", Dataset: datasets.DataSet{ID: "mat:tiny"}, Split: spec.Split{Rule: "authors", PCA: "all"}, Repeat: 1, Seed: 3}
	fixture.Check(t, good.Check())
	for want, change := range map[string]func(*Import){
		"need a name":      func(im *Import) { im.Name = "" },
		"split is one":     func(im *Import) { im.Fold = 1 },
		"seed 0":           func(im *Import) { im.Seed = 0 },
		"seed 2000000000,": func(im *Import) { im.Seed = 2_000_000_000 },
	} {
		im := good
		change(&im)
		fixture.Says(t, im.Check(), want)
	}
	good.File = t.TempDir()
	source, _ := tinySource(t)
	_, _, err := good.Read(source)
	fixture.Says(t, err, "not a regular file")
}
