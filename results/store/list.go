package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
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
	Cells  []AcceptedCell   `json:"cells"` // their number is the family of the gate's tests
}

// A listFile is the file of a list. Digest is the SHA-256 of the file without this
// field. Lists of earlier versions have none, and get one when cells are accepted in
// their store.
type listFile struct {
	Accepted
	Digest string `json:"digest,omitempty"`
}

// encode returns the file of a list.
func (a Accepted) encode() ([]byte, error) {
	data, err := listFile{Accepted: a}.text()
	if err != nil {
		return nil, err
	}
	return listFile{a, results.Digest(data)}.text()
}

// text is the file as it is written.
func (f listFile) text() ([]byte, error) {
	data, err := json.MarshalIndent(f, "", " ")
	if err != nil {
		return nil, fmt.Errorf("results: accepted cells of %s: %w", f.Spec, err)
	}
	return append(data, '\n'), nil
}

// check tells whether data, which the list was read from, is as it was written.
func (f listFile) check(data []byte) error {
	written, err := f.text()
	if err == nil && f.Digest != "" {
		written, err = f.encode()
	}
	if err == nil && !bytes.Equal(written, data) {
		err = errors.New("it is not as it was written, its digest is wrong or lost")
	}
	return err
}

// A Place is what a cell of a spec is the cell of.
type Place struct {
	Dataset string `json:"dataset"`
	Split   string `json:"split"`
	Method  string `json:"method"` // id of the column
	Seed    uint64 `json:"seed"`
}

// An AcceptedCell says which cell answers to which place of a spec.
type AcceptedCell struct {
	Place
	File string `json:"file"` // name of the cell: of its file below cells/, with slashes, if it had one of its own
	// Seconds is the wall time that the cell took when it was computed, rounded up
	// to milliseconds, in older entries to seconds; 0: unknown. Estimates of what
	// other cells would take start from it.
	Seconds float64 `json:"seconds,omitempty"`
	// Heap is by how many bytes the heap grew meanwhile, as in Run; 0: unknown.
	Heap int64 `json:"heap_bytes,omitempty"`
}

// Pack is the path of the pack that has the cell, below the store, and whether
// the entry names a cell.
func (c AcceptedCell) Pack() (string, bool) {
	of, _, ok := c.partition()
	return path.Join(packsFolder, of.folder, of.method+packSuffix), ok
}

// ByPlace returns the entries by their places, of several the first.
func (a Accepted) ByPlace() map[Place]AcceptedCell {
	cells := make(map[Place]AcceptedCell, len(a.Cells))
	for _, c := range slices.Backward(a.Cells) {
		cells[c.Place] = c
	}
	return cells
}

// parseAccepted reads a list, which must be as it was written. No file it names can
// lie outside its store.
func parseAccepted(data []byte) (listFile, error) {
	var a listFile
	if err := json.Unmarshal(data, &a); err != nil {
		return a, fmt.Errorf("not a list of accepted cells: %w", err)
	}
	if a.Schema != 1 {
		return a, fmt.Errorf("schema %d, this program reads 1", a.Schema)
	}
	seen := map[Place]bool{}
	for i, c := range a.Cells {
		if path.Clean(c.File) != c.File || !filepath.IsLocal(filepath.FromSlash(c.File)) || !strings.HasSuffix(c.File, cellSuffix) {
			return a, fmt.Errorf("cell %d: %q is not the file of a cell", i+1, c.File)
		}
		if seen[c.Place] {
			return a, fmt.Errorf("cell %d: %s %s seed %d (%s) is listed twice", i+1, c.Dataset, c.Method, c.Seed, c.Split)
		}
		seen[c.Place] = true
	}
	return a, a.check(data)
}

// partition takes the name of an entry's file apart. It is not ok when no cell of a
// store has such a name.
func (c AcceptedCell) partition() (of partitionName, stem string, ok bool) {
	folder, file := path.Split(c.File)
	stem, ok = strings.CutSuffix(file, cellSuffix)
	at := len(stem) - keyDigits - len("-")
	if !ok || at < 0 {
		return of, stem, false
	}
	of = partitionName{strings.TrimSuffix(folder, "/"), stem[:at]}
	return of, stem, isCell(file, of.method, cellSuffix) && !strings.Contains(of.folder, "/")
}
