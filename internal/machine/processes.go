package machine

// A Process is a running descendant.
type Process struct {
	PID      int
	Resident int64 // bytes of memory; pages that several processes share count for each
}

// MemoryBelow is the resident memory of the descendants of a process, in bytes.
func MemoryBelow(root int) int64 {
	var bytes int64
	for _, p := range Descendants(root) {
		bytes += p.Resident
	}
	return bytes
}
