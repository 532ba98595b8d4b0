package store

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"r2lmlbench/internal/fixture"
	"r2lmlbench/results"
	"r2lmlbench/results/resultstest"
)

// stale leaves what a killed writer of a cell does, and returns its path.
func stale(t *testing.T, s Store, in results.Inputs) string {
	t.Helper()
	path := filepath.Join(filepath.Dir(s.Path(in)), fmt.Sprintf(".%s.new-123", filepath.Base(s.Path(in))))
	fixture.Check(t, os.MkdirAll(filepath.Dir(path), 0o777))
	writeTo(t, path, "half a cell")
	return path
}

// TestSweepOnce: a run lists every folder once, however many cells it locks there.
func TestSweepOnce(t *testing.T) {
	s := Store{Dir: t.TempDir()}
	cells := seeds(20)
	other := resultstest.NewCell("letter", "itml", 8, 10, 1)
	first := stale(t, s, cells[0].Inputs)
	elsewhere := stale(t, s, other.Inputs)
	run := s.ForRun()
	var late string
	for i, c := range cells {
		lockNow(t, *run, c.Inputs)()
		if i == 0 {
			late = stale(t, s, cells[1].Inputs)
		}
	}
	if !isNothing(first) {
		t.Error("what was there at the first lock is left")
	}
	if isNothing(late) || isNothing(elsewhere) {
		t.Error("a folder was listed again, or one without a lock was")
	}
	if err := s.ForRun().Tidy(cells[5].Inputs); err != nil || !isNothing(late) {
		t.Errorf("the next run leaves a temporary file (%v)", err)
	}
}

// TestSweepLeavesWhatIsInUse: another process may be writing the file of a cell whose
// lock it holds.
func TestSweepLeavesWhatIsInUse(t *testing.T) {
	s := Store{Dir: t.TempDir()}
	cells := seeds(3)
	release := lockNow(t, s, cells[0].Inputs)
	used, left := stale(t, s, cells[0].Inputs), stale(t, s, cells[1].Inputs)
	lockNow(t, *s.ForRun(), cells[2].Inputs)()
	if isNothing(used) || !isNothing(left) {
		t.Errorf("in use: removed %v; left: removed %v", isNothing(used), isNothing(left))
	}
	release()
	lockNow(t, s, cells[0].Inputs)()
	if !isNothing(used) {
		t.Error("not removed by the next who takes the lock")
	}
}

// TestPackIsReadOnce: a run looks up the cells of a pack in what it read first.
func TestPackIsReadOnce(t *testing.T) {
	s := Store{Dir: t.TempDir()}
	cells := seeds(4)[:3]
	path := s.packPath(robotITML)
	fixture.Check(t, os.MkdirAll(filepath.Dir(path), 0o777))
	writeTo(t, path, string(packOf(t, cells...)))
	run := s.ForRun()
	for i, c := range cells {
		if _, ok, err := run.Get(c.Inputs); !ok || err != nil {
			t.Errorf("cell %d: %v, %v", i, ok, err)
		}
		writeTo(t, path, "damaged")
	}
	if _, ok, err := s.Get(cells[0].Inputs); ok || err != nil {
		t.Errorf("without a run: %v, %v", ok, err)
	}
}
