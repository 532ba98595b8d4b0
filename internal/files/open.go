// Package files writes files atomically and opens regular files only: it refuses pipes, devices,
// folders and sockets without blocking on them. It also handles the signals that end a command.
package files

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// ErrKind is wrapped by errors about paths that are no regular file.
var ErrKind = errors.New("not a regular file")

// A KindError is the error about a path that is no regular file. It wraps ErrKind.
type KindError struct {
	Path string
	Mode fs.FileMode
}

// Error implements error.
func (e *KindError) Error() string { return fmt.Sprintf("%s is %s: %v", e.Path, Kind(e.Mode), ErrKind) }

// Unwrap returns ErrKind.
func (e *KindError) Unwrap() error { return ErrKind }

// Open opens a regular file, or a link to one, for reading and returns its info.
func Open(path string) (*os.File, fs.FileInfo, error) { return open(path, os.Stat, 0) }

// OpenNoFollow is Open, but refuses links.
func OpenNoFollow(path string) (*os.File, fs.FileInfo, error) { return open(path, os.Lstat, noFollow) }

// open checks a file before opening it, since opening a pipe may block for ever and
// opening some devices acts on them, and again afterwards, since the file may have been
// replaced.
func open(path string, stat func(string) (fs.FileInfo, error), flags int) (*os.File, fs.FileInfo, error) {
	info, err := stat(path)
	if err == nil {
		err = check(path, info)
	}
	if err != nil {
		return nil, nil, err
	}
	file, err := os.OpenFile(path, os.O_RDONLY|noWait|flags, 0)
	if err != nil {
		return nil, nil, err
	}
	if info, err = file.Stat(); err == nil {
		err = check(path, info)
	}
	if err != nil {
		file.Close()
		return nil, nil, err
	}
	return file, info, nil
}

// Read reads a regular file, at most its first most bytes.
func Read(path string, most int64) ([]byte, error) {
	file, info, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var b bytes.Buffer
	b.Grow(int(min(info.Size(), most)) + bytes.MinRead) // avoids copies
	_, err = b.ReadFrom(io.LimitReader(file, most))
	return b.Bytes(), err
}

// ReadOrStream is Read, but also reads /dev/stdin and /dev/fd/N, which shells use for pipes. An
// interrupt ends it with context.Canceled.
func ReadOrStream(path string, most int64) ([]byte, error) {
	if !IsStream(path) {
		return Read(path, most)
	}
	file, err := os.OpenFile(path, os.O_RDONLY|noWait, 0)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	stop := context.AfterFunc(Context(), func() { file.SetReadDeadline(time.Now()) })
	defer stop()
	b, err := io.ReadAll(io.LimitReader(file, most))
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return nil, fmt.Errorf("%s: %w", path, context.Canceled)
	}
	return b, err
}

// IsStream reports whether a path is one that shells use for a pipe, which can be read only once.
func IsStream(path string) bool {
	path = filepath.Clean(path)
	return path == "/dev/stdin" || strings.HasPrefix(path, "/dev/fd/")
}

// CheckTarget returns an error if a path exists and Write must not replace it: if it is neither a
// regular file nor a link.
func CheckTarget(path string) error {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case info.Mode()&fs.ModeSymlink != 0:
		return nil
	}
	return check(path, info)
}

func check(path string, info fs.FileInfo) error {
	if info.Mode().IsRegular() {
		return nil
	}
	return &KindError{path, info.Mode()}
}

// Kind returns the name of the kind of a file that is not regular.
func Kind(mode fs.FileMode) string {
	switch {
	case mode.IsDir():
		return "a directory"
	case mode&fs.ModeNamedPipe != 0:
		return "a pipe"
	case mode&fs.ModeDevice != 0:
		return "a device"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	case mode&fs.ModeSymlink != 0:
		return "a link"
	}
	return "something that is no file"
}
