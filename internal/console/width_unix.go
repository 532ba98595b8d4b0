//go:build unix

package console

import (
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// columns returns the width of the terminal w, 80 if unknown.
func columns(w io.Writer) int {
	if f, ok := w.(*os.File); ok {
		if size, err := unix.IoctlGetWinsize(int(f.Fd()), unix.TIOCGWINSZ); err == nil && size.Col > 0 {
			return int(size.Col)
		}
	}
	return 80
}
