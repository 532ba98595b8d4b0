package memlimit

import (
	"math"
	"r2lmlbench/internal/fixture"
	"runtime"
	"runtime/debug"
	"testing"
	"time"
)

// TestAim: the limit holds until it is restored, and one of the user's stays.
func TestAim(t *testing.T) {
	found := debug.SetMemoryLimit(math.MaxInt64)
	t.Cleanup(func() { debug.SetMemoryLimit(found) })
	restore := Aim(1 << 40)
	time.Sleep(3 * interval) // a look or two at what is in use, which is less
	fixture.Equal(t, "limit", debug.SetMemoryLimit(-1), 1<<40)
	restore()
	if got := debug.SetMemoryLimit(-1); got != math.MaxInt64 {
		t.Errorf("limit %d after it was restored", got)
	}
	debug.SetMemoryLimit(1 << 41)
	Aim(1 << 40)()
	if got := debug.SetMemoryLimit(-1); got != 1<<41 {
		t.Errorf("limit %d, want that of the user, %d", got, 1<<41)
	}
}

// TestAimRises: a limit that what is in use exceeds becomes one that it does not.
func TestAimRises(t *testing.T) {
	found := debug.SetMemoryLimit(math.MaxInt64)
	t.Cleanup(func() { debug.SetMemoryLimit(found) })
	held := make([]byte, 64<<20)
	runtime.GC()
	defer Aim(32 << 20)()
	for range 100 {
		if limit := debug.SetMemoryLimit(-1); limit > 64<<20 && limit < 256<<20 {
			runtime.KeepAlive(held)
			return
		}
		time.Sleep(interval)
	}
	t.Errorf("the limit is %d while 64 MiB are in use", debug.SetMemoryLimit(-1))
}
