package store

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"r2lmlbench/results"
)

// A partition is what a store holds of one data set and method, in files and in a
// pack.
type partition struct {
	name  partitionName
	cells map[string]*entry // by file name

	mu       sync.Mutex
	alike    map[string][]*entry // by inputs without digests; nil until it is asked for
	setting  map[*entry]int      // of the good cells, an index in settings; nil until it is asked for
	settings []results.Inputs    // without what is varied
}

// An entry is the file of a cell, or why there is none. A store may have many of them
// in memory, so they are decoded anew each time somebody asks for one.
type entry struct {
	results.Record
	decoder  *results.Decoder
	of       partitionName
	file     string // name of a file of its own
	home     string // the folder of its file, or the path of its pack
	number   int    // of the line in the pack, from 1; 0: the file is its own
	conflict *entry // the same inputs elsewhere, with other bytes
}

// newEntry reads as much of a cell file as it takes to find the cell.
func newEntry(d *results.Decoder, data []byte) (*entry, error) {
	r, err := d.Read(data)
	if err != nil {
		return nil, err
	}
	of := newPartitionName(r.Dataset, r.Method)
	return &entry{Record: r, decoder: d, of: of, file: of.stem(r.Key()) + suffixOf(r.Failed)}, nil
}

// entryOf is the entry of a cell that is to be written.
func entryOf(c results.Cell) (*entry, error) {
	data, err := results.EncodeCell(c)
	if err != nil {
		return nil, err
	}
	return newEntry(new(results.Decoder), data)
}

// newEntryAt is newEntry for a file with the given name in a partition.
func newEntryAt(d *results.Decoder, data []byte, of partitionName, file string) (*entry, error) {
	e, err := newEntry(d, data)
	switch {
	case err != nil:
		return nil, err
	case e.of == of && e.file == file:
		e.of, e.file = of, file // the same strings
		return e, nil
	case e.of == of && e.stem() == strings.TrimSuffix(strings.TrimSuffix(file, failedSuffix), cellSuffix):
		return nil, errors.New("a failed cell and a good one have changed places")
	}
	return nil, fmt.Errorf("it is the cell of %s/%s with key %s", e.Dataset, e.Method, e.Key()[:keyDigits])
}

// shrink drops what was decoded of the file. It can no longer be written.
func (e *entry) shrink() { e.Data, e.Answer = nil, bytes.Clone(e.Answer) }

// stem is the file name without its ending.
func (e *entry) stem() string { return strings.TrimSuffix(e.file, suffixOf(e.Failed)) }

// where tells a reader where the cell is kept.
func (e *entry) where() string {
	if e.number > 0 {
		return fmt.Sprintf("%s:%d", e.home, e.number)
	}
	return filepath.Join(e.home, e.file)
}

// ErrConflict marks cells of one name that differ.
var ErrConflict = errors.New("cells of the same inputs differ")

// add puts an entry into the partition. Of several of the same inputs the first
// stays; cells that differ are a conflict, records of failures are not.
func (part *partition) add(e *entry) {
	switch first, ok := part.cells[e.file]; {
	case !ok:
		part.cells[e.file] = e
	case !e.Failed && !bytes.Equal(first.Answer, e.Answer):
		first.conflict = e
	}
}

// Get returns the cell of in and whether it is there. A file, or a line of a pack, that
// is damaged or holds something else counts as missing. An error means that the directory
// cannot be read, or has two cells of in that differ.
func (s Store) Get(in results.Inputs) (results.Cell, bool, error) {
	return s.cell(s.exact(in, cellSuffix))
}

// Find is Get for a reader without the data files: an empty DatasetDigest or
// SplitDigest of in matches any. More than one match is an error, for nobody
// could say which is meant.
func (s Store) Find(in results.Inputs) (results.Cell, bool, error) {
	return s.cell(s.locate(in, cellSuffix))
}

// Failed returns the record of a failed attempt at in. Like Find it takes an empty
// digest for unknown.
func (s Store) Failed(in results.Inputs) (results.Cell, bool, error) {
	return s.cell(s.locate(in, failedSuffix))
}

// Where tells where the cell of in is kept, for a reader: its file, or its pack
// and the line there. It is Path when there is no such cell.
func (s Store) Where(in results.Inputs) string {
	if e, err := s.exact(in, cellSuffix); e != nil && err == nil {
		return e.where()
	}
	return s.Path(in)
}

// Damaged tells, of a cell that is not there, whether its file is.
func (s Store) Damaged(in results.Inputs) bool { return s.FS == nil && !isNothing(s.Path(in)) }

// exact looks up the entry of in, nil when there is none. An entry may turn out to be
// no cell.
func (s Store) exact(in results.Inputs, suffix string) (*entry, error) {
	of := newPartitionName(in.Dataset, in.Method)
	return s.named(of, of.stem(s.keyOf(in))+suffix)
}

// named looks up the entry of a file name.
func (s Store) named(of partitionName, file string) (*entry, error) {
	part, err := s.partition(of, file)
	if err != nil {
		return nil, err
	}
	return part.cells[file], nil
}

// locate looks up the entry that Find reads, nil when there is none.
func (s Store) locate(in results.Inputs, suffix string) (*entry, error) {
	if in.DatasetDigest != "" && in.SplitDigest != "" {
		return s.exact(in, suffix)
	}
	part, err := s.partition(newPartitionName(in.Dataset, in.Method), "")
	if err != nil {
		return nil, err
	}
	var found []*entry
	for _, e := range s.alike(part, in) {
		agree := func(a, b string) bool { return a == "" || b == "" || a == b }
		if e.Failed == (suffix == failedSuffix) && agree(in.DatasetDigest, e.DatasetDigest) && agree(in.SplitDigest, e.SplitDigest) {
			found = append(found, e)
		}
	}
	switch len(found) {
	case 0:
		return nil, nil
	case 1:
		return found[0], nil
	}
	var names []string
	for _, e := range found {
		names = append(names, e.where())
	}
	slices.Sort(names)
	return nil, fmt.Errorf("results: %d cells of %s on %s differ only in the data they were made from (%s); fetch the data set or move all but one away",
		len(found), part.name.method, part.name.folder, strings.Join(names, ", "))
}

// alike are the entries whose inputs are those of in but for the digests.
func (s Store) alike(part *partition, in results.Inputs) []*entry {
	key := func(in results.Inputs) string {
		in.DatasetDigest, in.SplitDigest = "", ""
		return s.keyOf(in)
	}
	part.mu.Lock()
	defer part.mu.Unlock()
	if part.alike == nil {
		part.alike = make(map[string][]*entry, len(part.cells))
		for _, e := range part.cells {
			k := key(e.Inputs)
			part.alike[k] = append(part.alike[k], e)
		}
	}
	return part.alike[key(in)]
}

// cell decodes an entry that was looked up, and tells whether it is a cell. nil stands for
// no entry.
func (s Store) cell(e *entry, err error) (results.Cell, bool, error) {
	switch {
	case e == nil || err != nil:
		return results.Cell{}, false, err
	case e.conflict != nil:
		return results.Cell{}, false, fmt.Errorf("results: %w: %s and %s; remove the one that is wrong", ErrConflict, e.where(), e.conflict.where())
	}
	c, err := e.decoder.Cell(e.Record)
	if err != nil {
		return c, false, s.missing(e.where(), nil, err)
	}
	return c, true, nil
}

// partition returns the partition of a data set and method: that of a snapshot, or one
// read anew, of which it then reads the file of that name only, if one is given.
func (s Store) partition(of partitionName, file string) (*partition, error) {
	if s.partitions == nil {
		return s.readPartition(of, file)
	}
	return s.partitions.get(of, func() (*partition, error) { return s.readPartition(of, "") })
}

func (s Store) readPartition(of partitionName, file string) (*partition, error) {
	part := &partition{name: of, cells: map[string]*entry{}}
	files := []string{file}
	if file == "" {
		var err error
		if files, err = s.filesOf(of); err != nil {
			return nil, err
		}
	}
	var decoder results.Decoder
	entries, err := s.readEntries(&decoder, of, files)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if e != nil {
			part.add(e)
		}
	}
	p, err := s.packs.get(of, func() (pack, error) { return s.readPack(&decoder, of) })
	for _, e := range p.lines {
		if file == "" || e.file == file {
			part.add(e)
		}
	}
	return part, err
}

// filesOf lists the files of cells and failures of a data set and method.
func (s Store) filesOf(of partitionName) ([]string, error) {
	dir := s.filePath(of, "")
	entries, err := s.readDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, pathError("read", dir, err)
	}
	var files []string
	for _, e := range entries {
		if method, ok := methodOf(e.Name(), cellSuffix, failedSuffix); ok && method == of.method {
			files = append(files, e.Name())
		}
	}
	return files, nil
}

// readAtOnce is how many files are read at the same time. A disk that has to look
// for them takes hardly longer for several.
const readAtOnce = 16

// readEntries reads files of cells, nil for one that holds none.
func (s Store) readEntries(d *results.Decoder, of partitionName, files []string) ([]*entry, error) {
	entries, home := make([]*entry, len(files)), s.filePath(of, "")
	var all errgroup.Group
	all.SetLimit(readAtOnce)
	for i, file := range files {
		all.Go(func() error {
			_, err := s.load(filepath.Join(home, file), func(data []byte) error {
				e, err := newEntryAt(d, data, of, file)
				if err == nil {
					e.home = home
					e.shrink()
					entries[i] = e
				}
				return err
			}, s.missing)
			return err
		})
	}
	return entries, all.Wait()
}
