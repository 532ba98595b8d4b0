//go:build unix

package machine

import (
	"syscall"
	"time"
)

// CPUSeconds is the CPU time that this process has used.
func CPUSeconds() float64 {
	var used syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &used) // of oneself it cannot fail
	return time.Duration(used.Utime.Nano() + used.Stime.Nano()).Seconds()
}
