package memlimit

import (
	"runtime"
	"sync"
	"time"
)

// A PeakMeter follows the heap while tasks run. Tasks of one process share the
// heap, so only a task that no other one overlaps has a peak of its own.
type PeakMeter struct {
	mu      sync.Mutex
	begun   int // tasks so far
	running int
	base    uint64 // bytes that the last task found that was alone when it began
	largest uint64 // bytes since then
	stop    func() // ends the watch

	started time.Time     // of the first task
	spent   time.Duration // on collections before tasks
}

// Collections before tasks may take a start-up time and a share of all time since:
// many short tasks beside a large heap would do little else.
const (
	collectAtFirst = 100 * time.Millisecond
	collectShare   = 0.05
)

// Begin starts to follow a task. The function it returns ends that and gives by
// how much the heap grew at most, garbage that awaits its collection included; 0
// when other tasks ran at the same time, or when tasks are so short that finding it
// out would take longer than they do.
func (m *PeakMeter) Begin() (end func() int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.begun++
	m.running++
	if m.started.IsZero() {
		m.started = time.Now()
	}
	affordable := m.spent <= collectAtFirst+time.Duration(collectShare*float64(time.Since(m.started)))
	number, alone := m.begun, m.running == 1 && affordable
	if alone {
		began := time.Now()
		runtime.GC() // what the tasks before left
		m.spent += time.Since(began)
		m.base = heapBytes()
		m.largest = m.base
		m.stop = Watch(m.look)
	}
	return func() int64 {
		m.look()
		m.mu.Lock()
		defer m.mu.Unlock()
		m.running--
		if m.running == 0 && m.stop != nil {
			m.stop()
			m.stop = nil
		}
		if !alone || m.begun != number {
			return 0
		}
		return max(1, int64(m.largest-m.base))
	}
}

func (m *PeakMeter) look() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.largest = max(m.largest, heapBytes())
}
