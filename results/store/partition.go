package store

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"r2lmlbench/results"
)

// A partitionName names a data set and a method as paths of a store do.
type partitionName struct{ folder, method string }

func newPartitionName(dataset, method string) partitionName {
	return partitionName{safeName(dataset), safeName(method)}
}

// stem is the file name of a cell with that key, without its ending.
func (n partitionName) stem(key hash) string {
	return n.method + "-" + hex.EncodeToString(key[:])[:keyDigits]
}

// A partition is what a store holds of one data set and method, in files and in a
// pack: lines that are decoded when they are asked for.
type partition struct {
	store        Store
	good, failed index

	mu      sync.Mutex
	decoder *results.Decoder
}

// An index has the entries of a partition by key and by the hash of their inputs
// without digests.
type index struct {
	byKey    map[hash]*entry
	matching map[hash][]*entry
}

// An entry is a cell of a partition.
type entry struct {
	*line
	path     string // of its file, or of its pack
	number   int    // of the line in the pack; 0: the file is its own
	conflict *entry // the same inputs elsewhere, with other bytes

	// What is known once it was asked for:
	inputs *results.Inputs
	cell   *results.Cell // without its predictions, which are many and spelled out anew each time
	none   bool          // it is no cell
}

// where tells a reader where the cell is kept.
func (e *entry) where() string {
	if e.number > 0 {
		return fmt.Sprintf("%s:%d", e.path, e.number)
	}
	return e.path
}

func (part *partition) index(suffix string) *index {
	if suffix == failedSuffix {
		return &part.failed
	}
	return &part.good
}

// add puts an entry into the partition. Of several of the same inputs the first
// stays; cells that differ are a conflict, records of failures are not.
func (part *partition) add(e *entry) {
	in := part.index(e.suffix())
	switch first, ok := in.byKey[e.key]; {
	case !ok:
		in.byKey[e.key] = e
		in.matching[e.matching] = append(in.matching[e.matching], e)
	case !e.failed && !bytes.Equal(first.data, e.data):
		first.conflict = e
	}
}

func newIndex() index {
	return index{map[hash]*entry{}, map[hash][]*entry{}}
}

// sorted lists the entries by file name.
func (in *index) sorted() []*entry {
	return slices.SortedFunc(maps.Values(in.byKey), func(a, b *entry) int { return bytes.Compare(a.key[:], b.key[:]) })
}

// get decodes an entry, and tells whether it is a cell. One that is none is told,
// and set aside if it has a file of its own. nil stands for no entry.
func (part *partition) get(e *entry) (results.Cell, bool, error) {
	if e == nil {
		return results.Cell{}, false, nil
	}
	part.mu.Lock()
	defer part.mu.Unlock()
	switch first, isFirst, err := part.read(e); {
	case err != nil || e.none:
		return results.Cell{}, false, err
	case isFirst:
		return first, true, nil
	}
	c := *e.cell
	var err error
	c.Predicted, err = results.ParseRuns(e.predicted())
	return c, true, err
}

// isCell is get for a caller who does not need the cell.
func (part *partition) isCell(e *entry) (bool, error) {
	part.mu.Lock()
	defer part.mu.Unlock()
	_, _, err := part.read(e)
	return err == nil && !e.none, err
}

// cells are those of some entries that are cells.
func (part *partition) cells(all []*entry) ([]*entry, error) {
	var kept []*entry
	for _, e := range all {
		ok, err := part.isCell(e)
		if err != nil {
			return nil, err
		}
		if ok {
			kept = append(kept, e)
		}
	}
	return kept, nil
}

// read decodes an entry unless that was done before. Only the first time it has
// the cell with its predictions.
func (part *partition) read(e *entry) (c results.Cell, first bool, err error) {
	if e.conflict != nil {
		return c, false, fmt.Errorf("results: %w: %s and %s; remove the one that is wrong", ErrConflict, e.where(), e.conflict.where())
	}
	if e.cell != nil || e.none {
		return c, false, nil
	}
	c, ok, err := part.decode(e)
	if err == nil {
		e.none = !ok
	}
	return c, true, err
}

// decode decodes an entry for the first time and keeps all but its predictions.
func (part *partition) decode(e *entry) (results.Cell, bool, error) {
	c, err := part.decodeLine(e)
	switch {
	case err != nil && e.number == 0:
		return part.store.listed(e.path, e.suffix())
	case err != nil:
		part.store.logf("results: %s", fault{e.number, err, true}.text(e.path))
		return results.Cell{}, false, nil
	}
	kept := c
	kept.Predicted = nil
	e.cell = &kept
	return c, true, nil
}

// decodeLine decodes an entry. What is wrong with one that is no cell is said by
// decodeStored, which reads all of it.
func (part *partition) decodeLine(e *entry) (results.Cell, error) {
	c, err := part.decoder.Decode(e.text())
	if err != nil || (c.Failure != "") != e.failed {
		return decodeStored(e.data, e.suffix())
	}
	return c, nil
}

// inputs decodes the inputs of an entry only.
func (part *partition) inputs(e *entry) (results.Inputs, bool) {
	part.mu.Lock()
	defer part.mu.Unlock()
	if e.inputs == nil {
		in, err := part.decoder.Inputs(e.text())
		if err != nil {
			return in, false
		}
		e.inputs = &in
	}
	return *e.inputs, true
}

// partition returns the partition of a data set and method: that of a snapshot, or one
// read anew. Of files it then reads the one of that name only, if it is given.
func (s Store) partition(name partitionName, file string) (*partition, error) {
	if s.snapshot == nil {
		return s.readPartition(name, file)
	}
	s.snapshot.mu.Lock()
	defer s.snapshot.mu.Unlock()
	if known, ok := s.snapshot.partitions[name]; ok {
		return known, nil
	}
	read, err := s.readPartition(name, "")
	if err == nil {
		s.snapshot.partitions[name] = read
	}
	return read, err
}

func (s Store) readPartition(name partitionName, file string) (*partition, error) {
	part := &partition{store: s, good: newIndex(), failed: newIndex(), decoder: results.NewDecoder()}
	files := []string{file}
	if file == "" {
		var err error
		if files, err = s.partitionFiles(name); err != nil {
			return nil, err
		}
	}
	for _, file := range files {
		e, err := s.readEntry(name, file)
		if err != nil {
			return nil, err
		}
		if e != nil {
			part.add(e)
		}
	}
	p, err := s.readPack(name)
	if err != nil {
		return nil, err
	}
	for _, l := range p.lines {
		part.add(&entry{line: l.line, path: s.packPath(name), number: l.number})
	}
	return part, nil
}

// partitionFiles lists the files of cells and failures of a data set and method.
func (s Store) partitionFiles(name partitionName) ([]string, error) {
	dir := filepath.Join(s.Dir, "cells", name.folder)
	entries, err := s.readDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, pathError("read", dir, err)
	}
	var files []string
	for _, e := range entries {
		if isCell(e.Name(), name.method, cellSuffix) || isCell(e.Name(), name.method, failedSuffix) {
			files = append(files, e.Name())
		}
	}
	return files, nil
}

// readEntry reads a file of a cell, nil when it is none. What is none, or that of
// other inputs, is set aside.
func (s Store) readEntry(of partitionName, file string) (*entry, error) {
	path := s.filePath(of, file)
	suffix := cellSuffix
	if strings.HasSuffix(file, failedSuffix) {
		suffix = failedSuffix
	}
	data, err := s.readFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil && !errors.Is(err, errForeign):
		return nil, pathError("read", path, err)
	case err == nil:
		if l, err := scanLine(data); err == nil && l.partition == of && l.file() == file {
			return &entry{line: l, path: path}, nil
		}
	}
	c, ok, err := s.listed(path, suffix)
	if !ok || err != nil {
		return nil, err
	}
	if data, err = results.EncodeCell(c); err != nil { // a good one has taken its place meanwhile
		return nil, err
	}
	l, err := scanLine(data)
	return &entry{line: l, path: path}, err
}

// readPack reads the pack of a partition, an empty one when there is none, and tells
// what is wrong with it.
func (s Store) readPack(of partitionName) (pack, error) {
	path := s.packPath(of)
	data, err := s.readFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return pack{}, nil
	}
	if errors.Is(err, errForeign) {
		s.logf("results: %s is damaged (%v) and its cells count as missing", path, err)
		return pack{}, nil
	}
	if err != nil {
		return pack{}, pathError("read", path, err)
	}
	p := parsePack(data, of)
	for _, f := range p.faults {
		s.logf("results: %s", f.text(path))
	}
	return p, nil
}
