//go:build !unix

package external

import (
	"os/exec"
)

// ownGroup does nothing where there are no process groups.
func ownGroup(*exec.Cmd) {}

// endGroup kills a command, but not what it has started.
func endGroup(cmd *exec.Cmd) { cmd.Process.Kill() }
