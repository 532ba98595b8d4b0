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
	"sync/atomic"

	"r2lmlbench/results"
)

// Merged counts what a merge found in one source directory and what it copied.
type Merged struct {
	Dir      string `json:"dir"`
	Cells    int    `json:"cells"`            // good cells found
	Copied   int    `json:"copied"`           // of them, those the target lacked
	Failed   int    `json:"failed"`           // records of failures that were copied: of cells without a result anywhere
	Damaged  int    `json:"damaged"`          // files, and lines of packs, that are not what they should be; left out
	Journals int    `json:"unfinished_grids"` // of cells without a result anywhere; the target takes over their points, unless it has packs
}

// Merge copies into s the cells that other result directories hold and s lacks,
// with the records of how they came to be. Nothing in the sources is changed, and no
// link in them is followed; damaged files are told to Log and left out. A good cell takes the place of
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
	sources := []*source{{Store: s.Snapshot()}} // the target, as it is
	for _, dir := range dirs {
		from := new(source)
		from.Store = Store{Dir: dir, source: true, Log: func(format string, args ...any) {
			from.damaged.Add(1)
			s.logf(format, args...)
		}}.Snapshot()
		sources = append(sources, from)
	}

	missing, stored, err := compare(sources) // before anything is written
	if err != nil {
		return nil, err
	}
	info, err := os.Stat(filepath.Join(s.Dir, packsFolder))
	packed := err == nil && info.IsDir()
	if err := s.copyAll(ctx, missing, stored, packed); err != nil {
		return nil, err
	}
	merged := []Merged{}
	for _, from := range sources[1:] {
		if !packed { // beside packs there are no journals
			if err := s.uniteAll(ctx, from); err != nil {
				return nil, err
			}
		}
		from.merged.Dir, from.merged.Damaged = from.Dir, int(from.damaged.Load())
		merged = append(merged, from.merged)
	}
	return merged, nil
}

// compare lists the cells that the first source, the target, lacks, and the sources of all cells. It
// fails with ErrConflict where cells of the same inputs differ.
func compare(sources []*source) (missing []*entry, stored map[*entry]*source, err error) {
	names := map[partitionName]bool{}
	for i, from := range sources {
		if err := from.list(); err != nil {
			return nil, nil, err
		}
		if i > 0 && len(from.partitions)+len(from.journals) == 0 {
			sources[0].logf("results: %s holds no cells", from.Dir)
		}
		maps.Copy(names, from.partitions)
	}
	stored = map[*entry]*source{}
	for _, of := range slices.SortedFunc(maps.Keys(names), comparePartitions) {
		all := map[string]*entry{}
		for _, from := range sources {
			if !from.partitions[of] {
				continue
			}
			part, err := from.partition(of)
			if err != nil {
				return nil, nil, err
			}
			cells, err := part.cells()
			if err != nil {
				return nil, nil, err
			}
			for _, e := range cells {
				add(all, e)
				stored[e] = from
				if !e.Failed {
					from.merged.Cells++
				}
			}
		}
		for _, file := range slices.Sorted(maps.Keys(all)) {
			e := all[file]
			if had := e.Failed && all[e.stem()+cellSuffix] != nil; stored[e] != sources[0] && !had {
				missing = append(missing, e)
			}
		}
	}
	var conflicts []string
	for e := range stored {
		if e.conflict != nil {
			conflicts = append(conflicts, e.where()+" and "+e.conflict.where())
		}
	}
	if len(conflicts) > 0 {
		slices.Sort(conflicts)
		return nil, nil, fmt.Errorf("%w; nothing was merged:\n  %s", ErrConflict, strings.Join(conflicts, "\n  "))
	}
	return missing, stored, nil
}

// copyAll copies cells of sources into packs or files, and counts them.
func (s Store) copyAll(ctx context.Context, cells []*entry, stored map[*entry]*source, packed bool) error {
	packs := lineGroup{}
	for _, e := range cells {
		if err := ctx.Err(); err != nil {
			return err
		}
		from := stored[e]
		c, ok, err := from.cell(e, nil)
		switch {
		case !ok || err != nil:
		case packed:
			var line *entry
			line, err = entryOf(c)
			packs[e.of] = append(packs[e.of], line)
		default:
			ok, err = s.copyCell(ctx, c, from.Store)
		}
		switch {
		case err != nil:
			return err
		case ok && e.Failed:
			from.merged.Failed++
		case ok:
			from.merged.Copied++
		}
	}
	return s.keep(packs)
}

// uniteAll takes over the unfinished grids of a source, and counts them.
func (s Store) uniteAll(ctx context.Context, from *source) error {
	for _, name := range from.journals {
		united, err := s.unite(ctx, name, from.Store)
		if err != nil {
			return err
		}
		if united {
			from.merged.Journals++
		}
	}
	return nil
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

// A source is a store that is merged, or the one that others are merged into.
type source struct {
	*Store
	partitions map[partitionName]bool // that it has files or packs of
	journals   []string               // their paths below cells/ without the ending
	merged     Merged
	damaged    atomic.Int64
}

// list lists the partitions and journals of the directory by the names of its files.
func (s *source) list() error {
	s.partitions = map[partitionName]bool{}
	walk := func(folder string, take func(of partitionName, file string)) error {
		root := filepath.Join(s.Dir, folder) + string(filepath.Separator) // of this one a link is followed
		return filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
			switch {
			case path == root && errors.Is(err, fs.ErrNotExist):
				return nil
			case err != nil:
				return pathError("read", path, err)
			}
			take(partitionName{folder: filepath.Base(filepath.Dir(path))}, filepath.Base(path))
			return nil
		})
	}
	packs := walk(packsFolder, func(of partitionName, file string) {
		var ok bool
		if of.method, ok = strings.CutSuffix(strings.TrimSuffix(file, gzipSuffix), strings.TrimSuffix(packSuffix, gzipSuffix)); ok {
			s.partitions[of] = true
		}
	})
	cells := walk(cellsFolder, func(of partitionName, file string) {
		var ok bool
		if of.method, ok = methodOf(file, cellSuffix, failedSuffix); ok {
			s.partitions[of] = true
		} else if _, ok := methodOf(file, journalSuffix); ok {
			s.journals = append(s.journals, filepath.Join(of.folder, strings.TrimSuffix(file, journalSuffix)))
		}
	})
	return errors.Join(packs, cells)
}

// copyCell copies a cell of a source to the target, with its run record if there is one, under
// the lock of the cell. It reports whether it did: another process may have stored the cell, or
// the record of a failure, since the target was read.
func (s Store) copyCell(ctx context.Context, c results.Cell, from *Store) (copied bool, err error) {
	release, err := s.Lock(ctx, c.Inputs)
	if err != nil {
		return false, err
	}
	defer release()
	data, err := results.EncodeCell(c)
	if err != nil {
		return false, err
	}
	failed := c.Failure != ""
	stored, there, err := s.Find(c.Inputs)
	if err == nil && !there && failed {
		_, there, err = s.Failed(c.Inputs)
	}
	if there && !failed {
		if other, err := results.EncodeCell(stored); err != nil || !bytes.Equal(other, data) {
			return false, errors.Join(err, fmt.Errorf("%w; one was stored during the merge:\n  %s and %s", ErrConflict, s.Where(c.Inputs), from.Where(c.Inputs)))
		}
	}
	if there || err != nil {
		return false, err
	}
	var run []byte
	_, err = from.load(from.stem(c.Inputs)+runSuffix, func(data []byte) error {
		err := json.Unmarshal(data, &results.Run{})
		if err == nil {
			run = data
		}
		return err
	}, from.missing)
	if err == nil {
		err = s.write(c, run, data)
	}
	if err != nil || failed {
		return err == nil, err
	}
	return true, remove(s.stem(c.Inputs) + journalSuffix)
}

// unite adds the points of a journal of a source to that of the target, under the lock of the cell,
// and reports whether the cell is still to be computed. Points of the target take precedence. A
// file that is no journal of that name is left out.
func (s Store) unite(ctx context.Context, name string, from *Store) (bool, error) {
	var head journalHead
	var theirs []results.Outcome
	_, err := from.load(filepath.Join(from.Dir, cellsFolder, name)+journalSuffix, func(data []byte) error {
		line, _ := cutLine(data)
		if !bytes.HasSuffix(line, []byte("\n")) {
			return nil // a kill has torn the header
		}
		if json.Unmarshal(line, &head) != nil || !bytes.Equal(line, journalHeader(head.Key)) {
			head.Key = ""
			return errors.New("not the header of a journal")
		}
		theirs, _, _ = parseJournal(data, head.Key, math.MaxInt)
		return nil
	}, from.missing)
	if err != nil || len(head.Key) < keyDigits || !strings.HasSuffix(name, "-"+head.Key[:keyDigits]) {
		return false, err
	}
	path := filepath.Join(s.Dir, cellsFolder, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return false, pathError("create", filepath.Dir(path), err)
	}
	release, err := waitLock(ctx, path+lockSuffix)
	if err != nil {
		return false, err
	}
	defer release()
	of := partitionName{folder: filepath.Dir(name)}
	of.method, _ = methodOf(filepath.Base(name)+cellSuffix, cellSuffix)
	if e, err := s.named(of, filepath.Base(name)+cellSuffix); e != nil || err != nil {
		return false, err
	}
	last := map[place]int{} // of a point that was tried again the last outcome counts
	for i, o := range theirs {
		last[place{o.Phase, o.Setting}] = i
	}
	if len(last) == 0 {
		return true, nil
	}
	ours, err := s.openJournal(path+journalSuffix, head.Key, math.MaxInt)
	if err != nil {
		return false, err
	}
	for i, o := range theirs {
		at := place{o.Phase, o.Setting}
		if _, known := ours.done[at]; !known && last[at] == i && err == nil {
			err = ours.Add(o)
		}
	}
	return true, errors.Join(err, ours.Close())
}
