package store

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"r2lmlbench/internal/fixture"
	"r2lmlbench/results"
)

// linesOf are the lines of cells, all of one data set and method.
func linesOf(t testing.TB, cells ...results.Cell) []*entry {
	t.Helper()
	var lines []*entry
	for _, c := range cells {
		e := fixture.Must(newEntry(new(results.Decoder), fixture.MustEncode(t, c)))(t)
		lines = append(lines, e)
	}
	return lines
}

func packOf(t testing.TB, cells ...results.Cell) []byte { return encodePack(linesOf(t, cells...)) }

// parse reads a pack of ITML on Robot.
func parse(data []byte) pack { return parsePack(new(results.Decoder), data, "itml.jsonl", robotITML) }

// packText is the text of a pack's file, which is not damaged.
func packText(t testing.TB, s Store, of partitionName) string {
	t.Helper()
	return string(fixture.Must(decompress([]byte(fixture.Text(t, s.packPath(of)))))(t))
}

// seeds are cells that differ in their seeds; the last one failed.
func seeds(n int) []results.Cell {
	var cells []results.Cell
	for seed := range n {
		cells = append(cells, fixture.NewCell("robot", "itml", 8, 10, uint64(seed+1)))
	}
	cells[n-1].Predicted, cells[n-1].Failure = nil, "crashed"
	return cells
}

var robotITML = newPartitionName("robot", "itml")

// TestPackOrder: the lines of a pack are by split, points, version and seed, and
// one more cell changes the head and nothing else that was there.
func TestPackOrder(t *testing.T) {
	base := fixture.NewCell("robot", "itml", 8, 10, 1)
	seed2, seed10, newer, other, random := base, base, base, base, base
	seed2.Seed, seed10.Seed, newer.Version, random.Split = 2, 10, 2, "random seed=1 repeat=1"
	other.Settings = []results.Setting{{Params: results.Params{"gamma": 2}}}
	want := []results.Cell{other, base, seed2, seed10, newer, random}
	data := packOf(t, random, newer, seed10, base, other, seed2)
	lines := bytes.SplitAfter(data, []byte("\n"))
	for i, c := range want {
		fixture.Equal(t, fmt.Sprintf("line %d", i+2), string(lines[i+1]), string(fixture.MustEncode(t, c)))
	}
	fewer := bytes.SplitAfter(packOf(t, random, newer, base, other, seed2), []byte("\n"))
	fixture.Same(t, "without a cell", fewer[1:], slices.Concat(lines[1:4], lines[5:]))
}

// TestPackDamage: what is wrong with a pack is told by its line, and cells whose lines are
// whole are used all the same.
func TestPackDamage(t *testing.T) {
	data := string(packOf(t, seeds(4)...))
	lines := strings.SplitAfter(data, "\n")[:5] // the head is 0
	lines = append(lines, string(fixture.MustEncode(t, fixture.NewCell("robot", "lmnn", 8, 10, 1))),
		string(fixture.MustEncode(t, fixture.NewCell("robot", "itml", 7, 10, 1))), "\n", "{\"schema\":1\n")
	const foreign, twin, blank, torn = 5, 6, 7, 8
	join := func(numbers ...int) string {
		joined := ""
		for _, n := range numbers {
			joined += lines[n]
		}
		return joined
	}
	count := func(n int) string { return fmt.Sprintf("1: 4 lines were written below it, %d are there", n) }
	altered := []string{"1: the lines below it are not those that were written"}
	for _, c := range []struct {
		name, data string
		seeds      string   // of the cells that are used
		want       []string // beginnings of faults, with ! where a cell is lost
	}{
		{"nothing", data, "1234", nil},
		{"empty", "", "", []string{"1: not the head of a pack"}},
		{"only a head", join(0), "", []string{count(0)}},
		{"no head", join(1, 2, 3, 4), "1234", []string{"1: a cell in the place of the head"}},
		{"a torn head", join(torn, 1, 2, 3, 4), "1234", []string{"1: not the head of a pack"}},
		{"another schema", strings.Replace(data, `"schema":1`, `"schema":2`, 1), "1234",
			[]string{"1: schema 2, this program reads 1"}},
		{"another head", strings.Replace(data, `"method":"itml"`, `"method":"lmnn"`, 1), "1234", altered},
		{"a line lost", join(0, 1, 2, 4), "124", []string{count(3)}},
		{"lines swapped, with the head of that", string(headOf(linesOf(t, seeds(4)...), []byte(join(2, 1, 3, 4)))) + join(2, 1, 3, 4), "2134",
			[]string{"1: the lines below it are out of order"}},
		{"truncated", data[:len(data)-10], "123", []string{count(3), "5: not a whole cell file!"}},
		{"a line altered", strings.Replace(data, `"chosen":0`, `"chosen":1`, 1), "234", []string{"2: content and digest do not match!"}},
		{"lines swapped", join(0, 2, 1, 3, 4), "2134", altered},
		{"a line twice", join(0, 1, 1, 2, 3, 4), "1234", []string{count(5), "3: the same as line 2"}},
		{"a line in two versions", join(0, 1, twin, 2, 3, 4), "234",
			[]string{count(5), "3: it has the inputs of line 2 and differs from it; neither is used!"}},
		{"a line of another pack", join(0, 1, foreign, 3, 4), "134", []string{"3: a cell of robot/lmnn!"}},
		{"a blank line", join(0, 1, blank, 2, 3, 4), "1234", []string{count(5), "3: not a whole cell file!"}},
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

// TestPackFile: the file of a pack is gzip that other programs read, one more cell changes few
// of its members, and a damaged byte costs the cells of one member at most.
func TestPackFile(t *testing.T) {
	cells := seeds(120)
	text := packOf(t, cells...)
	file := compress(text)
	z := fixture.Must(gzip.NewReader(bytes.NewReader(file)))(t)
	fixture.Equal(t, "what gzip reads", string(fixture.Must(io.ReadAll(z))(t)), string(text))
	fixture.Equal(t, "the text again", string(fixture.Must(decompress(file))(t)), string(text))

	members := strings.SplitAfter(strings.ReplaceAll(string(file), memberStart, "\x00|"+memberStart), "\x00|")[1:]
	fewer := string(compress(packOf(t, slices.Delete(slices.Clone(cells), 60, 61)...)))
	same := 0
	for _, m := range members {
		if strings.Contains(fewer, strings.TrimSuffix(m, "\x00|")) {
			same++
		}
	}
	if len(members) < 4 || same < len(members)-3 { // the first, which has the head, and one or two
		t.Errorf("%d of %d members are in the file without a cell", same, len(members))
	}

	longest, lines := 0, 0
	for line := range bytes.Lines(text) {
		lines++
		longest = max(longest, lines)
		if bytes.HasSuffix(line, []byte("0\"}\n")) {
			lines = 0
		}
	}
	for at := 0; at < len(file); at += 61 {
		flipped := bytes.Clone(file)
		flipped[at] ^= 1 << (at % 8)
		got, damage := decompress(flipped)
		p := parse(got)
		if damage == nil && len(p.faults) == 0 && !bytes.Equal(got, text) || len(p.lines) < len(cells)-longest {
			t.Fatalf("byte %d: %d of %d lines, damage %v", at, len(p.lines), len(cells), damage)
		}
		for _, l := range p.lines {
			if !bytes.Contains(text, l.Data) {
				t.Fatalf("byte %d: another line is used", at)
			}
		}
	}
}

// TestPackBomb: no more text is read of a file than a pack may have.
func TestPackBomb(t *testing.T) {
	var file bytes.Buffer
	z := gzip.NewWriter(&file)
	for range 1 + maxFileBytes>>20 {
		fixture.Must(z.Write(make([]byte, 1<<20)))(t)
	}
	fixture.Check(t, z.Close())
	text, damage := decompress(file.Bytes())
	fixture.Equal(t, "bytes that are read", len(text), 64<<20)
	fixture.Says(t, damage, "bytes of text")
}

// TestPlainPack: a pack of an earlier program, which is not compressed, is read, and goes when
// it is written anew.
func TestPlainPack(t *testing.T) {
	s, remarks := testStore(t)
	plain := strings.TrimSuffix(s.packPath(robotITML), gzipSuffix)
	fixture.Write(t, plain, string(packOf(t, seeds(3)...)))
	expect(t, s, seeds(3)[0].Inputs, true)
	into := emptyStore(t)
	merge(t, into, []Merged{{Cells: 2, Copied: 2, Failed: 1}}, s)
	accept(t, s, "smoke", seeds(2)[0])
	fixture.Equal(t, "the old file is still there, as no line changed", isNothing(plain), false)
	accept(t, s, "another", fixture.NewCell("robot", "itml", 8, 10, 9))
	fixture.Equal(t, "the old file is gone", isNothing(plain), true)
	fixture.Equal(t, "lines", strings.Count(packText(t, s, robotITML), "\n"), 5)
	fixture.EqualSlice(t, "remarks", *remarks, nil)
}

// TestPackRewriteKeepsDamage: before a damaged pack is written anew, it is kept
// under another name.
func TestPackRewriteKeepsDamage(t *testing.T) {
	s, remarks := testStore(t)
	damaged := strings.Replace(string(packOf(t, seeds(3)...)), `"chosen":0`, `"chosen":1`, 1)
	path := s.packPath(robotITML)
	fixture.Write(t, path, damaged)
	accept(t, s, "smoke", fixture.NewCell("robot", "itml", 8, 10, 9))
	fixture.Equal(t, "kept aside", fixture.Text(t, path+".corrupt-1"), damaged)
	fixture.Has(t, "the remarks", strings.Join(*remarks, "\n"), path+" was damaged (", "and is written anew")
	p := parse([]byte(packText(t, s, robotITML)))
	fixture.Equal(t, "faults, and lines: two that were whole and the new one", [2]int{len(p.faults), len(p.lines)}, [2]int{0, 3})
}

// drawPack draws cells of one data set and method, by key.
func drawPack(t *rapid.T) map[string]results.Cell {
	cells := map[string]results.Cell{}
	for _, c := range rapid.SliceOfN(rapid.Custom(fixture.DrawCell), 1, 8).Draw(t, "cells") {
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
				lines = append(lines, fixture.Must(newEntry(new(results.Decoder), data))(t))
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
			fixture.Same(t, "read back", fixture.Must(results.DecodeCell(l.Data))(t), cells[l.Key()], cmpopts.EquateEmpty())
		}
	})
}

// TestMixedStore: files and packs serve together; where both have a cell, they
// must agree.
func TestMixedStore(t *testing.T) {
	s, remarks := testStore(t)
	robot := func(correct int, seed uint64) results.Cell {
		return fixture.NewCell("robot", "itml", correct, 10, seed)
	}
	alone, both, packed := robot(8, 1), robot(8, 2), robot(8, 3)
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
	renewed := robot(7, 2)
	accept(t, s, "a", renewed)
	fixture.Same(t, "accepted last", expect(t, s, renewed.Inputs, true), renewed)
	fixture.Equal(t, "lines of the pack", strings.Count(packText(t, s, robotITML), "\n"), 2)

	// Another process stores a cell that differs from the packed one.
	put(t, s, robot(6, 3))
	for _, store := range []*Store{&s, s.Snapshot()} {
		_, _, err := store.Find(packed.Inputs)
		fixture.Is(t, err, ErrConflict)
		fixture.Says(t, err, s.Path(packed.Inputs), s.packPath(robotITML)+":2")
	}
	fixture.Is(t, fixture.Error(s.Merge(t.Context(), []string{t.TempDir()})), ErrConflict)
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
				c := fixture.NewCell("robot", "itml", 8, 10, uint64(1+i*rounds+round))
				u, err := s.Update(t.Context(), fmt.Sprintf("spec%d", i%2))
				if err != nil {
					t.Error(err)
					return
				}
				list := u.Accepted()
				file, err := u.Put(c)
				list.Cells = append(list.Cells, AcceptedCell{Key: Key{Dataset: c.Dataset, Split: c.Split, Method: c.Method, Seed: c.Seed}, File: file})
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
		list, _ := found(s.Accepted(fmt.Sprintf("spec%d", i)))(t)
		fixture.Equal(t, fmt.Sprintf("cells of list %d", i), len(list.Cells), acceptors*rounds/2)
		for _, c := range list.Cells {
			fixture.Equal(t, c.File+" is there", there(s.AcceptedCell(c))(t), true)
		}
	}
}

// TestMergeIntoPacks: a store with packs keeps packs, one without files, and
// nothing is copied twice.
func TestMergeIntoPacks(t *testing.T) {
	runs := emptyStore(t)
	accepted, remarks := testStore(t)
	one, two := fixture.NewCell("robot", "itml", 8, 10, 1), fixture.NewCell("robot", "itml", 8, 10, 2)
	three, failing := fixture.NewCell("heart", "itml", 8, 10, 1), fixture.NewCell("heart", "lmnn", 8, 10, 1)
	accept(t, accepted, "smoke", one)
	put(t, runs, one, two, three)
	putFailed(t, runs, failing, "crashed")
	merge(t, accepted, []Merged{{Cells: 3, Copied: 2, Failed: 1}}, runs)
	merge(t, accepted, []Merged{{Cells: 3}}, runs)
	want := []string{"gates/smoke.history.jsonl", "gates/smoke.json", "packs/heart/itml.jsonl.gz", "packs/heart/lmnn.jsonl.gz", "packs/robot/itml.jsonl.gz"}
	fixture.EqualSlice(t, "files", slices.Sorted(maps.Keys(tree(t, accepted.Dir))), want)
	back := emptyStore(t)
	merge(t, back, []Merged{{Cells: 3, Copied: 3, Failed: 1}}, accepted)
	for _, c := range []results.Cell{one, two, three} {
		fixture.Equal(t, "out of packs", fixture.Text(t, back.Path(c.Inputs)), string(fixture.MustEncode(t, c)))
	}
	put(t, runs, failing)
	merge(t, accepted, []Merged{{Cells: 4, Copied: 1}}, runs)
	fixture.Equal(t, "still there as failed", there(accepted.Failed(failing.Inputs))(t), false)
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
	merge(t, into, []Merged{{Cells: 1, Copied: 1, Failed: 1, Damaged: 1}}, from)
	fixture.Has(t, "remark", (*remarks)[0], path+":2 is damaged")
	other := emptyStore(t)
	accept(t, other, "smoke", fixture.NewCell("robot", "itml", 7, 10, 2))
	_, err := into.Merge(t.Context(), []string{other.Dir})
	fixture.Is(t, err, ErrConflict)
	fixture.Says(t, err, other.packPath(robotITML)+":2")
}

// TestStoreInFS: a store in a file system is read like a directory, and cannot
// be changed.
func TestStoreInFS(t *testing.T) {
	dir := emptyStore(t)
	packed, alone := fixture.NewCell("robot", "itml", 8, 10, 1), fixture.NewCell("heart", "itml", 8, 10, 1)
	accept(t, dir, "smoke", packed)
	put(t, dir, alone)
	s, remarks := testStore(t)
	s.Dir, s.FS = "embedded:results/accepted", os.DirFS(dir.Dir)
	for _, c := range []results.Cell{packed, alone} {
		fixture.Same(t, "a cell", expect(t, s, c.Inputs, true), c)
		in := c.Inputs
		in.DatasetDigest, in.SplitDigest = "", ""
		fixture.Equal(t, "found without digests", there(s.Find(in))(t), true)
	}
	list, _ := found(s.Accepted("smoke"))(t)
	fixture.Equal(t, "accepted cells", len(list.Cells), 1)
	run, _, _ := s.Run(alone.Inputs)
	fixture.Equal(t, "workers of its run", run.Workers, 2)
	fixture.Equal(t, "there are cells", fixture.Must(s.HasCells())(t), true)
	fixture.Equal(t, "the place of a cell", filepath.ToSlash(s.Where(packed.Inputs)), "embedded:results/accepted/packs/robot/itml.jsonl.gz:2")
	_, updateErr := s.Update(t.Context(), "smoke")
	_, mergeErr := s.Merge(t.Context(), nil)
	_, lockErr := s.Lock(t.Context(), packed.Inputs)
	_, journalErr := s.OpenJournal(packed.Inputs)
	for _, err := range []error{updateErr, mergeErr, lockErr, journalErr, s.Put(packed, results.Run{})} {
		fixture.Is(t, err, ErrReadOnly)
		fixture.Says(t, err, s.Dir)
	}
	fixture.Check(t, os.Truncate(dir.Path(alone.Inputs), 40))
	expect(t, s, alone.Inputs, false)
	fixture.Equal(t, "remarks", len(*remarks), 1)
	fixture.Has(t, "the remark", (*remarks)[0], "counts as missing")
	fixture.Equal(t, s.Dir+" is left away", isNothing(s.Dir), true)
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
	f.Add(packOf(f, fixture.GridCell()))
	f.Add([]byte("\n\n"))
	f.Add(compress(data))
	f.Add(compress(data)[:300])
	f.Fuzz(func(t *testing.T, file []byte) {
		data, _ := decompress(file)
		if again, err := decompress(compress(data)); len(data) > 0 && (err != nil || !bytes.Equal(again, data)) {
			t.Fatalf("compressed again: %v", err)
		}
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
