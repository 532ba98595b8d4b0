package store

import (
	"sync"

	"r2lmlbench/results"
)

// Frozen returns the store for a reader who looks at many cells of it, which
// nobody changes meanwhile: every file is read at most once.
func (s Store) Frozen() *Store {
	if s.memory != nil {
		return &s
	}
	s.memory = &memory{files: map[string]loaded{}, alike: map[string]map[string][]results.Cell{}}
	return &s
}

// A memory holds what has been read of a frozen store.
type memory struct {
	mu    sync.Mutex
	files map[string]loaded                    // by path
	alike map[string]map[string][]results.Cell // by folder, method and ending; then by key without digests
}

// loaded is the outcome of reading one file.
type loaded struct {
	cell results.Cell
	ok   bool
}

// once reads a file that has not been read yet.
func (m *memory) once(path string, read func() (results.Cell, bool, error)) (results.Cell, bool, error) {
	if m == nil {
		return read()
	}
	m.mu.Lock()
	known, there := m.files[path]
	m.mu.Unlock()
	if there {
		return known.cell, known.ok, nil
	}
	c, ok, err := read()
	if err == nil {
		m.mu.Lock()
		m.files[path] = loaded{c, ok}
		m.mu.Unlock()
	}
	return c, ok, err
}

// candidates are the cells of a data set and method that may be that of in, up
// to digests: all without a memory.
func (s Store) candidates(in results.Inputs, suffix string) ([]results.Cell, error) {
	if s.memory == nil {
		return s.cells(in, suffix)
	}
	place := s.folder(in) + " " + in.Method + " " + suffix
	s.memory.mu.Lock()
	index, there := s.memory.alike[place]
	s.memory.mu.Unlock()
	if !there {
		all, err := s.cells(in, suffix)
		if err != nil {
			return nil, err
		}
		index = map[string][]results.Cell{}
		for _, c := range all {
			key := undigested(c.Inputs)
			index[key] = append(index[key], c)
		}
		s.memory.mu.Lock()
		s.memory.alike[place] = index
		s.memory.mu.Unlock()
	}
	return index[undigested(in)], nil
}

// undigested is the key of in without its digests.
func undigested(in results.Inputs) string {
	in.DatasetDigest, in.SplitDigest = "", ""
	return in.Key()
}
