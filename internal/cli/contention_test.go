package cli

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

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
		if err := p.Start(); err != nil {
			t.Fatal(err)
		}
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

// patient is a spec whose one cell takes a while, point by point.
const patient = `
name: patient
datasets: [twonorm-gen]
methods:
  - method: e-r2lml
    params: {step: 1e-6, epochs: 1, iterations: 250}
    grid: {metrics: [8], lambda: [1, 2, 3, 4, 5, 6]}
`

// waitUntil waits until something holds.
func waitUntil(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !holds(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%s: not within a minute", what)
		}
	}
}

// TestStaleLock: while a process holds the lock of a cell, others wait; once it
// is killed, with the lock file still there, they go on from its journal.
func TestStaleLock(t *testing.T) {
	fixture.Long(t)
	dir := t.TempDir()
	spec, results := writeFile(t, dir, "patient.yaml", patient), filepath.Join(dir, "results")
	holder := program(t, "run", spec, "--results", results, "--workers", "1")
	if err := holder.Start(); err != nil {
		t.Fatal(err)
	}
	waitUntil(t, "a grid point in the journal", func() bool {
		return len(storeProgress(t, results)) > 1 // the header and a point
	})
	if err := suspend(holder.Process); err != nil {
		t.Skipf("processes cannot be suspended here: %v", err)
	}
	waiter := program(t, "run", spec, "--results", results, "--log", "json")
	out, in := io.Pipe()
	waiter.Stderr = io.MultiWriter(&waiter.stderr, in)
	said := make(chan string, 100)
	go func() {
		buffer := make([]byte, 4096)
		for {
			n, err := out.Read(buffer)
			if err != nil {
				return
			}
			said <- string(buffer[:n])
		}
	}()
	if err := waiter.Start(); err != nil {
		t.Fatal(err)
	}
	for text := ""; !strings.Contains(text, "being computed elsewhere"); text += <-said {
	}
	if err := holder.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	holder.Wait()
	if locks := storedFiles(t, results, ".lock"); len(locks) != 1 {
		t.Errorf("lock files of the killed process: %v", locks)
	}
	if code := waiter.code(t); code != 0 {
		t.Fatalf("exit code %d\n%s", code, waiter.stderr.String())
	}
	resumed := 0
	for _, e := range events(t, waiter.stderr.String(), false) {
		resumed += e.Resumed
	}
	if resumed == 0 {
		t.Error("nothing of the killed process was used")
	}
	whole := filepath.Join(dir, "whole")
	if code, _, stderr := runProgram(t, "run", spec, "--results", whole); code != 0 {
		t.Fatal(stderr)
	}
	mismatches(t, cellFiles(t, results), cellFiles(t, whole))
}
