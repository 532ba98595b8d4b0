package atomicfile

import (
	"os"
	"path/filepath"
	"r2lmlbench/internal/fixture"
	"strconv"
	"testing"
)

func TestWrite(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "file")
	for _, want := range []string{"first", "second"} {
		fixture.Check(t, Write(path, []byte(want)))
		if got, err := os.ReadFile(path); err != nil || string(got) != want {
			t.Errorf("%q, %v; want %q", got, err, want)
		}
	}
	onlyFile(t, filepath.Dir(path))
}

// onlyFile fails unless dir holds one entry: nothing was left beside it.
func onlyFile(t *testing.T, dir string) {
	t.Helper()
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
		t.Errorf("%v, %v; want one entry", entries, err)
	}
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
	onlyFile(t, dir)
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
		for i, f := range files {
			if got, err := os.ReadFile(f.Path); err != nil || string(got) != string(f.Data) {
				t.Errorf("file %d: %q, %v", i, got, err)
			}
		}
	}
	for i := range 3 {
		if entries, err := os.ReadDir(filepath.Join(dir, strconv.Itoa(i))); err != nil || len(entries) != atOnce {
			t.Errorf("%v, %v; want %d entries", entries, err, atOnce)
		}
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
	if got, err := os.ReadFile(path); err != nil || string(got) != "before" {
		t.Errorf("%q, %v; want what it held before", got, err)
	}
	onlyFile(t, dir)
}

// TestClean: what a killed writer left goes, whatever is not its own stays.
func TestClean(t *testing.T) {
	dir := t.TempDir()
	stay := []string{".other.json.new-1", "mine.json", ".mine.json"}
	for _, name := range append([]string{".mine.json.new-1", ".mine.run.json.new-22"}, stay...) {
		fixture.Check(t, os.WriteFile(filepath.Join(dir, name), nil, 0o666))
	}
	fixture.Check(t, Clean(dir, "mine."))
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != len(stay) {
		t.Errorf("%v, %v; want %v", entries, err, stay)
	}
	for _, name := range stay {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
}
