package machine

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// Slots are the cores of the program: a running computation holds one token in the channel.
type Slots chan struct{}

type slotsKey struct{}

// WithSlots returns a context whose computations share the slots.
func WithSlots(ctx context.Context, s Slots) context.Context {
	return context.WithValue(ctx, slotsKey{}, s)
}

// take takes a slot if one is free; nil Slots are unlimited.
func (s Slots) take() bool {
	if s == nil {
		return true
	}
	select {
	case s <- struct{}{}:
		return true
	default:
		return false
	}
}

func (s Slots) release() {
	if s != nil {
		<-s
	}
}

// Each calls f(worker, i) for every i from 0 to n-1, on the caller's core and on free ones: free
// slots of ctx, or the cores of the machine if ctx has no slots. Workers are numbered from 0, the
// caller; no worker makes two calls at once. If f panics, Each panics.
func Each(ctx context.Context, n int, f func(worker, i int)) {
	slots, _ := ctx.Value(slotsKey{}).(Slots)
	var next atomic.Int64
	work := func(worker int) {
		for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
			f(worker, i)
		}
	}
	var wait sync.WaitGroup
	var mu sync.Mutex
	var failed any
	for worker := 1; worker < min(n, runtime.GOMAXPROCS(0)) && slots.take(); worker++ {
		wait.Go(func() {
			defer slots.release()
			defer func() {
				if v := recover(); v != nil {
					mu.Lock()
					defer mu.Unlock()
					failed = v
				}
			}()
			work(worker)
		})
	}
	func() {
		defer wait.Wait() // even if f panics
		work(0)
	}()
	if failed != nil {
		panic(failed)
	}
}
