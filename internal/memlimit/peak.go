package memlimit

import (
	"runtime"
	"sync"
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
}

// Begin starts to follow a task. The function it returns ends that and gives by
// how much the heap grew at most, garbage that awaits its collection included; 0
// when other tasks ran at the same time.
func (m *PeakMeter) Begin() (end func() int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.begun++
	m.running++
	number, alone := m.begun, m.running == 1
	if alone {
		runtime.GC() // what the tasks before left
		m.base = heapBytes()
		m.largest = m.base
		m.stop = Watch(m.look)
	}
	return func() int64 {
		m.look()
		m.mu.Lock()
		defer m.mu.Unlock()
		m.running--
		if m.running == 0 {
			m.stop()
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
