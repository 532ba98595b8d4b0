package store

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"sync"

	"r2lmlbench/results"
)

// A partition is what a store holds of one data set and method, in files and in a
// pack: lines that are decoded when they are asked for.
type partition struct {
	good, failed index

	decoder *results.Decoder

	mu    sync.Mutex
	near  *neighborhoods    // nil until it is asked for
	names map[string]*entry // good ones by file name without ending; nil until it is asked for
}

// named returns the good entry of a file name without its ending, nil when there is
// none.
func (part *partition) named(stem string) *entry {
	part.mu.Lock()
	defer part.mu.Unlock()
	if part.names == nil {
		part.names = make(map[string]*entry, len(part.good.byKey))
		for _, e := range part.good.byKey {
			part.names[e.name()] = e
		}
	}
	return part.names[stem]
}

// An index has the entries of a partition by key and, once that was asked for, by the
// hash of their inputs without digests.
type index struct {
	byKey    map[hash]*entry
	matching map[hash]*entry // one that leads to the others; nil until it is asked for
}

// An entry is a cell of a partition.
type entry struct {
	*line
	home     string // the folder of its file, or the path of its pack
	number   int    // of the line in the pack; 0: the file is its own
	conflict *entry // the same inputs elsewhere, with other bytes
	alike    *entry // another whose inputs differ in their digests only, found by match

	// What is known once it was asked for:
	inputs *results.Inputs
	cell   *results.Cell // without its predictions, which are many and spelled out anew each time
	none   bool          // it is no cell
}

// where tells a reader where the cell is kept.
func (e *entry) where() string {
	if e.number > 0 {
		return fmt.Sprintf("%s:%d", e.home, e.number)
	}
	return e.path()
}

// path is that of its file, or of its pack.
func (e *entry) path() string {
	if e.number > 0 {
		return e.home
	}
	return filepath.Join(e.home, e.file())
}

func (part *partition) index(suffix string) *index {
	if suffix == failedSuffix {
		return &part.failed
	}
	return &part.good
}

// ErrConflict marks cells of one name that differ.
var ErrConflict = errors.New("cells of the same inputs differ")

// add puts an entry into the partition. Of several of the same inputs the first
// stays; cells that differ are a conflict, records of failures are not.
func (part *partition) add(e *entry) {
	in := part.index(e.suffix())
	switch first, ok := in.byKey[e.key]; {
	case !ok:
		in.byKey[e.key] = e
	case !e.failed && !bytes.Equal(first.data, e.data):
		first.conflict = e
	}
}

func newIndex() index {
	return index{byKey: map[hash]*entry{}}
}

// match lists the entries with inputs that are equal to those wanted, up to digests that
// one side does not know.
func (part *partition) match(in *index, want rawInputs) (found []*entry) {
	part.mu.Lock()
	defer part.mu.Unlock()
	if in.matching == nil {
		in.matching = make(map[hash]*entry, len(in.byKey))
		for _, e := range in.byKey {
			key := e.raw().undigested()
			e.alike, in.matching[key] = in.matching[key], e
		}
	}
	for e := in.matching[want.undigested()]; e != nil; e = e.alike {
		if e.raw().matches(want) {
			found = append(found, e)
		}
	}
	return found
}

// sorted lists the entries by file name.
func (in *index) sorted() []*entry {
	return slices.SortedFunc(maps.Values(in.byKey), func(a, b *entry) int { return bytes.Compare(a.key[:], b.key[:]) })
}

// decodeLine decodes an entry. What is wrong with one that is no cell is said by
// decodeStored, which reads all of it.
func (part *partition) decodeLine(e *entry) (results.Cell, error) {
	var c results.Cell
	var err error
	if e.inputs != nil {
		c, err = part.decoder.DecodeAnswer(*e.inputs, e.answer())
	} else {
		c, err = part.decoder.Decode(e.text())
	}
	if err != nil || (c.Failure != "") != e.failed {
		return decodeStored(e.data, e.suffix())
	}
	return c, nil
}

// inputs decodes the inputs of an entry only.
func (part *partition) inputs(e *entry) (results.Inputs, bool) {
	part.mu.Lock()
	defer part.mu.Unlock()
	if e.inputs == nil {
		in, err := part.decoder.Inputs(e.text())
		if err != nil {
			return in, false
		}
		e.inputs = &in
	}
	return *e.inputs, true
}
