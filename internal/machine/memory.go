// Package machine divides the cores and the memory of the machine among computations.
//
// Cores: a program that runs several computations at once gives them a context with Slots, one per
// core, and holds one for each computation. A computation with independent parts calls Each, which
// takes the slots that are free at that moment.
//
// Memory: a Limiter stops fits of this process that use too much, and a PeakMeter measures the peak
// of one of several tasks. Both sample, see Watch: they do not see a task that allocates more than
// the machine has at once, and the system ends the program. Descendants lists the processes that a
// process has started, with their memory.
package machine

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

// A Limiter enforces a memory budget per task of this process. Go cannot say which
// task owns a byte of the heap. So tasks run together while the heap stays below the
// budget times their number. When it does not, the Limiter stops the task that began
// last and runs it again alone, after the others. A task has exceeded its budget only
// if the heap grows beyond the budget while it runs alone.
type Limiter struct {
	Budget   int64 // bytes per task, more than 0
	Exceeded error // cause of the context of a task that exceeds its budget alone

	crowd sync.RWMutex // read-locked by tasks that run together, locked by a task that runs alone

	mu    sync.Mutex
	tasks []*limitedTask // running, in the order of their beginning
	base  uint64         // heap in bytes at the start of the task that runs alone
}

type limitedTask struct {
	stop    context.CancelCauseFunc
	stopped bool
	alone   bool
}

// ErrCrowded is the cause of the context of a task that will run again alone.
var ErrCrowded = errors.New("the fits together need more memory than their budgets")

// interval is the time between two samples of the memory in use.
const interval = 50 * time.Millisecond

// Start begins to watch the heap; stop ends that.
func (l *Limiter) Start() (stop func()) { return Watch(l.look) }

// Watch calls look every interval until stop is called. A last call may still run
// while stop returns.
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

// Run runs a task beside others, and again alone if the Limiter stopped it. It returns the error of
// the task.
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

// watched runs a task that look may stop.
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

// look stops the last task if the heap is above the budget. It stops one task at a time.
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
	runtime.GC() // do not count garbage
	if heapBytes() > limit {
		youngest.stopped = true
		youngest.stop(cause)
	}
}

// heapBytes returns the bytes of the objects on the heap, including garbage that is
// not collected yet.
func heapBytes() uint64 { return measured("/memory/classes/heap/objects:bytes") }

// measured reads a metric of the runtime.
func measured(name string) uint64 {
	sample := []metrics.Sample{{Name: name}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// Aim sets the memory limit of the garbage collector to bytes, unless the user set
// GOMEMLIMIT. When the live heap itself comes near the limit, collecting would take half of
// the processor's time and free little, so Aim raises the limit by half. restore resets it.
func Aim(bytes int64) (restore func()) {
	before := debug.SetMemoryLimit(-1)
	if before != math.MaxInt64 {
		return func() {}
	}
	debug.SetMemoryLimit(bytes)
	var mu sync.Mutex
	restored := false // Watch may call once more while it stops
	stop := Watch(func() {
		mu.Lock()
		defer mu.Unlock()
		for !restored && measured("/gc/heap/live:bytes") > uint64(bytes)/10*9 { // live at the last collection
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

// A PeakMeter samples the heap while tasks run. Tasks of one process share the
// heap, so it measures only a task that overlaps no other task.
type PeakMeter struct {
	mu      sync.Mutex
	begun   int // number of tasks so far
	running int
	base    uint64 // bytes of the heap when the last task that began alone began
	largest uint64 // largest bytes since then
	stop    func() // ends the watch

	started time.Time     // of the first task
	spent   time.Duration // time of collections before tasks
}

// Collections before tasks may take a start-up time plus a share of the time since:
// many short tasks beside a large heap would mostly collect.
const (
	collectAtFirst = 100 * time.Millisecond
	collectShare   = 0.05
)

// Begin starts to measure a task. end returns the largest growth of the heap in
// bytes, including garbage that is not collected yet. It returns 0 if other tasks ran
// at the same time, or if the collections before short tasks would take too long.
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
		runtime.GC() // collects the garbage of the tasks before
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
