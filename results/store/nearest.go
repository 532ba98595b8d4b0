package store

import (
	"r2lmlbench/results"
)

// A setting is a group of good cells that differ only in split and seed. A spec varies these most,
// so there are few settings.
type setting struct {
	results.Inputs // without split and seed
	cells          []*entry
}

// settingsOf sorts cells by their settings.
func settingsOf(cells map[string]*entry) (all []*setting) {
	known := map[string]*setting{}
	for _, e := range cells {
		if e.Failed {
			continue
		}
		in := e.Inputs
		in.Split, in.SplitDigest, in.Seed = "", "", 0
		key := in.Key()
		if known[key] == nil {
			known[key] = &setting{Inputs: in}
			all = append(all, known[key])
		}
		known[key].cells = append(known[key].cells, e)
	}
	return all
}

// Nearest returns the inputs of the stored cell of the same data set and method
// that differ from in in the fewest respects, as Diff counts them, and whether
// there is one. Of several the first by file name is taken.
func (s Store) Nearest(in results.Inputs) (results.Inputs, bool, error) {
	part, err := s.partition(newPartitionName(in.Dataset, in.Method))
	if err != nil {
		return results.Inputs{}, false, err
	}
	settings, err := part.settings()
	if err != nil {
		return results.Inputs{}, false, err
	}
	var best *entry
	fewest := 0
	for _, setting := range settings {
		other := setting.Inputs
		other.Split, other.SplitDigest, other.Seed = in.Split, in.SplitDigest, in.Seed
		different := len(other.Diff(in))
		for _, e := range setting.cells {
			n := different
			if e.Split != in.Split {
				n++
			}
			if e.SplitDigest != in.SplitDigest && e.SplitDigest != "" && in.SplitDigest != "" { // one that is not known agrees with any
				n++
			}
			if e.Seed != in.Seed {
				n++
			}
			if best == nil || n < fewest || n == fewest && e.file < best.file {
				best, fewest = e, n
			}
		}
	}
	if best == nil {
		return results.Inputs{}, false, nil
	}
	return best.Inputs, true, nil
}
