package machine

import (
	"math"
	"runtime"
	"runtime/debug"
	"testing"
	"time"

	"r2lmlbench/internal/fixture"
)

// TestAim: the limit holds until it is restored, and one of the user's stays.
func TestAim(t *testing.T) {
	found := debug.SetMemoryLimit(math.MaxInt64)
	t.Cleanup(func() { debug.SetMemoryLimit(found) })
	restore := Aim(1 << 40)
	time.Sleep(3 * interval) // a look or two at what is in use, which is less
	fixture.Equal(t, "limit", debug.SetMemoryLimit(-1), 1<<40)
	restore()
	fixture.Equal(t, "limit after it was restored", debug.SetMemoryLimit(-1), math.MaxInt64)
	debug.SetMemoryLimit(1 << 41)
	Aim(1 << 40)()
	fixture.Equal(t, "limit of the user", debug.SetMemoryLimit(-1), 1<<41)
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

const ballast = 64 << 20

func hold(size int) {
	b := make([]byte, size)
	time.Sleep(3 * interval)
	runtime.KeepAlive(b)
}

func TestPeakMeter(t *testing.T) {
	fixture.Long(t)
	for range 2 { // what other tests left goes, and then what was pooled or had a finalizer
		runtime.GC()
	}
	var m PeakMeter
	hold(ballast) // garbage of other code
	end := m.Begin()
	hold(ballast / 4)
	if heap := end(); heap < ballast/4 || heap >= ballast/2 {
		t.Errorf("a task that holds %d bytes is said to need %d", ballast/4, heap)
	}
	first := m.Begin()
	second := m.Begin()
	fixture.Equal(t, "bytes of a task that another began beside, which are not known", first(), 0)
	third := m.Begin()
	if a, b := second(), third(); a != 0 || b != 0 {
		t.Errorf("tasks that began beside others: %d and %d bytes, want unknown", a, b)
	}
	m.spent = 0 // however long collections took on this machine
	end = m.Begin()
	if heap := end(); heap <= 0 || heap >= ballast {
		t.Errorf("a task after these: %d bytes", heap)
	}
}

// TestPeakMeterOfManyTasks: a collection before each of many short tasks would take
// all the time when the heap is large.
func TestPeakMeterOfManyTasks(t *testing.T) {
	fixture.Long(t)
	large := make([]*[64]byte, 1<<19)
	for i := range large {
		large[i] = new([64]byte)
	}
	var m PeakMeter
	known := 0
	for range 1000 {
		before := m.spent // the collection that this task may begin with takes as long as it takes
		if m.Begin()() == 0 {
			continue
		}
		known++
		if took := time.Since(m.started); before > collectAtFirst+took/2 {
			t.Fatalf("after %v of %v were spent on collections there was another", before, took)
		}
	}
	runtime.KeepAlive(large)
	if known == 0 || known == 1000 {
		t.Errorf("the heap of %d of 1000 tasks is known, want that of the first ones", known)
	}
}
