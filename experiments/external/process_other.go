//go:build !unix

package external

import (
	"os/exec"
)

// ownGroup does nothing: this system has no process groups.
func ownGroup(*exec.Cmd) {}

// endGroup kills a command, but not its children.
func endGroup(cmd *exec.Cmd) { cmd.Process.Kill() }

// endedByLimit reports false: this system has no signals.
func endedByLimit(error) bool { return false }
