package files

import (
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sync/errgroup"
)

// tempMark is in the name of every temporary file, behind that of the file it
// is to become.
const tempMark = ".new-"

// Write puts data at path: it goes into a temporary file in the same directory,
// onto the disk, and only then under its name. Missing directories are made. Who may
// read it is up to the umask, as for any new file. On failure the temporary file is
// removed and what stood at path stays.
func Write(path string, data []byte) error {
	return WriteAll([]File{{path, data}})
}

// A File is what WriteAll puts at a path.
type File struct {
	Path string
	Data []byte
}

// WriteAll writes files that belong together. All of them are on the disk before
// the first has its name, and they get their names in the given order. When the
// disk does not take one, whatever stood at the paths stays, and the error has the
// path of that file. Nothing takes the place of a pipe, a device or a folder. Errors
// of the file system, here and below, are an ErrIO.
func WriteAll(files []File) error {
	for _, f := range files {
		if err := CheckTarget(f.Path); err != nil {
			return MarkIO(err)
		}
	}
	return MarkIO(writeAll(files))
}

// atOnce is how many files WriteAll hands to the disk at the same time.
const atOnce = 8

func writeAll(files []File) error {
	temps := make([]string, len(files)) // their names, "" for one that could not be made
	var group errgroup.Group
	group.SetLimit(atOnce)
	for i, f := range files {
		group.Go(func() (err error) {
			temps[i], err = writeTemp(f)
			return fileError(f, err)
		})
	}
	err := group.Wait()
	for i, temp := range temps {
		if err == nil {
			err = fileError(files[i], os.Rename(temp, files[i].Path))
		}
		if err != nil && temp != "" {
			err = errors.Join(err, os.Remove(temp))
		}
	}
	if err != nil {
		return err
	}
	synced := map[string]bool{}
	for _, f := range files {
		if dir := filepath.Dir(f.Path); !synced[dir] {
			synced[dir] = true
			if err := SyncDir(dir); err != nil {
				return err
			}
		}
	}
	return nil
}

// writeTemp writes a temporary file, and waits until the disk has it. Its name is
// "" when it was not made.
func writeTemp(f File) (string, error) {
	dir := filepath.Dir(f.Path)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", err
	}
	for {
		name := filepath.Join(dir, "."+filepath.Base(f.Path)+tempMark+strconv.FormatUint(uint64(rand.Uint32()), 10))
		temp, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666) // less what the umask takes
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return "", err
		}
		if _, err = temp.Write(f.Data); err == nil {
			err = temp.Sync()
		}
		return name, errors.Join(err, temp.Close())
	}
}

// fileError makes an error about a temporary file one about the file that it was to
// become.
func fileError(f File, err error) error {
	if err == nil {
		return nil
	}
	var at *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &at):
		err = at.Err
	case errors.As(err, &link):
		err = link.Err
	}
	return &fs.PathError{Op: "write", Path: f.Path, Err: err}
}

// Clean removes the temporary files in dir that killed writers left of files
// whose names begin with prefix. The caller sees to it that none of these is
// being written.
func Clean(dir, prefix string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return MarkIO(err)
	}
	var faults []error
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), "."+prefix) && strings.Contains(e.Name(), tempMark) {
			faults = append(faults, os.Remove(filepath.Join(dir, e.Name())))
		}
	}
	return MarkIO(errors.Join(faults...))
}

// SyncDir makes new names in dir durable, where the file system can. On Windows
// no folder can be flushed: its file systems keep names in a journal.
func SyncDir(dir string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	d, err := os.Open(dir)
	if err != nil {
		return MarkIO(err)
	}
	defer d.Close()
	if err := d.Sync(); err != nil && !errors.Is(err, syscall.EINVAL) {
		return MarkIO(err)
	}
	return nil
}

// ErrIO marks errors of the file system: the disk is full, read-only or broken,
// access is denied. Nothing is wrong with what the user asked for.
var ErrIO = errors.New("input or output failed")

// MarkIO makes an error an ErrIO if the operating system gave its cause. The
// text stays as it is.
func MarkIO(err error) error {
	var cause syscall.Errno
	if errors.Is(err, ErrIO) || !errors.As(err, &cause) {
		return err
	}
	return ioError{err}
}

// An ioError is an ErrIO with the text of its cause.
type ioError struct{ error }

// Is makes errors.Is find ErrIO.
func (ioError) Is(target error) bool { return target == ErrIO }

// Unwrap returns the cause.
func (e ioError) Unwrap() error { return e.error }
