package results

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"

	"r2lmlbench/internal/atomicfile"
)

// maxFileBytes bounds what is read of one file of a store.
const maxFileBytes = 64 << 20

// readFile is os.ReadFile up to that bound; a larger file comes truncated, and
// is refused as such by whoever checks its content.
func readFile(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, maxFileBytes))
}

// writeFile puts data at path, whole or not at all.
func writeFile(path string, data []byte) error {
	if err := atomicfile.Write(path, data); err != nil {
		return pathError("write", path, err)
	}
	return nil
}

// pathError says what could not be done to which file, and what would help.
func pathError(verb, path string, err error) error {
	var where *fs.PathError
	if errors.As(err, &where) {
		err = where.Err // the path stands in front already
	}
	if help := remedy(err); help != "" {
		return fmt.Errorf("results: cannot %s %s: %w; %s", verb, path, err, help)
	}
	return fmt.Errorf("results: cannot %s %s: %w", verb, path, err)
}

func remedy(err error) string {
	const elsewhere = "choose another directory with --results"
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return "free some space or " + elsewhere
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return "allow access to it or " + elsewhere
	case errors.Is(err, syscall.ENOTDIR), errors.Is(err, fs.ErrExist):
		return "a directory is needed where a file stands; " + elsewhere
	}
	return ""
}

// moveAside renames the file at path to path.corrupt-1, or the first number
// that is free, and returns the new name.
func moveAside(path string) (string, error) {
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

// reserve creates an empty file under the first free name, so that no other
// process takes it.
func reserve(path string) (string, error) {
	for n := 1; ; n++ {
		name := fmt.Sprintf("%s.corrupt-%d", path, n)
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
		if err == nil {
			return name, f.Close()
		}
		if !errors.Is(err, fs.ErrExist) {
			return "", err
		}
	}
}
