//go:build !linux

package external

import "os/exec"

// start starts a command. Other systems than Linux do not record the ancestor of an
// orphan, so children that leave the process group of the command outlive it.
func start(cmd *exec.Cmd) (wait func() error, err error) { return startGroup(cmd) }
