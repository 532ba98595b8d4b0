package store

import (
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"r2lmlbench/internal/fixture"
	"r2lmlbench/results"
)

// tree returns the content of every file below dir, the empty locks of merges
// and cells left out.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	content := fixture.Contents(t, dir, "")
	maps.DeleteFunc(content, func(path, _ string) bool { return strings.HasSuffix(path, lockSuffix) })
	return content
}

// merge merges stores, and checks what was found in each of them.
func merge(t *testing.T, into Store, want []Merged, from ...Store) {
	t.Helper()
	var dirs []string
	for i, s := range from {
		dirs = append(dirs, s.Dir)
		want[i].Dir = s.Dir
	}
	fixture.Same(t, "the merge", fixture.Must(into.Merge(t.Context(), dirs))(t), want)
}

// unchanged checks that a folder has what it had before.
func unchanged(t *testing.T, dir string, before map[string]string) {
	t.Helper()
	fixture.Same(t, dir+" as it was", tree(t, dir), before)
}

func putFailed(t *testing.T, s Store, c results.Cell, why string) {
	t.Helper()
	c.Predicted, c.Failure = nil, why
	fixture.Check(t, s.Put(c, results.Run{Host: why}))
}

// TestMerge: two halves with a cell in common make the whole, byte for byte,
// and a second merge changes nothing.
func TestMerge(t *testing.T) {
	whole, remarks := testStore(t)
	a, b, into := emptyStore(t), emptyStore(t), emptyStore(t)
	c1, c2, c3 := fixture.NewCell("robot", "itml", 5, 9, 1), fixture.NewCell("robot", "lmnn", 6, 9, 1), fixture.NewCell("heart", "itml", 7, 9, 2)
	put(t, whole, c1, c2, c3)
	put(t, a, c1, c2)
	put(t, b, c2, c3)
	want := tree(t, whole.Dir)
	merge(t, into, []Merged{{Cells: 2, Copied: 2}, {Cells: 2, Copied: 1}}, a, b)
	unchanged(t, into.Dir, want)
	merge(t, into, []Merged{{Cells: 2}, {Cells: 2}, {Cells: 3}}, b, a, into)
	unchanged(t, into.Dir, want)
	fixture.EqualSlice(t, "remarks", *remarks, nil)
}

// TestMergeConflict: cells that differ are all named, and nothing is changed.
func TestMergeConflict(t *testing.T) {
	a, b, into := emptyStore(t), emptyStore(t), emptyStore(t)
	put(t, into, fixture.NewCell("robot", "itml", 5, 9, 1))
	put(t, a, fixture.NewCell("robot", "itml", 6, 9, 1), fixture.NewCell("robot", "lmnn", 5, 9, 1), fixture.NewCell("robot", "glml", 5, 9, 1))
	put(t, b, fixture.NewCell("robot", "lmnn", 6, 9, 1), fixture.NewCell("heart", "lmnn", 6, 9, 1))
	before := tree(t, into.Dir)
	_, err := into.Merge(context.Background(), []string{a.Dir, b.Dir})
	fixture.Is(t, err, ErrConflict)
	fixture.Says(t, err,
		into.Path(fixture.NewCell("robot", "itml", 5, 9, 1).Inputs)+" and "+a.Path(fixture.NewCell("robot", "itml", 6, 9, 1).Inputs),
		a.Path(fixture.NewCell("robot", "lmnn", 5, 9, 1).Inputs)+" and "+b.Path(fixture.NewCell("robot", "lmnn", 6, 9, 1).Inputs))
	fixture.Lacks(t, "the error, of cells that do not differ", err.Error(), "glml", "heart")
	unchanged(t, into.Dir, before)
}

// TestMergeFailed: a good cell wins over the record of a failure on either
// side; failures that differ are no conflict.
func TestMergeFailed(t *testing.T) {
	a, b, into := emptyStore(t), emptyStore(t), emptyStore(t)
	c1, c2 := fixture.NewCell("robot", "itml", 5, 9, 1), fixture.NewCell("robot", "lmnn", 6, 9, 1)
	c3, c4 := fixture.NewCell("robot", "glml", 6, 9, 1), fixture.NewCell("robot", "plml", 6, 9, 1)
	putFailed(t, into, c1, "crashed")
	put(t, a, c1)
	putFailed(t, a, c2, "crashed")
	put(t, b, c2)
	putFailed(t, a, c3, "too slow")
	putFailed(t, b, c3, "too slow by far")
	put(t, into, c4)
	putFailed(t, b, c4, "crashed")
	merge(t, into, []Merged{{Cells: 1, Copied: 1, Failed: 1}, {Cells: 1, Copied: 1}}, a, b)
	for _, c := range []results.Cell{c1, c2, c4} {
		expect(t, into, c.Inputs, true)
		fixture.Equal(t, c.Method+" failed as well", there(into.Failed(c.Inputs))(t), false)
	}
	got, _ := found(into.Failed(c3.Inputs))(t)
	run, _, _ := into.Run(c3.Inputs)
	fixture.Equal(t, "failure and run, of the first source", [2]string{got.Failure, run.Host}, [2]string{"too slow", "too slow"})
}

// TestMergeGrids: the target gets the points that any source has, the first of several,
// and nothing of a grid whose cell some folder has; its journal goes with the cell.
func TestMergeGrids(t *testing.T) {
	a, b, into := emptyStore(t), emptyStore(t), emptyStore(t)
	cell, other := fixture.NewCell("robot", "itml", 5, 9, 1), fixture.NewCell("heart", "glml", 6, 9, 1)
	for len(cell.Inputs.Settings) < 4 {
		cell.Inputs.Settings = append(cell.Inputs.Settings, cell.Inputs.Settings[0])
	}
	add := func(s Store, in results.Inputs, outcomes ...results.Outcome) {
		t.Helper()
		j, err := s.OpenJournal(in)
		for _, o := range outcomes {
			err = errors.Join(err, j.Add(o))
		}
		fixture.Check(t, errors.Join(err, j.Close()))
	}
	add(into, cell.Inputs, results.Outcome{Setting: 3, Correct: 30})
	add(a, cell.Inputs, results.Outcome{Setting: 0, Correct: 10}, results.Outcome{Setting: 3, Correct: 31})
	add(b, cell.Inputs, results.Outcome{Setting: 0, Correct: 11}, results.Outcome{Setting: 1, Correct: 12},
		results.Outcome{Setting: 1, Phase: results.PhaseTest}, results.Outcome{Setting: 2, Failed: "too slow"}, results.Outcome{Setting: 2, Correct: 13})
	add(b, other.Inputs, results.Outcome{Correct: 1})
	put(t, a, other)
	merge(t, into, []Merged{{Cells: 1, Copied: 1, Journals: 1}, {Journals: 1}}, a, b)
	j := fixture.Must(into.OpenJournal(cell.Inputs))(t)
	right := map[int]int{}
	for point, o := range j.Done("") {
		right[point] = o.Correct
	}
	fixture.Same(t, "points of the grid", right, map[int]int{0: 10, 1: 12, 2: 13, 3: 30})
	fixture.Equal(t, "points of the other phase", len(j.Done(results.PhaseTest)), 1)
	j.Close()

	// A header that is damaged costs the target nothing.
	known := fixture.Text(t, j.path)
	broken := emptyStore(t)
	add(broken, cell.Inputs, results.Outcome{Setting: 0, Correct: 14})
	at := broken.stem(cell.Inputs) + journalSuffix
	fixture.Check(t, os.WriteFile(at, []byte(strings.Replace(fixture.Text(t, at), cell.Inputs.Key()[40:], strings.Repeat("0", 24), 1)), 0o666))
	merge(t, into, []Merged{{Damaged: 1}}, broken)
	fixture.Equal(t, "journal of the target", fixture.Text(t, j.path), known)

	put(t, a, cell)
	merge(t, into, []Merged{{Cells: 2, Copied: 1}, {}}, a, b)
	expect(t, into, cell.Inputs, true)
	fixture.EqualSlice(t, "journals of cells that are there", fixture.Must(filepath.Glob(into.Dir+"/cells/*/*.journal"))(t), nil)
}

// TestMergeDamage: damaged files of a source are told, left out and left alone;
// one of the target makes room.
func TestMergeDamage(t *testing.T) {
	a := emptyStore(t)
	into, remarks := testStore(t)
	good, torn, moved, journaled := fixture.NewCell("robot", "itml", 5, 9, 1), fixture.NewCell("robot", "lmnn", 6, 9, 1),
		fixture.NewCell("robot", "glml", 6, 9, 1), fixture.NewCell("heart", "glml", 6, 9, 1)
	put(t, a, good, torn, moved)
	fixture.Check(t, os.Truncate(a.Path(torn.Inputs), 40))
	wrong := moved.Inputs
	wrong.Seed = 77
	fixture.Check(t, os.Rename(a.Path(moved.Inputs), a.Path(wrong)))
	j := fixture.Must(a.OpenJournal(journaled.Inputs))(t)
	fixture.Check(t, errors.Join(j.Add(results.Outcome{Correct: 1}), j.Close()))
	put(t, into, good)
	fixture.Check(t, os.WriteFile(into.Path(good.Inputs), []byte("{}"), 0o666))
	before := tree(t, a.Dir)
	merge(t, into, []Merged{{Cells: 1, Copied: 1, Damaged: 2, Journals: 1}}, a)
	unchanged(t, a.Dir, before)
	expect(t, into, good.Inputs, true)
	expect(t, into, torn.Inputs, false)
	all := strings.Join(*remarks, "\n")
	fixture.Has(t, "the remarks", all, a.Path(torn.Inputs), a.Path(wrong), into.Path(good.Inputs)+".corrupt-1")
}

// TestMergeWaitsForCells: merge waits for a process that computes a cell in the target, and
// neither copies nor overwrites the cell that it stores.
func TestMergeWaitsForCells(t *testing.T) {
	c, other := fixture.NewCell("robot", "itml", 5, 9, 1), fixture.NewCell("robot", "itml", 6, 9, 1)
	for _, test := range []struct {
		name   string
		source func(s Store)
		stored func(s Store) // while the merge waits
		fault  error
	}{
		{"same cell", func(s Store) { put(t, s, c) }, func(s Store) { put(t, s, c) }, nil},
		{"other cell", func(s Store) { put(t, s, other) }, func(s Store) { put(t, s, c) }, ErrConflict},
		{"failure and cell", func(s Store) { putFailed(t, s, c, "too slow") }, func(s Store) { put(t, s, c) }, nil},
		{"failures", func(s Store) { putFailed(t, s, c, "too slow") }, func(s Store) { putFailed(t, s, c, "crashed") }, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			a, into := emptyStore(t), emptyStore(t)
			test.source(a)
			release := lockNow(t, into, c.Inputs)
			ctx, cancel := context.WithCancel(context.Background())
			into.Log = func(string, ...any) { cancel() }
			fixture.Is(t, fixture.Error(into.Merge(ctx, []string{a.Dir})), context.Canceled)
			fixture.Equal(t, "files written while the lock was held", len(tree(t, into.Dir)), 0)
			var before map[string]string
			into.Log = func(string, ...any) {
				test.stored(into)
				before = tree(t, into.Dir)
				release()
			}
			m, err := into.Merge(context.Background(), []string{a.Dir})
			if !errors.Is(err, test.fault) || err == nil && m[0].Copied+m[0].Failed > 0 {
				t.Errorf("%+v, %v, want nothing copied and error %v", m, err, test.fault)
			}
			unchanged(t, into.Dir, before)
		})
	}
}
