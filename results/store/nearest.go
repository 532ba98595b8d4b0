package store

import (
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
	part.settle()
	part.mu.Unlock()

	// The differences to each setting, and then those in what is varied.
	var others []int
	for _, setting := range part.settings {
		setting.Split, setting.SplitDigest, setting.Seed = in.Split, in.SplitDigest, in.Seed
		others = append(others, len(setting.Diff(in)))
	}
	var best *entry
	fewest := 0
	for e, setting := range part.setting {
		n := others[setting]
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
	if best == nil {
		return results.Inputs{}, false, nil
	}
	return best.Inputs, true, nil
}

// settle finds the settings of the good cells. A spec varies split and seed much and all else
// little: a setting is all else, and there are few.
func (part *partition) settle() {
	if part.setting != nil {
		return
	}
	part.setting = map[*entry]int{}
	known := map[string]int{}
	for _, e := range part.cells {
		if e.Failed {
			continue
		}
		setting := e.Inputs
		setting.Split, setting.SplitDigest, setting.Seed = "", "", 0
		key := setting.Key()
		if _, ok := known[key]; !ok {
			known[key], part.settings = len(part.settings), append(part.settings, setting)
		}
		part.setting[e] = known[key]
	}
}
