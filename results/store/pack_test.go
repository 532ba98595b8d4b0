package store

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"r2lmlbench/internal/fixture"
	"r2lmlbench/results"
	"r2lmlbench/results/resultstest"
)

// linesOf are the lines of cells, all of one data set and method.
func linesOf(t testing.TB, cells ...results.Cell) []*entry {
	t.Helper()
	var lines []*entry
	for _, c := range cells {
		e := fixture.Must(newEntry(new(results.Decoder), resultstest.MustEncode(t, c)))(t)
		lines = append(lines, e)
	}
	return lines
}

func packOf(t testing.TB, cells ...results.Cell) []byte { return encodePack(linesOf(t, cells...)) }

// parse reads a pack of ITML on Robot.
func parse(data []byte) pack { return parsePack(new(results.Decoder), data, "itml.jsonl", robotITML) }

// seeds are cells that differ in their seeds; the last one failed.
func seeds(n int) []results.Cell {
	var cells []results.Cell
	for seed := range n {
		cells = append(cells, resultstest.NewCell("robot", "itml", 8, 10, uint64(seed+1)))
	}
	cells[n-1].Predicted, cells[n-1].Failure = nil, "crashed"
	return cells
}

var robotITML = newPartitionName("robot", "itml")

// TestPackOrder: the lines of a pack are by split, points, version and seed, and
// one more cell changes the head and nothing else that was there.
func TestPackOrder(t *testing.T) {
	base := resultstest.NewCell("robot", "itml", 8, 10, 1)
	seed2, seed10, newer, other, random := base, base, base, base, base
	seed2.Seed, seed10.Seed, newer.Version, random.Split = 2, 10, 2, "random seed=1 repeat=1"
	other.Points = []results.Point{{Params: results.Params{"gamma": 2}}}
	want := []results.Cell{other, base, seed2, seed10, newer, random}
	data := packOf(t, random, newer, seed10, base, other, seed2)
	lines := bytes.SplitAfter(data, []byte("\n"))
	for i, c := range want {
		fixture.Equal(t, fmt.Sprintf("line %d", i+2), string(lines[i+1]), string(resultstest.MustEncode(t, c)))
	}
	fewer := bytes.SplitAfter(packOf(t, random, newer, base, other, seed2), []byte("\n"))
	fixture.Same(t, "without a cell", fewer[1:], slices.Concat(lines[1:4], lines[5:]))
}

// TestPackDamage: what is wrong with a pack is told by its line, and cells whose lines are
// whole are used all the same.
func TestPackDamage(t *testing.T) {
	data := string(packOf(t, seeds(4)...))
	lines := strings.SplitAfter(data, "\n")[:5] // the head is 0
	lines = append(lines, string(resultstest.MustEncode(t, resultstest.NewCell("robot", "lmnn", 8, 10, 1))),
		string(resultstest.MustEncode(t, resultstest.NewCell("robot", "itml", 7, 10, 1))), "\n", "{\"schema\":1\n")
	const foreign, twin, blank, torn = 5, 6, 7, 8
	join := func(numbers ...int) string {
		joined := ""
		for _, n := range numbers {
			joined += lines[n]
		}
		return joined
	}
	const other = "1: the lines below it are not those"
	for _, c := range []struct {
		name, data string
		seeds      string   // of the cells that are used
		want       []string // beginnings of faults, with ! where a cell is lost
	}{
		{"nothing", data, "1234", nil},
		{"empty", "", "", []string{"1: not the head of a pack"}},
		{"only a head", join(0), "", []string{"1: 4 lines were written below it, 0 are there"}},
		{"no head", join(1, 2, 3, 4), "1234", []string{"1: a cell in the place of the head"}},
		{"a torn head", join(torn, 1, 2, 3, 4), "1234", []string{"1: not the head of a pack"}},
		{"another schema", strings.Replace(data, `"schema":1`, `"schema":2`, 1), "1234", []string{"1: schema 2, this program reads 1"}},
		{"another head", strings.Replace(data, `"method":"itml"`, `"method":"lmnn"`, 1), "1234", []string{"1: the head of robot/lmnn"}},
		{"a line lost", join(0, 1, 2, 4), "124", []string{"1: 4 lines were written below it, 3 are there"}},
		{"truncated", data[:len(data)-10], "123", []string{"1: 4 lines", "5: not a whole cell file!"}},
		{"a line altered", strings.Replace(data, `"chosen":0`, `"chosen":1`, 1), "234", []string{other, "2: content and digest do not match!"}},
		{"lines swapped", join(0, 2, 1, 3, 4), "2134", []string{other, "3: out of order"}},
		{"a line twice", join(0, 1, 1, 2, 3, 4), "1234", []string{"1: 4 lines", "3: the same as line 2"}},
		{"a line in two versions", join(0, 1, twin, 2, 3, 4), "234",
			[]string{"1: 4 lines", "3: it has the inputs of line 2 and differs from it; neither is used!"}},
		{"a line of another pack", join(0, 1, foreign, 3, 4), "134", []string{other, "3: a cell of robot/lmnn!"}},
		{"a blank line", join(0, 1, blank, 2, 3, 4), "1234", []string{"1: 4 lines", "3: not a whole cell file!"}},
	} {
		p, used := parse([]byte(c.data)), ""
		for _, l := range p.lines {
			used += fmt.Sprint(l.Seed)
		}
		begins := func(f fault, want string) bool {
			begin, lost := strings.CutSuffix(want, "!")
			return f.lost == lost && strings.HasPrefix(fmt.Sprintf("%d: %v", f.number, f.err), begin)
		}
		if used != c.seeds || !slices.EqualFunc(p.faults, c.want, begins) {
			t.Errorf("%s: seeds %q are used, want %q; faults %+v, want %q", c.name, used, c.seeds, p.faults, c.want)
		}
	}
}

// TestPackFlippedBits: every byte counts. A flipped one costs at most the cells of
// the lines it is in or ends, and is told.
func TestPackFlippedBits(t *testing.T) {
	data := packOf(t, seeds(3)...)
	for i := range data {
		flipped := bytes.Clone(data)
		flipped[i] ^= 1 << (i % 8)
		p := parse(flipped)
		if len(p.faults) == 0 || len(p.lines) < 1 {
			t.Fatalf("byte %d: %d lines, %d faults", i, len(p.lines), len(p.faults))
		}
		for _, l := range p.lines {
			if !bytes.Contains(data, l.Data) {
				t.Fatalf("byte %d: another line is used", i)
			}
		}
	}
}

// TestPackRewriteKeepsDamage: before a damaged pack is written anew, it is kept
// under another name.
func TestPackRewriteKeepsDamage(t *testing.T) {
	s, remarks := testStore(t)
	damaged := strings.Replace(string(packOf(t, seeds(3)...)), `"chosen":0`, `"chosen":1`, 1)
	path := s.packPath(robotITML)
	fixture.Write(t, path, damaged)
	accept(t, s, "smoke", resultstest.NewCell("robot", "itml", 8, 10, 9))
	fixture.Equal(t, "kept aside", fixture.Text(t, path+".corrupt-1"), damaged)
	if want := path + " was damaged and is written anew"; !told(*remarks, want) {
		t.Errorf("remarks %q, want %q", *remarks, want)
	}
	if p := parse([]byte(fixture.Text(t, path))); len(p.faults) != 0 || len(p.lines) != 3 {
		t.Errorf("%d lines, %v; want the two that were whole and the new one", len(p.lines), p.faults)
	}
}

// drawPack draws cells of one data set and method, by key.
func drawPack(t *rapid.T) map[string]results.Cell {
	cells := map[string]results.Cell{}
	for _, c := range rapid.SliceOfN(rapid.Custom(resultstest.DrawCell), 1, 8).Draw(t, "cells") {
		c.Dataset, c.Method = "robot", "itml"
		cells[c.Key()] = c
	}
	return cells
}

// TestPackRoundTrip: a pack has the bytes of its cells, whatever their order was.
func TestPackRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cells := drawPack(t)
		var before []byte
		for _, order := range []string{"first order", "second order"} {
			var lines []*entry
			for _, key := range rapid.Permutation(slices.Sorted(maps.Keys(cells))).Draw(t, order) {
				data := fixture.Must(results.EncodeCell(cells[key]))(t)
				e, err := newEntry(new(results.Decoder), data)
				if err != nil {
					t.Fatalf("%v in\n%s", err, data)
				}
				lines = append(lines, e)
			}
			data := encodePack(lines)
			if before != nil && !bytes.Equal(before, data) {
				t.Fatalf("in another order the pack is\n%s", data)
			}
			before = data
		}
		p := parse(before)
		if len(p.faults) > 0 || len(p.lines) != len(cells) {
			t.Fatalf("%d lines of %d, faults %v", len(p.lines), len(cells), p.faults)
		}
		for _, l := range p.lines {
			c, err := results.DecodeCell(l.Data)
			if want := cells[l.Key()]; err != nil || !cmp.Equal(c, want, cmpopts.EquateEmpty()) {
				t.Fatalf("%v, read back:\n%s", err, cmp.Diff(want, c))
			}
		}
	})
}

// TestMixedStore: files and packs serve together; where both have a cell, they
// must agree.
func TestMixedStore(t *testing.T) {
	s, remarks := testStore(t)
	alone, both, packed := resultstest.NewCell("robot", "itml", 8, 10, 1), resultstest.NewCell("robot", "itml", 8, 10, 2), resultstest.NewCell("robot",
		"itml", 8, 10, 3)
	accept(t, s, "a", both)
	accept(t, s, "b", packed)
	put(t, s, alone, both)
	for _, store := range []*Store{&s, s.Snapshot()} {
		for _, c := range []results.Cell{alone, both, packed} {
			fixture.Same(t, fmt.Sprintf("seed %d", c.Seed), expect(t, *store, c.Inputs, true), c)
		}
	}
	fixture.Equal(t, "the place of a cell of its own", s.Where(alone.Inputs), s.Path(alone.Inputs))
	fixture.Equal(t, "the place of a packed cell", s.Where(packed.Inputs), s.packPath(robotITML)+":3")

	// Accepting another cell changes it where it is kept, and never leaves two.
	renewed := resultstest.NewCell("robot", "itml", 7, 10, 2)
	accept(t, s, "a", renewed)
	if got := expect(t, s, renewed.Inputs, true); !cmp.Equal(got, renewed) {
		t.Errorf("%+v, want the cell that was accepted last", got)
	}
	fixture.Equal(t, "lines of the pack", strings.Count(fixture.Text(t, s.packPath(robotITML)), "\n"), 2)

	// Another process stores a cell that differs from the packed one.
	put(t, s, resultstest.NewCell("robot", "itml", 6, 10, 3))
	for _, store := range []*Store{&s, s.Snapshot()} {
		_, _, err := store.Get(packed.Inputs)
		if !errors.Is(err, ErrConflict) || !strings.Contains(err.Error(), s.Path(packed.Inputs)) || !strings.Contains(err.Error(), s.packPath(robotITML)+":2") {
			t.Errorf("error %v, want a conflict of both places", err)
		}
	}
	if _, err := s.Merge(t.Context(), []string{t.TempDir()}); !errors.Is(err, ErrConflict) {
		t.Errorf("a merge into it: %v, want a conflict", err)
	}
	if len(*remarks) > 1 { // one that the merged directory holds no cells
		t.Errorf("remarks %q", *remarks)
	}
}

// TestAcceptorsTakeTurns: of many that accept at the same time, in the same packs
// and for the same specs, none loses a cell of another.
func TestAcceptorsTakeTurns(t *testing.T) {
	dir := t.TempDir()
	const acceptors, rounds = 4, 5
	var group sync.WaitGroup
	for i := range acceptors {
		group.Go(func() {
			for round := range rounds {
				s := Store{Dir: dir, Log: t.Errorf}
				c := resultstest.NewCell("robot", "itml", 8, 10, uint64(1+i*rounds+round))
				u, err := s.Update(t.Context(), fmt.Sprintf("spec%d", i%2))
				if err != nil {
					t.Error(err)
					return
				}
				list := u.Accepted()
				file, err := u.Put(c)
				list.Cells = append(list.Cells, AcceptedCell{Place: Place{Dataset: c.Dataset, Split: c.Split, Method: c.Method, Seed: c.Seed}, File: file})
				if err := errors.Join(err, u.Commit(list)); err != nil {
					t.Error(err)
				}
				u.Close()
			}
		})
	}
	group.Wait()
	s := Store{Dir: dir, Log: t.Errorf}
	for i := range 2 {
		list, _, err := s.Accepted(fmt.Sprintf("spec%d", i))
		if err != nil || len(list.Cells) != acceptors*rounds/2 {
			t.Errorf("list %d has %d cells, %v", i, len(list.Cells), err)
		}
		for _, c := range list.Cells {
			if _, ok, err := s.AcceptedCell(c); !ok || err != nil {
				t.Errorf("%s is lost (%v)", c.File, err)
			}
		}
	}
}

// TestMergeIntoPacks: a store with packs keeps packs, one without files, and
// nothing is copied twice.
func TestMergeIntoPacks(t *testing.T) {
	runs := emptyStore(t)
	accepted, remarks := testStore(t)
	one, two := resultstest.NewCell("robot", "itml", 8, 10, 1), resultstest.NewCell("robot", "itml", 8, 10, 2)
	three, failing := resultstest.NewCell("heart", "itml", 8, 10, 1), resultstest.NewCell("heart", "lmnn", 8, 10, 1)
	accept(t, accepted, "smoke", one)
	put(t, runs, one, two, three)
	putFailed(t, runs, failing, "crashed")
	merge(t, accepted, []Merged{{Cells: 3, Copied: 2, Failed: 1}}, runs)
	merge(t, accepted, []Merged{{Cells: 3}}, runs)
	want := []string{"gates/smoke.history.jsonl", "gates/smoke.json", "packs/heart/itml.jsonl", "packs/heart/lmnn.jsonl", "packs/robot/itml.jsonl"}
	fixture.EqualSlice(t, "files", slices.Sorted(maps.Keys(tree(t, accepted.Dir))), want)
	back := emptyStore(t)
	merge(t, back, []Merged{{Cells: 3, Copied: 3, Failed: 1}}, accepted)
	for _, c := range []results.Cell{one, two, three} {
		fixture.Equal(t, "out of packs", fixture.Text(t, back.Path(c.Inputs)), string(resultstest.MustEncode(t, c)))
	}
	put(t, runs, failing)
	merge(t, accepted, []Merged{{Cells: 4, Copied: 1}}, runs)
	if _, ok, err := accepted.Failed(failing.Inputs); ok || err != nil {
		t.Errorf("it is still there as failed (%v)", err)
	}
	fixture.EqualSlice(t, "remarks", *remarks, nil)
}

// TestMergeDamagedPacks: lines of a source's pack that are no cells are told and
// left out, and cells that differ are a conflict by their lines.
func TestMergeDamagedPacks(t *testing.T) {
	from := emptyStore(t)
	into, remarks := testStore(t)
	data := strings.Replace(string(packOf(t, seeds(3)...)), `"chosen":0`, `"chosen":1`, 1)
	path := from.packPath(robotITML)
	fixture.Write(t, path, data)
	fixture.Write(t, filepath.Join(filepath.Dir(path), "notes.txt"), "no pack")
	merge(t, into, []Merged{{Cells: 1, Copied: 1, Failed: 1, Damaged: 2}}, from)
	for i, want := range []string{path + ":1 is damaged", path + ":2 is damaged"} {
		fixture.Has(t, "remark", (*remarks)[i], want)
	}
	other := emptyStore(t)
	accept(t, other, "smoke", resultstest.NewCell("robot", "itml", 7, 10, 2))
	_, err := into.Merge(t.Context(), []string{other.Dir})
	if where := other.packPath(robotITML) + ":2"; !errors.Is(err, ErrConflict) || !strings.Contains(err.Error(), where) {
		t.Errorf("error %v, want a conflict with %s", err, where)
	}
}

// TestStoreInFS: a store in a file system is read like a directory, and cannot
// be changed.
func TestStoreInFS(t *testing.T) {
	dir := emptyStore(t)
	packed, alone := resultstest.NewCell("robot", "itml", 8, 10, 1), resultstest.NewCell("heart", "itml", 8, 10, 1)
	accept(t, dir, "smoke", packed)
	put(t, dir, alone)
	s, remarks := testStore(t)
	s.Dir, s.FS = "embedded:results/accepted", os.DirFS(dir.Dir)
	for _, c := range []results.Cell{packed, alone} {
		if got := expect(t, s, c.Inputs, true); !cmp.Equal(got, c) {
			t.Errorf("%+v, want %+v", got, c)
		}
		in := c.Inputs
		in.DatasetDigest, in.SplitDigest = "", ""
		if _, ok, err := s.Find(in); !ok || err != nil {
			t.Errorf("without digests: %v, %v", ok, err)
		}
	}
	if list, there, err := s.Accepted("smoke"); err != nil || !there || len(list.Cells) != 1 {
		t.Errorf("%+v, %v", list, err)
	}
	if r, ok := s.Run(alone.Inputs); !ok || r.Workers != 2 {
		t.Errorf("%+v, %v", r, ok)
	}
	if ok, err := s.HasCells(); !ok || err != nil {
		t.Errorf("%v, %v", ok, err)
	}
	if got, want := s.Where(packed.Inputs), "embedded:results/accepted/packs/robot/itml.jsonl:2"; filepath.ToSlash(got) != want {
		t.Errorf("at %s, want %s", got, want)
	}
	_, updateErr := s.Update(t.Context(), "smoke")
	_, mergeErr := s.Merge(t.Context(), nil)
	_, lockErr := s.Lock(t.Context(), packed.Inputs)
	_, journalErr := s.OpenJournal(packed.Inputs)
	for name, err := range map[string]error{
		"Update": updateErr, "Merge": mergeErr, "Lock": lockErr, "OpenJournal": journalErr, "Put": s.Put(packed, results.Run{}),
	} {
		if !errors.Is(err, ErrReadOnly) || !strings.Contains(err.Error(), s.Dir) {
			t.Errorf("%s: error %v", name, err)
		}
	}
	fixture.Check(t, os.Truncate(dir.Path(alone.Inputs), 40))
	expect(t, s, alone.Inputs, false)
	if len(*remarks) != 1 || !strings.Contains((*remarks)[0], "counts as missing") {
		t.Errorf("remarks %q", *remarks)
	}
	if !isNothing(s.Dir) {
		t.Errorf("%s was made", s.Dir)
	}
}

// FuzzPack: of whatever bytes, the lines that are used are in the bytes, and a
// pack of them has no fault. Bytes without a fault are that pack.
func FuzzPack(f *testing.F) {
	data := packOf(f, seeds(3)...)
	lines := bytes.SplitAfter(data, []byte("\n"))
	f.Add(data)
	f.Add(data[:len(data)-5])
	f.Add(bytes.Join(lines[1:], nil))
	f.Add(bytes.Join([][]byte{lines[0], lines[2], lines[1], lines[3]}, nil))
	f.Add(bytes.Join([][]byte{lines[0], lines[1], lines[1]}, nil))
	f.Add(packOf(f, resultstest.GridCell()))
	f.Add([]byte("\n\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		p := parse(data)
		var kept []*entry
		for _, l := range p.lines {
			if !bytes.Contains(data, l.Data) {
				t.Fatalf("line %d is not in the pack", l.number)
			}
			kept = append(kept, l)
			if c, err := results.DecodeCell(l.Data); err == nil && (c.Key() != l.Key() || (c.Failure != "") != l.Failed) {
				t.Fatalf("line %d is not the cell that it was taken for", l.number)
			}
		}
		if len(kept) == 0 {
			return
		}
		again := encodePack(kept)
		if q := parse(again); len(q.faults) != 0 || len(q.lines) != len(kept) {
			t.Fatalf("written anew it has %d lines of %d, and faults %v", len(q.lines), len(kept), q.faults)
		}
		if len(p.faults) == 0 && !bytes.Equal(again, data) {
			t.Fatalf("without a fault, it is written as\n%s", again)
		}
	})
}
