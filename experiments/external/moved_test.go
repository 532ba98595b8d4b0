package external

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestMovedScratch: a directory that a program has renamed is removed all the same, by the
// fit or, when that was killed, by the next run; and its predictions are missed by name.
func TestMovedScratch(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	dir, remove, err := newScratch()
	if err != nil {
		t.Fatal(err)
	}
	other := dir + "-other" // of nobody, until it is swept
	if err := os.Mkdir(other, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(dir, dir+"-moved"); err != nil {
		t.Fatal(err)
	}
	if _, err := readPredictions(dir, 1, 2); err == nil || !strings.Contains(err.Error(), "is gone") {
		t.Errorf("predictions: %v", err)
	}
	remove()
	left, _ := filepath.Glob(dir + "*")
	if len(left) != 1 || left[0] != other {
		t.Errorf("after the fit there is %q, want %q", left, other)
	}
	sweepScratch()
	if left, _ = filepath.Glob(dir + "*"); left != nil {
		t.Errorf("swept: %q", left)
	}
}
