//go:build !unix

package console

import "io"

// columns returns the usual least width of terminals.
func columns(io.Writer) int { return 80 }
