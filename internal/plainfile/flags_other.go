//go:build !unix

package plainfile

// Flags of opening a file: there are none for this.
const (
	noWait   = 0
	noFollow = 0
)
