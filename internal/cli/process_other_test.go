//go:build !unix

package cli

import (
	"errors"
	"os"
)

func becomeOrdinary() {}

func suspend(*os.Process) error { return errors.ErrUnsupported }
