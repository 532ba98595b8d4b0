package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"r2lmlbench/results"
)

// Accepted returns what is accepted of a spec, and whether anything is.
func (s Store) Accepted(spec string) (Accepted, bool, error) {
	if s.snapshot == nil {
		return s.readAccepted(spec)
	}
	s.snapshot.mu.Lock()
	defer s.snapshot.mu.Unlock()
	known, ok := s.snapshot.accepted[spec]
	if !ok {
		list, there, err := s.readAccepted(spec)
		if err != nil {
			return list, there, err
		}
		known = acceptedList{list, there}
		s.snapshot.accepted[spec] = known
	}
	return known.list, known.there, nil
}

func (s Store) readAccepted(spec string) (Accepted, bool, error) {
	file := s.acceptedPath(spec)
	data, err := s.readFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return Accepted{}, false, nil
	}
	if err != nil {
		return Accepted{}, false, pathError("read", file, err)
	}
	a, err := parseAccepted(data)
	if err != nil {
		return Accepted{}, false, fmt.Errorf("results: %s: %w; restore it, or remove it and accept anew", file, err)
	}
	return a, true, nil
}

// named collects the files that the lists of all specs name.
func (s Store) named() (map[string]bool, error) {
	named := map[string]bool{}
	dir := filepath.Join(s.Dir, "gates")
	lists, err := os.ReadDir(dir)
	if err != nil {
		return nil, pathError("read", dir, err)
	}
	for _, list := range lists {
		file := filepath.Join(dir, list.Name())
		if filepath.Ext(file) != ".json" {
			continue
		}
		data, err := readFile(file)
		if err != nil {
			return nil, pathError("read", file, err)
		}
		a, err := parseAccepted(data)
		if err != nil {
			return nil, fmt.Errorf("results: %s: %w", file, err)
		}
		for _, c := range a.Cells {
			named[c.File] = true
		}
	}
	return named, nil
}

// AcceptedCell reads the cell of a list's entry, and whether it is there.
func (s Store) AcceptedCell(a AcceptedCell) (results.Cell, bool, error) {
	name, stem, ok := a.partition()
	if !ok {
		return results.Cell{}, false, nil
	}
	part, err := s.partition(name, stem+cellSuffix)
	if err != nil {
		return results.Cell{}, false, err
	}
	for _, e := range part.good.byKey {
		if e.name == stem {
			return s.cell(part, e)
		}
	}
	return results.Cell{}, false, nil
}
