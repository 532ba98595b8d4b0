//go:build unix

package machine

import (
	"syscall"
	"time"
)

// CPUSeconds returns the CPU time of this process, in seconds.
func CPUSeconds() float64 {
	var used syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &used) // cannot fail for RUSAGE_SELF
	return time.Duration(used.Utime.Nano() + used.Stime.Nano()).Seconds()
}
