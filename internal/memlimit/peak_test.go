package memlimit

import (
	"runtime"
	"testing"
	"time"
)

const ballast = 64 << 20

func hold(size int) {
	b := make([]byte, size)
	time.Sleep(3 * interval)
	runtime.KeepAlive(b)
}

func TestPeakMeter(t *testing.T) {
	var m PeakMeter
	hold(ballast) // garbage of somebody else
	end := m.Begin()
	hold(ballast / 4)
	if heap := end(); heap < ballast/4 || heap >= ballast/2 {
		t.Errorf("a task that holds %d bytes is said to need %d", ballast/4, heap)
	}
	first := m.Begin()
	second := m.Begin()
	if heap := first(); heap != 0 {
		t.Errorf("a task that another began beside: %d bytes, want unknown", heap)
	}
	third := m.Begin()
	if a, b := second(), third(); a != 0 || b != 0 {
		t.Errorf("tasks that began beside others: %d and %d bytes, want unknown", a, b)
	}
	end = m.Begin()
	if heap := end(); heap <= 0 || heap >= ballast {
		t.Errorf("a task after these: %d bytes", heap)
	}
}
