//go:build !unix

package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
)

// columns is the width that terminals have at least.
func columns(io.Writer) int { return 80 }

// writable checks that cells can be stored before anything is computed.
func writable(dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return fmt.Errorf("the results directory cannot be made: %w; name another with --results", err)
	}
	f, err := os.CreateTemp(dir, ".writable-*")
	if err != nil {
		return fmt.Errorf("the results directory cannot be written to: %w; name another with --results", err)
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}
