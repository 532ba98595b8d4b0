package cli

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// growing is a spec with so many tiny cells of one data set and method.
func growing(cells int) string {
	return fmt.Sprintf(`
name: growing
datasets: [overlap30]
split: {rule: random, repeats: %d}
methods: [{method: euclidean}]
`, cells)
}

// reads is how often this process has read from a file so far.
func reads(t *rapid.T) int {
	b, err := os.ReadFile("/proc/self/io")
	if err != nil {
		t.Skipf("reads are not counted here: %v", err)
	}
	var n int
	for line := range strings.Lines(string(b)) {
		fmt.Sscanf(line, "syscr: %d", &n)
	}
	return n
}

// TestRunReadsEachCellOnce: how often a run reads grows with the cells that there are
// and with those that are missing, not with their product. Reading is counted, for
// time depends on what else the machine does.
func TestRunReadsEachCellOnce(t *testing.T) {
	base := t.TempDir()
	spec := writeFile(t, base, "growing.yaml", growing(120))
	whole := filepath.Join(base, "whole")
	finish(t, "run", spec, "--results", whole)
	all := storedFiles(t, whole, "")
	cells := cellFiles(t, whole)
	rapid.Check(t, func(r *rapid.T) {
		dir, err := os.MkdirTemp(base, "part")
		if err != nil {
			r.Fatal(err)
		}
		defer os.RemoveAll(dir)
		missing := rapid.IntRange(0, len(cells)).Draw(r, "missing")
		left := missing
		for name, data := range all {
			if _, isCell := cells[name]; isCell && left > 0 {
				left--
				continue
			}
			if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777); err != nil {
				r.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, name), []byte(data), 0o666); err != nil {
				r.Fatal(err)
			}
		}
		before := reads(r)
		if code := Main([]string{"run", spec, "--results", dir, "--quiet", "--data", base}, io.Discard, io.Discard); code != 0 {
			r.Fatalf("exit code %d", code)
		}
		// A stored cell is read to find what is missing, with the record of its build, and
		// for the table, two calls each; a missing one has its earlier record read before
		// that is replaced.
		if n, most := reads(r)-before, 6*(len(cells)-missing)+12*missing+100; n > most {
			r.Errorf("%d reads with %d of %d cells missing, want at most %d", n, missing, len(cells), most)
		}
	})
}
