//go:build !linux

package memlimit

// Machine returns the bytes of memory that this process can have; 0, since nobody knows.
func Machine() int64 { return 0 }
