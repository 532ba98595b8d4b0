package run_test

import (
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	. "r2lmlbench/experiments/run"
	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/kernel"
	"r2lmlbench/internal/spectest"
	"r2lmlbench/results"
)

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
	if _, err := kernel.Level(); err != nil {
		t.Fatal(err)
	}
	source, _ := tinySource(t)
	text := tiny("  - {method: t-r2lml, unlabeled: joint, measure: surface, params: {step: 1e-4, epochs: 2, iterations: 30}, " +
		"grid: {metrics: [1, 3, 6], lambda: [0.1, 10]}}\n" +
		"  - {method: e-r2lml, params: {step: 1e-4, epochs: 2, iterations: 30}, grid: {metrics: [1, 3, 6], lambda: [0.1, 10]}}\n")
	_, cells, err := compute(t, spectest.Parse(t, text), &Runner{Workers: workers, Source: source})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cells {
		data := fixture.Must(results.EncodeCell(c))(t)
		fmt.Printf("cell %s %s %x\n", c.Dataset, c.Method, sha256.Sum256(data))
	}
}
