//go:build unix

package files

import "syscall"

// Flags of opening a file: do not wait for a pipe, do not follow a link.
const (
	noWait   = syscall.O_NONBLOCK
	noFollow = syscall.O_NOFOLLOW
)
