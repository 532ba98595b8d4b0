package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

	"r2lmlbench/results"
)

// A partition is what a store holds of one data set and method, in files and in a
// pack: lines that are decoded when they are asked for.
type partition struct {
	good, failed index

	mu     sync.Mutex
	points map[string][]results.Point // by their JSON: many cells share them
	truths [][]int                    // and these, too
}

// An index has the entries of a partition by key and by the hash of their inputs
// without digests.
type index struct {
	byKey map[hash]*entry
	alike map[hash][]*entry
}

// An entry is a cell of a partition.
type entry struct {
	*line
	path     string // of its file, or of its pack
	number   int    // of the line in the pack; 0: the file is its own
	conflict *entry // the same inputs elsewhere, with other bytes

	// What is known once it was asked for:
	inputs *results.Inputs
	cell   *results.Cell // without its predictions, which are many and spelled out anew each time
	none   bool          // it is no cell
}

// where tells a reader where the cell is kept.
func (e *entry) where() string {
	if e.number > 0 {
		return fmt.Sprintf("%s:%d", e.path, e.number)
	}
	return e.path
}

func (part *partition) index(suffix string) *index {
	if suffix == failedSuffix {
		return &part.failed
	}
	return &part.good
}

// add puts an entry into the partition. Of several of the same inputs the first
// stays; cells that differ are a conflict, records of failures are not.
func (part *partition) add(e *entry) {
	in := part.index(e.suffix())
	switch first, ok := in.byKey[e.key]; {
	case !ok:
		in.byKey[e.key] = e
		in.alike[e.alike] = append(in.alike[e.alike], e)
	case !e.failed && !bytes.Equal(first.data, e.data):
		first.conflict = e
	}
}

func newIndex() index {
	return index{map[hash]*entry{}, map[hash][]*entry{}}
}

// sorted lists the entries by file name.
func (in *index) sorted() []*entry {
	return slices.SortedFunc(maps.Values(in.byKey), func(a, b *entry) int { return bytes.Compare(a.key[:], b.key[:]) })
}

// shared returns the points of an entry, the same ones for entries with the same.
func (part *partition) shared(e *entry, points []results.Point) []results.Point {
	if known, ok := part.points[string(e.points)]; ok {
		return known
	}
	part.points[string(e.points)] = points
	return points
}

// inputs decodes the inputs of an entry only.
func (part *partition) inputs(e *entry) (results.Inputs, bool) {
	part.mu.Lock()
	defer part.mu.Unlock()
	if e.inputs == nil {
		var in struct {
			results.Inputs
			Points json.RawMessage `json:"points"` // in place of those of Inputs
		}
		if json.Unmarshal(e.all, &in) != nil {
			return in.Inputs, false
		}
		points, known := part.points[string(e.points)]
		if !known {
			if json.Unmarshal(in.Points, &points) != nil {
				return in.Inputs, false
			}
			points = part.shared(e, points)
		}
		in.Inputs.Points = points
		e.inputs = &in.Inputs
	}
	return *e.inputs, true
}

// ErrConflict marks cells of one name that differ.
var ErrConflict = errors.New("cells of the same inputs differ")
