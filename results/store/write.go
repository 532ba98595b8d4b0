package store

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"syscall"

	"r2lmlbench/internal/atomicfile"
)

// maxFileBytes bounds what is read of one file of a store.
const maxFileBytes = 64 << 20

// errForeign marks what stands under a name of the store and cannot be one of
// its files. It is set aside as a damaged file is.
var errForeign = errors.New("no file of this program")

// readFile is os.ReadFile for a regular file of at most that size. It waits for
// no pipe.
func readFile(path string) ([]byte, error) {
	if err := checkFile(path); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	data := make([]byte, 0, min(info.Size(), maxFileBytes)+1) // no larger: a store may have many files in memory
	r := io.LimitReader(f, maxFileBytes)
	for err == nil {
		var n int
		data = slices.Grow(data, 1)
		n, err = r.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
	}
	if err == io.EOF {
		err = nil
	}
	return data, err
}

// checkFile finds out what stands at path without opening it: nothing
// (fs.ErrNotExist), a file that may be read, or something foreign.
func checkFile(path string) error {
	info, err := os.Stat(path)
	switch {
	case (errors.Is(err, syscall.ELOOP) || errors.Is(err, fs.ErrNotExist)) && isLink(path):
		return fmt.Errorf("%w: a link that leads nowhere", errForeign)
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return fmt.Errorf("%w: %s", errForeign, kind(info.Mode()))
	case info.Size() > maxFileBytes:
		return fmt.Errorf("%w: %d bytes, where %d are the most", errForeign, info.Size(), maxFileBytes)
	}
	return nil
}

func isLink(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.Mode()&fs.ModeSymlink != 0
}

func isNothing(path string) bool {
	_, err := os.Lstat(path)
	return errors.Is(err, fs.ErrNotExist)
}

// kind names what is no regular file.
func kind(mode fs.FileMode) string {
	switch {
	case mode.IsDir():
		return "a directory"
	case mode&fs.ModeNamedPipe != 0:
		return "a pipe"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	}
	return "a device"
}

// writeFile puts data at path, whole or not at all.
func writeFile(path string, data []byte) error {
	if err := atomicfile.Write(path, data); err != nil {
		return pathError("write", path, err)
	}
	return nil
}

// writeFiles puts files at their paths, in that order, all of them or none.
func writeFiles(files []atomicfile.File) error {
	err := atomicfile.WriteAll(files)
	var at *fs.PathError
	if errors.As(err, &at) {
		return pathError("write", at.Path, err)
	}
	return err
}

// pathError says what could not be done to which file, and what would help. What the
// file system did not do is an atomicfile.ErrIO.
func pathError(verb, path string, err error) error {
	var where *fs.PathError
	if errors.As(err, &where) {
		err = where.Err // the path stands in front already
	}
	if help := remedy(err); help != "" {
		return atomicfile.MarkIO(fmt.Errorf("results: cannot %s %s: %w; %s", verb, path, err, help))
	}
	return atomicfile.MarkIO(fmt.Errorf("results: cannot %s %s: %w", verb, path, err))
}

func remedy(err error) string {
	const elsewhere = "choose another directory with --results or --accepted"
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return "free some space or " + elsewhere
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return "allow access to it or " + elsewhere
	case errors.Is(err, errForeign):
		return "move it away"
	case errors.Is(err, syscall.ELOOP):
		return "a link on the way leads in a circle; remove it or " + elsewhere
	case errors.Is(err, syscall.ENOTDIR), errors.Is(err, fs.ErrExist):
		return "a directory is needed where a file stands; " + elsewhere
	}
	return ""
}

// moveAside renames what stands at path to path.corrupt-1, or the first number
// that is free, and returns the new name.
func moveAside(path string) (string, error) {
	if info, err := os.Lstat(path); err != nil {
		return "", err
	} else if info.IsDir() {
		return moveFolder(path)
	}
	aside, err := reserve(path)
	if err != nil {
		return "", err
	}
	if err := os.Rename(path, aside); err != nil {
		os.Remove(aside)
		return "", err
	}
	return aside, nil
}

// moveFolder is moveAside for a directory. It needs no reserved name, for a
// directory takes the place of nothing.
func moveFolder(path string) (string, error) {
	for n := 1; ; n++ {
		aside := asideName(path, n)
		if _, err := os.Lstat(aside); err == nil {
			continue
		}
		err := os.Rename(path, aside)
		if _, taken := os.Lstat(aside); err == nil || taken != nil {
			return aside, err
		}
	}
}

func asideName(path string, n int) string { return fmt.Sprintf("%s.corrupt-%d", path, n) }

// copyAside keeps data, which was read from path, under such a name.
func copyAside(path string, data []byte) (string, error) {
	aside, err := reserve(path)
	if err != nil {
		return "", err
	}
	if err := atomicfile.Write(aside, data); err != nil {
		os.Remove(aside)
		return "", err
	}
	return aside, nil
}

// reserve creates an empty file under the first free name, so that no other
// process takes it.
func reserve(path string) (string, error) {
	for n := 1; ; n++ {
		name := asideName(path, n)
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
		if err == nil {
			return name, f.Close()
		}
		if !errors.Is(err, fs.ErrExist) {
			return "", err
		}
	}
}
