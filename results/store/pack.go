package store

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"r2lmlbench/results"
)

// A pack is a file of cells: those that a store of accepted cells holds of one
// data set and method, a partition of the store.
//
//	packs/<data set>/<method>.jsonl.gz
//
// It is compressed; `gzip -dc` prints these lines:
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
//   - The file is gzip in members, each of which ends behind a line whose digest ends in 0:
//     after one in 16 on average. So a damaged byte costs the lines of one member, and
//     version control finds most members of a changed file in the one before.
//   - A reader decodes the inputs of all lines, and what follows them when a
//     cell is asked for; it keeps bytes rather than labels.
//   - The digest of the head tells that lines were lost, added or moved, those of
//     the lines tell which one is damaged. A damaged line is named and counts as
//     missing; the others are used. A process that rewrites such a pack keeps a copy.
//   - A pack is replaced whole, by one process at a time, which holds the lock of
//     its store.
type pack struct {
	lines  []*entry          // those that can be used, in the order of the file
	named  map[string]*entry // the same, by file name
	faults []fault
}

// A fault is an error about a line of a pack.
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

// readPack reads the pack of a partition, an empty one if there is none, and logs its faults.
func (s Store) readPack(d *results.Decoder, of partitionName) (pack, error) {
	path, data, err := s.packFile(of)
	text, damage := decompress(data)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return pack{}, nil
	case errors.Is(err, errForeign):
		s.logf("results: %s is damaged (%v) and its cells count as missing", path, err)
		return pack{}, nil
	case err != nil:
		return pack{}, pathError("read", path, err)
	case damage != nil:
		s.logf("results: %s is damaged (%v); cells that are whole are used", path, damage)
	}
	p := parsePack(d, text, path, of)
	for _, f := range p.faults {
		kept := "cells that are whole are used"
		if f.lost {
			kept = "its cell counts as missing"
		}
		s.logf("results: %s:%d is damaged (%v); %s", path, f.number, f.err, kept)
	}
	p.named = make(map[string]*entry, len(p.lines))
	for _, e := range p.lines {
		e.shrink()
		p.named[e.file] = e
	}
	return p, nil
}

// packFile returns the path and the bytes of the file of a pack. That of an earlier program, which
// is not compressed, counts where there is no other.
func (s Store) packFile(of partitionName) (path string, data []byte, err error) {
	path = s.packPath(of)
	data, err = s.readFile(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return path, data, err
	}
	plain := strings.TrimSuffix(path, gzipSuffix)
	if data, err := s.readFile(plain); !errors.Is(err, fs.ErrNotExist) {
		return plain, data, err
	}
	return path, nil, err
}

// memberStart are the first bytes of every member: gzip, deflate, without name and time.
const memberStart = "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"

// compress returns the file of a pack with the text.
func compress(text []byte) []byte {
	var file bytes.Buffer
	z := gzip.NewWriter(&file)
	for len(text) > 0 {
		line, rest := cutLine(text)
		z.Write(line) // a buffer takes everything
		if len(rest) == 0 || bytes.HasSuffix(line, []byte("0\"}\n")) {
			z.Close()
			z.Reset(&file)
		}
		text = rest
	}
	return file.Bytes()
}

// decompress returns the text of a pack's file; a file that begins with "{" is text. Of damaged members it
// returns what can be read, as whole lines, and the first fault.
func decompress(file []byte) (text []byte, damage error) {
	if bytes.HasPrefix(file, []byte("{")) {
		return file, nil
	}
	var b bytes.Buffer
	b.Grow(min(8*len(file), maxFileBytes)) // accepted packs shrink to a seventh
	var z gzip.Reader
	for len(file) > 0 && b.Len() <= maxFileBytes {
		rest, err := member(&b, &z, file)
		if err != nil {
			damage = cmp.Or(damage, err)
			if b.Len() > 0 && b.Bytes()[b.Len()-1] != '\n' {
				b.WriteByte('\n')
			}
			rest = nil
			if next := bytes.Index(file[1:], []byte(memberStart)); next >= 0 {
				rest = file[1+next:]
			}
		}
		file = rest
	}
	if b.Len() > maxFileBytes {
		return b.Bytes()[:maxFileBytes], fmt.Errorf("more than %d bytes of text", maxFileBytes)
	}
	return b.Bytes(), damage
}

// member decompresses the first member of a file into b by z, and returns what is behind it.
func member(b *bytes.Buffer, z *gzip.Reader, file []byte) (rest []byte, err error) {
	if !bytes.HasPrefix(file, []byte(memberStart)) {
		return nil, errors.New("not compressed as packs are")
	}
	r := bytes.NewReader(file)
	if err := z.Reset(r); err != nil {
		return nil, err
	}
	z.Multistream(false)
	_, err = b.ReadFrom(io.LimitReader(z, int64(maxFileBytes+1-b.Len())))
	return file[len(file)-r.Len():], err
}

// parsePack reads the pack of a partition. Of lines with the same inputs none
// is used when they differ, because either may be wrong.
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

// headOf returns the first line of a pack with these lines; below are their bytes.
func headOf(lines []*entry, below []byte) []byte {
	return jsonLine(packHead{packSchema, lines[0].Dataset, lines[0].Method, len(lines), results.Digest(below)})
}

// linesCompared compares lines for the order of a pack: by split and points in JSON, and
// the rest. Splits and lists of points are spelled once.
func linesCompared(lines []*entry) func(a, b *entry) int {
	splits, points := map[string]string{}, map[*results.Setting]string{}
	for _, e := range lines {
		if splits[e.Split] == "" {
			splits[e.Split] = string(jsonLine(e.Split))
		}
		if first := &e.Settings[0]; points[first] == "" {
			points[first] = string(e.PointsJSON())
		}
	}
	return func(a, b *entry) int {
		return cmp.Or(cmp.Compare(splits[a.Split], splits[b.Split]), cmp.Compare(points[&a.Settings[0]], points[&b.Settings[0]]),
			cmp.Compare(a.Version, b.Version), cmp.Compare(a.Seed, b.Seed), cmp.Compare(a.file, b.file))
	}
}

// encodePack returns the text of the pack with the lines, all of one
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

// keep writes lines to the packs of the store; a cell with a file of its own stays in it. The
// caller holds the lock of the store.
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
	path, data, err := s.packFile(of)
	text, damage := decompress(data)
	var before pack
	switch {
	case err == nil:
		if before = parsePack(new(results.Decoder), text, path, of); len(before.faults) > 0 {
			damage = cmp.Or(damage, before.faults[0].err)
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
	text = encodePack(slices.Collect(maps.Values(lines)))
	if len(text) > maxFileBytes {
		return fmt.Errorf("results: %s would have %d bytes of text, more than the %d that are read back", path, len(text), maxFileBytes)
	}
	if err := writeFile(s.packPath(of), compress(text)); err != nil || path == s.packPath(of) {
		return err
	}
	return remove(path) // of an earlier program
}
