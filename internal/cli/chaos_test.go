package cli

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/testkit"
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
func kills(t *testing.T) int { return number(t, "R2LMLBENCH_CHAOS", 25) }

// number is what a variable of the environment says, or else the default.
func number(t *testing.T, variable string, otherwise int) int {
	t.Helper()
	return fixture.Must(strconv.Atoi(cmp.Or(os.Getenv(variable), strconv.Itoa(otherwise))))(t)
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
	maps.Copy(state, testkit.Cells(t, dir))
	return state
}

// keptIn fails unless all that is in before is in after. The lines of a journal may have
// become a cell.
func (before progressed) keptIn(t *testing.T, after progressed) {
	t.Helper()
	for name, data := range before {
		now, ok := after[name]
		if journal, _, isLine := strings.Cut(name, "\n"); isLine && !ok {
			_, ok = after[strings.TrimSuffix(journal, ".journal")+".json"]
		}
		if !ok || now != data {
			t.Errorf("this was lost by a kill: %q", name)
		}
	}
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
	fixture.Equal(t, "exit code of the undisturbed run", start(reference).code(t), 0)
	whole, want := time.Since(began), testkit.Cells(t, reference)
	fits := witnessLines(t, witness)

	draw := rand.New(rand.NewPCG(1, 2))
	var total, cells, resumed, continued, repeated int
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
			before.keptIn(t, after)
			before = after
		}
		testkit.EqualCells(t, testkit.Cells(t, results), want)
		cells += len(want)
		noLeftovers(t, results)
		// A kill costs the fits that its two workers were at, no more.
		again := witnessLines(t, witness) - fits
		if again > 2*killed {
			t.Errorf("round %d: %d fits were made again after %d kills", round, again, killed)
		}
		repeated += max(again, 0)
		total += killed
		os.RemoveAll(results)
	}
	fixture.Equal(t, "exit code of the last run", start(filepath.Join(dir, "last")).code(t), 0)
	if left := fixture.Must(os.ReadDir(temp))(t); len(left) > 0 {
		t.Errorf("left in the directory for temporary files: %v", left)
	}
	if continued == 0 || resumed == 0 && total >= 25 {
		t.Errorf("%d runs began with the work of a killed one, %d grid points were taken from journals: nothing was tested", continued, resumed)
	}
	t.Logf("%d kills, %d cells compared; %d runs began with the work of a killed one, %d grid points were taken from journals, "+
		"%d fits of the program were made again; an undisturbed run took %v",
		total, cells, continued, resumed, repeated, whole.Round(time.Millisecond))
}

// witnessLines counts the fits that the program outside has made.
func witnessLines(t *testing.T, path string) int {
	t.Helper()
	return strings.Count(fixture.Contents(t, filepath.Dir(path), filepath.Base(path))[filepath.Base(path)], "\n")
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
	_, table, _ := runProgram(t, "run", spec, "--results", alone)
	fits, want := witnessLines(t, witness), testkit.Cells(t, alone)
	os.Remove(witness)
	var crowd []*process
	for range processes {
		p := program(t, "run", spec, "--results", shared, "--workers", "2", "--log", "json")
		fixture.Check(t, p.Start())
		crowd = append(crowd, p)
	}
	computed := map[string]int{}
	for _, p := range crowd {
		if code := p.code(t); code != 0 || p.stdout.String() != table {
			t.Errorf("exit code %d\n%s\nprints\n%s\nwant\n%s", code, p.stderr.String(), p.stdout.String(), table)
		}
		for _, e := range events(t, p.stderr.String(), false) {
			if e.Event == "cell" {
				computed[fmt.Sprintf("%s %s %d", e.Dataset, e.Method, e.Seed)]++
			}
		}
	}
	testkit.EqualCells(t, testkit.Cells(t, shared), want)
	for name, n := range computed {
		fixture.Equal(t, name+": times that it was computed", n, 1)
	}
	if got := witnessLines(t, witness); got != fits || len(computed) != len(want) {
		t.Errorf("%d cells were computed with %d fits of the program, want %d with %d", len(computed), got, len(want), fits)
	}
	noLeftovers(t, shared)
}

// tinyChaos is a spec of many small cells on two data sets, with grids.
const tinyChaos = `
name: tinychaos
datasets: [overlap30, overlap60]
seeds: 3
methods:
  - method: euclidean
  - method: itml
    grid: {gamma: [0.1, 1, 10]}
  - method: e-r2lml
    params: {step: 1e-6, epochs: 1, iterations: 3}
    grid: {metrics: [2, 3], lambda: [1, 10]}
    measure: surface
`

// killed starts several processes of the program with equal arguments, each of which is
// killed at a random time if it did not end before, and counts those that were killed.
func killed(t *testing.T, processes int, longest time.Duration, draw *rand.Rand, args ...string) (n int) {
	t.Helper()
	var all []*process
	for range processes {
		p := program(t, args...)
		fixture.Check(t, p.Start())
		timer := time.AfterFunc(time.Duration(draw.Float64()*draw.Float64()*float64(longest)), func() { p.Process.Kill() })
		defer timer.Stop()
		all = append(all, p)
	}
	for _, p := range all {
		if code := p.code(t); code > 0 {
			t.Errorf("exit code %d\n%s", code, p.stderr.String())
		} else if code < 0 {
			n++
		}
	}
	return n
}

// packFiles are the packs of a store of accepted cells.
func packFiles(t *testing.T, dir string) map[string]string {
	t.Helper()
	return fixture.Contents(t, dir, ".jsonl.gz")
}

// TestChaosTogether: several processes compute cells in one directory and accept them
// in another, and all are killed at random times, again and again. Nothing that was
// on disk is lost, packs are whole or not there, and in the end every cell and pack has
// the bytes of a run that nobody disturbed.
func TestChaosTogether(t *testing.T) {
	fixture.Long(t)
	dir := t.TempDir()
	spec := fixture.Write(t, filepath.Join(dir, "tinychaos.yaml"), tinyChaos)
	reference, accepted := filepath.Join(dir, "reference"), filepath.Join(dir, "accepted")
	began := time.Now()
	finish(t, "run", spec, "--results", reference)
	whole, want := time.Since(began), testkit.Cells(t, reference)
	finish(t, "gate", spec, "--results", reference, "--accepted", accepted, "--accept")
	wantPacks := packFiles(t, accepted)

	processes, draw := number(t, "R2LMLBENCH_CHAOS_PROCESSES", 3), rand.New(rand.NewPCG(3, 4))
	var total, cells, packs int
	for round := 1; total < kills(t); round++ {
		results, accepted := filepath.Join(dir, fmt.Sprint("results-", round)), filepath.Join(dir, fmt.Sprint("accepted-", round))
		before := progressed{}
		for len(testkit.Cells(t, results)) < len(want) && total < kills(t) {
			total += killed(t, processes, 2*whole, draw, "run", spec, "--results", results, "--workers", "2")
			after := storeProgress(t, results)
			before.keptIn(t, after)
			before = after
		}
		finish(t, "run", spec, "--results", results)
		for try := 0; try < 4 && total < kills(t); try++ {
			total += killed(t, processes, 2*whole, draw, "gate", spec, "--results", results, "--accepted", accepted, "--accept")
			for name, data := range packFiles(t, accepted) {
				if data != wantPacks[name] {
					t.Errorf("%s is neither whole nor missing", name)
				}
			}
		}
		finish(t, "gate", spec, "--results", results, "--accepted", accepted, "--accept")
		finish(t, "gate", spec, "--results", results, "--accepted", accepted)
		cells, packs = cells+len(want), packs+len(wantPacks)
		testkit.EqualCells(t, testkit.Cells(t, results), want)
		testkit.EqualCells(t, packFiles(t, accepted), wantPacks)
		noLeftovers(t, results)
		noLeftovers(t, accepted)
		os.RemoveAll(results)
		os.RemoveAll(accepted)
	}
	t.Logf("%d kills of %d processes at a time, %d cells and %d packs compared; an undisturbed run took %v",
		total, processes, cells, packs, whole.Round(time.Millisecond))
}

// damages change the content of a file; the result differs.
var damages = []func(draw *rand.Rand, data []byte) []byte{
	func(draw *rand.Rand, data []byte) []byte { // a flipped bit
		data[draw.IntN(len(data))] ^= 1 << draw.IntN(8)
		return data
	},
	func(draw *rand.Rand, data []byte) []byte { return data[:draw.IntN(len(data))] }, // a lost end
	func(draw *rand.Rand, data []byte) []byte { // bytes of zero
		at := draw.IntN(len(data))
		clear(data[at:min(len(data), at+1+draw.IntN(64))])
		return data
	},
	func(_ *rand.Rand, data []byte) []byte { // a line too many
		return append(data, data[bytes.LastIndexByte(data[:len(data)-1], '\n')+1:]...)
	},
	func(draw *rand.Rand, data []byte) []byte { // a lost byte
		at := draw.IntN(len(data))
		return slices.Delete(data, at, at+1)
	},
	func(_ *rand.Rand, data []byte) []byte { return append(data, "\x00garbage"...) },
}

// damageAll damages every file, and returns what they hold now.
func damageAll(t *testing.T, dir string, files map[string]string, draw *rand.Rand) map[string]string {
	t.Helper()
	now := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		now[name] = string(damages[draw.IntN(len(damages))](draw, []byte(files[name])))
		fixture.Write(t, filepath.Join(dir, name), now[name])
	}
	return now
}

// TestChaosDamage: cells, packs and lists are damaged at random. Each file is named,
// what it held is kept, and what is made anew has the bytes that were there before.
func TestChaosDamage(t *testing.T) {
	fixture.Long(t)
	dir := t.TempDir()
	spec := fixture.Write(t, filepath.Join(dir, "tinychaos.yaml"), tinyChaos)
	results, accepted := filepath.Join(dir, "results"), filepath.Join(dir, "accepted")
	finish(t, "run", spec, "--results", results)
	accept := []string{"gate", spec, "--results", results, "--accepted", accepted, "--accept"}
	finish(t, accept...)
	cells, packs, lists := testkit.Cells(t, results), packFiles(t, accepted), fixture.Contents(t, filepath.Join(accepted, "gates"), ".json")
	draw, done := rand.New(rand.NewPCG(5, 6)), 0
	named := func(stderr, dir string, files map[string]string) {
		for name := range files {
			fixture.Has(t, "what tells of the damage", stderr, filepath.Join(dir, name))
		}
		done += len(files)
	}
	aside := func(dir string, files map[string]string) {
		kept := slices.Collect(maps.Values(fixture.Contents(t, dir, "")))
		for name, data := range files {
			if !slices.Contains(kept, data) {
				t.Errorf("what the damaged %s held is gone", name)
			}
		}
	}
	histories := fixture.Contents(t, filepath.Join(accepted, "gates"), ".jsonl")
	for most := number(t, "R2LMLBENCH_CHAOS_DAMAGES", 30); done < most; {
		now := damageAll(t, results, cells, draw)
		named(finish(t, "run", spec, "--results", results), results, now)
		aside(results, now)
		testkit.EqualCells(t, testkit.Cells(t, results), cells)

		now = damageAll(t, accepted, packs, draw)
		code, _, stderr := runProgram(t, "gate", spec, "--results", results, "--accepted", accepted)
		named(stderr, accepted, now)
		if code == 0 && strings.Contains(stderr, "counts as missing") {
			t.Errorf("the gate passes with cells missing:\n%s", stderr)
		}
		testkit.EqualCells(t, packFiles(t, accepted), now) // reading changes nothing
		finish(t, accept...)
		aside(accepted, now)
		testkit.EqualCells(t, packFiles(t, accepted), packs)

		gates := filepath.Join(accepted, "gates")
		now = damageAll(t, gates, lists, draw)
		for _, args := range [][]string{accept, accept[:len(accept)-1]} {
			code, _, stderr = runProgram(t, args...)
			fixture.Equal(t, fmt.Sprintf("%q with a damaged list: exit code", args), code, exitData)
		}
		named(stderr, gates, now)
		aside(gates, now)
		for name, data := range lists {
			fixture.Write(t, filepath.Join(gates, name), data)
		}
		finish(t, accept[:len(accept)-1]...)

		now = damageAll(t, gates, histories, draw)
		code, _, stderr = runProgram(t, append(accept, "--history")...)
		fixture.Equal(t, "exit code with a damaged history", code, exitData)
		named(stderr, gates, now)
		aside(gates, now)
		for name, data := range histories {
			fixture.Write(t, filepath.Join(gates, name), data)
		}
	}
	t.Logf("%d files damaged", done)
}
