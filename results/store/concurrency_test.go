package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"r2lmlbench/internal/fixture"
	"r2lmlbench/results"
)

// contested are the cells that several workers want at once.
func contested() []results.Cell {
	var cells []results.Cell
	for seed := range uint64(6) {
		cells = append(cells, fixture.NewCell("iris", "plml", 20, 30, seed))
	}
	return cells
}

// fillStore does what a run does: lock, look, compute, store.
func fillStore(t *testing.T, dir string) {
	s := Store{Dir: dir, Log: func(format string, args ...any) {
		if !strings.Contains(format, "waiting") {
			t.Errorf(format, args...)
		}
	}}
	for _, c := range contested() {
		release, err := s.Lock(t.Context(), c.Inputs)
		if err != nil {
			t.Error(err)
			continue
		}
		_, there, err := s.Find(c.Inputs)
		if err == nil && !there {
			err = compute(s, c)
		}
		if err != nil {
			t.Error(err)
		}
		release()
	}
}

// compute takes a moment, and notes it beside the cells.
func compute(s Store, c results.Cell) error {
	f, err := os.OpenFile(filepath.Join(s.Dir, "computed"), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return err
	}
	_, err = f.WriteString(c.Key() + "\n")
	time.Sleep(5 * time.Millisecond)
	return errors.Join(err, f.Close(), s.Put(c, results.Run{}))
}

// TestConcurrentRuns: what several workers want is computed once. TestContention of the
// command is the same with processes.
func TestConcurrentRuns(t *testing.T) {
	dir := t.TempDir()
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() { fillStore(t, dir) })
	}
	all.Wait()
	s := Store{Dir: dir}
	computed := fixture.Must(os.ReadFile(filepath.Join(dir, "computed")))(t)
	for _, c := range contested() {
		expect(t, s, c.Inputs, true)
		fixture.Equal(t, fmt.Sprintf("computations of seed %d", c.Seed), strings.Count(string(computed), c.Key()), 1)
	}
	fixture.Lacks(t, "files that are left", strings.Join(names(t, filepath.Join(dir, "cells", "iris")), "\n"), "corrupt", ".new-")
}

// Many find a damaged cell and store it at the same time: in the end the cell is there.
func TestConcurrentRepair(t *testing.T) {
	s := Store{Dir: t.TempDir()}
	c := fixture.GridCell()
	put(t, s, c)
	for range 20 {
		fixture.Check(t, os.WriteFile(s.Path(c.Inputs), []byte("damaged"), 0o644))
		var all sync.WaitGroup
		for range 4 {
			all.Go(func() {
				if _, _, err := s.Find(c.Inputs); err != nil {
					t.Error(err)
				}
				if err := s.Put(c, results.Run{}); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		expect(t, s, c.Inputs, true)
	}
}

// stale leaves what a killed writer of a cell does, and returns its path.
func stale(t *testing.T, s Store, in results.Inputs) string {
	t.Helper()
	path := filepath.Join(filepath.Dir(s.Path(in)), fmt.Sprintf(".%s.new-123", filepath.Base(s.Path(in))))
	fixture.Write(t, path, "half a cell")
	return path
}

// TestSweepOnce: a run lists every folder once, however many cells it locks there.
func TestSweepOnce(t *testing.T) {
	s := Store{Dir: t.TempDir()}
	cells := seeds(20)
	other := fixture.NewCell("letter", "itml", 8, 10, 1)
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
	// A folder is listed once, and only if a cell of it is locked.
	gone := func() [3]bool { return [3]bool{isNothing(first), isNothing(late), isNothing(elsewhere)} }
	fixture.Equal(t, "gone: what was there at the first lock, came later, is elsewhere", gone(), [3]bool{true, false, false})
	fixture.Check(t, s.ForRun().Tidy(cells[5].Inputs))
	fixture.Equal(t, "gone at the next run", gone(), [3]bool{true, true, false})
}

// TestSweepLeavesWhatIsInUse: another process may be writing the file of a cell whose
// lock it holds.
func TestSweepLeavesWhatIsInUse(t *testing.T) {
	s := Store{Dir: t.TempDir()}
	cells := seeds(3)
	release := lockNow(t, s, cells[0].Inputs)
	used, left := stale(t, s, cells[0].Inputs), stale(t, s, cells[1].Inputs)
	lockNow(t, *s.ForRun(), cells[2].Inputs)()
	fixture.Equal(t, "gone: what is in use, what was left", [2]bool{isNothing(used), isNothing(left)}, [2]bool{false, true})
	release()
	lockNow(t, s, cells[0].Inputs)()
	fixture.Equal(t, "gone when the next takes the lock", isNothing(used), true)
}

// TestPackIsReadOnce: a run looks up the cells of a pack in what it read first.
func TestPackIsReadOnce(t *testing.T) {
	s := Store{Dir: t.TempDir()}
	cells := seeds(4)[:3]
	path := s.packPath(robotITML)
	fixture.Write(t, path, string(packOf(t, cells...)))
	run := s.ForRun()
	for _, c := range cells {
		expect(t, *run, c.Inputs, true)
		fixture.Write(t, path, "damaged")
	}
	expect(t, s, cells[0].Inputs, false)
}

// A memo makes each thing once, and again only what failed.
func TestMemo(t *testing.T) {
	var m memo[string, int]
	made, fault := 0, errors.New("no")
	get := func(err error) (int, error) { return m.get("key", func() (int, error) { made++; return made, err }) }
	for i, c := range []struct {
		fault error
		made  int
	}{{fault, 1}, {fault, 2}, {nil, 3}, {fault, 3}} {
		n, err := get(c.fault)
		fixture.Equal(t, fmt.Sprint(i), fmt.Sprint(n, err != nil), fmt.Sprint(c.made, i < 2))
	}
}
