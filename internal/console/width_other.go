//go:build !unix

package console

import "io"

// size returns the usual least width and height of terminals.
func size(io.Writer) (columns, rows int) { return 80, 24 }
