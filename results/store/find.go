package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"r2lmlbench/results"
)

// Find is Get for a reader without the data files: an empty DatasetDigest or
// SplitDigest of in matches any. More than one match is an error, for nobody
// could say which is meant.
func (s Store) Find(in results.Inputs) (results.Cell, bool, error) {
	return s.find(in, cellSuffix)
}

// Nearest returns the stored cell of the same data set and method whose Inputs
// differ from in in the fewest respects, as Diff counts them, and whether there
// is one. Of several the first by file name is taken.
func (s Store) Nearest(in results.Inputs) (results.Cell, bool, error) {
	all, err := s.cells(in, cellSuffix)
	if err != nil || len(all) == 0 {
		return results.Cell{}, false, err
	}
	best, fewest := all[0], len(all[0].Diff(in))
	for _, c := range all[1:] {
		if n := len(c.Diff(in)); n < fewest {
			best, fewest = c, n
		}
	}
	return best, true, nil
}

func (s Store) find(in results.Inputs, suffix string) (results.Cell, bool, error) {
	if in.DatasetDigest != "" && in.SplitDigest != "" {
		return s.get(in, suffix)
	}
	all, err := s.candidates(in, suffix)
	if err != nil {
		return results.Cell{}, false, err
	}
	var found []results.Cell
	for _, c := range all {
		if len(c.Diff(in)) == 0 {
			found = append(found, c)
		}
	}
	switch len(found) {
	case 0:
		return results.Cell{}, false, nil
	case 1:
		return found[0], true, nil
	}
	return results.Cell{}, false, s.ambiguous(found, suffix)
}

func (s Store) ambiguous(found []results.Cell, suffix string) error {
	var names []string
	for _, c := range found {
		names = append(names, filepath.Base(s.stem(c.Inputs))+suffix)
	}
	return fmt.Errorf("results: %s: %d cells of %s differ only in the data they were made from (%s); fetch the data set or move all but one away",
		s.folder(found[0].Inputs), len(found), found[0].Method, strings.Join(names, ", "))
}

// cells reads all cells of the data set and the method of in, by file name.
func (s Store) cells(in results.Inputs, suffix string) ([]results.Cell, error) {
	dir := s.folder(in)
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, pathError("read", dir, err)
	}
	var all []results.Cell
	for _, e := range entries {
		if !isCell(e.Name(), in.Method, suffix) {
			continue
		}
		c, ok, err := s.listed(filepath.Join(dir, e.Name()), suffix)
		if err != nil {
			return nil, err
		}
		if ok {
			all = append(all, c)
		}
	}
	return all, nil
}

// listed reads a cell found by its name, which must be that of its Inputs.
func (s Store) listed(path, suffix string) (results.Cell, bool, error) {
	return s.load(path, func(data []byte) (results.Cell, error) {
		c, err := decodeStored(data, suffix)
		if err == nil && s.stem(c.Inputs)+suffix != path {
			err = fmt.Errorf("it is the cell of %s/%s with key %s", c.Dataset, c.Method, c.Key()[:keyDigits])
		}
		return c, err
	})
}
