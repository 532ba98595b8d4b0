package experiments

import (
	"context"
	"errors"
	"runtime"
	"runtime/metrics"
	"slices"
	"sync"
	"time"
)

// A heapWatch holds fits in Go to a memory budget. Nobody can tell which of
// several fits a byte of the heap belongs to. So fits share the heap as long as
// it stays below the budget times their number; when it does not, the one that
// began last is stopped and made again alone, when the others are done. Only a
// fit that makes the heap grow beyond the budget alone has run out of it.
//
// The heap is looked at now and then: a fit that asks for more than the machine
// has at once ends the program before anybody looks.
type heapWatch struct {
	budget Budget

	crowd sync.RWMutex // read-locked by fits that share the heap, locked by one that is alone

	mu   sync.Mutex
	fits []*watchedFit // running, in the order of their beginning
	base uint64        // bytes that a fit that is alone found
}

type watchedFit struct {
	stop    context.CancelCauseFunc
	stopped bool
	alone   bool
}

// errCrowded stops a fit that is to be made again alone.
var errCrowded = errors.New("the fits together need more memory than their budgets")

// glance is the time between two looks at the memory in use.
const glance = 50 * time.Millisecond

// watchHeap begins to watch when memory is bounded. The function it returns
// ends that.
func (r *Runner) watchHeap() (stop func()) {
	r.heap = nil
	if r.Point.Memory <= 0 {
		return func() {}
	}
	w := &heapWatch{budget: r.Point}
	r.heap = w
	return glancing(w.look)
}

// glancing calls look again and again until the function it returns is called. A
// last look may come while that returns.
func glancing(look func()) (stop func()) {
	ticker, done := time.NewTicker(glance), make(chan struct{})
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

// shared runs a fit beside others.
func (w *heapWatch) shared(ctx context.Context, fit func(context.Context) error) error {
	w.crowd.RLock()
	defer w.crowd.RUnlock()
	return w.watched(ctx, false, fit)
}

// alone runs a fit when no other runs.
func (w *heapWatch) alone(ctx context.Context, fit func(context.Context) error) error {
	w.crowd.Lock()
	defer w.crowd.Unlock()
	runtime.GC()
	w.mu.Lock()
	w.base = heapBytes()
	w.mu.Unlock()
	return w.watched(ctx, true, fit)
}

func (w *heapWatch) watched(ctx context.Context, alone bool, fit func(context.Context) error) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	f := &watchedFit{stop: stop, alone: alone}
	w.mu.Lock()
	w.fits = append(w.fits, f)
	w.mu.Unlock()
	defer func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.fits = slices.DeleteFunc(w.fits, func(other *watchedFit) bool { return other == f })
	}()
	return fit(ctx)
}

// look stops a fit when the heap is too large. One that was stopped has to be
// gone before another is.
func (w *heapWatch) look() {
	w.mu.Lock()
	defer w.mu.Unlock()
	n := len(w.fits)
	if n == 0 || slices.ContainsFunc(w.fits, func(f *watchedFit) bool { return f.stopped }) {
		return
	}
	youngest, limit, cause := w.fits[n-1], uint64(n)*uint64(w.budget.Memory), errCrowded
	if youngest.alone {
		limit, cause = limit+w.base, w.budget.overweight()
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
func heapBytes() uint64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
