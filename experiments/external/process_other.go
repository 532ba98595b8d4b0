//go:build !unix

package external

import (
	"os/exec"
)

// How files are opened, see openRegular.
const (
	withoutWaiting   = 0
	withoutFollowing = 0
)

// ownGroup does nothing where there are no process groups.
func ownGroup(*exec.Cmd) {}

// endGroup kills a command, but not what it has started.
func endGroup(cmd *exec.Cmd) { cmd.Process.Kill() }
