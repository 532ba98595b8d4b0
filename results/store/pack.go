package store

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"

	"r2lmlbench/results"
)

// A pack is a file of cells: those that a store of accepted cells holds of one
// data set and method, a partition of the store.
//
//	packs/<data set>/<method>.jsonl
//
//	{"schema":1,"dataset":"robot","method":"itml","cells":2,"sha256":"61f7..."}
//	{"schema":1,"inputs":{"dataset":"robot",...},...,"digest":"9c0e..."}
//	{"schema":1,"inputs":{"dataset":"robot",...},...,"digest":"04b2..."}
//
// The first line is the head: how many lines are below it, and the SHA-256 of
// their bytes. Every other line is the file of a cell as EncodeCell writes it,
// with its own digest, or the record of a failure, which says so itself. They
// are sorted by split, points, version, seed and key, each once.
//
// The design:
//
//   - A cell keeps its bytes, so a pack is made and taken apart without encoding,
//     and a commit that accepts one more cell changes two lines: the head, and
//     the new one beside those it resembles.
//   - A reader decodes the inputs of all lines, and what follows them when somebody
//     asks for the cell; it keeps bytes rather than labels.
//   - The digest of the head tells that lines were lost, added or moved, those of
//     the lines tell which one is damaged. A damaged line is named and counts as
//     missing; the others serve. Whoever writes such a pack anew keeps a copy.
//   - A pack is replaced whole, by one process at a time, which holds the lock of
//     its store.
type pack struct {
	lines  []*entry // those that can be used, in the order of the file
	faults []fault
}

// A fault is what is wrong with a line of a pack.
type fault struct {
	number int
	err    error
	lost   bool // what the line held cannot be used
}

const packSchema = 1

// A packHead is the first line of a pack.
type packHead struct {
	Schema  int    `json:"schema"`
	Dataset string `json:"dataset"`
	Method  string `json:"method"`
	Cells   int    `json:"cells"`
	SHA256  string `json:"sha256"`
}

// readPack reads the pack of a partition, an empty one when there is none, and tells
// what is wrong with it.
func (s Store) readPack(d *results.Decoder, of partitionName) (pack, error) {
	path := s.packPath(of)
	data, err := s.readFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return pack{}, nil
	case errors.Is(err, errForeign):
		s.logf("results: %s is damaged (%v) and its cells count as missing", path, err)
		return pack{}, nil
	case err != nil:
		return pack{}, pathError("read", path, err)
	}
	p := parsePack(d, data, path, of)
	for _, f := range p.faults {
		kept := "cells that are whole are used"
		if f.lost {
			kept = "its cell counts as missing"
		}
		s.logf("results: %s:%d is damaged (%v); %s", path, f.number, f.err, kept)
	}
	for _, e := range p.lines {
		e.shrink()
	}
	return p, nil
}

// parsePack reads the pack of a partition. Of lines with the same inputs none
// is used when they differ, for nobody could say which is meant.
func parsePack(d *results.Decoder, data []byte, path string, of partitionName) pack {
	var p pack
	number := 1
	refuse := func(lost bool, err error) { p.faults = append(p.faults, fault{number, err, lost}) }
	head, below := cutLine(data)
	var written packHead
	_, noCell := newEntry(d, head)
	noHead := json.Unmarshal(head, &written)
	switch lines := bytes.Count(below, []byte("\n")); {
	case noCell == nil:
		refuse(false, errors.New("a cell in the place of the head"))
		number, below = 0, data
	case noHead != nil || !bytes.Equal(head, jsonLine(written)):
		refuse(false, errors.New("not the head of a pack"))
	case written.Schema != packSchema:
		refuse(false, fmt.Errorf("schema %d, this program reads %d", written.Schema, packSchema))
	case written.Cells != lines:
		refuse(false, fmt.Errorf("%d lines were written below it, %d are there", written.Cells, lines))
	}
	seen, conflicting := map[string]*entry{}, map[string]bool{}
	for rest := below; len(rest) > 0; {
		var text []byte
		text, rest = cutLine(rest)
		number++
		e, err := newEntry(d, text)
		if err == nil && e.of != of {
			err = fmt.Errorf("a cell of %s/%s", e.of.folder, e.of.method)
		}
		if err != nil {
			refuse(true, err)
			continue
		}
		e.of, e.home, e.number = of, path, number
		first, twice := seen[e.stem()]
		switch {
		case twice && bytes.Equal(first.Data, e.Data):
			refuse(false, fmt.Errorf("the same as line %d", first.number))
			continue
		case twice:
			refuse(true, fmt.Errorf("it has the inputs of line %d and differs from it; neither is used", first.number))
			conflicting[e.stem()] = true
			continue
		}
		seen[e.stem()] = e
		p.lines = append(p.lines, e)
	}
	p.lines = slices.DeleteFunc(p.lines, func(e *entry) bool { return conflicting[e.stem()] })
	number = 1
	switch {
	case len(p.faults) > 0:
	case len(p.lines) == 0:
		refuse(false, errors.New("there are no lines below it"))
	case !bytes.Equal(head, headOf(p.lines, below)):
		refuse(false, errors.New("the lines below it are not those that were written"))
	case !slices.IsSortedFunc(p.lines, linesCompared(p.lines)):
		refuse(false, errors.New("the lines below it are out of order"))
	}
	return p
}

// cutLine splits data behind its first line.
func cutLine(data []byte) (first, rest []byte) {
	end := bytes.IndexByte(data, '\n') + 1
	if end == 0 {
		end = len(data)
	}
	return data[:end], data[end:]
}

// headOf is the first line of the pack with the lines, whose bytes are below it.
func headOf(lines []*entry, below []byte) []byte {
	return jsonLine(packHead{packSchema, lines[0].Dataset, lines[0].Method, len(lines), results.Digest(below)})
}

// linesCompared compares lines for the order of a pack: by split and points in JSON, and
// the rest. Splits and lists of points are spelled once.
func linesCompared(lines []*entry) func(a, b *entry) int {
	splits, points := map[string]string{}, map[*results.Point]string{}
	for _, e := range lines {
		if splits[e.Split] == "" {
			splits[e.Split] = string(jsonLine(e.Split))
		}
		if first := &e.Points[0]; points[first] == "" {
			points[first] = string(results.PointsJSON(e.Points))
		}
	}
	return func(a, b *entry) int {
		return cmp.Or(cmp.Compare(splits[a.Split], splits[b.Split]), cmp.Compare(points[&a.Points[0]], points[&b.Points[0]]),
			cmp.Compare(a.Version, b.Version), cmp.Compare(a.Seed, b.Seed), cmp.Compare(a.file, b.file))
	}
}

// encodePack returns the bytes of the pack with the lines, all of one
// partition and each once, in any order.
func encodePack(lines []*entry) []byte {
	sorted := slices.SortedFunc(slices.Values(lines), linesCompared(lines))
	var below []byte
	for _, e := range sorted {
		below = append(below, e.Data...)
	}
	return append(headOf(sorted, below), below...)
}

// A lineGroup is lines by their partition.
type lineGroup map[partitionName][]*entry

// keep puts lines into the packs of the store; a cell that has a file of its own
// stays there. The caller holds the lock of the store.
func (s Store) keep(lines lineGroup) error {
	for _, of := range slices.SortedFunc(maps.Keys(lines), comparePartitions) {
		if err := s.keepIn(of, lines[of]); err != nil {
			return err
		}
	}
	return nil
}

func comparePartitions(a, b partitionName) int {
	return cmp.Or(cmp.Compare(a.folder, b.folder), cmp.Compare(a.method, b.method))
}

func (s Store) keepIn(of partitionName, lines []*entry) error {
	var packed, alone []*entry
	for _, e := range lines {
		switch good := s.filePath(of, e.stem()+cellSuffix); {
		case e.Failed && !isNothing(good): // a good cell is not replaced by a failure
		case isNothing(s.filePath(of, e.file)):
			packed = append(packed, e)
		default:
			alone = append(alone, e)
		}
	}
	// A cell that is kept in both ways leaves the pack first: two that differ
	// would be a conflict if the program was killed in between.
	err := s.rewrite(of, func(pack map[string]*entry) {
		for _, e := range alone {
			delete(pack, e.stem())
		}
		for _, e := range packed {
			if known := pack[e.stem()]; known == nil || known.Failed || !e.Failed {
				pack[e.stem()] = e
			}
		}
	})
	if err != nil {
		return err
	}
	for _, e := range alone {
		if err := s.makeRoom(of, e.file); err != nil {
			return err
		}
		if err := writeFile(s.filePath(of, e.file), e.Data); err != nil {
			return err
		}
	}
	for _, e := range lines {
		if e.Failed {
			continue
		}
		if err := s.dropFailed(of, e.stem()); err != nil {
			return err
		}
	}
	return nil
}

// rewrite changes the lines of a pack, by the names of their cells; it may be a new
// one. A pack without lines goes, one that is whole and stays as it is is not written.
// A damaged one is kept under another name. The caller holds the lock of the store.
func (s Store) rewrite(of partitionName, change func(map[string]*entry)) error {
	path := s.packPath(of)
	data, err := readFile(path)
	var before pack
	var damage error
	switch {
	case err == nil:
		if before = parsePack(new(results.Decoder), data, path, of); len(before.faults) > 0 {
			damage = before.faults[0].err
		}
	case errors.Is(err, errForeign):
		damage = err
	case !errors.Is(err, fs.ErrNotExist):
		return pathError("read", path, err)
	}
	lines := map[string]*entry{}
	for _, e := range before.lines {
		lines[e.stem()] = e
	}
	was := maps.Clone(lines)
	change(lines)
	if damage == nil && maps.EqualFunc(was, lines, func(a, b *entry) bool { return bytes.Equal(a.Data, b.Data) }) {
		return nil
	}
	if damage != nil {
		if err := s.setAside(path, data, damage); err != nil {
			return err
		}
	}
	if len(lines) == 0 {
		return remove(path)
	}
	data = encodePack(slices.Collect(maps.Values(lines)))
	if len(data) > maxFileBytes {
		return fmt.Errorf("results: %s would have %d bytes, more than the %d that are read back", path, len(data), maxFileBytes)
	}
	return writeFile(path, data)
}
