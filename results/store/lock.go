package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"time"

	"github.com/gofrs/flock"

	"r2lmlbench/internal/atomicfile"
	"r2lmlbench/results"
)

// lockRetry is how often a lock held elsewhere is tried again.
const lockRetry = 200 * time.Millisecond

// Lock waits until nobody else, in this process or another, holds the lock of
// in, and takes it: whoever holds it may compute the cell. Look again with Get
// afterwards, for the former holder has probably stored it. The wait ends early
// with the context's error. The lock is dropped by release, or with the
// process, however that ends; its empty file stays.
func (s Store) Lock(ctx context.Context, in results.Inputs) (release func(), err error) {
	lock, locked, err := s.tryLock(in)
	if err == nil && !locked {
		s.logf("results: %s/%s is being computed elsewhere (%s is held): waiting", in.Dataset, in.Method, lock.Path())
		if _, err = lock.TryLockContext(ctx, lockRetry); err != nil {
			err = s.lockError(ctx, lock.Path(), err)
		}
	}
	if err != nil {
		return nil, err
	}
	return unlocker(lock), nil
}

// TryLock is Lock for who has something else to do: ok is false, and release
// nil, while the lock is held.
func (s Store) TryLock(in results.Inputs) (release func(), ok bool, err error) {
	lock, ok, err := s.tryLock(in)
	if !ok || err != nil {
		return nil, false, err
	}
	return unlocker(lock), true, nil
}

// tryLock removes what killed writers left in the folder of the cell before it
// takes the lock.
func (s Store) tryLock(in results.Inputs) (lock *flock.Flock, locked bool, err error) {
	if err := s.writable(); err != nil {
		return nil, false, err
	}
	folder := s.folder(in)
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return nil, false, pathError("create", folder, err)
	}
	s.session.sweep(s, folder)
	return tryLockFile(s.stem(in) + lockSuffix)
}

// tryLockFile tries to take the lock of a file, which is made if it is not there.
func tryLockFile(path string) (lock *flock.Flock, locked bool, err error) {
	if err := checkFile(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, false, pathError("lock", path, err) // opening a pipe would wait for its other end
	}
	lock = flock.New(path, flock.SetPermissions(0o644))
	if locked, err = lock.TryLock(); err != nil {
		return nil, false, pathError("lock", path, err)
	}
	return lock, locked, nil
}

func (s Store) lockError(ctx context.Context, path string, err error) error {
	if ctx.Err() != nil {
		return fmt.Errorf("results: waiting for %s: %w", path, ctx.Err())
	}
	return pathError("lock", path, err)
}

// unlocker gives a lock back.
func unlocker(lock *flock.Flock) func() { return func() { lock.Unlock() } }

// storeLock is the file below a results directory that a merge holds, or whoever
// accepts cells. Empty, it stays.
const storeLock = "store.lock"

// lockStore waits until no other process merges into s or accepts cells there, and
// removes what killed ones left of packs and lists.
func (s Store) lockStore(ctx context.Context) (release func(), err error) {
	if err := s.writable(); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(s.Dir, 0o777); err != nil {
		return nil, pathError("create", s.Dir, err)
	}
	path := filepath.Join(s.Dir, storeLock)
	if err := checkFile(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, pathError("lock", path, err)
	}
	lock := flock.New(path, flock.SetPermissions(0o644))
	if _, err := lock.TryLockContext(ctx, lockRetry); err != nil {
		if ctx.Err() != nil {
			return nil, fmt.Errorf("results: waiting for %s: %w", path, ctx.Err())
		}
		return nil, pathError("lock", path, err)
	}
	s.sweepAccepted()
	return unlocker(lock), nil
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
