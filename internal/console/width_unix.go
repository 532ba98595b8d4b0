//go:build unix

package console

import (
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// size returns the width and height of the terminal w in characters, 80 by 24 if unknown.
func size(w io.Writer) (columns, rows int) {
	if f, ok := w.(*os.File); ok {
		if size, err := unix.IoctlGetWinsize(int(f.Fd()), unix.TIOCGWINSZ); err == nil && size.Col > 0 && size.Row > 0 {
			return int(size.Col), int(size.Row)
		}
	}
	return 80, 24
}
