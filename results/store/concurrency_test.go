package store

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"r2lmlbench/internal/fixture"
	"r2lmlbench/results"
	"r2lmlbench/results/resultstest"
)

// contested are the cells that several workers want at once.
func contested() []results.Cell {
	var cells []results.Cell
	for seed := range uint64(6) {
		cells = append(cells, resultstest.NewCell("iris", "plml", 20, 30, seed))
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
		_, there, err := s.Get(c.Inputs)
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
		if n := strings.Count(string(computed), c.Key()); n != 1 {
			t.Errorf("seed %d was computed %d times", c.Seed, n)
		}
	}
	for _, name := range files(t, filepath.Join(dir, "cells", "iris")) {
		if strings.Contains(name, "corrupt") || strings.Contains(name, ".new-") {
			t.Errorf("left behind: %s", name)
		}
	}
}

// Whoever finds a damaged cell moves it away, others may store it meanwhile:
// in the end the cell is there.
func TestConcurrentRepair(t *testing.T) {
	s := Store{Dir: t.TempDir()}
	c := resultstest.GridCell()
	put(t, s, c)
	for range 20 {
		fixture.Check(t, os.WriteFile(s.Path(c.Inputs), []byte("damaged"), 0o644))
		var all sync.WaitGroup
		for range 4 {
			all.Go(func() {
				if _, _, err := s.Get(c.Inputs); err != nil {
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
