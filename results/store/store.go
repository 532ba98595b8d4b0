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
//	                                                    .json.corrupt-1, -2, ...  set aside
//
// A store of accepted cells keeps them in packs, a line for each, and has in place
// of all else a list for every spec:
//
//	packs/<data set>/<method>.jsonl   the cells of a data set and method, see pack
//	gates/<spec>.json                 the Accepted list: which cells a Gate compares with fresh ones
//	gates/<spec>.history.jsonl        the States that were accepted, the oldest first
//
// Every store may hold cells in both ways; one that is kept twice must have the
// same bytes. Merge packs cells and takes packs apart.
package store

import (
	"crypto/sha256"
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

	snapshot *snapshot // what was read; nil: everything is read anew
	session  *session  // of a run; nil: everything is done anew
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

// HasCells tells whether there is a folder of cells, or of packs of them.
func (s Store) HasCells() (bool, error) {
	for _, name := range []string{"cells", packsFolder} {
		info, err := s.stat(filepath.Join(s.Dir, name))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return false, err
		}
		if err == nil && info.IsDir() {
			return true, nil
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
func (s Store) Path(in results.Inputs) string {
	return s.stem(in) + cellSuffix
}

func (s Store) stem(in results.Inputs) string {
	return filepath.Join(s.folder(in), safeName(in.Method)+"-"+in.Key()[:keyDigits])
}

func (s Store) folder(in results.Inputs) string {
	return filepath.Join(s.Dir, "cells", safeName(in.Dataset))
}

// filePath is where a file of a partition's cells is kept.
func (s Store) filePath(of partitionName, file string) string {
	return filepath.Join(s.Dir, "cells", of.folder, file)
}

// packPath is where the pack of a partition is kept.
func (s Store) packPath(of partitionName) string {
	return filepath.Join(s.Dir, packsFolder, of.folder, of.method+packSuffix)
}

// acceptedFolder is where the lists of accepted cells are.
func (s Store) acceptedFolder() string { return filepath.Join(s.Dir, "gates") }

func (s Store) acceptedPath(spec string) string {
	return filepath.Join(s.acceptedFolder(), safeName(spec)+".json")
}

// readFile reads a file of the store, as the function of that name does.
func (s Store) readFile(path string) ([]byte, error) {
	if s.FS != nil {
		return fs.ReadFile(s.FS, s.inside(path))
	}
	return readFile(path)
}

func (s Store) readDir(path string) ([]fs.DirEntry, error) {
	if s.FS != nil {
		return fs.ReadDir(s.FS, s.inside(path))
	}
	return os.ReadDir(path)
}

func (s Store) stat(path string) (fs.FileInfo, error) {
	if s.FS != nil {
		return fs.Stat(s.FS, s.inside(path))
	}
	return os.Stat(path)
}

// inside is the name that a path below Dir has in FS.
func (s Store) inside(path string) string {
	name, err := filepath.Rel(s.Dir, path)
	if err != nil {
		return path // which no FS has
	}
	return filepath.ToSlash(name)
}

// A snapshot holds what has been read of a store.
type snapshot struct {
	mu         sync.RWMutex
	partitions map[partitionName]func() (*partition, error)
	accepted   map[string]acceptedList // by spec
	points     map[pointList][]byte    // in JSON
}

// A pointList is a list of points, known by where it is: a plan asks for many
// cells with the same one.
type pointList struct {
	first *results.Point
	size  int
}

// An acceptedList is what Accepted returned.
type acceptedList struct {
	list  Accepted
	there bool
}

// Snapshot returns the store for a reader who looks at many cells of it, which
// nobody changes meanwhile: every file is read at most once. Nor may the points
// of the inputs change that it was asked for.
func (s Store) Snapshot() *Store {
	if s.snapshot == nil {
		s.snapshot = &snapshot{partitions: map[partitionName]func() (*partition, error){}, accepted: map[string]acceptedList{}, points: map[pointList][]byte{}}
	}
	return &s
}

// keyOf is the key of inputs that are looked up.
func (s Store) keyOf(in results.Inputs) hash {
	return sha256.Sum256(in.AppendJSONWith(make([]byte, 0, 1<<10), s.pointsOf(in.Points)))
}

// pointsOf are points in JSON; a snapshot writes the same list once.
func (s Store) pointsOf(points []results.Point) []byte {
	if s.snapshot == nil || len(points) == 0 {
		return results.AppendPoints(nil, points)
	}
	of := pointList{&points[0], len(points)}
	s.snapshot.mu.RLock()
	text, ok := s.snapshot.points[of]
	s.snapshot.mu.RUnlock()
	if ok {
		return text
	}
	text = results.AppendPoints(nil, points)
	s.snapshot.mu.Lock()
	defer s.snapshot.mu.Unlock()
	s.snapshot.points[of] = text
	return text
}

// A session is what a run need not do again for each of its cells. A nil one
// remembers nothing.
type session struct {
	mu    sync.Mutex
	swept map[string]func() // by folder
	packs map[partitionName]func() (packed, error)
}

// packed are the lines of a pack by the file names that their cells would have.
type packed map[string]packLine

// ForRun returns the store for a run over many of its cells. What killed writers
// left is removed once in every folder rather than at every lock, and every pack is
// read once: cells that others put into packs meanwhile are computed again.
func (s Store) ForRun() *Store {
	if s.session == nil {
		s.session = &session{swept: map[string]func(){}, packs: map[partitionName]func() (packed, error){}}
	}
	return &s
}

// sweep sweeps a folder of cells unless that was done before.
func (n *session) sweep(s Store, folder string) {
	if n == nil {
		s.sweepCells(folder)
		return
	}
	n.mu.Lock()
	once, ok := n.swept[folder]
	if !ok {
		once = sync.OnceFunc(func() { s.sweepCells(folder) })
		n.swept[folder] = once
	}
	n.mu.Unlock()
	once()
}

// pack reads the pack of a partition unless that was done before.
func (n *session) pack(s Store, of partitionName) (packed, error) {
	read := func() (packed, error) { return s.readPacked(of) }
	if n == nil {
		return read()
	}
	n.mu.Lock()
	once, ok := n.packs[of]
	if !ok {
		once = sync.OnceValues(read)
		n.packs[of] = once
	}
	n.mu.Unlock()
	return once()
}

func (s Store) readPacked(of partitionName) (packed, error) {
	p, err := s.readPack(of)
	lines := packed{}
	for _, l := range p.lines {
		lines[l.file()] = l
	}
	return lines, err
}
