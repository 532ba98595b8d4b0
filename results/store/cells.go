package store

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"r2lmlbench/results"
)

// A partition has the cells of one data set and method, in files and in a pack. It reads a file at
// every lookup of its cell.
type partition struct {
	store   Store
	of      partitionName
	files   []string // names, sorted
	decoder *results.Decoder
	lines   map[string]*entry // of the pack, by file name

	cells    func() (map[string]*entry, error)   // of files and lines, by file name
	alike    func() (map[string][]*entry, error) // by inputs without digests
	settings func() ([]*setting, error)
}

// An entry is an encoded cell or failure. It is decoded at every request, because a store may have
// many in memory.
type entry struct {
	results.Record
	decoder  *results.Decoder
	of       partitionName
	file     string // name of a file of its own
	home     string // the folder of its file, or the path of its pack
	number   int    // of the line in the pack, from 1; 0: the file is its own
	conflict *entry // the same inputs elsewhere, with other bytes
}

// newEntry decodes the part of a cell file that identifies the cell.
func newEntry(d *results.Decoder, data []byte) (*entry, error) {
	r, err := d.Read(data)
	if err != nil {
		return nil, err
	}
	of := newPartitionName(r.Dataset, r.Method)
	return &entry{Record: r, decoder: d, of: of, file: of.stem(r.Key()) + suffixOf(r.Failed)}, nil
}

// entryOf returns the entry of a cell that is to be written.
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

// shrink drops the bytes of the file; afterwards the entry cannot be written.
func (e *entry) shrink() { e.Data, e.Answer = nil, bytes.Clone(e.Answer) }

// stem returns the file name without its ending.
func (e *entry) stem() string { return strings.TrimSuffix(e.file, suffixOf(e.Failed)) }

// where returns the file of the cell, or its pack and line, for messages.
func (e *entry) where() string {
	if e.number > 0 {
		return fmt.Sprintf("%s:%d", e.home, e.number)
	}
	return filepath.Join(e.home, e.file)
}

// ErrConflict marks cells of one name that differ.
var ErrConflict = errors.New("cells of the same inputs differ")

// add adds an entry to cells. The first of several with the same inputs stays; it records a
// conflict with a cell that differs, but not with a failure.
func add(cells map[string]*entry, e *entry) {
	switch first, ok := cells[e.file]; {
	case !ok:
		cells[e.file] = e
	case !e.Failed && !bytes.Equal(first.Answer, e.Answer):
		first.conflict = e
	}
}

// Find returns the cell of in and whether it is there. A file, or a line of a pack, that
// is damaged or holds something else counts as missing. For a reader without the data
// files an empty DatasetDigest or SplitDigest of in matches any. An error means that the
// directory cannot be read, or has more than one cell that could be meant.
func (s Store) Find(in results.Inputs) (results.Cell, bool, error) {
	return s.cell(s.locate(in, false))
}

// Shown is Find with the doubts about the fit, for display. They come from the run record, because
// later builds may have more of them; cells in packs have none.
func (s Store) Shown(in results.Inputs) (results.Cell, bool, error) {
	e, err := s.locate(in, false)
	c, ok, err := s.cell(e, err)
	if !ok || err != nil {
		return c, ok, err
	}
	if e.number == 0 {
		path := filepath.Join(e.home, e.stem()+runSuffix)
		data, err := s.readFile(path)
		if err == nil && bytes.Contains(data, []byte(`"doubts": [`)) {
			var r results.Run
			r, _, err = s.RunOf(c)
			c.Doubts = r.Doubts
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) && s.first(path) {
			s.logf("%v; whether the fit of its cell is in doubt is not known", pathError("read", path, err))
		}
	}
	c.Warnings, c.Doubts = results.Told(c.Warnings, c.Doubts)
	return c, true, nil
}

// Failed is Find for the record of a failed attempt at in.
func (s Store) Failed(in results.Inputs) (results.Cell, bool, error) {
	return s.cell(s.locate(in, true))
}

// Where returns the file of the cell of in, or its pack and line; Path without such a cell.
func (s Store) Where(in results.Inputs) string {
	if e, err := s.locate(in, false); e != nil && err == nil {
		return e.where()
	}
	return s.Path(in)
}

// Damaged reports whether a snapshot lacks the cell of in because its file is damaged.
func (s Store) Damaged(in results.Inputs) bool {
	if s.told == nil {
		return false
	}
	_, damaged := s.told.Load(s.Path(in))
	return damaged
}

// named looks up the entry of a file name, nil when there is none. An entry may turn out to
// be no cell.
func (s Store) named(of partitionName, file string) (*entry, error) {
	open := s.partition
	if s.partitions == nil {
		open = func(of partitionName) (*partition, error) { return s.open(of, []string{file}) }
	}
	part, err := open(of)
	if err != nil {
		return nil, err
	}
	return part.entry(file)
}

// locate looks up the entry of in, or of its failure, nil when there is none.
func (s Store) locate(in results.Inputs, failed bool) (*entry, error) {
	of := newPartitionName(in.Dataset, in.Method)
	if in.DatasetDigest != "" && in.SplitDigest != "" {
		return s.named(of, of.stem(s.keyOf(in))+suffixOf(failed))
	}
	part, err := s.partition(of)
	if err != nil {
		return nil, err
	}
	alike, err := part.alike()
	if err != nil {
		return nil, err
	}
	var found []*entry
	var names []string
	for _, e := range alike[s.keyOf(withoutDigests(in))] {
		agree := func(a, b string) bool { return a == "" || b == "" || a == b }
		if e.Failed == failed && agree(in.DatasetDigest, e.DatasetDigest) && agree(in.SplitDigest, e.SplitDigest) {
			found, names = append(found, e), append(names, e.where())
		}
	}
	switch len(found) {
	case 0:
		return nil, nil
	case 1:
		return found[0], nil
	}
	slices.Sort(names)
	return nil, fmt.Errorf("results: %d cells of %s on %s differ only in the data they were made from (%s); fetch the data set or move all but one away",
		len(found), of.method, of.folder, strings.Join(names, ", "))
}

func withoutDigests(in results.Inputs) results.Inputs {
	in.DatasetDigest, in.SplitDigest = "", ""
	return in
}

// cell decodes an entry that was looked up, nil for none, and reports whether it is a cell.
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

// partition returns the partition of a data set and method: that of a snapshot, or a new one.
func (s Store) partition(of partitionName) (*partition, error) {
	return s.partitions.get(of, func() (*partition, error) {
		home := s.filePath(of, "")
		listed, err := s.readDir(home)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, pathError("read", home, err)
		}
		var files []string
		for _, e := range listed {
			if method, ok := methodOf(e.Name(), cellSuffix, failedSuffix); ok && method == of.method {
				files = append(files, e.Name())
			}
		}
		return s.open(of, files)
	})
}

// open returns the partition with these files and its pack.
func (s Store) open(of partitionName, files []string) (*partition, error) {
	part := &partition{store: s, of: of, files: files, decoder: new(results.Decoder)}
	p, err := s.packs.get(of, func() (pack, error) { return s.readPack(part.decoder, of) })
	if err != nil {
		return nil, err
	}
	part.lines = p.named
	part.cells = sync.OnceValues(part.readAll)
	part.alike = sync.OnceValues(func() (map[string][]*entry, error) {
		cells, err := part.cells()
		alike := make(map[string][]*entry, len(cells))
		for _, e := range cells {
			k := s.keyOf(withoutDigests(e.Inputs))
			alike[k] = append(alike[k], e)
		}
		return alike, err
	})
	part.settings = sync.OnceValues(func() ([]*setting, error) {
		cells, err := part.cells()
		return settingsOf(cells), err
	})
	return part, nil
}

// entry returns the entry of a file name, nil when there is none.
func (part *partition) entry(file string) (*entry, error) {
	line := part.lines[file]
	if _, listed := slices.BinarySearch(part.files, file); !listed {
		return line, nil
	}
	e, err := part.read(file)
	if e == nil || line == nil || err != nil {
		return cmp.Or(e, line), err
	}
	add(map[string]*entry{file: e}, line)
	return e, nil
}

// read reads a file, and returns nil for one that holds no cell.
func (part *partition) read(file string) (found *entry, err error) {
	home := part.store.filePath(part.of, "")
	_, err = part.store.load(filepath.Join(home, file), func(data []byte) error {
		e, err := newEntryAt(part.decoder, data, part.of, file)
		if err == nil {
			e.home, found = home, e
			e.shrink()
		}
		return err
	}, part.store.missing)
	return found, err
}

// readAll reads all files. A disk that has to look for files takes hardly longer for several at
// the same time.
func (part *partition) readAll() (map[string]*entry, error) {
	entries := make([]*entry, len(part.files))
	var all errgroup.Group
	all.SetLimit(16)
	for i, file := range part.files {
		all.Go(func() (err error) {
			entries[i], err = part.read(file)
			return err
		})
	}
	if err := all.Wait(); err != nil {
		return nil, err
	}
	cells := map[string]*entry{}
	for _, e := range slices.Concat(entries, slices.Collect(maps.Values(part.lines))) {
		if e != nil {
			add(cells, e)
		}
	}
	return cells, nil
}
