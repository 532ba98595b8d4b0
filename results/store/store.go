// Package store keeps cells under a directory, or reads them from a file system
// that is part of the program.
//
// A Store keeps cells under a directory:
//
//	cells/<data set>/<method>-<16 hex digits of the key>.json         the cell
//	                                                    .failed.json  why it could not be had
//	                                                    .run.json     when, where, with what
//	                                                    .journal      progress on its grid
//	                                                    .lock         held by whoever computes it
//	                                                    .json.corrupt-1, -2, ...  damaged, and written anew since
//
// A store of accepted cells keeps them in packs, a line for each, and has in place
// of all else a list for every spec:
//
//	packs/<data set>/<method>.jsonl.gz  the cells of a data set and method, see pack
//	gates/<spec>.json                   the Accepted list: which cells a Gate compares with fresh ones
//	gates/<spec>.history.jsonl          the States that were accepted, the oldest first
//
// Every store may hold cells in both ways; one that is kept twice must have the
// same bytes. Merge packs cells and takes packs apart.
package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"r2lmlbench/results"
)

// A Store keeps cells under a directory. Several processes may share one: a
// file appears whole or not at all, and equal Inputs give equal bytes.
type Store struct {
	Dir string                           // created when first written to
	Log func(format string, args ...any) // remarks, such as on a damaged file, from any goroutine; nil: none
	FS  fs.FS                            // nil: the files below Dir; else it is read in their place, and Dir only names it

	// What a snapshot has read; nil: everything is read anew.
	partitions *memo[partitionName, *partition]
	lists      *memo[string, *Accepted] // by spec; nil: nothing is accepted
	points     *memo[pointList, []byte] // in JSON

	// What a run need not do again for each of its cells; nil: everything is done anew.
	folders *memo[string, fs.FileInfo] // that were swept, as they were then
	packs   *memo[partitionName, pack]

	told   *sync.Map // damaged files that a snapshot or a run has told of, by their paths
	source bool      // of a merge: no link is followed
}

// A pointList identifies a list of points by its address, because a plan asks for many cells with
// the same list.
type pointList struct {
	first *results.Setting
	size  int
}

// Snapshot returns the store for a reader of many cells: it lists every folder and reads every
// pack once, and a file where its cell is asked for. Neither files nor the points of inputs
// passed to it may change while it is used.
func (s Store) Snapshot() *Store {
	if s.partitions == nil {
		s.partitions, s.lists, s.points = new(memo[partitionName, *partition]), new(memo[string, *Accepted]), new(memo[pointList, []byte])
		s.packs, s.told = new(memo[partitionName, pack]), new(sync.Map)
	}
	return &s
}

// ForRun returns the store for a run over many of its cells. What killed writers
// left is removed once in every folder rather than at every lock, and every pack is
// read once: cells that others add to packs during the run are computed again. A folder
// moved away during the run is an error.
func (s Store) ForRun() *Store {
	if s.folders == nil {
		s.folders, s.packs, s.told = new(memo[string, fs.FileInfo]), new(memo[partitionName, pack]), new(sync.Map)
	}
	return &s
}

// A memo remembers what was made for a key; a failure is not remembered. It serves
// any number of goroutines. A nil memo remembers nothing.
type memo[K comparable, V any] struct {
	mu    sync.Mutex
	known map[K]func() (V, error)
}

// get returns what was made for a key, or makes it.
func (m *memo[K, V]) get(key K, make func() (V, error)) (V, error) {
	if m == nil {
		return make()
	}
	m.mu.Lock()
	if m.known == nil {
		m.known = map[K]func() (V, error){}
	}
	once, ok := m.known[key]
	if !ok {
		once = sync.OnceValues(make)
		m.known[key] = once
	}
	m.mu.Unlock()
	made, err := once()
	if err != nil {
		m.mu.Lock()
		delete(m.known, key)
		m.mu.Unlock()
	}
	return made, err
}

// ErrReadOnly is returned by whatever would change a store that has an FS.
var ErrReadOnly = errors.New("part of the program, and cannot be changed; work in a checkout of the repository, or name a directory of your own")

// writable returns ErrReadOnly for a store that cannot be written to.
func (s Store) writable() error {
	if s.FS != nil {
		return fmt.Errorf("results: %s is %w", s.Dir, ErrReadOnly)
	}
	return nil
}

// HasCells reports whether the store has a folder of cells or of packs.
func (s Store) HasCells() (bool, error) {
	for _, name := range []string{cellsFolder, packsFolder} {
		path := filepath.Join(s.Dir, name)
		if _, err := s.readDir(path); err == nil {
			return true, nil
		} else if !errors.Is(err, fs.ErrNotExist) {
			return false, pathError("read", path, err)
		}
	}
	return false, nil
}

func (s Store) logf(format string, args ...any) {
	if s.Log != nil {
		s.Log(format, args...)
	}
}

// Path returns where the cell of in is kept that has a file of its own.
func (s Store) Path(in results.Inputs) string { return s.stem(in) + cellSuffix }

func (s Store) stem(in results.Inputs) string {
	of := newPartitionName(in.Dataset, in.Method)
	return s.filePath(of, of.stem(in.Key()))
}

// keyOf returns the key of inputs; a snapshot encodes a list of points once.
func (s Store) keyOf(in results.Inputs) string {
	if s.points == nil || len(in.Settings) == 0 {
		return in.Key()
	}
	points, _ := s.points.get(pointList{&in.Settings[0], len(in.Settings)}, func() ([]byte, error) { return results.SettingsJSON(in.Settings), nil })
	return in.KeyWith(points)
}

// filePath is where a file of a partition's cells is kept.
func (s Store) filePath(of partitionName, file string) string {
	return filepath.Join(s.Dir, cellsFolder, of.folder, file)
}

// packPath is where the pack of a partition is kept.
func (s Store) packPath(of partitionName) string {
	return filepath.Join(s.Dir, packsFolder, of.folder, of.method+packSuffix)
}

// gatesPath is where a file about the accepted cells of a spec is kept.
func (s Store) gatesPath(spec, suffix string) string {
	return filepath.Join(s.Dir, gatesFolder, safeName(spec)+suffix)
}

// readFile reads a file of the store, as the function of that name does.
func (s Store) readFile(path string) ([]byte, error) {
	switch {
	case s.FS != nil:
		return fs.ReadFile(s.FS, s.inside(path))
	case s.source && (isLink(path) || isLink(filepath.Dir(path))): // the folder of a data set, too
		return nil, fmt.Errorf("%w: a link", errForeign)
	}
	return readFile(path)
}

func (s Store) readDir(path string) ([]fs.DirEntry, error) {
	if s.FS != nil {
		return fs.ReadDir(s.FS, s.inside(path))
	}
	return os.ReadDir(path)
}

// inside returns the name in FS of a path below Dir.
func (s Store) inside(path string) string {
	name, err := filepath.Rel(s.Dir, path)
	if err != nil {
		return path // which no FS has
	}
	return filepath.ToSlash(name)
}
