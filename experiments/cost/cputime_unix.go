//go:build unix

package cost

import (
	"syscall"
	"time"
)

// cpuSeconds is the CPU time that this process has used.
func cpuSeconds() float64 {
	var used syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &used) // of oneself it cannot fail
	return time.Duration(used.Utime.Nano() + used.Stime.Nano()).Seconds()
}
