package atomicfile

import (
	"os"
	"path/filepath"
	"testing"
)

func TestWrite(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "file")
	for _, want := range []string{"first", "second"} {
		if err := Write(path, []byte(want)); err != nil {
			t.Fatal(err)
		}
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
	if err := os.MkdirAll(filepath.Join(taken, "full"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := Write(taken, []byte("x")); err == nil {
		t.Error("a full directory was replaced")
	}
	onlyFile(t, dir)
	file := filepath.Join(taken, "file")
	if err := Write(file, nil); err != nil {
		t.Fatal(err)
	}
	if err := Write(filepath.Join(file, "below"), nil); err == nil {
		t.Error("a file was written below a file")
	}
}

// TestClean: what a killed writer left goes, whatever is not its own stays.
func TestClean(t *testing.T) {
	dir := t.TempDir()
	stay := []string{".other.json.new-1", "mine.json", ".mine.json"}
	for _, name := range append([]string{".mine.json.new-1", ".mine.run.json.new-22"}, stay...) {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := Clean(dir, "mine."); err != nil {
		t.Fatal(err)
	}
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
