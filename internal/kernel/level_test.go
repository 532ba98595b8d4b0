package kernel

import (
	"math/rand/v2"
	"strings"
	"testing"

	"r2lmlbench/internal/fixture"
)

// fast returns the levels to compare with the portable one.
func fast(t testing.TB) []*level {
	t.Helper()
	levels := available()[1:]
	if len(levels) == 0 {
		t.Skip("this machine runs the portable level only: nothing to compare")
	}
	return levels
}

// onLevels returns what run gives at the portable level, and fails unless every other one
// gives the same bits.
func onLevels(t *testing.T, what string, run func(v *level) []float64) []float64 {
	t.Helper()
	want := run(&goLevel)
	for _, v := range available()[1:] {
		fixture.SameBits(t, v.name+", "+what, run(v), want)
	}
	return want
}

func normal(n int, r *rand.Rand) []float64 {
	return fill(n, func(int) float64 { return r.NormFloat64() })
}

func TestChoose(t *testing.T) {
	levels := available()
	if l, err := choose("", levels); l != levels[len(levels)-1] || err != nil {
		t.Errorf("no name: got %v, %v; want the fastest", l.name, err)
	}
	for _, want := range levels {
		if l, err := choose(want.name, levels); l != want || err != nil {
			t.Errorf("%s: got %v, %v", want.name, l.name, err)
		}
	}
	for _, name := range []string{"avx1024", "AVX2"} {
		l, err := choose(name, levels)
		if l != &goLevel || err == nil || !strings.Contains(err.Error(), `R2LMLBENCH_SIMD="`+name+`"`) {
			t.Errorf("%s: got %v, %v; want the portable level and an error that names the variable", name, l.name, err)
		}
	}
	if name, err := Level(); name == "" || err != nil && name != "go" {
		t.Errorf("Level: %q, %v", name, err)
	}
}

// engines runs a benchmark at every level of the machine.
func engines(b *testing.B, name string, f func(b *testing.B, v *level)) {
	for _, v := range available() {
		b.Run(name+"/engine="+v.name, func(b *testing.B) {
			b.ReportAllocs()
			f(b, v)
		})
	}
}

// report adds the rate of floating-point operations.
func report(b *testing.B, flops int) {
	b.ReportMetric(float64(flops)*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOP/s")
}
