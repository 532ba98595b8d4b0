package store

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"r2lmlbench/results"
)

// Get returns the cell of in and whether it is there. A file that is damaged,
// or holds something else, is set aside and counts as missing; so does a damaged
// line of a pack, which stays where it is. An error means that the directory
// cannot be read, or has two cells of in that differ.
func (s Store) Get(in results.Inputs) (results.Cell, bool, error) {
	return s.get(in, cellSuffix)
}

// Failed returns the record of a failed attempt at in, as Get does. Like Find
// it takes an empty digest for unknown.
func (s Store) Failed(in results.Inputs) (results.Cell, bool, error) {
	return s.find(in, failedSuffix)
}

func (s Store) get(in results.Inputs, suffix string) (results.Cell, bool, error) {
	e, part, err := s.entry(in, suffix)
	if e == nil || err != nil {
		return results.Cell{}, false, err
	}
	return s.cell(part, e)
}

// Find is Get for a reader without the data files: an empty DatasetDigest or
// SplitDigest of in matches any. More than one match is an error, for nobody
// could say which is meant.
func (s Store) Find(in results.Inputs) (results.Cell, bool, error) {
	return s.find(in, cellSuffix)
}

func (s Store) find(in results.Inputs, suffix string) (results.Cell, bool, error) {
	if in.DatasetDigest != "" && in.SplitDigest != "" {
		return s.get(in, suffix)
	}
	part, err := s.partition(newPartitionName(in.Dataset, in.Method), "")
	if err != nil {
		return results.Cell{}, false, err
	}
	want := raw(in)
	var cells []results.Cell
	var found []*entry
	for _, e := range part.index(suffix).alike[want.undigested()] {
		if !e.matches(want) {
			continue
		}
		c, ok, err := s.cell(part, e)
		if err != nil {
			return results.Cell{}, false, err
		}
		if ok {
			cells, found = append(cells, c), append(found, e)
		}
	}
	switch len(found) {
	case 0:
		return results.Cell{}, false, nil
	case 1:
		return cells[0], true, nil
	}
	return results.Cell{}, false, ambiguous(found)
}

func ambiguous(found []*entry) error {
	var names []string
	for _, e := range found {
		names = append(names, e.where())
	}
	slices.Sort(names)
	return fmt.Errorf("results: %d cells of %s on %s differ only in the data they were made from (%s); fetch the data set or move all but one away",
		len(found), found[0].partition.method, found[0].partition.folder, strings.Join(names, ", "))
}

// Nearest returns the inputs of the stored cell of the same data set and method
// that differ from in in the fewest respects, as Diff counts them, and whether
// there is one. Of several the first by file name is taken.
func (s Store) Nearest(in results.Inputs) (results.Inputs, bool, error) {
	part, err := s.partition(newPartitionName(in.Dataset, in.Method), "")
	if err != nil {
		return results.Inputs{}, false, err
	}
	var best results.Inputs
	fewest := -1
	for _, e := range part.good.sorted() {
		other, ok := part.inputs(e)
		if !ok {
			continue
		}
		if n := len(other.Diff(in)); fewest < 0 || n < fewest {
			best, fewest = other, n
		}
	}
	return best, fewest >= 0, nil
}

// Matching returns the stored cells of the data set and the method of in that have
// its settings, its k and its measures, by file name. They may differ in split,
// seed, version of the method's code and digests. Failed attempts are no cells.
func (s Store) Matching(in results.Inputs) ([]results.Cell, error) {
	part, err := s.partition(newPartitionName(in.Dataset, in.Method), "")
	if err != nil {
		return nil, err
	}
	want := raw(in)
	var all []results.Cell
	for _, e := range part.good.sorted() {
		if !e.settingsOf(want) {
			continue
		}
		c, ok, err := s.cell(part, e)
		if err != nil {
			return nil, err
		}
		if ok {
			all = append(all, c)
		}
	}
	return all, nil
}

// Where tells where the cell of in is kept, for a reader: its file, or its pack
// and the line there. It is Path when there is no such cell.
func (s Store) Where(in results.Inputs) string {
	if e, _, err := s.entry(in, cellSuffix); e != nil && err == nil {
		return e.where()
	}
	return s.Path(in)
}

// entry looks up the entry of in, nil when there is none, and its
// partition.
func (s Store) entry(in results.Inputs, suffix string) (*entry, *partition, error) {
	key, name := raw(in).hash(), newPartitionName(in.Dataset, in.Method)
	part, err := s.partition(name, name.stem(key)+suffix)
	if err != nil {
		return nil, nil, err
	}
	return part.index(suffix).byKey[key], part, nil
}

// cell decodes an entry of a partition, and tells whether it is a cell. One that is none is told,
// and set aside if it has a file of its own. nil stands for no entry.
func (s Store) cell(part *partition, e *entry) (results.Cell, bool, error) {
	if e == nil {
		return results.Cell{}, false, nil
	}
	if e.conflict != nil {
		return results.Cell{}, false, fmt.Errorf("results: %w: %s and %s; remove the one that is wrong", ErrConflict, e.where(), e.conflict.where())
	}
	part.mu.Lock()
	defer part.mu.Unlock()
	if e.cell == nil && !e.none {
		c, ok, err := s.decode(part, e)
		if err == nil {
			e.none = !ok
		}
		return c, ok, err
	}
	if e.none {
		return results.Cell{}, false, nil
	}
	c := *e.cell
	var err error
	c.Predicted, err = results.ParseRuns(e.predicted())
	return c, true, err
}

// decode decodes an entry for the first time and keeps all but its predictions.
func (s Store) decode(part *partition, e *entry) (results.Cell, bool, error) {
	c, err := decodeStored(e.data, e.suffix())
	switch {
	case err != nil && e.number == 0:
		return s.listed(e.path, e.suffix())
	case err != nil:
		s.logf("results: %s", fault{e.number, err, true}.text(e.path))
		return results.Cell{}, false, nil
	}
	c.Points = part.shared(e, c.Points)
	if at := slices.IndexFunc(part.truths, func(t []int) bool { return slices.Equal(t, c.Truth) }); at >= 0 {
		c.Truth = part.truths[at]
	} else {
		part.truths = append(part.truths, c.Truth)
	}
	kept := c
	kept.Predicted = nil
	e.cell = &kept
	return c, true, nil
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
	part := &partition{good: newIndex(), failed: newIndex(), points: map[string][]results.Point{}}
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
