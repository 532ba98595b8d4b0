package memlimit

import (
	"math"
	"runtime/debug"
	"sync"
)

// Aim makes the collector work harder as the heap comes near so many bytes, and does
// nothing where GOMEMLIMIT says what the user wants. Restore ends that. It ends by itself
// where what is in use comes near so many bytes, too: collecting would take half of the
// processor's time then, and free little.
func Aim(bytes int64) (restore func()) {
	before := debug.SetMemoryLimit(-1)
	if before != math.MaxInt64 {
		return func() {}
	}
	debug.SetMemoryLimit(bytes)
	lift := sync.OnceFunc(func() { debug.SetMemoryLimit(before) })
	stop := Watch(func() {
		if measured("/gc/heap/live:bytes") > uint64(bytes)/10*9 { // found in use by the last collection
			lift()
		}
	})
	return sync.OnceFunc(func() { stop(); lift() })
}
