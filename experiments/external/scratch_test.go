package external

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"r2lmlbench/internal/fixture"
)

// TestSweepScratch: directories of killed processes go, and those that a program has
// renamed; others stay. Predictions in a renamed one are missed by name.
func TestSweepScratch(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	used, remove, err := newScratch()
	if err != nil {
		t.Fatal(err)
	}
	moved, removeMoved, err := newScratch()
	if err != nil {
		t.Fatal(err)
	}
	fixture.Check(t, os.Rename(moved, moved+"-moved"))
	if _, err := readPredictions(moved, 1, 2); err == nil || !strings.Contains(err.Error(), "is gone") {
		t.Errorf("predictions: %v", err)
	}
	removeMoved()
	want := map[string]bool{used: true, moved + "-moved": false}
	for name, stays := range map[string]bool{scratchPrefix + "123": false, scratchPrefix + "results": true, "r2lmlbench-7": true} {
		path := filepath.Join(os.TempDir(), name)
		fixture.Check(t, os.MkdirAll(filepath.Join(path, "content"), 0o777))
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
