package external

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"testing"
)

// TestSweepScratch: directories of killed processes go, others stay.
func TestSweepScratch(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	used, remove, err := newScratch()
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]bool{used: true}
	for name, stays := range map[string]bool{scratchPrefix + "123": false, scratchPrefix + "results": true, "r2lmlbench-7": true} {
		path := filepath.Join(os.TempDir(), name)
		if err := os.MkdirAll(filepath.Join(path, "content"), 0o777); err != nil {
			t.Fatal(err)
		}
		want[path] = stays
	}
	sweepScratch()
	got := maps.Clone(want)
	for path := range got {
		_, err := os.Stat(path)
		got[path] = err == nil
	}
	if !maps.Equal(got, want) {
		t.Errorf("there: %v, want %v", got, want)
	}
	remove()
	if _, err := os.Stat(used); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%s after use: %v", used, err)
	}
}
