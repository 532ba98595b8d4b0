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

	"r2lmlbench/internal/files"
	"r2lmlbench/internal/fixture"
	"r2lmlbench/results"
)

// foreignMakers make what is no file of the store at a path, by name.
func foreignMakers() map[string]func(path string) error {
	return map[string]func(path string) error{
		"full directory":  func(path string) error { return os.MkdirAll(filepath.Join(path, "full"), 0o777) },
		"circle of links": func(path string) error { return os.Symlink(filepath.Base(path), path) },
		"dangling link":   func(path string) error { return os.Symlink("nowhere", path) },
		"pipe":            func(path string) error { return syscall.Mkfifo(path, 0o666) },
		"huge file": func(path string) error {
			return errors.Join(os.WriteFile(path, []byte("{"), 0o666), os.Truncate(path, 1<<40))
		},
	}
}

// spoil replaces a file by what make creates, and skips the test if make cannot.
func spoil(t *testing.T, path string, make func(path string) error) fs.FileInfo {
	t.Helper()
	fixture.Check(t, errors.Join(os.RemoveAll(path), os.MkdirAll(filepath.Dir(path), 0o777)))
	if err := make(path); err != nil {
		t.Skipf("cannot be made here: %v", err)
	}
	return fixture.Must(os.Lstat(path))(t)
}

// TestForeignThings: whatever else stands where a file of the store belongs is
// kept under another name, and waited for by nobody.
func TestForeignThings(t *testing.T) {
	makers := foreignMakers()
	makers["zeros"] = func(path string) error { return os.WriteFile(path, []byte{0, 0}, 0o666) }
	for name, make := range makers {
		t.Run(name, func(t *testing.T) {
			s, remarks := testStore(t)
			c := fixture.GridCell()
			put(t, s, c)
			stem := strings.TrimSuffix(s.Path(c.Inputs), ".json")
			was := map[string]fs.FileMode{}
			for _, ending := range []string{".json", ".failed.json", ".run.json", ".journal"} {
				was[stem+ending] = spoil(t, stem+ending, make).Mode()
			}
			expect(t, s, c.Inputs, false)
			_, ok, _ := s.Run(c.Inputs)
			fixture.Equal(t, "a run was read", ok, false)
			fixture.Check(t, fixture.Must(s.OpenJournal(c.Inputs))(t).Remove())
			put(t, s, c)
			expect(t, s, c.Inputs, true)
			for path, mode := range was {
				info, err := os.Lstat(path + ".corrupt-1")
				if err != nil || info.Mode() != mode {
					t.Errorf("%s was not kept: %v", path, err)
				}
				fixture.Has(t, "the remarks", strings.Join(*remarks, "\n"), path+" ")
			}
		})
	}
}

// TestLockRefusesWhatIsNoFile: the store does not move a lock away, as another process
// may hold it, and does not wait for a pipe.
func TestLockRefusesWhatIsNoFile(t *testing.T) {
	s := emptyStore(t)
	c := fixture.GridCell()
	put(t, s, c)
	path := strings.TrimSuffix(s.Path(c.Inputs), ".json") + ".lock"
	if err := syscall.Mkfifo(path, 0o666); err != nil {
		t.Skipf("no pipe can be made here: %v", err)
	}
	fixture.Says(t, fixture.Error(s.Lock(t.Context(), c.Inputs)), path, "move it away")
}

// TestForeignPacks: a file, link or pipe with the name of a pack is reported,
// neither followed nor waited for, and kept when the pack is written.
func TestForeignPacks(t *testing.T) {
	c := fixture.NewCell("robot", "itml", 5, 9, 1)
	elsewhere := emptyStore(t)
	accept(t, elsewhere, "smoke", c)
	makers := foreignMakers()
	makers["empty file"] = func(path string) error { return os.WriteFile(path, nil, 0o666) }
	makers["device"] = func(path string) error { return syscall.Mknod(path, syscall.S_IFCHR|0o666, 1<<8|5) } // zeros without end
	for name, make := range makers {
		t.Run(name, func(t *testing.T) {
			s, remarks := testStore(t)
			path := s.packPath(robotITML)
			before := spoil(t, path, make)
			expect(t, s, c.Inputs, false)
			fixture.Equal(t, "there is a nearest cell", there(s.Nearest(c.Inputs))(t), false)
			fixture.Has(t, "the remarks", strings.Join(*remarks, "\n"), path)
			into := emptyStore(t)
			merge(t, into, []Merged{{Damaged: 1}}, s)
			accept(t, s, "smoke", c)
			expect(t, s, c.Inputs, true)
			if after, err := os.Lstat(path + ".corrupt-1"); err != nil || after.Mode() != before.Mode() || after.Size() != before.Size() {
				t.Errorf("it was not kept: %v", err)
			}
		})
	}
	t.Run("link to a pack", func(t *testing.T) {
		s, remarks := testStore(t)
		spoil(t, s.packPath(robotITML), func(path string) error { return os.Symlink(elsewhere.packPath(robotITML), path) })
		expect(t, s, c.Inputs, true)
		into := emptyStore(t)
		merge(t, into, []Merged{{Damaged: 1}}, s)
		fixture.EqualSlice(t, "remarks", *remarks, nil)
	})
}

// TestMergeFollowsNoLinkToCells: neither a cell nor a folder of cells behind a
// link is one of the source's.
func TestMergeFollowsNoLinkToCells(t *testing.T) {
	real, from, into := emptyStore(t), emptyStore(t), emptyStore(t)
	one, other := fixture.NewCell("robot", "itml", 5, 9, 1), fixture.NewCell("heart", "itml", 7, 9, 1)
	put(t, real, one, other)
	for path, to := range map[string]string{
		from.Path(one.Inputs): real.Path(one.Inputs), filepath.Dir(from.Path(other.Inputs)): filepath.Dir(real.Path(other.Inputs)),
	} {
		fixture.Check(t, errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.Symlink(to, path)))
	}
	merge(t, into, []Merged{{Damaged: 1}}, from)

	// Nor where the target has cells of the same set and method, and a pack beside a linked folder.
	put(t, into, fixture.NewCell("heart", "itml", 7, 9, 2))
	merge(t, into, []Merged{{Damaged: 1}}, from)
	packs := emptyStore(t)
	accept(t, packs, "smoke", other)
	linked := filepath.Dir(from.packPath(partitionName{"heart", "itml"}))
	fixture.Check(t, errors.Join(os.MkdirAll(filepath.Dir(linked), 0o777), os.Symlink(filepath.Dir(packs.packPath(partitionName{"heart", "itml"})), linked)))
	plain := filepath.Dir(from.Path(other.Inputs))
	fixture.Check(t, errors.Join(os.Remove(plain), os.MkdirAll(plain, 0o777)))
	put(t, from, fixture.NewCell("heart", "itml", 7, 9, 3))
	merge(t, into, []Merged{{Cells: 1, Copied: 1, Damaged: 2}}, from)
	expect(t, into, other.Inputs, false)
}

// TestMergeForeignThings: what has the name of a cell in a source, or of the record of a run,
// and is no such file is told and left out, and is neither followed nor waited for.
func TestMergeForeignThings(t *testing.T) {
	c, other := fixture.NewCell("robot", "itml", 5, 9, 1), fixture.NewCell("robot", "lmnn", 5, 9, 1)
	elsewhere := emptyStore(t)
	put(t, elsewhere, c, other)
	makers := foreignMakers()
	makers["link"] = func(path string) error {
		return os.Symlink(filepath.Join(elsewhere.Dir, "cells", "robot", filepath.Base(path)), path)
	}
	makers["no record"] = func(path string) error { return os.WriteFile(path, []byte("\x1b[2Jno record"), 0o666) }
	for name, make := range makers {
		t.Run(name, func(t *testing.T) {
			from := emptyStore(t)
			into, remarks := testStore(t)
			put(t, from, c, other)
			cell, record := from.Path(c.Inputs), strings.TrimSuffix(from.Path(other.Inputs), ".json")+".run.json"
			spoil(t, cell, make)
			spoil(t, record, make)
			merge(t, into, []Merged{{Cells: 1, Copied: 1, Damaged: 2}}, from)
			expect(t, into, c.Inputs, false)
			expect(t, into, other.Inputs, true)
			_, ok, _ := into.Run(other.Inputs)
			fixture.Equal(t, "the record was copied", ok, false)
			fixture.Equal(t, "remarks", len(*remarks), 2)
			fixture.Has(t, "the remarks", strings.Join(*remarks, "\n"), cell, record+" is damaged")
		})
	}
}

// TestMovedFolder: a run whose folder is moved away says so, as a failure of the file
// system, and does not begin another folder in its place.
func TestMovedFolder(t *testing.T) {
	s := emptyStore(t)
	run := s.ForRun()
	c := fixture.GridCell()
	fixture.Must(run.Lock(t.Context(), c.Inputs))(t)
	folder := filepath.Dir(s.Path(c.Inputs))
	for name, dir := range map[string]string{"the folder of the data set": folder, "the results": s.Dir} {
		fixture.Check(t, os.Rename(dir, dir+"-moved"))
		_, _, lockErr := run.TryLock(c.Inputs)
		for what, err := range map[string]error{"Put": run.Put(c, results.Run{}), "TryLock": lockErr} {
			t.Log(what, "after", name, "was moved")
			fixture.Is(t, err, files.ErrIO)
			fixture.Says(t, err, folder, "put it back")
		}
		fixture.Equal(t, dir+" is left away", isNothing(dir), true)
		fixture.Check(t, os.Rename(dir+"-moved", dir))
		fixture.Check(t, run.Put(c, results.Run{}))
	}
}

// TestLockFilesGo: no lock file stays, and a lock counts while its file has its name.
func TestLockFilesGo(t *testing.T) {
	s := emptyStore(t)
	in := fixture.GridInputs()
	release := fixture.Must(s.Lock(t.Context(), in))(t)
	path := strings.TrimSuffix(s.Path(in), cellSuffix) + lockSuffix
	fixture.Check(t, os.Remove(path)) // as a process does that releases it
	other := lockNow(t, s, in)
	release() // which is no longer the lock of the cell
	fixture.Equal(t, "a lock that is held was taken", there(s.TryLock(in))(t), false)
	other()
	fixture.Equal(t, "the lock file is gone", isNothing(path), true)
}

// TestFaultsOfTheFileSystem: a full or broken disk is an ErrIO, whatever was done.
func TestFaultsOfTheFileSystem(t *testing.T) {
	for errno, remedy := range map[syscall.Errno]string{
		syscall.EIO: "", syscall.ENOSPC: "free some space", syscall.EDQUOT: "free some space", syscall.EROFS: "allow access", syscall.EACCES: "allow access",
	} {
		err := pathError("write", "runs/x.json", &os.PathError{Op: "write", Path: "other", Err: errno})
		fixture.Is(t, err, files.ErrIO)
		fixture.Is(t, err, errno)
		fixture.Says(t, err, "runs/x.json", remedy)
	}
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("needs the device /dev/full of Linux")
	}
	j := Journal{file: full, path: "grid.journal", done: map[place]results.Outcome{}}
	err = j.Add(results.Outcome{Setting: 1})
	fixture.Is(t, err, syscall.ENOSPC)
	fixture.Is(t, err, files.ErrIO)
	fixture.Says(t, err, "grid.journal")
	fixture.Equal(t, "outcomes", len(j.Done("")), 0)
	fixture.Check(t, j.Close())
}
