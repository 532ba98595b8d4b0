package memlimit

import (
	"math"
	"runtime/debug"
	"runtime/metrics"
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
		if liveBytes() > uint64(bytes)/10*9 {
			lift()
		}
	})
	return sync.OnceFunc(func() { stop(); lift() })
}

// liveBytes is the memory of the objects that the last collection found in use.
func liveBytes() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
