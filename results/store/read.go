package store

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"

	"r2lmlbench/results"
)

// partition returns the partition of a data set and method: that of a snapshot, or one
// read anew. Of files it then reads the one of that name only, if it is given.
func (s Store) partition(name partitionName, file string) (*partition, error) {
	if s.snapshot == nil {
		return s.readPartition(name, file)
	}
	s.snapshot.mu.RLock()
	read, ok := s.snapshot.partitions[name]
	s.snapshot.mu.RUnlock()
	if !ok {
		read = s.snapshot.reading(s, name)
	}
	part, err := read()
	if err != nil { // tried again by who asks next
		s.snapshot.mu.Lock()
		delete(s.snapshot.partitions, name)
		s.snapshot.mu.Unlock()
	}
	return part, err
}

// reading is what reads a partition once, while others are read beside it.
func (n *snapshot) reading(s Store, name partitionName) func() (*partition, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.partitions[name] == nil {
		n.partitions[name] = sync.OnceValues(func() (*partition, error) { return s.readPartition(name, "") })
	}
	return n.partitions[name]
}

func (s Store) readPartition(name partitionName, file string) (*partition, error) {
	part := &partition{good: newIndex(), failed: newIndex(), decoder: results.NewDecoder()}
	files := []string{file}
	if file == "" {
		var err error
		if files, err = s.partitionFiles(name); err != nil {
			return nil, err
		}
	}
	entries, err := s.readEntries(name, files)
	if err != nil {
		return nil, err
	}
	folder := filepath.Join(s.Dir, "cells", name.folder)
	for _, e := range entries {
		if e != nil {
			e.home = folder
			part.add(e)
		}
	}
	lines, err := s.session.pack(s, name)
	if err != nil {
		return nil, err
	}
	home := s.packPath(name)
	addLine := func(l packLine) { part.add(&entry{line: l.line, home: home, number: l.number}) }
	if file == "" {
		for _, l := range lines {
			addLine(l)
		}
	} else if l, ok := lines[file]; ok {
		addLine(l)
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

// readAtOnce is how many files are read at the same time. A disk that has to look
// for them takes hardly longer for several.
const readAtOnce = 16

// readEntries reads files of cells, each as readEntry does.
func (s Store) readEntries(of partitionName, files []string) ([]*entry, error) {
	entries, faults := make([]*entry, len(files)), make([]error, len(files))
	var next atomic.Int64
	var wait sync.WaitGroup
	for range min(readAtOnce, len(files)) {
		wait.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(files); i = int(next.Add(1)) - 1 {
				entries[i], faults[i] = s.readEntry(of, files[i])
			}
		})
	}
	wait.Wait()
	for _, err := range faults {
		if err != nil {
			return nil, err
		}
	}
	return entries, nil
}

// readEntry reads a file of a cell, nil when it is none. What is none, or that of
// other inputs, is set aside. The folder is left for the caller to name.
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
			l.partition = of // the same strings
			return &entry{line: l}, nil
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
	return &entry{line: l}, err
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

// cell decodes an entry of a partition, and tells whether it is a cell. One that is
// none is told, and set aside if it has a file of its own. nil stands for no entry.
func (s Store) cell(part *partition, e *entry) (results.Cell, bool, error) {
	if e == nil {
		return results.Cell{}, false, nil
	}
	part.mu.Lock()
	defer part.mu.Unlock()
	switch first, isFirst, err := s.decodeOnce(part, e); {
	case err != nil || e.none:
		return results.Cell{}, false, err
	case isFirst:
		return first, true, nil
	}
	c := *e.cell
	var err error
	c.Predicted, err = results.ParseRuns(e.predicted(), len(c.Truth))
	return c, true, err
}

// cellOf is cell for a caller who looked the entry up by inputs: it has these, but for
// digests that they do not know.
func (s Store) cellOf(part *partition, e *entry, in results.Inputs) (results.Cell, bool, error) {
	if e.conflict == nil && !e.failed {
		raw := e.raw()
		if raw.takeDigests(&in) {
			if c, ok := part.decoder.DecodePlain(in, raw.points, e.answer()); ok {
				return c, true, nil
			}
		}
	}
	return s.cell(part, e)
}

// isCell is cell for a caller who does not need the cell.
func (s Store) isCell(part *partition, e *entry) (bool, error) {
	part.mu.Lock()
	defer part.mu.Unlock()
	_, _, err := s.decodeOnce(part, e)
	return err == nil && !e.none, err
}

// cells are those of some entries of a partition that are cells.
func (s Store) cells(part *partition, all []*entry) ([]*entry, error) {
	var kept []*entry
	for _, e := range all {
		ok, err := s.isCell(part, e)
		if err != nil {
			return nil, err
		}
		if ok {
			kept = append(kept, e)
		}
	}
	return kept, nil
}

// decodeOnce decodes an entry unless that was done before. Only the first time it has
// the cell with its predictions.
func (s Store) decodeOnce(part *partition, e *entry) (c results.Cell, first bool, err error) {
	if e.conflict != nil {
		return c, false, fmt.Errorf("results: %w: %s and %s; remove the one that is wrong", ErrConflict, e.where(), e.conflict.where())
	}
	if e.cell != nil || e.none {
		return c, false, nil
	}
	c, ok, err := s.decode(part, e)
	if err == nil {
		e.none = !ok
	}
	return c, true, err
}

// decode decodes an entry for the first time and keeps all but its predictions.
func (s Store) decode(part *partition, e *entry) (results.Cell, bool, error) {
	c, err := part.decodeLine(e)
	switch {
	case err != nil && e.number == 0:
		return s.listed(e.path(), e.suffix())
	case err != nil:
		s.logf("results: %s", fault{e.number, err, true}.text(e.path()))
		return results.Cell{}, false, nil
	}
	kept := c
	kept.Predicted = nil
	e.cell = &kept
	return c, true, nil
}
