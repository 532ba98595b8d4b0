package memlimit

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Machine returns the bytes of memory that this process can have: those of the machine, or
// fewer where a control group has a limit; 0 if nobody knows.
func Machine() int64 { return machine("/proc", "/sys/fs/cgroup") }

// machine is Machine by the files in two directories.
func machine(proc, groups string) int64 {
	least := totalMemory(filepath.Join(proc, "meminfo"))
	paths, _ := os.ReadFile(filepath.Join(proc, "self", "cgroup"))
	for line := range strings.Lines(string(paths)) {
		// hierarchy:controllers:path; version 2 has the hierarchy 0 and no controllers.
		fields := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(fields) < 3 {
			continue
		}
		root, file := groups, "memory.max"
		if fields[1] != "" {
			root, file = filepath.Join(groups, "memory"), "memory.limit_in_bytes"
		}
		if fields[1] != "" && !strings.Contains(","+fields[1]+",", ",memory,") {
			continue
		}
		// A group has the limits of those around it. In a container the path may be that
		// outside of it, of which only the root is there.
		for dir := filepath.Join("/", fields[2]); ; dir = filepath.Dir(dir) {
			if limit := limitIn(filepath.Join(root, dir, file)); limit > 0 && (least == 0 || limit < least) {
				least = limit
			}
			if dir == "/" {
				break
			}
		}
	}
	return least
}

// totalMemory reads MemTotal, 0 if it is not there.
func totalMemory(path string) int64 {
	b, _ := os.ReadFile(path)
	for line := range strings.Lines(string(b)) {
		if rest, ok := strings.CutPrefix(line, "MemTotal:"); ok {
			kib, _ := strconv.ParseInt(strings.Trim(rest, " \tkB\n"), 10, 64)
			return kib << 10
		}
	}
	return 0
}

// limitIn reads a limit, 0 without one.
func limitIn(path string) int64 {
	b, _ := os.ReadFile(path)
	limit, _ := strconv.ParseInt(strings.TrimSpace(string(b)), 10, 64) // "max" is none
	return limit
}
