//go:build !unix

package cli

import (
	"errors"
	"os"
)

func becomeOrdinary() {}

func suspend(*os.Process) error { return errors.ErrUnsupported }

func peakMemory(*os.ProcessState) float64 { return 0 }
