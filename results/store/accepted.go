package store

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"r2lmlbench/results"
)

// An Accepted lists the cells of a spec that stand in a store of accepted cells,
// and the test they are compared by: what a gate expects to find again. It is
// kept as gates/<spec>.json beside the cells.
type Accepted struct {
	Schema int              `json:"schema"`
	Spec   string           `json:"spec"`
	Test   results.TestInfo `json:"test"`
	Cells  []AcceptedCell   `json:"cells"` // their number is the family of the gate's tests
}

// An AcceptedCell says which file answers to which place of a spec.
type AcceptedCell struct {
	Dataset string `json:"dataset"`
	Split   string `json:"split"`
	Method  string `json:"method"` // id of the column
	Seed    uint64 `json:"seed"`
	File    string `json:"file"` // below cells/, with slashes
	// Seconds is the wall time that the cell took when it was computed, rounded
	// up; 0: unknown. Estimates of what other cells would take start from it.
	Seconds int `json:"seconds,omitempty"`
	// Heap is by how many bytes the heap grew meanwhile, as in Run; 0: unknown.
	Heap int64 `json:"heap_bytes,omitempty"`
}

// Place is the entry without its file and cost: what it is the cell of.
func (c AcceptedCell) Place() AcceptedCell {
	c.File, c.Seconds, c.Heap = "", 0, 0
	return c
}

// Index returns where the list has the cell of a place, or -1.
func (a Accepted) Index(place AcceptedCell) int {
	return slices.IndexFunc(a.Cells, func(c AcceptedCell) bool { return c.Place() == place.Place() })
}

// Accepted returns what is accepted of a spec, and whether anything is.
func (s Store) Accepted(spec string) (Accepted, bool, error) {
	file := s.acceptedPath(spec)
	data, err := readFile(file)
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

// parseAccepted reads a list. No file it names can lie outside its store.
func parseAccepted(data []byte) (Accepted, error) {
	var a Accepted
	if err := json.Unmarshal(data, &a); err != nil {
		return a, fmt.Errorf("not a list of accepted cells: %w", err)
	}
	if a.Schema != 1 {
		return a, fmt.Errorf("schema %d, this program reads 1", a.Schema)
	}
	seen := map[AcceptedCell]bool{}
	for i, c := range a.Cells {
		if path.Clean(c.File) != c.File || !filepath.IsLocal(filepath.FromSlash(c.File)) || !strings.HasSuffix(c.File, cellSuffix) {
			return a, fmt.Errorf("cell %d: %q is not the file of a cell", i+1, c.File)
		}
		if seen[c.Place()] {
			return a, fmt.Errorf("cell %d: %s %s seed %d (%s) is listed twice", i+1, c.Dataset, c.Method, c.Seed, c.Split)
		}
		seen[c.Place()] = true
	}
	return a, nil
}

// PutAccepted keeps a list and removes the cells that only its predecessor named.
func (s Store) PutAccepted(a Accepted) error {
	before, _, err := s.Accepted(a.Spec)
	if err != nil {
		return err
	}
	a.Schema = 1
	data, err := json.MarshalIndent(a, "", " ")
	if err != nil {
		return fmt.Errorf("results: accepted cells of %s: %w", a.Spec, err)
	}
	if err := writeFile(s.acceptedPath(a.Spec), append(data, '\n')); err != nil {
		return err
	}
	named, err := s.named()
	if err != nil {
		return err
	}
	for _, c := range before.Cells {
		if named[c.File] {
			continue
		}
		if err := os.Remove(s.cellPath(c.File)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return pathError("remove", s.cellPath(c.File), err)
		}
	}
	return nil
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

// PutCell keeps a cell without telling how it came to be, as a store of accepted
// cells does, and returns its file below cells/.
func (s Store) PutCell(c results.Cell) (file string, err error) {
	if c.Failure != "" {
		return "", fmt.Errorf("results: cell %s/%s failed (%s) and cannot be accepted", c.Dataset, c.Method, c.Failure)
	}
	data, err := results.EncodeCell(c)
	if err != nil {
		return "", err
	}
	file = path.Join(filepath.Base(s.folder(c.Inputs)), filepath.Base(s.Path(c.Inputs)))
	if err := writeFile(s.Path(c.Inputs), data); err != nil {
		return "", err
	}
	return file, s.dropFailed(c.Inputs)
}

// PutFailure keeps the record of a failed cell, as PutCell does, so that readers
// of the store know that it failed and why. No list names it.
func (s Store) PutFailure(c results.Cell) error {
	if c.Failure == "" {
		return fmt.Errorf("results: cell %s/%s did not fail", c.Dataset, c.Method)
	}
	data, err := results.EncodeCell(c)
	if err != nil {
		return err
	}
	return writeFile(s.stem(c.Inputs)+failedSuffix, data)
}

// AcceptedCell reads the cell of a list's entry, and whether it is there.
func (s Store) AcceptedCell(a AcceptedCell) (results.Cell, bool, error) {
	return s.listed(s.cellPath(a.File), cellSuffix)
}

func (s Store) cellPath(file string) string {
	return filepath.Join(s.Dir, "cells", filepath.FromSlash(file))
}

func (s Store) acceptedPath(spec string) string {
	return filepath.Join(s.Dir, "gates", safeName(spec)+".json")
}
