package machine

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
)

// TestEach: every part is done once, by no more workers than there are slots, and all
// slots that were taken are free again.
func TestEach(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	for _, c := range []struct{ slots, held, most int }{{1, 1, 1}, {3, 1, 3}, {3, 3, 1}, {8, 1, 4}} {
		slots := make(Slots, c.slots)
		for range c.held {
			slots <- struct{}{}
		}
		var done [100]atomic.Int32
		var at [8]sync.Mutex
		var workers atomic.Int32
		Each(WithSlots(context.Background(), slots), len(done), func(worker, i int) {
			if !at[worker].TryLock() {
				t.Errorf("worker %d makes two calls at once", worker)
				return
			}
			defer at[worker].Unlock()
			workers.Store(max(workers.Load(), int32(worker)+1))
			done[i].Add(1)
			runtime.Gosched()
		})
		for i := range done {
			if n := done[i].Load(); n != 1 {
				t.Errorf("%+v: part %d is done %d times", c, i, n)
			}
		}
		if n := int(workers.Load()); n > c.most || len(slots) != c.held {
			t.Errorf("%+v: %d workers, %d slots held at the end", c, n, len(slots))
		}
	}
}

// TestEachPanics: a panic reaches the caller from any worker, and frees the slots.
func TestEachPanics(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	for from := range 2 {
		slots := make(Slots, 4)
		slots <- struct{}{}
		var both sync.WaitGroup
		both.Add(2)
		func() {
			defer func() {
				if v := recover(); v != "no" {
					t.Errorf("recovered %v", v)
				}
			}()
			Each(WithSlots(context.Background(), slots), 2, func(worker, _ int) {
				both.Done()
				both.Wait() // each worker has a part
				if (worker == 0) == (from == 0) {
					panic("no")
				}
			})
		}()
		if len(slots) != 1 {
			t.Errorf("%d slots held at the end", len(slots))
		}
	}
}
