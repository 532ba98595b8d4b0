//go:build !unix

package machine

import "time"

// CPUSeconds returns the seconds since the program started: this system does not report CPU time.
func CPUSeconds() float64 { return time.Since(launched).Seconds() }

var launched = time.Now()
