package experiments

import (
	"runtime"
	"sync"
)

// A gauge follows the heap while cells are computed. Cells in one process share
// it, so only a cell that no other one overlaps has a figure of its own.
type gauge struct {
	mu      sync.Mutex
	begun   int // cells so far
	running int
	base    uint64 // bytes that the last cell found that was alone when it began
	largest uint64 // bytes since then
	stop    func() // ends the glances
}

// begin starts to follow a cell. The function it returns ends that and gives by
// how much the heap grew at most, garbage that awaits its collection included; 0
// when other cells were computed at the same time.
func (g *gauge) begin() (end func() int64) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.begun++
	g.running++
	number, alone := g.begun, g.running == 1
	if alone {
		runtime.GC() // what the cells before left
		g.base = heapBytes()
		g.largest = g.base
		g.stop = glancing(g.look)
	}
	return func() int64 {
		g.look()
		g.mu.Lock()
		defer g.mu.Unlock()
		g.running--
		if g.running == 0 {
			g.stop()
		}
		if !alone || g.begun != number {
			return 0
		}
		return max(1, int64(g.largest-g.base))
	}
}

func (g *gauge) look() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.largest = max(g.largest, heapBytes())
}
