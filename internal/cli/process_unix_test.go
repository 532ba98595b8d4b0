//go:build unix

package cli

import (
	"os"
	"runtime"
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

// suspend stops a process where it is; it can still be killed.
func suspend(p *os.Process) error { return p.Signal(syscall.SIGSTOP) }

// peakMemory is the largest resident memory of a process that has ended, in bytes,
// 0 when the system counts it in other units than kilobytes.
func peakMemory(p *os.ProcessState) float64 {
	usage, ok := p.SysUsage().(*syscall.Rusage)
	if !ok || runtime.GOOS != "linux" {
		return 0
	}
	return 1024 * float64(usage.Maxrss)
}
