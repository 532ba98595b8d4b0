package method

import (
	"errors"
	"fmt"
	"time"

	"r2lmlbench/internal/files"
)

// A Budget bounds time and memory of the fit of one setting. Zero fields are no
// bounds. Settings fitted side by side have the time of all of them together, and
// the memory of one.
type Budget struct {
	Time   time.Duration
	Memory int64 // bytes, of the fit or of the program that fits
}

// A TransientFailure ended a fit and says nothing about the method: with a
// larger budget or on another machine the fit may succeed. It is not journalled;
// the cell is stored as failed and can be tried again.
type TransientFailure struct{ Cause error }

// Error returns the text of the cause.
func (f TransientFailure) Error() string { return f.Cause.Error() }

// Unwrap returns the cause.
func (f TransientFailure) Unwrap() error { return f.Cause }

// Transient reports whether an error is or wraps a TransientFailure.
func Transient(err error) bool { return errors.As(err, new(TransientFailure)) }

// MachineFault is the failure of a fit for want of something that the machine should have,
// such as room on a disk: a TransientFailure that wraps files.ErrIO. Nothing is stored of
// its cell, neither a score of the setting nor the failure.
func MachineFault(err error) error {
	return TransientFailure{Cause: fmt.Errorf("%w: %w", errMachine, err)}
}

// errMachine is an files.ErrIO.
var errMachine = fmt.Errorf("%w on this machine", files.ErrIO)

// OfMachine reports whether an error is or wraps a MachineFault.
func OfMachine(err error) bool { return errors.Is(err, errMachine) }

// Overtime returns the failure of a fit of this number of settings that took too long.
func (b Budget) Overtime(points int) error {
	if points == 1 {
		return TransientFailure{Cause: fmt.Errorf("ran out of its time budget (%v)", b.Time)}
	}
	return TransientFailure{Cause: fmt.Errorf("ran out of its time budget (%v for each of %d points fitted together)", b.Time, points)}
}

// OutOfMemory returns the failure of a fit that exceeds its memory.
func (b Budget) OutOfMemory() error {
	return TransientFailure{Cause: fmt.Errorf("ran out of its memory budget (%d MiB)", b.Memory>>20)}
}
