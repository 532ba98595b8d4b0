//go:build unix

package cli

import (
	"fmt"
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// columns is the width of the terminal w, 80 where it does not tell.
func columns(w io.Writer) int {
	if f, ok := w.(*os.File); ok {
		if size, err := unix.IoctlGetWinsize(int(f.Fd()), unix.TIOCGWINSZ); err == nil && size.Col > 0 {
			return int(size.Col)
		}
	}
	return 80
}

// writable checks that cells can be stored before anything is computed. It
// leaves nothing behind, however it ends.
func writable(dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return fmt.Errorf("the results directory cannot be made: %w; name another with --results", err)
	}
	if err := unix.Access(dir, unix.W_OK|unix.X_OK); err != nil {
		return fmt.Errorf("the results directory %s cannot be written to: %w; allow it, or name another with --results", dir, err)
	}
	return nil
}
