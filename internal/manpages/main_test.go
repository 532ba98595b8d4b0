package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// TestWrite: the folder holds the pages of the help, whatever the environment, and no
// older ones.
func TestWrite(t *testing.T) {
	all, err := pages()
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "man")
	for _, data := range []string{"", t.TempDir()} {
		t.Setenv("R2LMLBENCH_DATA", data)
		t.Setenv("R2LMLBENCH_RESULTS", data)
		if err := write(dir); err != nil {
			t.Fatal(err)
		}
		for name, want := range all {
			if got, err := os.ReadFile(filepath.Join(dir, name)); err != nil || !bytes.Equal(got, want) {
				t.Errorf("%s depends on the environment, or is not there: %v", name, err)
			}
		}
		files, err := os.ReadDir(dir)
		if err != nil || len(files) != len(all) {
			t.Errorf("%d files, want %d, %v", len(files), len(all), err)
		}
		if err := os.WriteFile(filepath.Join(dir, "r2lmlbench-old.1"), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}
