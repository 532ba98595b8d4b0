package store

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
)

// lineGroups are lines by their partition.
type lineGroups map[partitionName][]*line

func (s lineGroups) add(l *line) { s[l.partition] = append(s[l.partition], l) }

func comparePartitions(a, b partitionName) int {
	return cmp.Or(cmp.Compare(a.folder, b.folder), cmp.Compare(a.method, b.method))
}

// keep puts lines into the packs of the store; a cell that has a file of its own
// stays there. The caller holds the lock of the store.
func (s Store) keep(lines lineGroups) error {
	for _, name := range slices.SortedFunc(maps.Keys(lines), comparePartitions) {
		if err := s.keepIn(name, lines[name]); err != nil {
			return err
		}
	}
	return nil
}

func (s Store) keepIn(name partitionName, lines []*line) error {
	var packed, alone []*line
	for _, l := range lines {
		switch good := s.filePath(name, l.name()+cellSuffix); {
		case l.failed && !isNothing(good): // a good cell is not replaced by a failure
		case isNothing(s.filePath(name, l.file())):
			packed = append(packed, l)
		default:
			alone = append(alone, l)
		}
	}
	// A cell that is kept in both ways leaves the pack first: two that differ
	// would be a conflict if the program was killed in between.
	err := s.rewrite(name, func(pack map[hash]*line) {
		for _, l := range alone {
			delete(pack, l.key)
		}
		for _, l := range packed {
			if known := pack[l.key]; known == nil || known.failed || !l.failed {
				pack[l.key] = l
			}
		}
	})
	if err != nil {
		return err
	}
	for _, l := range alone {
		if err := s.putFile(s.filePath(name, l.file()), l.data, l.suffix()); err != nil {
			return err
		}
	}
	for _, l := range lines {
		if l.failed {
			continue
		}
		if err := s.dropFailed(s.filePath(name, l.name()+failedSuffix)); err != nil {
			return err
		}
	}
	return nil
}

// drop removes those of the cells that no list names.
func (s Store) drop(cells []AcceptedCell, lists map[string]listFile) error {
	named := map[string]bool{}
	for _, list := range lists {
		for _, c := range list.Cells {
			named[c.File] = true
		}
	}
	gone := map[partitionName]map[string]bool{}
	for _, c := range cells {
		of, stem, ok := c.partition()
		if !ok || named[c.File] {
			continue
		}
		if file := s.filePath(of, stem+cellSuffix); !isNothing(file) {
			if err := os.Remove(file); err != nil {
				return pathError("remove", file, err)
			}
		}
		if gone[of] == nil {
			gone[of] = map[string]bool{}
		}
		gone[of][stem] = true
	}
	for _, of := range slices.SortedFunc(maps.Keys(gone), comparePartitions) {
		err := s.rewrite(of, func(pack map[hash]*line) {
			maps.DeleteFunc(pack, func(_ hash, l *line) bool { return !l.failed && gone[of][l.name()] })
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// lists reads the lists of all specs, by path.
func (s Store) lists() (map[string]listFile, error) {
	lists := map[string]listFile{}
	dir := s.acceptedFolder()
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, pathError("read", dir, err)
	}
	for _, e := range entries {
		file := filepath.Join(dir, e.Name())
		if filepath.Ext(file) != ".json" {
			continue
		}
		data, err := readFile(file)
		if err != nil {
			return nil, pathError("read", file, err)
		}
		if lists[file], err = parseAccepted(data); err != nil {
			return nil, listError(file, err)
		}
	}
	return lists, nil
}

// addDigests writes lists of earlier versions anew.
func (s Store) addDigests(lists map[string]listFile) error {
	for _, file := range slices.Sorted(maps.Keys(lists)) {
		if lists[file].Digest != "" {
			continue
		}
		data, err := lists[file].Accepted.encode()
		if err != nil {
			return err
		}
		if err := writeFile(file, data); err != nil {
			return err
		}
	}
	return nil
}

// rewrite changes the lines of a pack, which may be a new one. A pack without
// lines goes, one that is whole and stays as it is is not written. The caller holds the lock
// of the store.
func (s Store) rewrite(of partitionName, change func(map[hash]*line)) error {
	path := s.packPath(of)
	data, err := readFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, errForeign) {
		return pathError("read", path, err)
	}
	var before pack
	if err == nil {
		before = parsePack(data, of)
	}
	lines := map[hash]*line{}
	for _, l := range before.lines {
		lines[l.key] = l.line
	}
	was := maps.Clone(lines)
	change(lines)
	same := maps.EqualFunc(was, lines, func(a, b *line) bool { return bytes.Equal(a.data, b.data) })
	if same && len(before.faults) == 0 {
		return nil
	}
	if errors.Is(err, errForeign) || len(before.faults) > 0 {
		if err := s.setPackAside(path, data, err); err != nil {
			return err
		}
	}
	return s.writePack(path, slices.Collect(maps.Values(lines)))
}

// writePack replaces a pack by one with the lines.
func (s Store) writePack(path string, lines []*line) error {
	if len(lines) == 0 {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return pathError("remove", path, err)
		}
		return nil
	}
	data, err := encodePack(lines)
	if err != nil {
		return err
	}
	if len(data) > maxFileBytes {
		return fmt.Errorf("results: %s would have %d bytes, more than the %d that are read back", path, len(data), maxFileBytes)
	}
	return writeFile(path, data)
}

// setPackAside keeps a damaged pack, or what stands in the place of one, under
// another name.
func (s Store) setPackAside(path string, data []byte, foreign error) error {
	var aside string
	var err error
	if foreign != nil {
		aside, err = moveAside(path)
	} else {
		aside, err = copyAside(path, data)
	}
	if err != nil {
		return pathError("set aside", path, err)
	}
	s.logf("results: %s was damaged and is written anew; what was there is kept as %s", path, aside)
	return nil
}
