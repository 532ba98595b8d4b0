package run_test

import (
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"r2lmlbench/experiments/cost"
	"r2lmlbench/experiments/plan"
	. "r2lmlbench/experiments/run"
	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/kernel"
	"r2lmlbench/internal/testkit"
	"r2lmlbench/results"
	"r2lmlbench/results/store"
)

// TestDividedCells: four shares score a part of every grid each, in stores of their own. A
// merge unites the parts, in the second round one share finishes each cell, and the cells
// have the bytes that one process gives them: those of joint surfaces, of restarts, of
// folds, and such as differ in k alone. The share that finishes also does what another
// share left undone.
func TestDividedCells(t *testing.T) {
	const shares = 4
	step := "params: {step: 1e-6, epochs: 2, iterations: 10}, grid: {metrics: [3, 5, 7], lambda: [1, 10]}"
	source, _ := tinySource(t)
	whole := storeIn(t, t.TempDir())
	jobs, _ := computed(t, tiny(
		"  - {method: t-r2lml, name: joint, unlabeled: joint, measure: surface, "+step+"}\n"+
			"  - {method: e-r2lml, name: restarts, restarts: 2, "+step+"}\n"+
			"  - {method: e-r2lml, name: folds, select: {on: cross-validation, folds: 2}, "+step+"}\n"+
			"  - {method: e-r2lml, name: one, params: {step: 1e-6, epochs: 2, iterations: 10}, grid: {metrics: [3, 5, 7], k: [1, 3]}}\n"),
		&Runner{Source: source, Store: whole})
	for _, lost := range []int{-1, 1} {
		merged := storeIn(t, t.TempDir())
		var own []*store.Store
		var dirs []string
		for share := range shares {
			dirs = append(dirs, t.TempDir())
			own = append(own, storeIn(t, dirs[share]))
		}
		for round := range 2 {
			for share, st := range own {
				if round == 0 && share == lost {
					continue
				}
				if round == 1 {
					fixture.Must(st.Merge(t.Context(), []string{merged.Dir}))(t)
				}
				var parts []plan.Job
				for i, j := range jobs {
					j.Part, j.Last = []int{}, i%shares == share
					for g, part := range cost.Groups(j) {
						if g%shares == share {
							j.Part = append(j.Part, part...)
						}
					}
					parts = append(parts, j)
				}
				r := Runner{Store: st, Source: source, Workers: 1 + share%2}
				fixture.Check(t, r.Run(t.Context(), parts))
			}
			fixture.Must(merged.Merge(t.Context(), dirs))(t)
			if cells := testkit.Cells(t, merged.Dir); round == 0 {
				fixture.Equal(t, "cells after the first round", len(cells), 0)
			} else {
				testkit.EqualCells(t, cells, testkit.Cells(t, whole.Dir))
			}
		}
	}
}

// levelEnvironment has the number of workers in the processes that TestLevelsSameCells
// starts.
const levelEnvironment = "R2LMLBENCH_TEST_CELLS"

// TestLevelsSameCells computes the cells of both R2LML methods at every level of package
// kernel that this machine has, with 1, 2 and 4 workers, and compares their bytes. The
// samples are few; r2lml compares the bits of fits to so many that maps are spread over cores.
func TestLevelsSameCells(t *testing.T) {
	if workers, err := strconv.Atoi(os.Getenv(levelEnvironment)); err == nil {
		printCells(t, workers)
		return
	}
	want := ""
	for _, level := range []string{"go", "avx2", "avx512", "neon"} {
		for _, workers := range []int{1, 2, 4} {
			c := exec.Command(os.Args[0], "-test.run=^TestLevelsSameCells$", "-test.v")
			c.Env = append(os.Environ(), fmt.Sprintf("%s=%d", levelEnvironment, workers), "R2LMLBENCH_SIMD="+level)
			out, err := c.CombinedOutput()
			if err != nil && strings.Contains(string(out), "not available here") {
				t.Logf("this machine lacks %s", level)
				break
			}
			var cells string
			for line := range strings.Lines(string(out)) {
				if strings.HasPrefix(line, "cell ") {
					cells += line
				}
			}
			if want == "" {
				want = cells
			}
			if err != nil || cells == "" || cells != want {
				t.Errorf("%s, %d workers: %v\n%s\nwant\n%s", level, workers, err, cells, want)
			}
		}
	}
}

// printCells prints a digest of every cell.
func printCells(t *testing.T, workers int) {
	fixture.Must(kernel.Level())(t)
	_, cells := computed(t, tiny("  - {method: t-r2lml, unlabeled: joint, measure: surface, params: {step: 1e-4, epochs: 2, iterations: 30}, "+
		"grid: {metrics: [1, 3, 6], lambda: [0.1, 10]}}\n"+
		"  - {method: e-r2lml, params: {step: 1e-4, epochs: 2, iterations: 30}, grid: {metrics: [1, 3, 6], lambda: [0.1, 10]}}\n"),
		&Runner{Workers: workers})
	for _, c := range cells {
		fmt.Printf("cell %s %s %x\n", c.Dataset, c.Method, sha256.Sum256(fixture.Must(results.EncodeCell(c))(t)))
	}
}
