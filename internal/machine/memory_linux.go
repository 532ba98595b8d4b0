package machine

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// Memory returns the bytes of memory available to this process: those of the machine, or the limit
// of its control group if lower; 0 if unknown.
func Memory() int64 {
	var info syscall.Sysinfo_t
	syscall.Sysinfo(&info) // 0 after an error
	return machine(int64(info.Totalram)*int64(info.Unit), "/proc", "/sys/fs/cgroup")
}

// machine returns the minimum of least and the limits in the files of two directories.
func machine(least int64, proc, groups string) int64 {
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
		// The limits of the parent groups apply too. In a container the path may be the one
		// outside the container, of which only the root exists.
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

// limitIn reads a limit, 0 without one.
func limitIn(path string) int64 {
	b, _ := os.ReadFile(path)
	limit, _ := strconv.ParseInt(strings.TrimSpace(string(b)), 10, 64) // "max": no limit, parsed as 0
	return limit
}
