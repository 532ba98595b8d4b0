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

// tempMark follows the name of the final file in the name of every temporary file.
const tempMark = ".new-"

// Write replaces the file at path atomically: it writes a temporary file in the same directory,
// syncs it to the disk and renames it. It makes missing directories. The umask sets the
// permissions. On failure it removes the temporary file and keeps the old file.
func Write(path string, data []byte) error {
	return WriteAll([]File{{path, data}})
}

// A File is a path and its content for WriteAll.
type File struct {
	Path string
	Data []byte
}

// WriteAll writes files that belong together. It syncs all of them to the disk before
// it renames the first, and renames them in the given order. If writing one fails, all
// old files stay, and the error has the path of that file. It never replaces a pipe, a
// device or a folder. Errors of the file system, here and below, wrap ErrIO.
func WriteAll(files []File) error {
	for _, f := range files {
		if err := CheckTarget(f.Path); err != nil {
			return MarkIO(err)
		}
	}
	return MarkIO(writeAll(files))
}

// atOnce is the number of files that WriteAll syncs at the same time.
const atOnce = 8

func writeAll(files []File) error {
	temps := make([]string, len(files)) // names of the temporary files; "": not made
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

// writeTemp writes and syncs a temporary file. It returns the name, "" if the file was
// not made.
func writeTemp(f File) (string, error) {
	dir := filepath.Dir(f.Path)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", err
	}
	for {
		name := filepath.Join(dir, "."+filepath.Base(f.Path)+tempMark+strconv.FormatUint(uint64(rand.Uint32()), 10))
		temp, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666) // minus the umask
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

// fileError turns an error about a temporary file into one about the final file.
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

// Clean removes the temporary files of killed writers in dir, for files whose names
// begin with prefix. The caller must ensure that none of these is being written.
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

// ErrIO is wrapped by errors of the file system: the disk is full, read-only or
// broken, or access is denied. The request itself is valid.
var ErrIO = errors.New("input or output failed")

// MarkIO makes an error wrap ErrIO if it comes from the operating system. The text stays.
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
