package cli

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"r2lmlbench/internal/fixture"
)

// chaotic is a spec with cells of every sort: without a grid, with a grid whose
// points are fitted together, one by one, and by a program outside.
const chaotic = `
name: chaotic
datasets: [twonorm-gen, ringnorm-gen]
methods:
  - method: euclidean
  - method: itml
    grid: {gamma: [0.1, 1, 10]}
  - method: e-r2lml
    params: {step: 1e-6, epochs: 1, iterations: 20}
    grid: {metrics: [5, 6, 7], lambda: [1, 10]}
  - method: e-r2lml
    name: pairs
    params: {step: 1e-6, epochs: 1, iterations: 20, metrics: 2}
    grid: {lambda: [0.1, 1, 10, 100]}
    restarts: 2
`

// witnessed is a stanza of a program that writes down which fits it has made.
const witnessed = `
  - method: external
    name: witness
    env: [WITNESS]
    params: {command: [sh, ./witness.sh]}
    grid: {class: [1, 2], salt: [1, 2, 3]}
`

const witnessScript = `
n=$(sed -n 's/.*"class": \([0-9]*\).*/\1/p' params.json)
sed 1d query.csv | sed "s/.*/$n/" > predictions.csv
echo "$(cat params.json train.csv | cksum)" >> "$WITNESS"
`

// chaosSpec writes the spec and its program to dir.
func chaosSpec(t *testing.T, dir string) (spec string) {
	t.Helper()
	fixture.Write(t, filepath.Join(dir, "witness.sh"), witnessScript)
	return fixture.Write(t, filepath.Join(dir, "chaotic.yaml"), chaotic+witnessed)
}

// kills is the number of kills asked for.
func kills(t *testing.T) int { return number(t, "R2LMLBENCH_CHAOS", 50) }

// number is what a variable of the environment says, or else the default.
func number(t *testing.T, variable string, otherwise int) int {
	t.Helper()
	text := os.Getenv(variable)
	if text == "" {
		return otherwise
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		t.Fatalf("%s is %q, want a number", variable, text)
	}
	return n
}

// A progressed is what a store holds of a run: cells by name, and the lines of
// journals by name and line.
type progressed map[string]string

func storeProgress(t *testing.T, dir string) progressed {
	t.Helper()
	state := progressed{}
	for name, data := range fixture.Contents(t, dir, ".journal") {
		lines := strings.SplitAfter(data, "\n")
		for _, line := range lines[:len(lines)-1] { // the last is torn or empty
			state[name+"\n"+line] = ""
		}
	}
	for name, data := range cellFiles(t, dir) {
		state[name] = data
	}
	return state
}

// lost lists what is in before and not in after. The lines of a journal may
// have become a cell.
func (before progressed) lost(after progressed) []string {
	var gone []string
	for name, data := range before {
		now, ok := after[name]
		if journal, _, isLine := strings.Cut(name, "\n"); isLine && !ok {
			_, ok = after[strings.TrimSuffix(journal, ".journal")+".json"]
		}
		if !ok || now != data {
			gone = append(gone, name)
		}
	}
	return gone
}

// TestChaos kills runs at random times until there were enough, each round of
// kills on one directory. After each kill all that an earlier one left is still
// there; in the end every cell has the bytes of a run that nobody disturbed.
func TestChaos(t *testing.T) {
	fixture.Long(t)
	dir := t.TempDir()
	spec, temp, witness := chaosSpec(t, dir), filepath.Join(dir, "tmp"), filepath.Join(dir, "witness")
	fixture.Check(t, os.Mkdir(temp, 0o777))
	t.Setenv("TMPDIR", temp)
	start := func(results string) *process {
		p := program(t, "run", spec, "--results", results, "--workers", "2", "--log", "json")
		p.Env = append(p.Env, "WITNESS="+witness)
		fixture.Check(t, p.Start())
		return p
	}
	reference := filepath.Join(dir, "reference")
	began := time.Now()
	if p := start(reference); p.code(t) != 0 {
		t.Fatalf("the undisturbed run fails:\n%s", p.stderr.String())
	}
	whole, want := time.Since(began), cellFiles(t, reference)
	fits := witnessLines(t, witness)

	draw := rand.New(rand.NewPCG(1, 2))
	var total, cells, wrong, resumed, continued, repeated int
	for round := 1; total < kills(t); round++ {
		results := filepath.Join(dir, fmt.Sprint("round-", round))
		os.Remove(witness)
		killed := 0
		before := progressed{}
		for over := false; !over; {
			// Early kills are frequent; every tenth comes within the first moments.
			delay := time.Duration(draw.Float64() * draw.Float64() * float64(whole))
			if draw.IntN(10) == 0 {
				delay = time.Duration(draw.IntN(30)) * time.Millisecond
			}
			if len(before) > 0 {
				continued++
			}
			p := start(results)
			if total+killed < kills(t) {
				timer := time.AfterFunc(delay, func() { p.Process.Kill() })
				defer timer.Stop()
			}
			code := p.code(t)
			over = code == 0
			if !over {
				killed++
			}
			if code > 0 {
				t.Fatalf("exit code %d after %d kills\n%s", code, total+killed, p.stderr.String())
			}
			for _, e := range events(t, p.stderr.String(), !over) {
				resumed += e.Resumed
			}
			after := storeProgress(t, results)
			if gone := before.lost(after); len(gone) > 0 {
				t.Errorf("after %d kills this was lost: %q", total+killed, gone)
			}
			before = after
		}
		got := cellFiles(t, results)
		cells += len(got)
		wrong += mismatches(t, got, want)
		if left := leftovers(t, results); len(left) > 0 {
			t.Errorf("round %d leaves %q", round, left)
		}
		// A kill costs the fits that its two workers were at, no more.
		again := witnessLines(t, witness) - fits
		if again > 2*killed {
			t.Errorf("round %d: %d fits were made again after %d kills", round, again, killed)
		}
		repeated += max(again, 0)
		total += killed
		os.RemoveAll(results)
	}
	if start(filepath.Join(dir, "last")).code(t) != 0 {
		t.Error("the last run fails")
	}
	if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
		t.Errorf("left in the directory for temporary files: %v, %v", left, err)
	}
	if continued == 0 || resumed == 0 && total >= 50 {
		t.Errorf("%d runs began with the work of a killed one, %d grid points were taken from journals: nothing was tested", continued, resumed)
	}
	t.Logf("%d kills, %d cells compared, %d mismatches; %d runs began with the work of a killed one, %d grid points were taken from journals, "+
		"%d fits of the program were made again; an undisturbed run took %v",
		total, cells, wrong, continued, resumed, repeated, whole.Round(time.Millisecond))
}

// witnessLines counts the fits that the program outside has made.
func witnessLines(t *testing.T, path string) int {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return strings.Count(string(b), "\n")
}

// TestContention: four processes on one directory compute every cell and make
// every fit once, and leave the bytes of a single process.
func TestContention(t *testing.T) {
	fixture.Long(t)
	const processes = 4
	dir := t.TempDir()
	spec, witness := chaosSpec(t, dir), filepath.Join(dir, "witness")
	t.Setenv("WITNESS", witness)
	alone, shared := filepath.Join(dir, "alone"), filepath.Join(dir, "shared")
	finish(t, "run", spec, "--results", alone)
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
