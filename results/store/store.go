package store

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"r2lmlbench/results"
)

// A Store keeps cells under a directory. Several processes may share one: a
// file appears whole or not at all, and equal Inputs give equal bytes.
type Store struct {
	Dir string                           // created when first written to
	Log func(format string, args ...any) // remarks, such as on a damaged file, from any goroutine; nil: none

	memory *memory // of a frozen store
}

// Get returns the cell of in and whether it is there. A file that is damaged,
// or holds something else, is set aside and counts as missing; an error means
// that the directory cannot be read.
func (s Store) Get(in results.Inputs) (results.Cell, bool, error) {
	return s.get(in, cellSuffix)
}

// Failed returns the record of a failed attempt at in, as Get does. Like Find
// it takes an empty digest for unknown.
func (s Store) Failed(in results.Inputs) (results.Cell, bool, error) {
	return s.find(in, failedSuffix)
}

// Put keeps a cell and how it was made, and drops the record of an earlier
// failure.
func (s Store) Put(c results.Cell, r results.Run) error {
	if c.Failure != "" {
		return fmt.Errorf("results: cell %s/%s failed (%s) and cannot be kept as done", c.Dataset, c.Method, c.Failure)
	}
	if err := s.put(c, r, cellSuffix); err != nil {
		return err
	}
	return s.dropFailed(c.Inputs)
}

// PutFailed keeps why a cell could not be had. It never counts as the cell.
func (s Store) PutFailed(c results.Cell, r results.Run) error {
	if c.Failure == "" {
		return fmt.Errorf("results: failed cell %s/%s has no reason", c.Dataset, c.Method)
	}
	return s.put(c, r, failedSuffix)
}

// Tidy removes what a process that was killed right after it had stored the
// cell of in left beside it: its journal and the record of an earlier failure.
// A cell that another process is at is left alone.
func (s Store) Tidy(in results.Inputs) error {
	failed := s.stem(in) + failedSuffix
	if isNothing(s.stem(in)+journalSuffix) && isNothing(failed) {
		return nil
	}
	release, ok, err := s.TryLock(in)
	if !ok || err != nil {
		return err
	}
	defer release()
	j, err := s.OpenJournal(in)
	if err != nil {
		return err
	}
	if err := j.Remove(); err != nil {
		return err
	}
	return s.dropFailed(in)
}

func isNothing(path string) bool {
	_, err := os.Lstat(path)
	return errors.Is(err, fs.ErrNotExist)
}

// dropFailed removes the record of a failure, or sets aside what is none.
func (s Store) dropFailed(in results.Inputs) error {
	if _, ok, err := s.get(in, failedSuffix); !ok || err != nil {
		return err
	}
	failed := s.stem(in) + failedSuffix
	if err := os.Remove(failed); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return pathError("remove", failed, err)
	}
	return nil
}

// Run returns how the cell of in, or its latest failure, came to be, and
// whether that is known.
func (s Store) Run(in results.Inputs) (results.Run, bool) {
	var r results.Run
	data, err := readFile(s.stem(in) + runSuffix)
	if err != nil || json.Unmarshal(data, &r) != nil {
		return results.Run{}, false
	}
	return r, true
}

// put writes the run first, so that no cell stands without one.
func (s Store) put(c results.Cell, r results.Run, suffix string) error {
	data, err := results.EncodeCell(c)
	if err != nil {
		return err
	}
	run, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return fmt.Errorf("results: run of %s/%s: %w", c.Dataset, c.Method, err)
	}
	stem := s.stem(c.Inputs)
	isRun := func(data []byte) error { return json.Unmarshal(data, &results.Run{}) }
	if err := s.replace(stem+runSuffix, append(run, '\n'), isRun); err != nil {
		return err
	}
	isCell := func(data []byte) error { _, err := decodeStored(data, suffix); return err }
	return s.replace(stem+suffix, data, isCell)
}

// replace writes a file. What stands in its place and is none of its sort is
// set aside first.
func (s Store) replace(path string, data []byte, check func([]byte) error) error {
	before, err := readFile(path)
	switch {
	case err == nil:
		err = check(before)
	case errors.Is(err, fs.ErrNotExist):
		err = nil
	case !errors.Is(err, errForeign):
		return pathError("read", path, err)
	}
	if err == nil {
		return writeFile(path, data)
	}
	aside, moved := moveAside(path)
	if moved != nil {
		return fmt.Errorf("results: %s is damaged (%w) and would be lost: %w", path, err, pathError("move away", path, moved))
	}
	s.logf("results: %s is damaged (%v); it was kept as %s", path, err, aside)
	return writeFile(path, data)
}

func (s Store) get(in results.Inputs, suffix string) (results.Cell, bool, error) {
	key := in.Key()
	return s.load(s.stem(in)+suffix, func(data []byte) (results.Cell, error) {
		c, err := decodeStored(data, suffix)
		if err == nil && c.Key() != key {
			err = fmt.Errorf("it is the cell of %s/%s with key %s", c.Dataset, c.Method, c.Key()[:keyDigits])
		}
		return c, err
	})
}

// decodeStored decodes a cell found under the given ending.
func decodeStored(data []byte, suffix string) (results.Cell, error) {
	c, err := results.DecodeCell(data)
	if err == nil && (c.Failure != "") != (suffix == failedSuffix) {
		err = errors.New("a failed cell and a good one have changed places")
	}
	return c, err
}

// load reads one file; what decode refuses is set aside.
func (s Store) load(path string, decode func([]byte) (results.Cell, error)) (results.Cell, bool, error) {
	return s.memory.once(path, func() (results.Cell, bool, error) { return s.read(path, decode) })
}

func (s Store) read(path string, decode func([]byte) (results.Cell, error)) (results.Cell, bool, error) {
	data, err := readFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return results.Cell{}, false, nil
	}
	if err != nil && !errors.Is(err, errForeign) {
		return results.Cell{}, false, pathError("read", path, err)
	}
	var c results.Cell
	if err == nil {
		c, err = decode(data)
	}
	if err != nil {
		c, err = s.replaced(path, err, decode)
	}
	return c, err == nil, nil
}

// replaced moves a refused file away. Should another process have put a good
// one in its place in the meantime, that one was moved: it is put back.
func (s Store) replaced(path string, cause error, decode func([]byte) (results.Cell, error)) (results.Cell, error) {
	aside, err := moveAside(path)
	if errors.Is(err, fs.ErrNotExist) {
		return results.Cell{}, cause // somebody else has moved it
	}
	if err != nil {
		s.logf("results: %s is damaged (%v), counts as missing and cannot be moved away: %v", path, cause, err)
		return results.Cell{}, cause
	}
	if data, err := readFile(aside); err == nil {
		if c, err := decode(data); err == nil {
			return c, os.Rename(aside, path)
		}
	}
	s.logf("results: %s is damaged (%v) and counts as missing; it was kept as %s", path, cause, aside)
	return results.Cell{}, cause
}

func (s Store) logf(format string, args ...any) {
	if s.Log != nil {
		s.Log(format, args...)
	}
}
