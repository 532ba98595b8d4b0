//go:build !unix

package files

// This system has neither flag.
const (
	noWait   = 0
	noFollow = 0
)
