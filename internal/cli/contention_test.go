package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"r2lmlbench/internal/fixture"
)

// TestContention: four processes on one directory compute every cell and make
// every fit once, and leave the bytes of a single process.
func TestContention(t *testing.T) {
	fixture.Long(t)
	const processes = 4
	dir := t.TempDir()
	spec, witness := chaosSpec(t, dir), filepath.Join(dir, "witness")
	t.Setenv("WITNESS", witness)
	alone, shared := filepath.Join(dir, "alone"), filepath.Join(dir, "shared")
	if code, _, stderr := runProgram(t, "run", spec, "--results", alone); code != 0 {
		t.Fatal(stderr)
	}
	fits := witnessLines(t, witness)
	os.Remove(witness)
	var crowd []*process
	for range processes {
		p := program(t, "run", spec, "--results", shared, "--workers", "2", "--log", "json")
		fixture.Check(t, p.Start())
		crowd = append(crowd, p)
	}
	computed, workers := map[string]int{}, 0
	var tables []string
	for _, p := range crowd {
		if code := p.code(t); code != 0 {
			t.Errorf("exit code %d\n%s", code, p.stderr.String())
		}
		tables = append(tables, p.stdout.String())
		worked := 0
		for _, e := range events(t, p.stderr.String(), false) {
			if e.Event == "cell" {
				computed[fmt.Sprintf("%s %s %d", e.Dataset, e.Method, e.Seed)]++
				worked = 1
			}
		}
		workers += worked
	}
	want := cellFiles(t, alone)
	wrong, twice := mismatches(t, cellFiles(t, shared), want), 0
	for name, n := range computed {
		if n != 1 {
			twice++
			t.Errorf("%s was computed %d times", name, n)
		}
	}
	if len(computed) != len(want) {
		t.Errorf("%d cells were computed, want %d", len(computed), len(want))
	}
	if got := witnessLines(t, witness); got != fits {
		t.Errorf("the program made %d fits, want %d", got, fits)
	}
	for _, table := range tables {
		if table != tables[0] {
			t.Errorf("the processes print different tables:\n%s\nand\n%s", table, tables[0])
		}
	}
	if left := leftovers(t, shared); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
	t.Logf("%d processes, %d of them computed cells, %d cells, %d mismatches, %d computed twice", processes, workers, len(want), wrong, twice)
}
