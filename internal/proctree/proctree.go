// Package proctree tells which processes a process has started, directly or by
// others. It is known on Linux only, from /proc.
package proctree

// A Process is one at work.
type Process struct {
	PID      int
	Resident int64 // bytes of memory; pages that several processes share count for each
}

// Memory is the resident memory of the descendants of a process, in bytes.
func Memory(root int) int64 {
	var bytes int64
	for _, p := range Descendants(root) {
		bytes += p.Resident
	}
	return bytes
}
