//go:build !unix

package console

import "io"

// columns is the width that terminals have at least.
func columns(io.Writer) int { return 80 }
