package cli

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"r2lmlbench/internal/fixture"
)

// reads is how often this process has read from a file so far.
func reads(t *testing.T) int {
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
	fixture.Long(t)
	base := t.TempDir()
	spec := fixture.Write(t, filepath.Join(base, "growing.yaml"),
		"name: growing\ndatasets: [overlap30]\nsplit: {rule: random, repeats: 120}\nmethods: [{method: euclidean}]\n")
	whole := filepath.Join(base, "whole")
	finish(t, "run", spec, "--results", whole)
	all := fixture.Contents(t, whole, "")
	cells := cellFiles(t, whole)
	command(t, "run", spec, "--results", whole, "--quiet", "--data", base) // the first in a process also reads the executable
	for _, missing := range []int{0, 1, 2, 15, 30, 45, 60, 75, 90, 105, len(cells) - 1, len(cells)} {
		dir := t.TempDir()
		left := missing
		for name, data := range all {
			if _, isCell := cells[name]; isCell && left > 0 {
				left--
				continue
			}
			fixture.Write(t, filepath.Join(dir, name), data)
		}
		before := reads(t)
		if code := Main([]string{"run", spec, "--results", dir, "--quiet", "--data", base}, io.Discard, io.Discard); code != 0 {
			t.Fatalf("exit code %d", code)
		}
		// A stored cell is read to find what is missing, with the record of its build, and
		// for the table, two calls each; a missing one has its earlier record read before
		// that is replaced.
		if n, most := reads(t)-before, 6*(len(cells)-missing)+12*missing+100; n > most {
			t.Errorf("%d reads with %d of %d cells missing, want at most %d", n, missing, len(cells), most)
		}
	}
}
