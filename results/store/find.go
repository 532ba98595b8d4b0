package store

import (
	"fmt"
	"slices"
	"strings"

	"r2lmlbench/results"
)

// Get returns the cell of in and whether it is there. A file that is damaged,
// or holds something else, is set aside and counts as missing; so does a damaged
// line of a pack, which stays where it is. An error means that the directory
// cannot be read, or has two cells of in that differ.
func (s Store) Get(in results.Inputs) (results.Cell, bool, error) {
	return s.get(in, cellSuffix)
}

// Failed returns the record of a failed attempt at in, as Get does. Like Find
// it takes an empty digest for unknown.
func (s Store) Failed(in results.Inputs) (results.Cell, bool, error) {
	return s.find(in, failedSuffix)
}

func (s Store) get(in results.Inputs, suffix string) (results.Cell, bool, error) {
	e, part, err := s.entry(in, suffix)
	if e == nil || err != nil {
		return results.Cell{}, false, err
	}
	return s.cellOf(part, e, in)
}

// Find is Get for a reader without the data files: an empty DatasetDigest or
// SplitDigest of in matches any. More than one match is an error, for nobody
// could say which is meant.
func (s Store) Find(in results.Inputs) (results.Cell, bool, error) {
	return s.find(in, cellSuffix)
}

func (s Store) find(in results.Inputs, suffix string) (results.Cell, bool, error) {
	e, part, err := s.locate(in, suffix)
	if e == nil || err != nil {
		return results.Cell{}, false, err
	}
	return s.cellOf(part, e, in)
}

// FindRun returns how the cell came to be that Find returns, as Run does.
func (s Store) FindRun(in results.Inputs) (results.Run, bool, error) {
	e, _, err := s.locate(in, cellSuffix)
	if e == nil || err != nil {
		return results.Run{}, false, err
	}
	run, ok := s.readRun(s.filePath(e.partition, e.name()+runSuffix))
	return run, ok, nil
}

// locate looks up the entry that Find reads, nil when there is none, and its
// partition. An entry that is no cell may be the only one.
func (s Store) locate(in results.Inputs, suffix string) (*entry, *partition, error) {
	if in.DatasetDigest != "" && in.SplitDigest != "" {
		return s.entry(in, suffix)
	}
	part, err := s.partition(newPartitionName(in.Dataset, in.Method), "")
	if err != nil {
		return nil, nil, err
	}
	found := part.match(part.index(suffix), rawWith(in, s.pointsOf(in.Points)))
	if len(found) > 1 {
		slices.SortFunc(found, func(a, b *entry) int { return strings.Compare(a.name(), b.name()) })
		if found, err = s.cells(part, found); err != nil {
			return nil, nil, err
		}
	}
	switch len(found) {
	case 0:
		return nil, part, nil
	case 1:
		return found[0], part, nil
	}
	return nil, nil, ambiguous(found)
}

func ambiguous(found []*entry) error {
	var names []string
	for _, e := range found {
		names = append(names, e.where())
	}
	slices.Sort(names)
	return fmt.Errorf("results: %d cells of %s on %s differ only in the data they were made from (%s); fetch the data set or move all but one away",
		len(found), found[0].partition.method, found[0].partition.folder, strings.Join(names, ", "))
}

// Where tells where the cell of in is kept, for a reader: its file, or its pack
// and the line there. It is Path when there is no such cell.
func (s Store) Where(in results.Inputs) string {
	if e, _, err := s.entry(in, cellSuffix); e != nil && err == nil {
		return e.where()
	}
	return s.Path(in)
}

// Aside names the file as which the cell of in was last set aside because it was
// damaged; it is empty when none was.
func (s Store) Aside(in results.Inputs) string {
	last := ""
	for n := 1; s.FS == nil; n++ {
		name := asideName(s.Path(in), n)
		if isNothing(name) {
			break
		}
		last = name
	}
	return last
}

// entry looks up the entry of in, nil when there is none, and its
// partition.
func (s Store) entry(in results.Inputs, suffix string) (*entry, *partition, error) {
	key, name := s.keyOf(in), newPartitionName(in.Dataset, in.Method)
	file := ""
	if s.snapshot == nil {
		file = name.stem(key) + suffix
	}
	part, err := s.partition(name, file)
	if err != nil {
		return nil, nil, err
	}
	return part.index(suffix).byKey[key], part, nil
}
