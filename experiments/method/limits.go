package method

import (
	"errors"
	"fmt"
	"time"
)

// A Budget bounds what the fit of one grid point may take. Zero fields bound
// nothing. Points that are fitted side by side have the time of all of them
// together, and the memory of one.
type Budget struct {
	Time   time.Duration
	Memory int64 // bytes, of the fit or of the program that fits
}

// A TransientFailure ended a fit and says nothing about the method: with a
// larger budget or on another machine the fit may succeed. Nothing is concluded
// from such a fit, and nothing is journalled; its cell is kept as failed, to be
// tried again.
type TransientFailure struct{ Cause error }

// Error is the text of the cause.
func (f TransientFailure) Error() string { return f.Cause.Error() }

// Unwrap returns the cause.
func (f TransientFailure) Unwrap() error { return f.Cause }

// Transient tells whether an error is or wraps a TransientFailure.
func Transient(err error) bool { return errors.As(err, new(TransientFailure)) }

// Overtime is the failure of a fit of so many points that took too long.
func (b Budget) Overtime(points int) error {
	if points == 1 {
		return TransientFailure{Cause: fmt.Errorf("ran out of its time budget (%v)", b.Time)}
	}
	return TransientFailure{Cause: fmt.Errorf("ran out of its time budget (%v for each of %d points fitted together)", b.Time, points)}
}

// OutOfMemory is the failure of a fit that needs more memory than it may.
func (b Budget) OutOfMemory() error {
	return TransientFailure{Cause: fmt.Errorf("ran out of its memory budget (%d MiB)", b.Memory>>20)}
}
