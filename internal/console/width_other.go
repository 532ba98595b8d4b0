//go:build !unix

package console

import "io"

// size returns the default size of terminals, in characters.
func size(io.Writer) (columns, rows int) { return 80, 24 }
