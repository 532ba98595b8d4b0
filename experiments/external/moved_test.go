package external

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestMovedScratch: a directory that a program has renamed is removed by the next run, and
// its predictions are missed by name.
func TestMovedScratch(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	dir, remove, err := newScratch()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(dir, dir+"-moved"); err != nil {
		t.Fatal(err)
	}
	if _, err := readPredictions(dir, 1, 2); err == nil || !strings.Contains(err.Error(), "is gone") {
		t.Errorf("predictions: %v", err)
	}
	remove()
	sweepScratch()
	if left, _ := filepath.Glob(dir + "*"); left != nil {
		t.Errorf("swept: %q", left)
	}
}
