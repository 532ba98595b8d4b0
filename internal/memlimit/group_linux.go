package memlimit

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
)

// GroupMemory is the resident memory, in bytes, of all processes of a process
// group. Pages that several share count for each of them.
func GroupMemory(group int) int64 {
	stats, _ := filepath.Glob("/proc/[0-9]*/stat") // no error: the pattern is sound
	var pages int64
	for _, path := range stats {
		if line, err := os.ReadFile(path); err == nil { // or else the process is gone
			pages += groupPages(line, group)
		}
	}
	return pages * int64(os.Getpagesize())
}

// groupPages reads /proc/PID/stat: the resident pages of a process of the
// group, 0 of others. Behind the name, which may hold anything, stand state,
// parent, group and others; the 22nd is the resident set (proc_pid_stat(5)).
func groupPages(line []byte, group int) int64 {
	const pgrp, rss = 2, 21
	fields := bytes.Fields(line[bytes.LastIndexByte(line, ')')+1:])
	if len(fields) <= rss || string(fields[pgrp]) != strconv.Itoa(group) {
		return 0
	}
	pages, _ := strconv.ParseInt(string(fields[rss]), 10, 64)
	return pages
}
