package machine

// A Process is a running descendant.
type Process struct {
	PID      int
	Resident int64 // resident memory in bytes; shared pages count in every process
}

// MemoryBelow returns the sum of the resident memory of all descendants of a process, in bytes.
func MemoryBelow(root int) int64 {
	var bytes int64
	for _, p := range Descendants(root) {
		bytes += p.Resident
	}
	return bytes
}
