package files

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"r2lmlbench/internal/fixture"
)

// holds fails unless dir has so many entries.
func holds(t *testing.T, dir string, entries int) {
	t.Helper()
	fixture.Equal(t, "entries of "+dir, len(fixture.Must(os.ReadDir(dir))(t)), entries)
}

// TestWriteAll: files of several directories are written, more of them than are
// written at once.
func TestWriteAll(t *testing.T) {
	dir := t.TempDir()
	var files []File
	for i := range 3 * atOnce {
		files = append(files, File{filepath.Join(dir, strconv.Itoa(i%3), strconv.Itoa(i)), []byte{byte(i)}})
	}
	for range 2 { // for the first time, and over those that are there
		fixture.Check(t, WriteAll(files))
		for _, f := range files {
			fixture.EqualSlice(t, f.Path, fixture.Must(os.ReadFile(f.Path))(t), f.Data)
		}
	}
	for i := range 3 {
		holds(t, filepath.Join(dir, strconv.Itoa(i)), atOnce)
	}
}

// TestWriteAllFails: when one file cannot be written, since there is a folder in its place or
// a file in that of its folder, or no room for its name, the others stay as they were, and
// nothing is left behind.
func TestWriteAllFails(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	fixture.Check(t, Write(path, []byte("before")))
	fixture.Check(t, os.MkdirAll(filepath.Join(dir, "taken", "full"), 0o777))
	for _, bad := range []string{filepath.Join(path, "below"), filepath.Join(dir, "taken"), filepath.Join(dir, strings.Repeat("n", 250))} {
		fixture.Says(t, WriteAll([]File{{path, []byte("after")}, {bad, nil}}))
		fixture.Equal(t, "content", fixture.Text(t, path), "before")
		holds(t, dir, 2)
	}
}

// TestClean: what a killed writer left goes, whatever is not its own stays.
func TestClean(t *testing.T) {
	dir := t.TempDir()
	stay := []string{".other.json.new-1", "mine.json", ".mine.json"}
	for _, name := range append([]string{".mine.json.new-1", ".mine.run.json.new-22"}, stay...) {
		fixture.Check(t, os.WriteFile(filepath.Join(dir, name), nil, 0o666))
	}
	fixture.Check(t, Clean(dir, "mine."))
	holds(t, dir, len(stay))
	for _, name := range stay {
		fixture.Must(os.Stat(filepath.Join(dir, name)))(t)
	}
}

func TestMarkIO(t *testing.T) {
	full := &os.PathError{Op: "write", Path: "cell", Err: syscall.ENOSPC}
	for _, c := range []struct {
		name string
		err  error
		want bool
	}{
		{"nothing", nil, false},
		{"a full disk", full, true},
		{"one of several", errors.Join(io.ErrUnexpectedEOF, full), true},
		{"no system call", io.ErrUnexpectedEOF, false},
	} {
		got := MarkIO(c.err)
		fixture.Equal(t, c.name+" is marked", errors.Is(got, ErrIO), c.want)
		fixture.Equal(t, c.name+" keeps its cause", errors.Is(got, c.err), true)
		fixture.Equal(t, c.name+" keeps its text", fmt.Sprint(got), fmt.Sprint(c.err))
		fixture.Equal(t, c.name+", marked twice", MarkIO(got), got)
	}
}
