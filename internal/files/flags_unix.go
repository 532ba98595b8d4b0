//go:build unix

package files

import "syscall"

// Flags for opening a file: do not block on a pipe; refuse a symbolic link.
const (
	noWait   = syscall.O_NONBLOCK
	noFollow = syscall.O_NOFOLLOW
)
