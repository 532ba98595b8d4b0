//go:build !unix

package files

// Flags of opening a file: there are none for this.
const (
	noWait   = 0
	noFollow = 0
)
