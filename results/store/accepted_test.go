package store

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"r2lmlbench/internal/fixture"
	"r2lmlbench/results"
)

// accept puts cells into s and lists them under a spec.
func accept(t *testing.T, s Store, spec string, cells ...results.Cell) Accepted {
	t.Helper()
	u := fixture.Must(s.Update(t.Context(), spec))(t)
	defer u.Close()
	a := Accepted{Schema: 1, Spec: spec, Test: results.TestInfo{Pair: "mcnemar-exact", Correction: "holm", Alpha: 0.05}}
	for _, c := range cells {
		file := fixture.Must(u.Put(c))(t)
		if c.Failure == "" {
			a.Cells = append(a.Cells, AcceptedCell{Key: Key{Dataset: c.Dataset, Split: c.Split, Method: c.Method, Seed: c.Seed}, File: file})
		}
	}
	fixture.Check(t, u.Commit(a))
	return a
}

func TestAcceptedRoundTrip(t *testing.T) {
	s := Store{Dir: t.TempDir(), Log: t.Logf}
	fixture.Equal(t, "there in an empty store", there(s.Accepted("smoke"))(t), false)
	one, two := fixture.NewCell("robot", "itml", 8, 10, 1), fixture.NewCell("heart", "itml", 7, 10, 2)
	want := accept(t, s, "smoke", one, two)
	got, listed := found(s.Accepted("smoke"))(t)
	fixture.Equal(t, "there when it is accepted", listed, true)
	fixture.Same(t, "the list", got, want)
	c, _ := found(s.AcceptedCell(got.Cells[1]))(t)
	fixture.Same(t, "a cell of it", c, two)
	fixture.Equal(t, "its place", got.ByKey()[Key{Dataset: "heart", Split: "authors", Method: "itml", Seed: 2}], got.Cells[1])
	files := slices.Sorted(maps.Keys(tree(t, s.Dir)))
	fixture.EqualSlice(t, "files", files, []string{"gates/smoke.history.jsonl", "gates/smoke.json", "packs/heart/itml.jsonl.gz", "packs/robot/itml.jsonl.gz"})
}

// TestAcceptedDropsWhatNobodyNames: an old version of a cell goes, one that
// another spec names stays.
func TestAcceptedDropsWhatNobodyNames(t *testing.T) {
	s := Store{Dir: t.TempDir(), Log: t.Logf}
	old, shared := fixture.NewCell("robot", "itml", 8, 10, 1), fixture.NewCell("robot", "lmnn", 8, 10, 1)
	renewed := old
	renewed.Version = 2
	accept(t, s, "other", shared)
	accept(t, s, "smoke", old, shared)
	accept(t, s, "smoke", renewed)
	expect(t, s, old.Inputs, false)
	expect(t, s, shared.Inputs, true)
	expect(t, s, renewed.Inputs, true)
}

// TestAcceptedDigest: every byte of a list counts.
func TestAcceptedDigest(t *testing.T) {
	s := Store{Dir: t.TempDir(), Log: t.Logf}
	accept(t, s, "smoke", fixture.NewCell("robot", "itml", 8, 10, 1))
	file := s.gatesPath("smoke", cellSuffix)
	good := fixture.Must(os.ReadFile(file))(t)
	for i := range good {
		bad := bytes.Clone(good)
		bad[i] ^= 1 << (i % 8)
		if list, err := parseAccepted(bad); err == nil {
			t.Errorf("byte %d does not count: %+v", i, list)
		}
	}
	fixture.Write(t, file, strings.Replace(string(good), `"seed": 1`, `"seed": 2`, 1))
	_, _, err := s.Accepted("smoke")
	fixture.Says(t, err, file, "gate --accept")
	fixture.Says(t, fixture.Error(s.Update(t.Context(), "smoke")), file, "gate --accept")
	for name, list := range map[string]Accepted{
		"another schema": {Schema: 2},
		"a place twice":  {Schema: 1, Cells: []AcceptedCell{{File: "a/x-0123456789abcdef.json"}, {File: "a/y-0123456789abcdef.json"}}},
	} {
		data := fixture.Must(list.encode())(t)
		if list, err := parseAccepted(data); err == nil {
			t.Errorf("%s is read: %+v", name, list)
		}
	}
	end := strings.LastIndex(string(good), ",\n \"digest\"")
	fixture.Write(t, file, string(good)[:end]+"\n}\n")
	if list, _, err := s.Accepted("smoke"); err == nil {
		t.Errorf("without a digest: %+v", list)
	}
}

// FuzzAccepted: a list that is as it was written names no file outside its store.
func FuzzAccepted(f *testing.F) {
	for _, file := range []string{"robot/itml-0123456789abcdef.json", "../x.json", "..json", "a/../../x.json", ""} {
		f.Add(file)
	}
	f.Fuzz(func(t *testing.T, file string) {
		data := fixture.Must(Accepted{Schema: 1, Cells: []AcceptedCell{{File: file}}}.encode())(t)
		if _, err := parseAccepted(data); err != nil {
			return
		}
		if rel, err := filepath.Rel("/store", filepath.Join("/store", file)); err != nil || strings.HasPrefix(rel, "../") {
			t.Fatalf("%q leads out of the store", file)
		}
	})
}
