//go:build unix

package external

import (
	"errors"
	"fmt"
	"os/exec"
	"syscall"
)

// ownGroup makes a command the leader of a new process group.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// endGroup kills the process group of a command.
func endGroup(cmd *exec.Cmd) { syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }

// A death is the end of a program by a signal, formatted as package exec does.
type death struct {
	signal syscall.Signal
	dumped bool
}

// Error implements error.
func (d death) Error() string {
	if d.dumped {
		return fmt.Sprintf("signal: %v (core dumped)", d.signal)
	}
	return fmt.Sprintf("signal: %v", d.signal)
}

// endedByLimit reports whether a signal of a system limit ended the program: on memory, CPU time or
// file size. Limits of the spec end a program through its context instead.
func endedByLimit(err error) bool {
	signal := syscall.Signal(0)
	if d, ok := errors.AsType[death](err); ok {
		signal = d.signal
	} else if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		signal = exit.Sys().(syscall.WaitStatus).Signal()
	}
	return signal == syscall.SIGKILL || signal == syscall.SIGXCPU || signal == syscall.SIGXFSZ
}
