package store

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"r2lmlbench/results"
)

// An Accepted lists the cells of a spec that stand in a store of accepted cells,
// and the test they are compared by: what a gate expects to find again. It is
// kept as gates/<spec>.json beside the packs of the cells.
type Accepted struct {
	Schema int              `json:"schema"`
	Spec   string           `json:"spec"`
	Test   results.TestInfo `json:"test"`
	// Printed has the SHA-256 of the table that these cells make, by the form in which it
	// is printed. Lists that were accepted in part have none.
	Printed map[string]string `json:"printed,omitempty"`
	Cells   []AcceptedCell    `json:"cells"` // their number is the family of the gate's tests
	// Digest is the SHA-256 of the file without this field. It is set in the file only.
	Digest string `json:"digest,omitempty"`
}

// encode returns the file of a list.
func (a Accepted) encode() (data []byte, err error) {
	a.Digest = ""
	for range 2 { // without the digest, and with it
		if data, err = json.MarshalIndent(a, "", " "); err != nil {
			return nil, fmt.Errorf("results: accepted cells of %s: %w", a.Spec, err)
		}
		data = append(data, '\n')
		a.Digest = results.Digest(data)
	}
	return data, nil
}

// A Key identifies a cell within a spec.
type Key struct {
	Dataset string `json:"dataset"`
	Split   string `json:"split"`
	Method  string `json:"method"` // id of the column
	Seed    uint64 `json:"seed"`
}

// An AcceptedCell is the entry of a cell in the list of a spec.
type AcceptedCell struct {
	Key
	File string `json:"file"` // name of the cell: of its file below cells/, with slashes, if it had one of its own
	// Seconds is the wall time that the cell took when it was computed, rounded up
	// to milliseconds, in older entries to seconds; 0: unknown. Estimates of what
	// other cells would take start from it.
	Seconds float64 `json:"seconds,omitempty"`
	// Heap is the growth of the heap during the fit in bytes, as in Run; 0: unknown.
	Heap int64 `json:"heap_bytes,omitempty"`
}

// ByKey returns the entries by their keys, of several the first.
func (a Accepted) ByKey() map[Key]AcceptedCell {
	cells := make(map[Key]AcceptedCell, len(a.Cells))
	for _, c := range slices.Backward(a.Cells) {
		cells[c.Key] = c
	}
	return cells
}

// parseAccepted reads a list, which must be as it was written. No file it names can
// lie outside its store.
func parseAccepted(data []byte) (Accepted, error) {
	var a Accepted
	if err := json.Unmarshal(data, &a); err != nil {
		return a, fmt.Errorf("not a list of accepted cells: %w", err)
	}
	if a.Schema != 1 {
		return a, fmt.Errorf("schema %d, this program reads 1", a.Schema)
	}
	seen := map[Key]bool{}
	for i, c := range a.Cells {
		if path.Clean(c.File) != c.File || !filepath.IsLocal(filepath.FromSlash(c.File)) || !strings.HasSuffix(c.File, cellSuffix) {
			return a, fmt.Errorf("cell %d: %q is not the file of a cell", i+1, c.File)
		}
		if seen[c.Key] {
			return a, fmt.Errorf("cell %d: %s %s seed %d (%s) is listed twice", i+1, c.Dataset, c.Method, c.Seed, c.Split)
		}
		seen[c.Key] = true
	}
	if written, err := a.encode(); err != nil || !bytes.Equal(written, data) {
		return a, errors.New("it is not as it was written, its digest is wrong or lost")
	}
	a.Digest = ""
	return a, nil
}

// partition returns the partition and the file name of an entry; ok is false for a name that no
// cell can have.
func (c AcceptedCell) partition() (of partitionName, file string, ok bool) {
	folder, file := path.Split(c.File)
	of.folder = strings.TrimSuffix(folder, "/")
	of.method, ok = methodOf(file, cellSuffix)
	return of, file, ok && !strings.Contains(of.folder, "/")
}

// Accepted returns what is accepted of a spec, and whether anything is.
func (s Store) Accepted(spec string) (Accepted, bool, error) {
	list, err := s.lists.get(spec, func() (*Accepted, error) { return s.readAccepted(s.gatesPath(spec, cellSuffix)) })
	if list == nil || err != nil {
		return Accepted{}, false, err
	}
	return *list, true, nil
}

// ErrDamaged is wrapped by the errors of lists and histories that are not as they were written.
var ErrDamaged = errors.New("damaged or foreign")

// readAccepted reads the file of a list, nil when there is none.
func (s Store) readAccepted(file string) (*Accepted, error) {
	data, err := s.readFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, pathError("read", file, err)
	}
	a, err := parseAccepted(data)
	if err != nil {
		return nil, fmt.Errorf("results: %s: %w: %w; restore it from version control, or remove it and accept its cells anew with gate --accept",
			file, ErrDamaged, err)
	}
	return &a, nil
}

// AcceptedCell reads the cell of a list's entry, and whether it is there.
func (s Store) AcceptedCell(a AcceptedCell) (results.Cell, bool, error) {
	of, file, ok := a.partition()
	if !ok {
		return results.Cell{}, false, nil
	}
	return s.cell(s.named(of, file))
}

// An Update changes what is accepted of a spec: cells are put into it, and
// nothing is written before Commit. While it is open no other process can change the
// store, so what Accepted tells stays true until then.
type Update struct {
	store   Store
	before  Accepted
	lines   lineGroup
	release func()
}

// Update waits for other changes of the store to end, or for ctx. Close it.
func (s Store) Update(ctx context.Context, spec string) (*Update, error) {
	release, err := s.lockStore(ctx)
	if err != nil {
		return nil, err
	}
	before, _, err := s.Accepted(spec)
	if err != nil {
		release()
		return nil, err
	}
	before.Spec = spec
	return &Update{store: s, before: before, lines: lineGroup{}, release: release}, nil
}

// Accepted returns the stored list of the spec; an empty one before the first acceptance.
func (u *Update) Accepted() Accepted { return u.before }

// Put adds a cell, without its run record, and returns the name for the list. A failed cell becomes
// a record of the failure, unless there is a good cell.
func (u *Update) Put(c results.Cell) (file string, err error) {
	e, err := entryOf(c)
	if err != nil {
		return "", err
	}
	u.lines[e.of] = append(u.lines[e.of], e)
	return path.Join(e.of.folder, e.file), nil
}

// Commit writes the cells and makes list that of the spec, and its state the last of
// the history where that is another one. Cells go that the old list named and no list
// names any more.
func (u *Update) Commit(list Accepted) error {
	list.Spec, list.Schema = u.before.Spec, 1
	data, err := list.encode()
	if err != nil {
		return err
	}
	if _, err := parseAccepted(data); err != nil {
		return fmt.Errorf("results: accepted cells of %s: %w", list.Spec, err)
	}
	history, err := u.store.History(list.Spec)
	if err != nil {
		return err
	}
	if err := u.store.keep(u.lines); err != nil {
		return err
	}
	if err := writeFile(u.store.gatesPath(list.Spec, cellSuffix), data); err != nil {
		return err
	}
	if err := u.store.record(list, history); err != nil {
		return err
	}
	return u.store.dropUnnamed(u.before.Cells)
}

// dropUnnamed removes those of the cells that no list names.
func (s Store) dropUnnamed(cells []AcceptedCell) error {
	named := map[string]bool{}
	dir := filepath.Join(s.Dir, gatesFolder)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return pathError("read", dir, err)
	}
	for _, entry := range entries {
		if filepath.Ext(entry.Name()) != cellSuffix {
			continue
		}
		list, err := s.readAccepted(filepath.Join(dir, entry.Name()))
		if err != nil {
			return err
		}
		if list == nil {
			continue
		}
		for _, c := range list.Cells {
			named[c.File] = true
		}
	}
	gone := map[partitionName]map[string]bool{}
	for _, c := range cells {
		of, file, ok := c.partition()
		if !ok || named[c.File] {
			continue
		}
		if err := s.makeRoom(of, file); err != nil { // what is no cell is kept
			return err
		}
		if err := remove(s.filePath(of, file)); err != nil {
			return err
		}
		if gone[of] == nil {
			gone[of] = map[string]bool{}
		}
		gone[of][file] = true
	}
	for _, of := range slices.SortedFunc(maps.Keys(gone), comparePartitions) {
		err := s.rewrite(of, func(pack map[string]*entry) {
			maps.DeleteFunc(pack, func(_ string, e *entry) bool { return gone[of][e.file] })
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// Close ends the update; without Commit nothing has changed.
func (u *Update) Close() { u.release() }
