package store

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"r2lmlbench/results"
)

// Merged tells what a merge found in one source directory and did with it.
type Merged struct {
	Dir      string `json:"dir"`
	Cells    int    `json:"cells"`            // good cells found
	Copied   int    `json:"copied"`           // of them, those the target lacked
	Failed   int    `json:"failed"`           // records of failures that were copied: of cells that nobody has
	Damaged  int    `json:"damaged"`          // files, and lines of packs, that hold no cell, or another one; left out
	Journals int    `json:"unfinished_grids"` // of cells that nobody has; the target takes over their points, unless it has packs
}

// Merge copies into s the cells that other result directories hold and s lacks,
// with the records of how they came to be. Nothing in the sources is changed,
// damaged files are told to Log and left out. A good cell takes the place of
// the record of a failure; of several failures the one of s stays, or else that
// of the first source. Of an unfinished grid the target gets the points that any
// directory has, so that it can go on from there; of several outcomes of a point the
// first counts. Once the target has the cell its journal goes.
//
// Cells of the same inputs must have the same bytes. Where any two differ,
// Merge names all such cells, returns an error that wraps ErrConflict, and
// changes nothing. It waits for another merge into s to end, for whoever
// computes a cell of s that is to be copied, or for ctx; should a cell that was
// waited for differ, ErrConflict comes after others were copied.
//
// A store that has a folder of packs keeps what is copied in packs, without the
// records of how it came to be; any other keeps it in files, whatever the sources
// do.
func (s Store) Merge(ctx context.Context, dirs []string) ([]Merged, error) {
	for _, dir := range dirs {
		if err := isDirectory(dir); err != nil {
			return nil, fmt.Errorf("results: cannot merge %s: %w; name a directory that --results was set to", dir, err)
		}
	}
	release, err := s.lockStore(ctx)
	if err != nil {
		return nil, err
	}
	defer release()
	m := merge{target: s, cells: map[string]found{}, grids: map[string]*grid{}}
	if info, err := os.Stat(filepath.Join(s.Dir, packsFolder)); err == nil && info.IsDir() {
		m.packed = lineGroup{}
	}
	if _, err := m.read(s.Dir, true); err != nil {
		return nil, err
	}
	merged := make([]Merged, len(dirs))
	for i, dir := range dirs {
		if merged[i], err = m.read(dir, false); err != nil {
			return nil, err
		}
	}
	if len(m.conflicts) > 0 {
		slices.Sort(m.conflicts)
		return nil, fmt.Errorf("%w; nothing was merged:\n  %s", ErrConflict, strings.Join(m.conflicts, "\n  "))
	}
	return merged, m.write(ctx, merged)
}

// A merge is what is known of the cells of all directories.
type merge struct {
	target    Store
	cells     map[string]found // by the path of their file below cells/
	grids     map[string]*grid // unfinished ones, by the path of their file below cells/, without its ending
	conflicts []string
	packed    lineGroup // what goes into packs of the target; nil: it has none
}

// A found is a cell and the first directory it was found in.
type found struct {
	dir string
	*entry
}

// A grid is what the journals of all directories know of a cell.
type grid struct {
	key      string
	outcomes []results.Outcome // in the order of the directories
	sources  []string          // that have a journal, the target left out
}

func isDirectory(path string) error {
	info, err := os.Stat(path)
	var where *fs.PathError
	switch {
	case errors.As(err, &where):
		return where.Err
	case err == nil && !info.IsDir():
		return errors.New("it is no directory")
	}
	return err
}

// read takes in what a directory holds, without touching a file. Of the target links
// are followed and damage is not told; elsewhere links count as damaged.
func (m *merge) read(dir string, isTarget bool) (Merged, error) {
	got := Merged{Dir: dir}
	damage := func(where string, err error) {
		got.Damaged++
		if !isTarget {
			m.target.logf("results: %s is damaged (%v) and left out", where, err)
		}
	}
	read := func(path string) (data []byte, err error) {
		if isTarget || !isLink(path) {
			data, err = readFile(path)
		} else {
			err = fmt.Errorf("%w: a link", errForeign)
		}
		if err != nil && !errors.Is(err, errForeign) {
			return nil, pathError("read", path, err)
		}
		if err != nil {
			damage(path, err)
		}
		return data, nil
	}
	here := map[string]*entry{} // the good cells of the directory
	add := func(e *entry) {
		name := filepath.Join(e.of.folder, e.file)
		first, known := m.cells[name]
		switch {
		case !known:
			m.cells[name] = found{dir, e}
		case !e.Failed && !bytes.Equal(first.Data, e.Data):
			m.conflicts = append(m.conflicts, first.where()+" and "+e.where())
		}
		if !e.Failed {
			here[name] = e
		}
	}
	var decoder results.Decoder
	files := 0
	for _, root := range []string{"cells", packsFolder} {
		paths, err := filesBelow(filepath.Join(dir, root), map[string]string{"cells": cellSuffix, packsFolder: packSuffix}[root])
		if err != nil {
			return got, err
		}
		files += len(paths)
		for _, path := range paths {
			home, file := filepath.Split(path)
			isPack := root == packsFolder && strings.HasSuffix(file, packSuffix)
			isCell := root == "cells" && strings.HasSuffix(file, cellSuffix) && !strings.HasSuffix(file, runSuffix)
			isJournal := root == "cells" && strings.HasSuffix(file, journalSuffix)
			if !isPack && !isCell && !isJournal {
				continue
			}
			data, err := read(path)
			if err != nil {
				return got, err
			}
			if isJournal {
				m.journal(dir, strings.TrimSuffix(filepath.Join(filepath.Base(home), file), journalSuffix), data, isTarget)
			}
			if isJournal || data == nil {
				continue
			}
			var lines []*entry
			if isPack {
				p := parsePack(&decoder, data, path, partitionName{filepath.Base(home), strings.TrimSuffix(file, packSuffix)})
				for _, f := range p.faults {
					damage(fmt.Sprintf("%s:%d", path, f.number), f.err)
				}
				lines = p.lines
			} else if e, err := newEntry(&decoder, data); err != nil {
				damage(path, err)
			} else {
				e.home = filepath.Clean(home)
				lines = []*entry{e}
			}
			for _, e := range lines {
				_, err := results.DecodeCell(e.Data)
				switch {
				case isCell && filepath.Join(dir, root, e.of.folder, e.file) != path:
					damage(path, fmt.Errorf("it is the cell of %s/%s with key %s", e.Dataset, e.Method, e.Key()[:keyDigits]))
				case err != nil:
					damage(e.where(), err)
				default:
					add(e)
				}
			}
		}
	}
	got.Cells = len(here)
	if files == 0 && !isTarget {
		m.target.logf("results: %s holds no cells", dir)
	}
	return got, nil
}

// journal takes in the sound lines of a journal of that name. What is none of the cell's
// is left out.
func (m *merge) journal(dir, name string, data []byte, isTarget bool) {
	line, _, _ := bytes.Cut(data, []byte("\n"))
	var head journalHead
	if json.Unmarshal(line, &head) != nil || len(head.Key) < keyDigits || !strings.HasSuffix(name, "-"+head.Key[:keyDigits]) {
		return
	}
	g := m.grids[name]
	if g == nil {
		g = &grid{key: head.Key}
		m.grids[name] = g
	}
	if g.key != head.Key {
		return
	}
	outcomes, _, _ := parseJournal(data, head.Key, math.MaxInt)
	g.outcomes = append(g.outcomes, outcomes...)
	if !isTarget {
		g.sources = append(g.sources, dir)
	}
}

// filesBelow lists the files in the folders of root, and what else has a name
// with the ending, sorted.
func filesBelow(root, suffix string) ([]string, error) {
	var paths []string
	folders, err := os.ReadDir(root)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, pathError("read", root, err)
	}
	for _, folder := range folders {
		if !folder.IsDir() {
			continue
		}
		path := filepath.Join(root, folder.Name())
		files, err := os.ReadDir(path)
		if err != nil {
			return nil, pathError("read", path, err)
		}
		for _, f := range files {
			if named := strings.HasSuffix(f.Name(), suffix); (named || f.Type().IsRegular()) && !strings.HasPrefix(f.Name(), ".") {
				paths = append(paths, filepath.Join(path, f.Name()))
			}
		}
	}
	return paths, nil
}

// write copies what the target lacks, in the order of the paths, the good cells first,
// and counts it. Records of failures go of cells that are there by now.
func (m *merge) write(ctx context.Context, merged []Merged) error {
	names := slices.Sorted(maps.Keys(m.cells))
	for _, failed := range []bool{false, true} {
		for _, name := range names {
			cell := m.cells[name]
			if cell.Failed != failed || cell.dir == m.target.Dir {
				continue
			}
			if _, done := m.cells[filepath.Join(cell.of.folder, cell.stem()+cellSuffix)]; failed && done {
				continue
			}
			copied, err := m.copy(ctx, cell)
			if err != nil {
				return err
			}
			at := slices.IndexFunc(merged, func(d Merged) bool { return d.Dir == cell.dir })
			switch {
			case copied && failed:
				merged[at].Failed++
			case copied:
				merged[at].Copied++
			}
		}
	}
	if err := m.target.keep(m.packed); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(m.grids)) {
		g := m.grids[name]
		if _, done := m.cells[name+cellSuffix]; done || len(g.sources) == 0 || m.packed != nil {
			continue
		}
		if err := m.unite(ctx, name); err != nil {
			return err
		}
		for i := range merged {
			if slices.Contains(g.sources, merged[i].Dir) {
				merged[i].Journals++
			}
		}
	}
	for _, cell := range m.cells {
		if cell.Failed {
			continue
		}
		if err := remove(m.target.filePath(cell.of, cell.stem()+failedSuffix)); err != nil {
			return err
		}
	}
	return nil
}

// copy puts a cell into the target, and before it how it came to be where that is
// known. It holds the lock of the cell meanwhile, and tells whether it did: somebody
// may have stored the cell since the target was read.
func (m *merge) copy(ctx context.Context, cell found) (copied bool, err error) {
	if err := ctx.Err(); err != nil {
		return false, err
	}
	to := m.target.filePath(cell.of, cell.stem())
	if m.packed != nil {
		if !isNothing(m.target.filePath(cell.of, cell.file)) {
			if stored, err := m.stored(cell); stored || err != nil {
				return false, err
			}
		}
		m.packed[cell.of] = append(m.packed[cell.of], cell.entry)
		return true, nil
	}
	release, err := m.target.Lock(ctx, cell.Inputs)
	if err != nil {
		return false, err
	}
	defer release()
	if stored, err := m.stored(cell); stored || err != nil {
		return false, err
	}
	run, err := m.readRun((Store{Dir: cell.dir}).filePath(cell.of, cell.stem()) + runSuffix)
	if err == nil && run != nil {
		err = writeFile(to+runSuffix, run)
	}
	if err != nil {
		return false, err
	}
	if err := writeFile(to+suffixOf(cell.Failed), cell.Data); err != nil || cell.Failed {
		return true, err
	}
	return true, remove(to + journalSuffix)
}

// unite writes the points of all journals of a grid to that of the target, while nobody is
// at the cell. Points that came meanwhile count first.
func (m *merge) unite(ctx context.Context, name string) error {
	g, path := m.grids[name], filepath.Join(m.target.Dir, "cells", name)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return pathError("create", filepath.Dir(path), err)
	}
	release, err := wait(ctx, path+lockSuffix, func() (func(), bool, error) { return tryLock(path + lockSuffix) })
	if err != nil {
		return err
	}
	defer release()
	if !isNothing(path + cellSuffix) {
		return nil
	}
	present, err := readFile(path + journalSuffix)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return pathError("read", path+journalSuffix, err)
	}
	known, _, _ := parseJournal(present, g.key, math.MaxInt)
	var all []results.Outcome
	seen := map[place]bool{}
	for _, o := range append(known, g.outcomes...) {
		if at := (place{o.Phase, o.Point}); !seen[at] {
			seen[at], all = true, append(all, o)
		}
	}
	if len(all) == len(known) {
		return nil
	}
	return writeFile(path+journalSuffix, journalOf(g.key, all))
}

// stored looks whether the target has a cell, or where a failure is to be copied, the
// record of one. A damaged file in its place is kept under another name.
func (m *merge) stored(cell found) (bool, error) {
	c, ok, err := m.target.Get(cell.Inputs)
	switch {
	case err != nil:
		return false, err
	case cell.Failed && !ok:
		_, ok, err = m.target.Failed(cell.Inputs)
		return ok, err
	case cell.Failed || !ok:
		return ok, nil
	}
	data, err := results.EncodeCell(c)
	if err == nil && !bytes.Equal(data, cell.Data) {
		err = fmt.Errorf("%w; one was stored during the merge:\n  %s and %s", ErrConflict, m.target.Where(cell.Inputs), cell.where())
	}
	return true, err
}

// readRun reads how a cell of a source came to be, nil where that is not known.
// A link is not followed: it may lead to any file of the reader's, which would
// then be copied. What is no such record is left out.
func (m *merge) readRun(path string) ([]byte, error) {
	data, err := readFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err == nil && isLink(path):
		err = errors.New("a link")
	case err == nil:
		err = json.Unmarshal(data, &results.Run{})
	case !errors.Is(err, errForeign):
		return nil, pathError("read", path, err)
	}
	if err != nil {
		m.target.logf("results: %s is damaged (%v) and left out", path, err)
		return nil, nil
	}
	return data, nil
}
