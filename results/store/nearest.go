package store

import (
	"cmp"
	"maps"
	"slices"

	"r2lmlbench/results"
)

// neighborhoods are the good cells of a partition by their inputs. A spec varies split and
// seed much and all else little: a setting is all else, and there are few.
type neighborhoods struct {
	settings []results.Inputs // each without what is varied
	cells    []neighbor       // by file name
}

type neighbor struct {
	*entry
	setting int
}

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

	// The differences to each setting, and then those in what is varied.
	var others []int
	for _, setting := range near.settings {
		setting.Split, setting.SplitDigest, setting.Seed = in.Split, in.SplitDigest, in.Seed
		others = append(others, len(setting.Diff(in)))
	}
	var best *entry
	fewest := 0
	for _, c := range near.cells {
		n := others[c.setting]
		if c.Split != in.Split {
			n++
		}
		if c.SplitDigest != in.SplitDigest && c.SplitDigest != "" && in.SplitDigest != "" { // one that is not known agrees with any
			n++
		}
		if c.Seed != in.Seed {
			n++
		}
		if best == nil || n < fewest {
			best, fewest = c.entry, n
		}
	}
	if best == nil {
		return results.Inputs{}, false, nil
	}
	return best.Inputs, true, nil
}

func newNeighborhoods(part *partition) *neighborhoods {
	near := &neighborhoods{}
	known := map[string]int{}
	for _, e := range slices.SortedFunc(maps.Values(part.cells), func(a, b *entry) int { return cmp.Compare(a.file, b.file) }) {
		if e.Failed {
			continue
		}
		setting := e.Inputs
		setting.Split, setting.SplitDigest, setting.Seed = "", "", 0
		key := setting.Key()
		i, ok := known[key]
		if !ok {
			i = len(near.settings)
			known[key], near.settings = i, append(near.settings, setting)
		}
		near.cells = append(near.cells, neighbor{e, i})
	}
	return near
}
