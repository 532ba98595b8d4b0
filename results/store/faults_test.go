//go:build unix

package store

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"r2lmlbench/internal/atomicfile"
	"r2lmlbench/internal/fixture"
	"r2lmlbench/results"
	"r2lmlbench/results/resultstest"
)

// TestMovedFolder: a run whose folder is moved away says so, as a failure of the file
// system, and does not begin another folder in its place.
func TestMovedFolder(t *testing.T) {
	s, _ := testStore(t)
	run := s.ForRun()
	c := resultstest.GridCell()
	fixture.Must(run.Lock(t.Context(), c.Inputs))(t)
	folder := filepath.Dir(s.Path(c.Inputs))
	for name, dir := range map[string]string{"the folder of the data set": folder, "the results": s.Dir} {
		fixture.Check(t, os.Rename(dir, dir+"-moved"))
		_, _, lockErr := run.TryLock(c.Inputs)
		for what, err := range map[string]error{"Put": run.Put(c, results.Run{}), "TryLock": lockErr} {
			if !errors.Is(err, atomicfile.ErrIO) || !strings.Contains(err.Error(), folder) || !strings.Contains(err.Error(), "put it back") {
				t.Errorf("%s after %s was moved: %v", what, name, err)
			}
		}
		if !isNothing(dir) {
			t.Errorf("%s was made anew", dir)
		}
		fixture.Check(t, os.Rename(dir+"-moved", dir))
		if err := run.Put(c, results.Run{}); err != nil {
			t.Errorf("after %s was put back: %v", name, err)
		}
	}
}

// TestLockFilesGo: no lock file stays, and a lock counts while its file has its name.
func TestLockFilesGo(t *testing.T) {
	s, _ := testStore(t)
	in := resultstest.GridInputs()
	release := fixture.Must(s.Lock(t.Context(), in))(t)
	path := strings.TrimSuffix(s.Path(in), cellSuffix) + lockSuffix
	fixture.Check(t, os.Remove(path)) // as a process does that releases it
	other := lockNow(t, s, in)
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
