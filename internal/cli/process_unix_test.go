//go:build unix

package cli

import (
	"os"
	"strconv"
	"syscall"
)

// asUser is the number of the user that the program gives up its rights for.
const asUser = "R2LMLBENCH_TEST_AS_USER"

// becomeOrdinary gives up the rights of root, for which no file is read-only.
func becomeOrdinary() {
	if id, err := strconv.Atoi(os.Getenv(asUser)); err == nil {
		if err := syscall.Setuid(id); err != nil {
			panic(err)
		}
	}
}
