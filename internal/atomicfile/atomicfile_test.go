package atomicfile

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"

	"r2lmlbench/internal/fixture"
)

func TestWrite(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "file")
	for _, want := range []string{"first", "second"} {
		fixture.Check(t, Write(path, []byte(want)))
		fixture.Equal(t, "content", fixture.Text(t, path), want)
	}
	holds(t, filepath.Dir(path), 1) // nothing was left beside it
}

// holds fails unless dir has so many entries.
func holds(t *testing.T, dir string, entries int) {
	t.Helper()
	fixture.Equal(t, "entries of "+dir, len(fixture.Must(os.ReadDir(dir))(t)), entries)
}

// TestWriteFails: a directory cannot be replaced by a file, and a file is no
// directory to write to. Nothing is left behind.
func TestWriteFails(t *testing.T) {
	dir := t.TempDir()
	taken := filepath.Join(dir, "taken")
	fixture.Check(t, os.MkdirAll(filepath.Join(taken, "full"), 0o777))
	if err := Write(taken, []byte("x")); err == nil {
		t.Error("a full directory was replaced")
	}
	holds(t, dir, 1)
	file := filepath.Join(taken, "file")
	fixture.Check(t, Write(file, nil))
	if err := Write(filepath.Join(file, "below"), nil); err == nil {
		t.Error("a file was written below a file")
	}
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

// TestWriteAllFails: when one file cannot be written, the others stay as they
// were, and nothing is left behind.
func TestWriteAllFails(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	fixture.Check(t, Write(path, []byte("before")))
	if err := WriteAll([]File{{path, []byte("after")}, {filepath.Join(path, "below"), nil}}); err == nil {
		t.Error("a file was written below a file")
	}
	fixture.Equal(t, "content", fixture.Text(t, path), "before")
	holds(t, dir, 1)
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
		if c.err != nil && (got.Error() != c.err.Error() || !errors.Is(got, c.err)) {
			t.Errorf("%s: it became %q", c.name, got)
		}
		if twice := MarkIO(got); twice != got {
			t.Errorf("%s: marked twice", c.name)
		}
	}
	var where *os.PathError
	if !errors.As(MarkIO(full), &where) || !errors.Is(MarkIO(full), syscall.ENOSPC) {
		t.Error("the cause is lost")
	}
}
