package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"syscall"
	"time"

	"r2lmlbench/internal/files"
	"r2lmlbench/results"
)

// lockRetry is how often a lock held elsewhere is tried again.
const lockRetry = 200 * time.Millisecond

// Lock waits for the lock of in, which one goroutine of one process holds at a
// time, and takes it; only its holder may compute the cell. Look again with Find
// afterwards, for the former holder has probably stored it. The wait ends early
// with the context's error. The lock is dropped by release, or with the
// process, however that ends; then its empty file stays.
func (s Store) Lock(ctx context.Context, in results.Inputs) (release func(), err error) {
	release, ok, err := s.TryLock(in)
	if ok || err != nil {
		return release, err
	}
	path := s.stem(in) + lockSuffix
	s.logf("results: %s/%s is being computed elsewhere (%s is held): waiting", in.Dataset, in.Method, path)
	return waitLock(ctx, path)
}

// TryLock is Lock without the wait: ok is false, and release nil, while the lock is held.
func (s Store) TryLock(in results.Inputs) (release func(), ok bool, err error) {
	if err := s.writable(); err != nil {
		return nil, false, err
	}
	if err := s.enter(in); err != nil {
		return nil, false, err
	}
	return tryLock(s.stem(in) + lockSuffix)
}

// waitLock tries to take the lock of a file until that succeeds or ctx ends.
func waitLock(ctx context.Context, path string) (release func(), err error) {
	for {
		release, ok, err := tryLock(path)
		if ok || err != nil {
			return release, err
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("results: waiting for %s: %w", path, ctx.Err())
		case <-time.After(lockRetry):
		}
	}
}

// tryLock tries to lock a file. It creates the file, and release removes it.
func tryLock(path string) (release func(), ok bool, err error) {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() { // opening a pipe would wait for its other end
		return nil, false, pathError("lock", path, fmt.Errorf("%w: %s", errForeign, files.Kind(info.Mode())))
	}
	lock, ok, err := files.TryLock(path)
	if err != nil {
		return nil, false, pathError("lock", path, err)
	} else if !ok {
		return nil, false, nil
	}
	return func() {
		if named, _ := files.Named(lock); named {
			os.Remove(path) // on Windows it stays, since it is open
		}
		lock.Unlock()
	}, true, nil
}

// enter creates and sweeps the folder of the cell of in. A run does so once, and fails if the
// folder is replaced later.
func (s Store) enter(in results.Inputs) error {
	folder := filepath.Dir(s.stem(in))
	was, err := s.folders.get(folder, func() (fs.FileInfo, error) {
		err := os.MkdirAll(folder, 0o777)
		if err == nil {
			s.sweepCells(folder)
		}
		info, statErr := os.Stat(folder)
		return info, cmp.Or(err, statErr)
	})
	if err != nil {
		return pathError("create", folder, err)
	}
	if now, err := os.Stat(folder); err != nil || !os.SameFile(was, now) {
		return pathError("find", folder, syscall.ENOENT)
	}
	return nil
}

// storeLock is the file in a results directory that a merge or an acceptance locks.
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
	release, err = waitLock(ctx, filepath.Join(s.Dir, storeLock))
	if err == nil {
		s.sweepAccepted()
	}
	return release, err
}

// tempOfCell is the name of a temporary file of a cell, whose stem it has in front.
var tempOfCell = regexp.MustCompile(`^\.(.+-[0-9a-f]{16})\..*\.new-[0-9]+$`)

// sweepCells removes the temporary files in a folder of cells that killed writers
// left. Those of a cell whose lock is held may be in use, and stay.
func (s Store) sweepCells(folder string) {
	entries, err := os.ReadDir(folder)
	for _, e := range entries {
		stem := tempOfCell.FindStringSubmatch(e.Name())
		if stem == nil {
			continue
		}
		release, ok, fault := tryLock(filepath.Join(folder, stem[1]+lockSuffix))
		err = errors.Join(err, fault)
		if ok {
			err = errors.Join(err, remove(filepath.Join(folder, e.Name())))
			release()
		}
	}
	s.swept(folder, err)
}

// sweepAccepted removes the temporary files of packs and lists. The caller holds
// the lock of the store.
func (s Store) sweepAccepted() {
	for _, root := range []string{packsFolder, gatesFolder} {
		root = filepath.Join(s.Dir, root) + string(filepath.Separator) // a link is followed
		filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.IsDir() {
				err = files.Clean(path, "")
			}
			s.swept(path, err)
			return nil // what cannot be read stays
		})
	}
}

// swept logs the error of sweeping a folder; a missing folder is clean.
func (s Store) swept(folder string, err error) {
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		s.logf("results: temporary files in %s stay: %v", folder, err)
	}
}
