package store

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"r2lmlbench/results"
)

// Merged tells what a merge found in one source directory and did with it.
type Merged struct {
	Dir      string `json:"dir"`
	Cells    int    `json:"cells"`            // good cells found
	Copied   int    `json:"copied"`           // of them, those the target lacked
	Failed   int    `json:"failed"`           // records of failures that were copied: of cells that nobody has
	Damaged  int    `json:"damaged"`          // files, and lines of packs, that hold no cell, or another one; left out
	Journals int    `json:"unfinished_grids"` // left where they are, since only that directory can go on with them
}

// Merge copies into s the cells that other result directories hold and s lacks,
// with the records of how they came to be. Nothing in the sources is changed,
// damaged files are told to Log and left out. A good cell takes the place of
// the record of a failure; of several failures the one of s stays, or else that
// of the first source.
//
// Cells of the same inputs must have the same bytes. Where any two differ,
// Merge names all such cells, returns an error that wraps ErrConflict, and
// changes nothing. It waits for another merge into s to end, for whoever
// computes a cell of s that is to be copied, or for ctx; should a cell that was
// waited for differ, ErrConflict comes after others were copied.
//
// A store that has a folder of packs keeps what is copied in packs, without the
// records of how it came to be; any other keeps it in files, whatever the sources
// do.
func (s Store) Merge(ctx context.Context, dirs []string) ([]Merged, error) {
	for _, dir := range dirs {
		if err := isDirectory(dir); err != nil {
			return nil, fmt.Errorf("results: cannot merge %s: %w; name a directory that --results was set to", dir, err)
		}
	}
	release, err := s.lockStore(ctx)
	if err != nil {
		return nil, err
	}
	defer release()
	m := merge{target: s, good: map[string]found{}, failed: map[string]found{}}
	if info, err := os.Stat(filepath.Join(s.Dir, packsFolder)); err == nil && info.IsDir() {
		m.packed = lineGroups{}
	}
	here, err := scanStore(s.Dir, true)
	if err != nil {
		return nil, err
	}
	m.add(s.Dir, here)
	merged := make([]Merged, len(dirs))
	for i, dir := range dirs {
		if merged[i], err = m.read(dir); err != nil {
			return nil, err
		}
	}
	if len(m.conflicts) > 0 {
		slices.Sort(m.conflicts)
		return nil, fmt.Errorf("%w; nothing was merged:\n  %s", ErrConflict, strings.Join(m.conflicts, "\n  "))
	}
	return merged, m.write(ctx, merged)
}

// A merge is what is known of the cells of all directories, by stem: their path
// below the directory without its ending.
type merge struct {
	target    Store
	good      map[string]found
	failed    map[string]found
	conflicts []string
	packed    lineGroups // what goes into packs of the target; nil: it has none
}

// A found is a cell and the first directory it was found in.
type found struct {
	dir string
	stored
}

// A stored is the content of a cell file, or of the line of a pack.
type stored struct {
	inputs results.Inputs
	data   []byte
	where  string // its path; that of a pack with the number of the line
}

// A scan is what one results directory holds.
type scan struct {
	good, failed map[string]stored // cells, by stem
	conflicts    []string          // cells that differ from others of the same directory
	damaged      map[string]error  // what is wrong with others, by path
	journals     int
	follow       bool // read what links lead to
}

// read takes in a source directory.
func (m *merge) read(dir string) (Merged, error) {
	there, err := scanStore(dir, false)
	if err != nil {
		return Merged{}, err
	}
	for _, path := range slices.Sorted(maps.Keys(there.damaged)) {
		m.target.logf("results: %s is damaged (%v) and left out", path, there.damaged[path])
	}
	if len(there.good)+len(there.failed)+len(there.damaged)+there.journals == 0 {
		m.target.logf("results: %s holds no cells", dir)
	}
	m.add(dir, there)
	return Merged{Dir: dir, Cells: len(there.good), Damaged: len(there.damaged), Journals: there.journals}, nil
}

func isDirectory(path string) error {
	info, err := os.Stat(path)
	var where *fs.PathError
	switch {
	case errors.As(err, &where):
		return where.Err
	case err == nil && !info.IsDir():
		return errors.New("it is no directory")
	}
	return err
}

// scanStore reads the cells below dir without touching a file. Links count as
// damaged unless they are followed.
func scanStore(dir string, follow bool) (*scan, error) {
	there := &scan{follow: follow, good: map[string]stored{}, failed: map[string]stored{}, damaged: map[string]error{}}
	paths, err := filesBelow(filepath.Join(dir, "cells"), cellSuffix)
	for _, path := range paths {
		switch {
		case strings.HasSuffix(path, journalSuffix):
			there.journals++
		case strings.HasSuffix(path, runSuffix) || !strings.HasSuffix(path, cellSuffix):
		case strings.HasSuffix(path, failedSuffix):
			err = errors.Join(err, there.take(dir, path, failedSuffix))
		default:
			err = errors.Join(err, there.take(dir, path, cellSuffix))
		}
	}
	packs, fault := filesBelow(filepath.Join(dir, packsFolder), packSuffix)
	err = errors.Join(err, fault)
	for _, path := range packs {
		if strings.HasSuffix(path, packSuffix) {
			err = errors.Join(err, there.takePack(dir, path))
		}
	}
	return there, err
}

// take reads one cell file. Its place must be that of its Inputs. What is no file
// counts as damaged.
func (t *scan) take(dir, path, suffix string) error {
	data, ok, err := t.readFile(path)
	if !ok || err != nil {
		return err
	}
	c, err := decodeStored(data, suffix)
	if err == nil && (Store{Dir: dir}).stem(c.Inputs)+suffix != path {
		err = fmt.Errorf("it is the cell of %s/%s with key %s", c.Dataset, c.Method, c.Key()[:keyDigits])
	}
	if err != nil {
		t.damaged[path] = err
		return nil
	}
	return t.add(dir, stored{c.Inputs, data, path}, suffix)
}

// takePack reads one pack. Its place must be that of its cells.
func (t *scan) takePack(dir, path string) error {
	data, ok, err := t.readFile(path)
	if !ok || err != nil {
		return err
	}
	p := parsePack(data, partitionName{filepath.Base(filepath.Dir(path)), strings.TrimSuffix(filepath.Base(path), packSuffix)})
	where := func(number int) string { return fmt.Sprintf("%s:%d", path, number) }
	for _, f := range p.faults {
		t.damaged[where(f.number)] = f.err
	}
	for _, l := range p.lines {
		c, err := decodeStored(l.data, l.suffix())
		if err != nil {
			t.damaged[where(l.number)] = err
			continue
		}
		if err := t.add(dir, stored{c.Inputs, l.data, where(l.number)}, l.suffix()); err != nil {
			return err
		}
	}
	return nil
}

// readFile reads what stands at path, unless that counts as damaged.
func (t *scan) readFile(path string) (data []byte, ok bool, err error) {
	if t.follow || !isLink(path) {
		data, err = readFile(path)
	} else {
		err = fmt.Errorf("%w: a link", errForeign)
	}
	if errors.Is(err, errForeign) {
		t.damaged[path] = err
		return nil, false, nil
	}
	if err != nil {
		return nil, false, pathError("read", path, err)
	}
	return data, true, nil
}

// add takes in a cell of dir.
func (t *scan) add(dir string, cell stored, suffix string) error {
	stem, err := filepath.Rel(dir, (Store{Dir: dir}).stem(cell.inputs))
	if err != nil {
		return err
	}
	kind := t.good
	if suffix == failedSuffix {
		kind = t.failed
	}
	first, twice := kind[stem]
	if !twice {
		kind[stem] = cell
	} else if suffix == cellSuffix && !bytes.Equal(first.data, cell.data) {
		t.conflicts = append(t.conflicts, first.where+" and "+cell.where)
	}
	return nil
}

// filesBelow lists the files in the folders of root, and what else has a name
// with the ending, sorted.
func filesBelow(root, suffix string) ([]string, error) {
	var paths []string
	folders, err := os.ReadDir(root)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, pathError("read", root, err)
	}
	for _, folder := range folders {
		if !folder.IsDir() {
			continue
		}
		path := filepath.Join(root, folder.Name())
		files, err := os.ReadDir(path)
		if err != nil {
			return nil, pathError("read", path, err)
		}
		for _, f := range files {
			if named := strings.HasSuffix(f.Name(), suffix); (named || f.Type().IsRegular()) && !strings.HasPrefix(f.Name(), ".") {
				paths = append(paths, filepath.Join(path, f.Name()))
			}
		}
	}
	return paths, nil
}

// add takes in what a directory holds, the first to have a cell leading.
func (m *merge) add(dir string, there *scan) {
	m.conflicts = append(m.conflicts, there.conflicts...)
	for stem, cell := range there.good {
		first, ok := m.good[stem]
		switch {
		case !ok:
			m.good[stem] = found{dir, cell}
		case !bytes.Equal(first.data, cell.data):
			m.conflicts = append(m.conflicts, first.where+" and "+cell.where)
		}
	}
	for stem, cell := range there.failed {
		if _, ok := m.failed[stem]; !ok {
			m.failed[stem] = found{dir, cell}
		}
	}
}

// write copies what the target lacks, in the order of the paths, and counts it.
func (m *merge) write(ctx context.Context, merged []Merged) error {
	count := func(dir string) *Merged {
		return &merged[slices.IndexFunc(merged, func(d Merged) bool { return d.Dir == dir })]
	}
	for _, stem := range slices.Sorted(maps.Keys(m.good)) {
		copied, err := m.copy(ctx, m.good[stem], stem, cellSuffix)
		if err != nil {
			return err
		}
		if copied {
			count(m.good[stem].dir).Copied++
		}
	}
	for _, stem := range slices.Sorted(maps.Keys(m.failed)) {
		if _, done := m.good[stem]; done {
			continue
		}
		copied, err := m.copy(ctx, m.failed[stem], stem, failedSuffix)
		if err != nil {
			return err
		}
		if copied {
			count(m.failed[stem].dir).Failed++
		}
	}
	if err := m.target.keep(m.packed); err != nil {
		return err
	}
	return m.dropFailed()
}

// dropFailed removes the records of failures of cells that are there by now.
func (m *merge) dropFailed() error {
	for stem := range m.good {
		failed := filepath.Join(m.target.Dir, stem) + failedSuffix
		if err := os.Remove(failed); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return pathError("remove", failed, err)
		}
	}
	return nil
}

// copy puts a cell into the target unless it comes from there. It tells whether
// it did: somebody may have stored the cell meanwhile.
func (m *merge) copy(ctx context.Context, cell found, stem, suffix string) (copied bool, err error) {
	switch {
	case ctx.Err() != nil:
		return false, ctx.Err()
	case cell.dir == m.target.Dir:
		return false, nil
	case m.packed == nil:
		return m.copyFile(ctx, cell, stem, suffix)
	case !isNothing(filepath.Join(m.target.Dir, stem) + suffix): // damaged, or stored after the target was scanned
		if stored, err := m.stored(cell, suffix); stored || err != nil {
			return false, err
		}
	}
	l, err := scanLine(cell.data)
	if err != nil {
		return false, err
	}
	m.packed.add(l)
	return true, nil
}

// copyFile puts the file of a cell, and before it how it came to be where that
// is known, into the target, whose lock of the cell it holds meanwhile.
func (m *merge) copyFile(ctx context.Context, cell found, stem, suffix string) (copied bool, err error) {
	release, err := m.target.Lock(ctx, cell.inputs)
	if err != nil {
		return false, err
	}
	defer release()
	if stored, err := m.stored(cell, suffix); stored || err != nil {
		return false, err
	}
	to := filepath.Join(m.target.Dir, stem)
	run, err := m.readRun(filepath.Join(cell.dir, stem) + runSuffix)
	if err == nil && run != nil {
		err = writeFile(to+runSuffix, run)
	}
	if err != nil {
		return false, err
	}
	return true, writeFile(to+suffix, cell.data)
}

// stored looks whether the target has a cell, or where a failure is to be
// copied, the record of one. A damaged file in its place is kept under another
// name.
func (m *merge) stored(cell found, suffix string) (bool, error) {
	c, ok, err := m.target.get(cell.inputs, cellSuffix)
	switch {
	case err != nil:
		return false, err
	case suffix == failedSuffix && !ok:
		_, ok, err = m.target.get(cell.inputs, failedSuffix)
		return ok, err
	case suffix == failedSuffix || !ok:
		return ok, nil
	}
	data, err := results.EncodeCell(c)
	if err == nil && !bytes.Equal(data, cell.data) {
		err = fmt.Errorf("%w; one was stored during the merge:\n  %s and %s", ErrConflict, m.target.Where(cell.inputs), cell.where)
	}
	return true, err
}

// readRun reads how a cell of a source came to be, nil where that is not known.
// A link is not followed: it may lead to any file of the reader's, which would
// then be copied. What is no such record is left out.
func (m *merge) readRun(path string) ([]byte, error) {
	data, err := readFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err == nil && isLink(path):
		err = errors.New("a link")
	case err == nil:
		err = json.Unmarshal(data, &results.Run{})
	case !errors.Is(err, errForeign):
		return nil, pathError("read", path, err)
	}
	if err != nil {
		m.target.logf("results: %s is damaged (%v) and left out", path, err)
		return nil, nil
	}
	return data, nil
}
