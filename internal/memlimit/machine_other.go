//go:build !linux

package memlimit

// Machine returns 0: the memory available to this process is unknown on this system.
func Machine() int64 { return 0 }
