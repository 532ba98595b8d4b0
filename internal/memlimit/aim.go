package memlimit

import (
	"math"
	"runtime/debug"
	"sync"
)

// Aim makes the collector work harder as the heap comes near so many bytes, and does
// nothing where GOMEMLIMIT says what the user wants. Where what is in use comes near them,
// too, collecting would take half of the processor's time and free little: then it aims at
// half as much again. Restore ends that.
func Aim(bytes int64) (restore func()) {
	before := debug.SetMemoryLimit(-1)
	if before != math.MaxInt64 {
		return func() {}
	}
	debug.SetMemoryLimit(bytes)
	stop := Watch(func() {
		for measured("/gc/heap/live:bytes") > uint64(bytes)/10*9 { // found in use by the last collection
			bytes += bytes / 2
			debug.SetMemoryLimit(bytes)
		}
	})
	return sync.OnceFunc(func() { stop(); debug.SetMemoryLimit(before) })
}
