package machine

import (
	"path/filepath"
	"testing"

	"r2lmlbench/internal/fixture"
)

// The least of the memory of the machine and the limits of the group and those around it
// counts, in both versions of control groups.
func TestMachine(t *testing.T) {
	const kib = 1 << 10
	for _, c := range []struct {
		name, group string
		limits      map[string]string
		want        int64
	}{
		{"no groups", "", nil, 1000 * kib},
		{"no limit", "0::/a/b\n", map[string]string{"a/b/memory.max": "max\n"}, 1000 * kib},
		{"own limit", "0::/a/b\n", map[string]string{"a/b/memory.max": "5000\n", "a/memory.max": "6000\n"}, 5000},
		{"limit around", "0::/a/b\n", map[string]string{"a/b/memory.max": "5000\n", "a/memory.max": "4000\n"}, 4000},
		{"container", "0::/outside\n", map[string]string{"memory.max": "3000\n"}, 3000},
		{"version 1", "3:cpu:/c\n4:memory:/m\n", map[string]string{"memory/m/memory.limit_in_bytes": "2000\n"}, 2000},
		{"version 1, none", "4:memory:/m\n", map[string]string{"memory/m/memory.limit_in_bytes": "9223372036854771712\n"}, 1000 * kib},
	} {
		t.Run(c.name, func(t *testing.T) {
			proc, groups := t.TempDir(), t.TempDir()
			fixture.Write(t, filepath.Join(proc, "self", "cgroup"), c.group)
			for file, limit := range c.limits {
				fixture.Write(t, filepath.Join(groups, file), limit)
			}
			fixture.Equal(t, "bytes", machine(1000*kib, proc, groups), c.want)
		})
	}
	fixture.Equal(t, "bytes without files", machine(0, t.TempDir(), t.TempDir()), 0)
	if Memory() <= 0 {
		t.Error("this machine has no memory")
	}
}
