package atomicfile

import (
	"errors"
	"syscall"
)

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
