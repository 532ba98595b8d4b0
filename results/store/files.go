package store

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"r2lmlbench/internal/atomicfile"
	"r2lmlbench/results"
)

// Put keeps a cell and how it was made, and drops the record of an earlier
// failure.
func (s Store) Put(c results.Cell, r results.Run) error {
	if c.Failure != "" {
		return fmt.Errorf("results: cell %s/%s failed (%s) and cannot be kept as done", c.Dataset, c.Method, c.Failure)
	}
	if err := s.put(c, r, cellSuffix); err != nil {
		return err
	}
	return s.dropFailed(s.stem(c.Inputs) + failedSuffix)
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
// A cell that another process is at is left alone. So are temporary files of killed
// writers in the folder, unless the store is one for a run.
func (s Store) Tidy(in results.Inputs) error {
	if s.session != nil {
		s.session.sweep(s, s.folder(in))
	}
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
	return s.dropFailed(failed)
}

// dropFailed removes the file of a failure, or sets aside what is none.
func (s Store) dropFailed(failed string) error {
	if _, ok, err := s.listed(failed, failedSuffix); !ok || err != nil {
		return err
	}
	if err := os.Remove(failed); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return pathError("remove", failed, err)
	}
	return nil
}

// Run returns how the cell of in, or its latest failure, came to be, and
// whether that is known.
func (s Store) Run(in results.Inputs) (results.Run, bool) {
	return s.readRun(s.stem(in) + runSuffix)
}

func (s Store) readRun(path string) (results.Run, bool) {
	var r results.Run
	data, err := s.readFile(path)
	if err != nil || json.Unmarshal(data, &r) != nil {
		return results.Run{}, false
	}
	return r, true
}

// RunOf returns how a stored cell came to be, and whether that is known. A record
// that stands beside it and is about another cell tells nothing: that of a later
// attempt which failed, or whose cell did not come to be stored.
func (s Store) RunOf(c results.Cell) (results.Run, bool) {
	r, ok := s.Run(c.Inputs)
	data, err := results.EncodeCell(c)
	if !ok || err != nil || r.Cell != results.Digest(data) {
		return results.Run{}, false
	}
	return r, true
}

// OtherBuilds lists the builds of the program, the running one left out, that
// computed a part of a stored cell. The zero Build stands for those that are not
// known. Predictions that were imported have none: no build of the program made
// them, so that none can make them again.
func (s Store) OtherBuilds(c results.Cell) []results.Build {
	r, _ := s.RunOf(c)
	switch {
	case r.Import != nil:
		return nil
	case len(r.Builds) == 0:
		return []results.Build{{}}
	}
	return slices.DeleteFunc(slices.Clone(r.Builds), results.ThisBuild().Same)
}

// put gives the run its name first, so that no cell stands without one.
func (s Store) put(c results.Cell, r results.Run, suffix string) error {
	if err := s.writable(); err != nil {
		return err
	}
	data, err := results.EncodeCell(c)
	if err != nil {
		return err
	}
	r.Cell = results.Digest(data)
	run, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return fmt.Errorf("results: run of %s/%s: %w", c.Dataset, c.Method, err)
	}
	stem := s.stem(c.Inputs)
	isRun := func(data []byte) error { return json.Unmarshal(data, &results.Run{}) }
	if err := s.clear(stem+runSuffix, isRun); err != nil {
		return err
	}
	if err := s.clearCell(stem+suffix, suffix); err != nil {
		return err
	}
	return writeFiles([]atomicfile.File{{Path: stem + runSuffix, Data: append(run, '\n')}, {Path: stem + suffix, Data: data}})
}

// putFile writes the file of a cell.
func (s Store) putFile(path string, data []byte, suffix string) error {
	if err := s.clearCell(path, suffix); err != nil {
		return err
	}
	return writeFile(path, data)
}

// clearCell is clear for the file of a cell.
func (s Store) clearCell(path, suffix string) error {
	return s.clear(path, func(data []byte) error { _, err := decodeStored(data, suffix); return err })
}

// clear makes way for a file. What stands in its place and is none of its sort is
// set aside.
func (s Store) clear(path string, check func([]byte) error) error {
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
		return nil
	}
	aside, moved := moveAside(path)
	if moved != nil {
		return fmt.Errorf("results: %s is damaged (%w) and would be lost: %w", path, err, pathError("move away", path, moved))
	}
	s.logf("results: %s is damaged (%v); it was kept as %s", path, err, aside)
	return nil
}

// listed reads a cell found by its name, which must be that of its Inputs. What
// is none is set aside.
func (s Store) listed(path, suffix string) (results.Cell, bool, error) {
	return s.load(path, func(data []byte) (results.Cell, error) {
		c, err := decodeStored(data, suffix)
		if err == nil && s.stem(c.Inputs)+suffix != path {
			err = fmt.Errorf("it is the cell of %s/%s with key %s", c.Dataset, c.Method, c.Key()[:keyDigits])
		}
		return c, err
	})
}

// load reads one file; what decode refuses is set aside.
func (s Store) load(path string, decode func([]byte) (results.Cell, error)) (results.Cell, bool, error) {
	data, err := s.readFile(path)
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
	if s.FS != nil {
		s.logf("results: %s is damaged (%v) and counts as missing", path, cause)
		return results.Cell{}, cause
	}
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
