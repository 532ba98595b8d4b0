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
	"time"

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

// TestGateOnAFullDisk: cells that could not be stored are no verdict of the gate.
func TestGateOnAFullDisk(t *testing.T) {
	fixture.Long(t)
	disk := tmpfs(t, 256)
	fill(t, disk, 0)
	spec := writeFile(t, t.TempDir(), "small.yaml", small)
	code, stdout, stderr := runProgram(t, "gate", spec, "--fresh", "--results", filepath.Join(disk, "results"), "--accepted", t.TempDir())
	if code != exitIO || stdout != "" {
		t.Errorf("exit code %d, want %d\n%s%s", code, exitIO, stdout, stderr)
	}
	says(t, stderr, "no space left on device; free some space or choose another directory with --results")
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
	says(t, stderr, cell+" is damaged", "cannot be moved away",
		"the results directory "+results+" cannot be written to: read-only file system; allow it, or name another with --results")
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
	says(t, stderr, "the results directory "+closed+" cannot be written to: permission denied")
}

// TestForeignFiles: other things under the names of cells, of whole directories
// and in the way of locks. Nothing is waited for, and nothing is lost.
func TestForeignFiles(t *testing.T) {
	fixture.Long(t)
	for _, c := range []struct {
		name string
		make func(path string) error
	}{
		{"truncated", func(path string) error { return os.WriteFile(path, []byte(`{"schema":1,"inputs":{"dat`), 0o666) }},
		{"empty", func(path string) error { return os.WriteFile(path, nil, 0o666) }},
		{"directory", func(path string) error { return os.MkdirAll(filepath.Join(path, "with", "content"), 0o777) }},
		{"pipe", func(path string) error { return syscall.Mkfifo(path, 0o666) }},
		{"circle of links", func(path string) error { return os.Symlink(path, path) }},
		{"huge sparse file", func(path string) error {
			return errors.Join(os.WriteFile(path, nil, 0o666), os.Truncate(path, 1<<40))
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			results := filepath.Join(t.TempDir(), "results")
			spec, want, table := storedSmall(t, results)
			for name := range want {
				stem := strings.TrimSuffix(filepath.Join(results, name), ".json")
				for _, path := range []string{stem + ".json", stem + ".run.json", stem + ".journal"} {
					if err := os.RemoveAll(path); err != nil {
						t.Fatal(err)
					}
					if err := c.make(path); err != nil {
						t.Fatal(err)
					}
				}
			}
			code, stdout, stderr := runProgram(t, "run", spec, "--results", results)
			if code != 0 || stdout != table {
				t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
			}
			mismatches(t, cellFiles(t, results), want)
			for name := range want {
				path := filepath.Join(results, name)
				says(t, stderr, path+" ")
				if _, err := os.Lstat(path + ".corrupt-1"); err != nil {
					t.Errorf("not kept: %v", err)
				}
			}
		})
	}
}

// TestForeignPlaces: where nothing can be moved out of the way, the message
// names it.
func TestForeignPlaces(t *testing.T) {
	results := filepath.Join(t.TempDir(), "results")
	spec, want, table := storedSmall(t, results)
	cell := euclideanCell(t, results, want)
	lock, folder := strings.TrimSuffix(cell, ".json")+".lock", filepath.Dir(cell)
	if err := errors.Join(os.Rename(cell, cell+".away"), syscall.Mkfifo(lock, 0o666)); err != nil {
		t.Fatal(err)
	}
	code, _, stderr := runProgram(t, "run", spec, "--results", results)
	if code != 5 {
		t.Errorf("a pipe for a lock: exit code %d, want 5\n%s", code, stderr)
	}
	says(t, stderr, "cannot lock "+lock, "a pipe", "move it away")
	if err := errors.Join(os.Remove(lock), os.Rename(folder, folder+".away"), os.Symlink(folder, folder)); err != nil {
		t.Fatal(err)
	}
	code, _, stderr = runProgram(t, "run", spec, "--results", results)
	if code != 6 {
		t.Errorf("a circle of links for a folder: exit code %d, want 6\n%s", code, stderr)
	}
	says(t, stderr, folder, "too many levels of symbolic links", "a link on the way leads in a circle")
	if err := errors.Join(os.Remove(folder), os.Rename(folder+".away", folder), os.Rename(cell+".away", cell)); err != nil {
		t.Fatal(err)
	}
	if code, stdout, stderr := runProgram(t, "run", spec, "--results", results); code != 0 || stdout != table {
		t.Errorf("as it was: exit code %d\n%s", code, stderr)
	}
}

// TestClockGoesBack: files from the future, or from long ago, are as good as
// any: no decision rests on times.
func TestClockGoesBack(t *testing.T) {
	fixture.Long(t)
	dir := t.TempDir()
	spec, results := writeFile(t, dir, "patient.yaml", patient), filepath.Join(dir, "results")
	p := program(t, "run", spec, "--results", results, "--workers", "1")
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	waitUntil(t, "a grid point in the journal", func() bool { return len(storeProgress(t, results)) > 1 })
	if err := p.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	p.Wait()
	setTimes := func(year int) {
		when := time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC)
		for name := range storedFiles(t, results, "") {
			if err := os.Chtimes(filepath.Join(results, name), when, when); err != nil {
				t.Fatal(err)
			}
		}
	}
	setTimes(2200)
	code, table, stderr := runProgram(t, "run", spec, "--results", results, "--log", "json")
	resumed := 0
	for _, e := range events(t, stderr, false) {
		resumed += e.Resumed
	}
	if code != 0 || resumed == 0 {
		t.Errorf("exit code %d, %d grid points resumed from a journal of the future\n%s", code, resumed, stderr)
	}
	for _, year := range []int{2200, 1971} {
		setTimes(year)
		code, again, stderr := runProgram(t, "run", spec, "--results", results)
		if code != 0 || again != table {
			t.Errorf("exit code %d\n%s", code, stderr)
		}
		says(t, stderr, "1 stored", "0 to compute")
	}
}
