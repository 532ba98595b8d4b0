package cli

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"r2lmlbench/internal/fixture"
)

// tmpfs mounts a file system of that many KiB.
func tmpfs(t *testing.T, kib int) string {
	t.Helper()
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, fmt.Sprintf("size=%dk", kib)); err != nil {
		t.Skipf("a small file system cannot be mounted (%v): run this test as root", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, 0); err != nil {
			t.Errorf("unmount %s: %v", dir, err)
		}
	})
	return dir
}

// remount makes a mounted file system read-only, or writable again.
func remount(t *testing.T, dir string, flags uintptr) {
	t.Helper()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", syscall.MS_REMOUNT|flags, ""); err != nil {
		t.Fatal(err)
	}
}

// fill takes all of a file system but so many bytes, and returns the file that
// does.
func fill(t *testing.T, dir string, leave int64) string {
	t.Helper()
	path := filepath.Join(dir, "filler")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	block := make([]byte, 4096)
	for err == nil {
		_, err = f.Write(block)
	}
	if !errors.Is(err, syscall.ENOSPC) {
		t.Fatal(err)
	}
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Truncate(info.Size() - leave); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestFullDisk: on a full disk a run ends with exit code 6, the file that could
// not be written and what to do; what was stored stays, and once there is space
// the run goes on. How much is left decides which file it is that fails: a
// lock, a journal, a sidecar, a cell.
func TestFullDisk(t *testing.T) {
	fixture.Long(t)
	dir := t.TempDir()
	spec := writeFile(t, dir, "chaotic.yaml", chaotic)
	whole := filepath.Join(dir, "whole")
	if code, _, stderr := runProgram(t, "run", spec, "--results", whole); code != 0 {
		t.Fatal(stderr)
	}
	want := cellFiles(t, whole)
	left := []int64{0, 1, 2, 4, 7, 11}
	if testing.Short() {
		left = []int64{0, 7}
	}
	for _, pages := range left {
		t.Run(fmt.Sprint(pages, " pages left"), func(t *testing.T) {
			disk := tmpfs(t, 1024)
			filler, results := fill(t, disk, pages*4096), filepath.Join(disk, "results")
			code, _, stderr := runProgram(t, "run", spec, "--results", results, "--workers", "2")
			if code != 6 {
				t.Errorf("exit code %d, want 6\n%s", code, stderr)
			}
			says(t, stderr, "some cells failed: results: cannot ", results+"/cells/",
				"no space left on device; free some space or choose another directory with --results",
				"what is finished is kept, and the same command goes on from there")
			_, failing, _ := strings.Cut(stderr, "cannot ")
			failing, _, _ = strings.Cut(failing, ": ")
			kept := storeProgress(t, results)
			t.Logf("cannot %s; %d cells and lines of journals are kept", failing, len(kept))
			for name, data := range cellFiles(t, results) {
				if data != want[name] {
					t.Errorf("%s is on the full disk, but not whole:\n%.200s", name, data)
				}
			}
			if err := os.Remove(filler); err != nil {
				t.Fatal(err)
			}
			if code, _, stderr := runProgram(t, "run", spec, "--results", results); code != 0 {
				t.Errorf("with space again: exit code %d\n%s", code, stderr)
			}
			if gone := kept.lost(storeProgress(t, results)); len(gone) > 0 {
				t.Errorf("lost: %q", gone)
			}
			mismatches(t, cellFiles(t, results), want)
			if left := leftovers(t, results); len(left) > 0 {
				t.Errorf("left behind: %q", left)
			}
		})
	}
}

// storedSmall runs the small spec into dir and returns its cells and table.
func storedSmall(t *testing.T, dir string) (spec string, cells map[string]string, table string) {
	t.Helper()
	spec = writeFile(t, t.TempDir(), "small.yaml", small)
	code, table, stderr := runProgram(t, "run", spec, "--results", dir)
	if code != 0 {
		t.Fatal(stderr)
	}
	return spec, cellFiles(t, dir), table
}

// euclideanCell is the path of a cell of the small spec.
func euclideanCell(t *testing.T, dir string, cells map[string]string) string {
	t.Helper()
	for _, name := range slices.Sorted(maps.Keys(cells)) {
		if strings.Contains(name, "euclidean") {
			return filepath.Join(dir, name)
		}
	}
	t.Fatal("no such cell")
	return ""
}

// TestReadOnlyDisk: what is stored can be read; a run that has something to
// store says so before it computes; a damaged file is named and left as it is.
func TestReadOnlyDisk(t *testing.T) {
	fixture.Long(t)
	disk := tmpfs(t, 4096)
	results := filepath.Join(disk, "results")
	spec, want, table := storedSmall(t, results)
	remount(t, disk, syscall.MS_RDONLY)
	for _, verb := range []string{"run", "table"} {
		if code, stdout, stderr := runProgram(t, verb, spec, "--results", results); code != 0 || stdout != table {
			t.Errorf("%s of a whole store: exit code %d\n%s%s", verb, code, stdout, stderr)
		}
	}
	remount(t, disk, 0)
	cell := euclideanCell(t, results, want)
	damaged := []byte("damaged")
	if err := os.WriteFile(cell, damaged, 0o666); err != nil {
		t.Fatal(err)
	}
	remount(t, disk, syscall.MS_RDONLY)
	code, _, stderr := runProgram(t, "run", spec, "--results", results)
	if code != 6 {
		t.Errorf("exit code %d, want 6\n%s", code, stderr)
	}
	says(t, stderr, cell+" is damaged", "cannot be moved away", "some cells failed: results: cannot ", results+"/cells/", "read-only file system", "--results")
	if code, stdout, _ := runProgram(t, "table", spec, "--results", results); code != 0 || !strings.Contains(stdout, "1 are missing") {
		t.Errorf("table: exit code %d\n%s", code, stdout)
	}
	if b, err := os.ReadFile(cell); err != nil || string(b) != string(damaged) {
		t.Errorf("the damaged file holds %q, %v", b, err)
	}
	remount(t, disk, 0)
	if code, stdout, stderr := runProgram(t, "run", spec, "--results", results); code != 0 || stdout != table {
		t.Errorf("writable again: exit code %d\n%s", code, stderr)
	}
	mismatches(t, cellFiles(t, results), want)
	if b, err := os.ReadFile(cell + ".corrupt-1"); err != nil || string(b) != string(damaged) {
		t.Errorf("set aside: %q, %v", b, err)
	}
}

// TestNoPermission: a directory or file that the user may not write or read is
// named before anything is computed, and nothing is done to it.
func TestNoPermission(t *testing.T) {
	fixture.Long(t)
	base := t.TempDir()
	results := filepath.Join(base, "results")
	spec, want, _ := storedSmall(t, results)
	ordinary := func(args ...string) (int, string) {
		p := program(t, args...)
		if os.Geteuid() == 0 { // who may do everything
			p.Env = append(p.Env, asUser+"=65534")
			for _, dir := range []string{base, filepath.Dir(base), filepath.Dir(spec), filepath.Dir(filepath.Dir(spec))} {
				if err := os.Chmod(dir, 0o755); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := p.Start(); err != nil {
			t.Fatal(err)
		}
		code := p.code(t)
		return code, p.stderr.String()
	}
	cell := euclideanCell(t, results, want)
	if err := os.Chmod(cell, 0); err != nil {
		t.Fatal(err)
	}
	code, stderr := ordinary("run", spec, "--results", results)
	if code != 6 {
		t.Errorf("unreadable cell: exit code %d\n%s", code, stderr)
	}
	says(t, stderr, "cannot read "+cell+": permission denied; allow access to it or choose another directory with --results")
	if err := os.Chmod(cell, 0o644); err != nil {
		t.Fatal(err)
	}
	mismatches(t, cellFiles(t, results), want)
	closed := filepath.Join(base, "closed")
	if err := os.Mkdir(closed, 0o555); err != nil {
		t.Fatal(err)
	}
	code, stderr = ordinary("run", spec, "--results", closed)
	if code != 6 {
		t.Errorf("read-only directory: exit code %d\n%s", code, stderr)
	}
	says(t, stderr, closed+"/cells", "permission denied", "--results")
}
