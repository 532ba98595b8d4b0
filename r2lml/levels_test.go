package r2lml

import (
	"context"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"r2lmlbench/internal/cores"
	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/kernel"
)

// levelEnvironment is set in the processes that TestLevelsSameBits starts.
const levelEnvironment = "R2LMLBENCH_TEST_BITS"

// TestLevelsSameBits fits in a process of its own for every level of package
// kernel that this machine has, forced as a user would, and compares all bits
// learned, with one core and with several.
func TestLevelsSameBits(t *testing.T) {
	if os.Getenv(levelEnvironment) != "" {
		printBits(t)
		return
	}
	want := ""
	for _, level := range []string{"go", "avx2", "avx512", "neon"} {
		out, err := bitsUnder(t, level)
		if err != nil && strings.Contains(out, "not available here") {
			t.Logf("this machine lacks %s", level)
			continue
		}
		if err != nil {
			t.Fatalf("%s: %v\n%s", level, err, out)
		}
		if want == "" {
			want = out
		}
		if out != want || out == "" {
			t.Errorf("%s:\n%s\nwant\n%s", level, out, want)
		}
	}
}

// bitsUnder runs this test under a level and returns the lines with bits.
func bitsUnder(t *testing.T, level string) (string, error) {
	c := exec.Command(os.Args[0], "-test.run=^TestLevelsSameBits$", "-test.v")
	c.Env = append(os.Environ(), levelEnvironment+"=1", "R2LMLBENCH_SIMD="+level)
	out, err := c.CombinedOutput()
	if err != nil {
		return string(out), err
	}
	var lines []string
	for line := range strings.Lines(string(out)) {
		if strings.HasPrefix(line, "bits ") {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, ""), nil
}

// printBits fits E-R2LML and T-R2LML in every shape of loop: with screens, the
// float32 prefilter and sums of eight rows, with one metric and with more than
// there are lanes.
func printBits(t *testing.T) {
	fixture.Must(kernel.Level())(t)
	runtime.GOMAXPROCS(4)
	large, small := farClasses(740, 9), twoClouds(37, 5, 6)
	for _, c := range []struct {
		p Problem
		m Efficient
	}{
		{large, Efficient{Metrics: 2, Lambda: 1, Step: 3e-8, Epochs: 2, Iterations: 30}},
		{small, Efficient{Metrics: 1, Lambda: 10, Step: 1e-4, Epochs: 2, Iterations: 60}},
		{small, Efficient{Metrics: 9, Lambda: 0.1, Step: 1e-4, Epochs: 3, Iterations: 60}},
	} {
		for _, transductive := range []bool{false, true} {
			var bits [3]uint64
			for i, n := range []int{1, 2, 4} {
				slots := make(cores.Slots, n)
				slots <- struct{}{} // of this goroutine
				f := fixture.Must(fitEither(cores.With(context.Background(), slots), c.p, c.m, transductive))(t)
				h := fnv.New64a()
				for _, v := range append(learned(f), allDistances(c.p, f)...) {
					fmt.Fprintln(h, math.Float64bits(v))
				}
				bits[i] = h.Sum64()
			}
			if bits[0] != bits[1] || bits[0] != bits[2] {
				t.Errorf("K=%d transductive=%v: %x with 1, 2 and 4 cores", c.m.Metrics, transductive, bits)
			}
			fmt.Printf("bits K=%d transductive=%v %x\n", c.m.Metrics, transductive, bits[0])
		}
	}
}

// farClasses has many samples in classes that are far apart, so that few pairs
// come near distance 1.
func farClasses(n, d int) Problem {
	r := rand.New(rand.NewPCG(uint64(n), uint64(d)))
	p := Problem{X: fixture.Normal(r, n, d), Y: make([]int, n), Query: fixture.Normal(r, 5, d), Seed: 3}
	for i := range p.Y {
		p.Y[i] = 1 + i%5
		p.X.Set(i, i%5%d, p.X.At(i, i%5%d)+20)
	}
	return p
}
