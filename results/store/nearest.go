package store

import (
	"bytes"
	"fmt"
	"math/bits"

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
	near := part.near
	part.mu.Unlock()
	if near == nil {
		near = part.newNeighborhoods()
		part.mu.Lock()
		part.near = near
		part.mu.Unlock()
	}
	best := near.find(in)
	if best == nil {
		return results.Inputs{}, false, nil
	}
	nearest, ok := part.inputs(best)
	return nearest, ok, nil
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

const allFields = 1<<3 - 1

// only keeps some of the fields.
func (v varied) only(fields uint) varied {
	var kept varied
	if fields&1 != 0 {
		kept.split = v.split
	}
	if fields&2 != 0 {
		kept.digest = v.digest
	}
	if fields&4 != 0 {
		kept.seed = v.seed
	}
	return kept
}

// newNeighborhoods sorts the cells of a partition.
func (part *partition) newNeighborhoods() *neighborhoods {
	near := &neighborhoods{first: map[pattern]*entry{}}
	known := map[string]int{}
	for _, e := range part.good.sorted() {
		in, ok := part.inputs(e)
		if !ok {
			continue
		}
		// A cell that does not know its digest agrees with any: it is in a setting of its own.
		raw := e.raw()
		name := fmt.Sprintf("%t%s%s%s%s", in.SplitDigest == "", raw.datasetDigest, raw.version, raw.points, raw.rest)
		i, ok := known[name]
		if !ok {
			i = len(near.settings)
			known[name] = i
			near.settings = append(near.settings, in)
		}
		at := varied{in.Split, in.SplitDigest, in.Seed}
		for fields := range uint(allFields + 1) {
			c := pattern{i, fields, at.only(fields)}
			if _, taken := near.first[c]; !taken {
				near.first[c] = e
			}
		}
	}
	return near
}

// find returns the nearest cell, nil when there is none.
func (near *neighborhoods) find(in results.Inputs) *entry {
	var best *entry
	fewest := -1
	at := varied{in.Split, in.SplitDigest, in.Seed}
	for i, setting := range near.settings {
		counted := uint(allFields)
		if in.SplitDigest == "" || setting.SplitDigest == "" {
			counted &^= 2
		}
		setting.Split, setting.SplitDigest, setting.Seed = at.split, at.digest, at.seed
		others := len(setting.Diff(in))
		for agreeing := range uint(allFields + 1) {
			e := near.first[pattern{i, agreeing, at.only(agreeing)}]
			if e == nil || agreeing&^counted != 0 {
				continue
			}
			n := others + bits.OnesCount(counted&^agreeing) // or less, which another set of fields finds
			if fewest < 0 || n < fewest || n == fewest && bytes.Compare(e.key[:], best.key[:]) < 0 {
				best, fewest = e, n
			}
		}
	}
	return best
}
