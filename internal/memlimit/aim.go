package memlimit

import (
	"math"
	"runtime/debug"
)

// Aim makes the collector work harder as the heap comes near so many bytes, and does
// nothing where GOMEMLIMIT says what the user wants. Restore ends that. It suits a command
// whose data are known to be smaller: where they are not, collecting may take half of the
// processor's time.
func Aim(bytes int64) (restore func()) {
	before := debug.SetMemoryLimit(-1)
	if before != math.MaxInt64 {
		return func() {}
	}
	debug.SetMemoryLimit(bytes)
	return func() { debug.SetMemoryLimit(before) }
}
