package store

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"sync"

	"r2lmlbench/internal/atomicfile"
)

// A session is what a run need not do again for each of its cells. A nil one
// remembers nothing.
type session struct {
	mu    sync.Mutex
	swept map[string]func() // by folder
	packs map[partitionName]func() (packed, error)
}

// packed are the lines of a pack by the file names that their cells would have.
type packed map[string]packLine

// ForRun returns the store for a run over many of its cells. What killed writers
// left is removed once in every folder rather than at every lock, and every pack is
// read once: cells that others put into packs meanwhile are computed again.
func (s Store) ForRun() *Store {
	if s.session == nil {
		s.session = &session{swept: map[string]func(){}, packs: map[partitionName]func() (packed, error){}}
	}
	return &s
}

// sweep sweeps a folder of cells unless that was done before.
func (n *session) sweep(s Store, folder string) {
	if n == nil {
		s.sweepCells(folder)
		return
	}
	n.mu.Lock()
	once, ok := n.swept[folder]
	if !ok {
		once = sync.OnceFunc(func() { s.sweepCells(folder) })
		n.swept[folder] = once
	}
	n.mu.Unlock()
	once()
}

// pack reads the pack of a partition unless that was done before.
func (n *session) pack(s Store, of partitionName) (packed, error) {
	read := func() (packed, error) { return s.readPacked(of) }
	if n == nil {
		return read()
	}
	n.mu.Lock()
	once, ok := n.packs[of]
	if !ok {
		once = sync.OnceValues(read)
		n.packs[of] = once
	}
	n.mu.Unlock()
	return once()
}

func (s Store) readPacked(of partitionName) (packed, error) {
	p, err := s.readPack(of)
	lines := packed{}
	for _, l := range p.lines {
		lines[l.file()] = l
	}
	return lines, err
}

// tempOfCell is the name of a temporary file of a cell, whose stem it has in front.
var tempOfCell = regexp.MustCompile(`^\.(.+-[0-9a-f]{16})\..*\.new-[0-9]+$`)

// sweepCells removes the temporary files in a folder of cells that killed writers
// left. Those of a cell whose lock is held may be in use, and stay.
func (s Store) sweepCells(folder string) {
	if s.FS != nil {
		return
	}
	left := map[string][]string{} // by the path of the lock
	names, err := namesIn(folder)
	for _, name := range names {
		if stem := tempOfCell.FindStringSubmatch(name); stem != nil {
			lock := filepath.Join(folder, stem[1]+lockSuffix)
			left[lock] = append(left[lock], filepath.Join(folder, name))
		}
	}
	for lock, files := range left {
		err = errors.Join(err, sweepLocked(lock, files))
	}
	s.swept(folder, err)
}

// sweepLocked removes files if nobody has the lock.
func sweepLocked(path string, files []string) error {
	lock, ok, err := tryLockFile(path)
	if !ok || err != nil {
		return err
	}
	defer lock.Unlock()
	var faults []error
	for _, file := range files {
		if err := os.Remove(file); !errors.Is(err, fs.ErrNotExist) {
			faults = append(faults, err)
		}
	}
	return errors.Join(faults...)
}

// sweepAccepted removes the temporary files of packs and lists. The caller holds
// the lock of the store.
func (s Store) sweepAccepted() {
	folders := []string{s.acceptedFolder()}
	packs := filepath.Join(s.Dir, packsFolder)
	entries, err := os.ReadDir(packs)
	s.swept(packs, err)
	for _, e := range entries {
		if e.IsDir() {
			folders = append(folders, filepath.Join(packs, e.Name()))
		}
	}
	for _, folder := range folders {
		s.swept(folder, atomicfile.Clean(folder, ""))
	}
}

// swept tells of a folder that could not be swept; one that is not there is clean.
func (s Store) swept(folder string, err error) {
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		s.logf("results: temporary files in %s stay: %v", folder, err)
	}
}

// namesIn lists a folder.
func namesIn(folder string) ([]string, error) {
	f, err := os.Open(folder)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.Readdirnames(-1)
}
