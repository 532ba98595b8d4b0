package files

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"testing"

	"r2lmlbench/internal/fixture"
)

// TestWriteFolder: a call that was killed after any number of files leaves a folder that the
// next call finishes, without what the killed one left; files of others stay.
func TestWriteFolder(t *testing.T) {
	var all []File
	for i := range 6 {
		all = append(all, File{Path: "sub" + strconv.Itoa(i%2) + "/" + strconv.Itoa(i), Data: []byte{byte(i)}})
	}
	all = append(all, File{Path: "index", Data: []byte("all")})
	for written := range len(all) + 1 {
		dir := filepath.Join(t.TempDir(), "new", "folder")
		for _, f := range append(all[:written:written], File{Path: unfinishedName}, File{Path: "notes", Data: []byte("mine")},
			File{Path: "sub0/.4" + tempMark + "17", Data: []byte("half")}, File{Path: ".index" + tempMark + "4", Data: nil}) {
			fixture.Write(t, filepath.Join(dir, f.Path), string(f.Data))
		}
		fixture.Equal(t, "unfinished", Unfinished(dir), true)
		fixture.Check(t, WriteFolder(dir, all))
		fixture.Equal(t, "unfinished", Unfinished(dir), false)
		for _, f := range append(all, File{Path: "notes", Data: []byte("mine")}) {
			fixture.Equal(t, f.Path, fixture.Text(t, filepath.Join(dir, f.Path)), string(f.Data))
		}
		holds(t, dir, 4)
		holds(t, filepath.Join(dir, "sub0"), 3)
		holds(t, filepath.Join(dir, "sub1"), 3)
	}
	dir := t.TempDir()
	fixture.Write(t, filepath.Join(dir, "sub0"), "a file in the place of a folder")
	fixture.Says(t, WriteFolder(dir, all), "sub0")
	fixture.Equal(t, "unfinished after a fault", Unfinished(dir), true)
}

// TestReplace: what a killed call left goes, a link in its place is not followed, and of
// several calls at once every one writes its content whole or says that it waits for no other.
func TestReplace(t *testing.T) {
	dir := t.TempDir()
	path, temp := filepath.Join(dir, "model"), filepath.Join(dir, ".model"+tempMark+"0")
	fixture.Write(t, temp, "half of a model, longer than the whole one")
	fixture.Check(t, Replace(path, []byte("whole")))
	fixture.Equal(t, "content", fixture.Text(t, path), "whole")
	holds(t, dir, 1)

	other := fixture.Write(t, filepath.Join(t.TempDir(), "other"), "of the user")
	fixture.Check(t, os.Symlink(other, temp))
	fixture.Is(t, Replace(path, []byte("anew")), ErrIO)
	fixture.Equal(t, "content of another file", fixture.Text(t, other), "of the user")
	fixture.Check(t, os.Remove(temp))

	var group sync.WaitGroup
	wrote := make([]bool, 40)
	for i := range wrote {
		group.Go(func() {
			err := Replace(path, []byte(strconv.Itoa(1000+i)))
			if wrote[i] = err == nil; err != nil && !errors.Is(err, errBusy) {
				t.Error(err)
			}
		})
	}
	group.Wait()
	last := fixture.Must(strconv.Atoi(fixture.Text(t, path)))(t)
	fixture.Equal(t, "the content is that of a call that succeeded", wrote[last-1000], true)
	holds(t, dir, 1)
}
