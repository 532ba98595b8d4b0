//go:build unix

package store

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"r2lmlbench/internal/atomicfile"
	"r2lmlbench/results"
	"r2lmlbench/results/resultstest"
)

// TestUmask: who may read and write the files of a store is what the umask says.
func TestUmask(t *testing.T) {
	for umask, want := range map[int]fs.FileMode{0o077: 0o600, 0o002: 0o664} {
		before := syscall.Umask(umask)
		defer syscall.Umask(before)
		s, _ := testStore(t)
		in := resultstest.GridInputs()
		writeJournal(t, s, in)
		put(t, s, resultstest.GridCell())
		accept(t, s, "smoke", resultstest.NewCell("robot", "itml", 5, 9, 1))
		writeTo(t, s.Path(in), "damaged")
		expect(t, s, in, false)
		release, err := s.Lock(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		defer release()
		if err := os.Remove(s.Path(in) + ".corrupt-1"); err != nil { // was made by the test
			t.Fatal(err)
		}
		checked := 0
		err = filepath.WalkDir(s.Dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			info, err := d.Info()
			if err == nil && info.Mode().Perm() != want {
				t.Errorf("umask %03o: %s has %v, want %v", umask, path, info.Mode(), want)
			}
			checked++
			return err
		})
		if err != nil || checked < 6 { // journal, run, lock, pack, list, history
			t.Errorf("%d files, %v", checked, err)
		}
		syscall.Umask(before)
	}
}

// TestMovedFolder: a run whose folder is moved away says so, as a failure of the file
// system, and does not begin another folder in its place.
func TestMovedFolder(t *testing.T) {
	s, _ := testStore(t)
	run := s.ForRun()
	c := resultstest.GridCell()
	if _, err := run.Lock(t.Context(), c.Inputs); err != nil {
		t.Fatal(err)
	}
	folder := filepath.Dir(s.Path(c.Inputs))
	for name, dir := range map[string]string{"the folder of the data set": folder, "the results": s.Dir} {
		if err := os.Rename(dir, dir+"-moved"); err != nil {
			t.Fatal(err)
		}
		_, _, lockErr := run.TryLock(c.Inputs)
		for what, err := range map[string]error{"Put": run.Put(c, results.Run{}), "TryLock": lockErr} {
			if !errors.Is(err, atomicfile.ErrIO) || !strings.Contains(err.Error(), folder) || !strings.Contains(err.Error(), "put it back") {
				t.Errorf("%s after %s was moved: %v", what, name, err)
			}
		}
		if !isNothing(dir) {
			t.Errorf("%s was made anew", dir)
		}
		if err := os.Rename(dir+"-moved", dir); err != nil {
			t.Fatal(err)
		}
		if err := run.Put(c, results.Run{}); err != nil {
			t.Errorf("after %s was put back: %v", name, err)
		}
	}
}

// TestLockFilesGo: no lock file stays, and a lock counts while its file has its name.
func TestLockFilesGo(t *testing.T) {
	s, _ := testStore(t)
	in := resultstest.GridInputs()
	release, err := s.Lock(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	path := strings.TrimSuffix(s.Path(in), cellSuffix) + lockSuffix
	if err := os.Remove(path); err != nil { // as a process does that releases it
		t.Fatal(err)
	}
	other, ok, err := s.TryLock(in)
	if !ok || err != nil {
		t.Fatal(ok, err)
	}
	release() // which is no longer the lock of the cell
	if _, ok, err := s.TryLock(in); ok || err != nil {
		t.Errorf("a lock that is held was taken: %v", err)
	}
	other()
	if !isNothing(path) {
		t.Error("the lock file stays")
	}
}

// TestFaultsOfTheFileSystem: a full or broken disk is an ErrIO, whatever was done.
func TestFaultsOfTheFileSystem(t *testing.T) {
	for _, errno := range []syscall.Errno{syscall.EIO, syscall.ENOSPC, syscall.EDQUOT, syscall.EROFS, syscall.EACCES} {
		err := pathError("write", "runs/x.json", &os.PathError{Op: "write", Path: "other", Err: errno})
		if !errors.Is(err, atomicfile.ErrIO) || !errors.Is(err, errno) || !strings.Contains(err.Error(), "runs/x.json") {
			t.Errorf("%v: %v", errno, err)
		}
	}
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("needs the device /dev/full of Linux")
	}
	j := Journal{file: full, path: "grid.journal", done: map[place]results.Outcome{}}
	err = j.Add(results.Outcome{Point: 1})
	if !errors.Is(err, syscall.ENOSPC) || !errors.Is(err, atomicfile.ErrIO) || !strings.Contains(err.Error(), "grid.journal") {
		t.Errorf("error %v", err)
	}
	if len(j.Done("")) > 0 || j.Close() != nil {
		t.Errorf("done %v", j.Done(""))
	}
}
