package files

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"github.com/gofrs/flock"
)

// unfinishedName is the name of the file that marks a folder while WriteFolder writes it.
const unfinishedName = ".r2lmlbench-unfinished"

// errBusy says that another process is writing the file or folder.
var errBusy = errors.New("another process is writing there; wait for it, or name another place")

// Unfinished reports whether an earlier WriteFolder of dir did not end: it was killed, or the disk
// was full. The next call finishes the work.
func Unfinished(dir string) bool {
	info, err := os.Lstat(filepath.Join(dir, unfinishedName))
	return err == nil && info.Mode().IsRegular()
}

// WriteFolder is WriteAll for paths relative to dir, a folder that nothing else writes. It makes
// dir, and removes the temporary files of a killed call. Until it has written all files, dir is
// [Unfinished]. It fails if another process is writing dir.
func WriteFolder(dir string, all []File) error {
	whole, folders := make([]File, len(all)), map[string]bool{}
	for i, f := range all {
		whole[i] = File{filepath.Join(dir, filepath.FromSlash(f.Path)), f.Data}
		folders[filepath.Dir(whole[i].Path)] = true
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return MarkIO(err)
	}
	killed := Unfinished(dir)
	mark := filepath.Join(dir, unfinishedName)
	lock, ok, err := TryLock(mark)
	if err != nil {
		return MarkIO(err)
	} else if !ok {
		return fmt.Errorf("%s: %w", dir, errBusy)
	}
	defer lock.Unlock()
	for folder := range folders {
		if !killed {
			break
		}
		if err := Clean(folder, ""); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	if err := WriteAll(whole); err != nil {
		return err
	}
	if runtime.GOOS == "windows" { // Windows removes no open file
		lock.Unlock()
	}
	return MarkIO(os.Remove(mark))
}

// Replace is Write to a path that the user named. Its temporary file is locked and has a fixed
// name, so that the next call reuses the one of a killed call. It fails if another process is
// writing path.
func Replace(path string, data []byte) error {
	if runtime.GOOS == "windows" { // Windows renames no open file
		return Write(path, data)
	}
	err := CheckTarget(path)
	if err == nil {
		err = os.MkdirAll(filepath.Dir(path), 0o777)
	}
	if err == nil {
		err = replace(path, data)
	}
	return MarkIO(fileError(File{Path: path}, err))
}

func replace(path string, data []byte) error {
	temp := filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+tempMark+"0")
	lock, ok, err := TryLock(temp)
	if err != nil {
		return err
	} else if !ok {
		return errBusy
	}
	defer lock.Unlock()
	f, err := os.OpenFile(temp, os.O_WRONLY|os.O_TRUNC|noFollow, 0)
	if err == nil {
		_, err = f.Write(data)
		err = errors.Join(err, f.Sync(), f.Close())
	}
	if err == nil {
		err = os.Rename(temp, path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(temp))
	}
	return SyncDir(filepath.Dir(path))
}

// TryLock makes a file if it is missing and locks it. ok is false if another process holds the
// lock. It tries again if the previous holder renamed or removed the file it locked.
func TryLock(path string) (lock *flock.Flock, ok bool, err error) {
	for {
		lock := flock.New(path, flock.SetFlag(os.O_CREATE|noFollow), flock.SetPermissions(0o666))
		if ok, err := lock.TryLock(); !ok || err != nil {
			return nil, false, err
		}
		named, err := Named(lock)
		if named {
			return lock, true, nil
		}
		lock.Unlock()
		if err != nil {
			return nil, false, err
		}
	}
}

// Named reports whether a locked file is still the file at its path.
func Named(lock *flock.Flock) (bool, error) {
	held, err := lock.Stat()
	if err != nil {
		return false, err
	}
	at, err := os.Lstat(lock.Path())
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil && os.SameFile(held, at), err
}
