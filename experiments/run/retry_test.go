package run_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"r2lmlbench/experiments/plan"
	. "r2lmlbench/experiments/run"
	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/spectest"
	"r2lmlbench/results/store"
)

// TestRetryAfterAKill: a process that is killed after it has stored why a cell failed,
// and before it has removed the journal, leaves both. What failed is tried again on
// request all the same, and what did not is not.
func TestRetryAfterAKill(t *testing.T) {
	fixture.Long(t)
	needs(t, "sh")
	for _, c := range []struct {
		name, program string // what it does at first
		fits          int    // of the retry
	}{
		{"every point", `exit 1`, 3 + 1},
		{"one point fewer, and the test", `grep -q '"class": 1' params.json && ! grep -q '"test"' params.json || exit 1`, 2 + 1},
		{"the test", `! grep -q '"test"' params.json || exit 1`, 0 + 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			fits, open := filepath.Join(dir, "fits"), filepath.Join(dir, "open")
			t.Setenv("OPEN", open)
			t.Setenv("FITS", fits)
			stanza := shell(`echo fit >> "$FITS"; [ -e "$OPEN" ] || { `+c.program+`; }; `+ones, "    env: [FITS, OPEN]\n    grid: {class: [3, 2, 1]}\n")
			retry := func(results string, again bool, observe func(Event)) error {
				source, _ := tinySource(t)
				p := fixture.Must(plan.New(context.Background(), spectest.Parse(t, "name: tiny\ndatasets: [\"mat:tiny\"]\nmethods:\n"+stanza), source))(t)
				runner := Runner{Store: &store.Store{Dir: results}, Source: source, Workers: 1, RetryFailed: again, Observe: observe}
				return runner.Run(context.Background(), p.Jobs())
			}
			killed := filepath.Join(dir, "killed")
			kept := map[string]string{}
			err := retry(killed, false, func(e Event) { // when a cell is done, its journal is still there
				if e.Kind == CellDone {
					kept = journals(t, killed)
				}
			})
			if !errors.Is(err, ErrCells) || len(kept) != 1 {
				t.Fatalf("error %v, %d journals; want a failed cell and its journal", err, len(kept))
			}
			for path, data := range kept {
				fixture.Check(t, os.WriteFile(path, []byte(data), 0o666))
			}
			fixture.Check(t, os.WriteFile(open, nil, 0o666))
			os.Remove(fits)
			if err := retry(killed, true, nil); err != nil {
				t.Fatalf("the retry fails: %v", err)
			}
			if n := strings.Count(readText(t, fits), "fit\n"); n != c.fits {
				t.Errorf("%d fits, want %d", n, c.fits)
			}
			whole := filepath.Join(dir, "whole")
			fixture.Check(t, retry(whole, false, nil))
			spectest.EqualCells(t, spectest.Cells(t, killed), spectest.Cells(t, whole))
			if left := journals(t, killed); len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}

// journals are the journals of a store, by path.
func journals(t *testing.T, dir string) map[string]string {
	t.Helper()
	paths := fixture.Must(filepath.Glob(filepath.Join(dir, "cells", "*", "*.journal")))(t)
	all := map[string]string{}
	for _, path := range paths {
		all[path] = readText(t, path)
	}
	return all
}

func readText(t *testing.T, path string) string {
	t.Helper()
	b := fixture.Must(os.ReadFile(path))(t)
	return string(b)
}
