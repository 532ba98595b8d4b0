//go:build !linux

package external

import "os/exec"

// start starts a command. Systems other than Linux do not tell who has started a
// process whose parent has ended, so children that leave the process group of the
// command outlive it.
func start(cmd *exec.Cmd) (wait func() error, err error) { return startGroup(cmd) }
