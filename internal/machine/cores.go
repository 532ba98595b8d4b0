package machine

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// Slots are the cores of a program: each computation that runs has put a token in.
type Slots chan struct{}

type slotsKey struct{}

// WithSlots returns a context whose computations share the slots.
func WithSlots(ctx context.Context, s Slots) context.Context {
	return context.WithValue(ctx, slotsKey{}, s)
}

// take takes a slot if one is free. Of no slots there is any number.
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

// Each calls f for every i below n, on the core of the caller and on those that are free:
// of the slots of ctx or, in a context without slots, of the machine. The workers have the
// numbers 0, 1, ..., that of the caller is 0, and one makes no two calls at once. A panic of
// f becomes one of Each.
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
		defer wait.Wait() // also when f panics here
		work(0)
	}()
	if failed != nil {
		panic(failed)
	}
}
