//go:build !linux

package machine

// Descendants returns nil: this system does not list descendants.
func Descendants(int) []Process { return nil }
