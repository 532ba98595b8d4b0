package store

import (
	"cmp"
	"maps"
	"math/bits"
	"slices"

	"r2lmlbench/results"
)

// Nearest returns the inputs of the stored cell of the same data set and method
// that differ from in in the fewest respects, as Diff counts them, and whether
// there is one. Of several the first by file name is taken.
func (s Store) Nearest(in results.Inputs) (results.Inputs, bool, error) {
	part, err := s.partition(newPartitionName(in.Dataset, in.Method), "")
	if err != nil {
		return results.Inputs{}, false, err
	}
	part.mu.Lock()
	if part.near == nil {
		part.near = newNeighborhoods(part)
	}
	near := part.near
	part.mu.Unlock()
	best := near.find(in)
	if best == nil {
		return results.Inputs{}, false, nil
	}
	return best.Inputs, true, nil
}

// neighborhoods are the cells of a partition sorted by their inputs, such that the
// nearest one to others is found without a look at each. A spec varies split and seed
// much and all else little: a setting is all else, and there are few.
type neighborhoods struct {
	settings []results.Inputs // each without what is varied
	first    map[pattern]*entry
}

// varied is what a spec varies much.
type varied struct {
	split, digest string
	seed          uint64
}

// A pattern is a setting with some of the varied fields, named by bits; the others are
// empty.
type pattern struct {
	setting int
	fields  uint
	varied
}

const (
	splitField = 1 << iota
	digestField
	seedField
	allFields = splitField | digestField | seedField
)

// variedOf takes some of the varied fields of inputs.
func variedOf(in results.Inputs, fields uint) (v varied) {
	if fields&splitField != 0 {
		v.split = in.Split
	}
	if fields&digestField != 0 {
		v.digest = in.SplitDigest
	}
	if fields&seedField != 0 {
		v.seed = in.Seed
	}
	return v
}

func newNeighborhoods(part *partition) *neighborhoods {
	near := &neighborhoods{first: map[pattern]*entry{}}
	known := map[string]int{}
	for _, e := range slices.SortedFunc(maps.Values(part.cells), func(a, b *entry) int { return cmp.Compare(a.file, b.file) }) {
		if e.Failed {
			continue
		}
		setting := e.Inputs
		setting.Split, setting.Seed = "", 0
		if setting.SplitDigest != "" { // a cell that does not know it agrees with any: it is in a setting of its own
			setting.SplitDigest = "known"
		}
		key := setting.Key()
		i, ok := known[key]
		if !ok {
			i = len(near.settings)
			known[key] = i
			near.settings = append(near.settings, setting)
		}
		for fields := range uint(allFields + 1) {
			p := pattern{i, fields, variedOf(e.Inputs, fields)}
			if near.first[p] == nil {
				near.first[p] = e
			}
		}
	}
	return near
}

// find returns the nearest cell, nil when there is none.
func (near *neighborhoods) find(in results.Inputs) (best *entry) {
	fewest := -1
	for i, setting := range near.settings {
		counted := uint(allFields)
		if in.SplitDigest == "" || setting.SplitDigest == "" {
			counted &^= digestField
		}
		setting.Split, setting.SplitDigest, setting.Seed = in.Split, in.SplitDigest, in.Seed
		others := len(setting.Diff(in))
		for agreeing := range uint(allFields + 1) {
			e := near.first[pattern{i, agreeing, variedOf(in, agreeing)}]
			if e == nil || agreeing&^counted != 0 {
				continue
			}
			n := others + bits.OnesCount(counted&^agreeing) // or less, which another set of fields finds
			if fewest < 0 || n < fewest || n == fewest && e.file < best.file {
				best, fewest = e, n
			}
		}
	}
	return best
}
