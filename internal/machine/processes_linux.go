package machine

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
)

// Descendants lists the descendants of root, without root. A process whose parent
// changes during the call may be missing; call it again if you need all.
func Descendants(root int) []Process {
	stats, _ := filepath.Glob("/proc/[0-9]*/stat") // no error: the pattern is sound
	children := map[int][]Process{}
	for _, path := range stats {
		if line, err := os.ReadFile(path); err == nil { // error: the process has ended
			if p, parent, ok := parse(line); ok {
				children[parent] = append(children[parent], p)
			}
		}
	}
	below := children[root]
	for i := 0; i < len(below); i++ {
		below = append(below, children[below[i].PID]...)
		delete(children, below[i].PID) // reused process ids may form a cycle
	}
	return below
}

// parse reads /proc/PID/stat. State, parent and others follow the name, which may
// contain anything; the 22nd is the resident set in pages (proc_pid_stat(5)).
func parse(line []byte) (p Process, parent int, ok bool) {
	const ppid, rss = 1, 21
	number, _, _ := bytes.Cut(line, []byte(" "))
	fields := bytes.Fields(line[bytes.LastIndexByte(line, ')')+1:])
	if len(fields) <= rss {
		return p, 0, false
	}
	pid, err := strconv.Atoi(string(number))
	parent, other := strconv.Atoi(string(fields[ppid]))
	pages, _ := strconv.ParseInt(string(fields[rss]), 10, 64)
	return Process{PID: pid, Resident: pages * int64(os.Getpagesize())}, parent, err == nil && other == nil
}
