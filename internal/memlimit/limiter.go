// Package memlimit measures memory in use and stops what uses too much of it:
// fits in this process by a Limiter, others by whoever watches them. A
// PeakMeter tells how much one of several tasks needed at most. Memory is
// looked at now and then, see Watch: what asks for more than the machine has at
// once ends the program before anybody looks.
package memlimit

import (
	"context"
	"errors"
	"math"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"slices"
	"sync"
	"time"
)

// A Limiter holds tasks of this process to a memory budget each. Nobody can tell
// which of several tasks a byte of the heap belongs to. So tasks share the heap
// as long as it stays below the budget times their number; when it does not, the
// one that began last is stopped and run again alone, when the others are done.
// Only a task that makes the heap grow beyond the budget alone has exceeded it.
type Limiter struct {
	Budget   int64 // bytes per task, more than 0
	Exceeded error // cause of the context of a task that needs more alone

	crowd sync.RWMutex // read-locked by tasks that share the heap, locked by one that is alone

	mu    sync.Mutex
	tasks []*limitedTask // running, in the order of their beginning
	base  uint64         // bytes that a task that is alone found
}

type limitedTask struct {
	stop    context.CancelCauseFunc
	stopped bool
	alone   bool
}

// ErrCrowded is the cause of the context of a task that is stopped to be run
// again alone.
var ErrCrowded = errors.New("the fits together need more memory than their budgets")

// interval is the time between two looks at the memory in use.
const interval = 50 * time.Millisecond

// Start begins to watch the heap. The function it returns ends that.
func (l *Limiter) Start() (stop func()) { return Watch(l.look) }

// Watch calls look every interval until the function it returns is called. A
// last call may come while that returns.
func Watch(look func()) (stop func()) {
	ticker, done := time.NewTicker(interval), make(chan struct{})
	go func() {
		for {
			select {
			case <-done:
				return
			case <-ticker.C:
				look()
			}
		}
	}()
	return func() { ticker.Stop(); close(done) }
}

// Run runs a task beside others, and again alone if it had to make room. It
// returns the task's error.
func (l *Limiter) Run(ctx context.Context, task func(context.Context) error) error {
	l.crowd.RLock()
	err := l.watched(ctx, false, task)
	l.crowd.RUnlock()
	if !errors.Is(err, ErrCrowded) || ctx.Err() != nil {
		return err
	}
	l.crowd.Lock()
	defer l.crowd.Unlock()
	runtime.GC()
	l.mu.Lock()
	l.base = heapBytes()
	l.mu.Unlock()
	return l.watched(ctx, true, task)
}

// watched runs a task that may be stopped.
func (l *Limiter) watched(ctx context.Context, alone bool, task func(context.Context) error) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	t := &limitedTask{stop: stop, alone: alone}
	l.mu.Lock()
	l.tasks = append(l.tasks, t)
	l.mu.Unlock()
	defer func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.tasks = slices.DeleteFunc(l.tasks, func(other *limitedTask) bool { return other == t })
	}()
	return task(ctx)
}

// look stops a task when the heap is too large. One that was stopped has to be
// gone before another is.
func (l *Limiter) look() {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := len(l.tasks)
	if n == 0 || slices.ContainsFunc(l.tasks, func(t *limitedTask) bool { return t.stopped }) {
		return
	}
	youngest, limit, cause := l.tasks[n-1], uint64(n)*uint64(l.Budget), ErrCrowded
	if youngest.alone {
		limit, cause = limit+l.base, l.Exceeded
	}
	if heapBytes() <= limit {
		return
	}
	runtime.GC() // the rest is garbage, until it is collected
	if heapBytes() > limit {
		youngest.stopped = true
		youngest.stop(cause)
	}
}

// heapBytes is the memory of the objects on the heap, with those that are not
// collected yet.
func heapBytes() uint64 { return measured("/memory/classes/heap/objects:bytes") }

// measured reads a number that the runtime keeps.
func measured(name string) uint64 {
	sample := []metrics.Sample{{Name: name}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

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
	var mu sync.Mutex
	restored := false // a last look may come while the watch is stopped
	stop := Watch(func() {
		mu.Lock()
		defer mu.Unlock()
		for !restored && measured("/gc/heap/live:bytes") > uint64(bytes)/10*9 { // found in use by the last collection
			bytes += bytes / 2
			debug.SetMemoryLimit(bytes)
		}
	})
	return sync.OnceFunc(func() {
		stop()
		mu.Lock()
		defer mu.Unlock()
		restored = true
		debug.SetMemoryLimit(before)
	})
}

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
