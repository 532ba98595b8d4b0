package kernel

import (
	"math/rand/v2"
	"strings"
	"testing"

	"r2lmlbench/internal/fixture"
)

// with runs f while v is the level in use. So no two tests of this package may run at once.
func with(v *level, f func()) {
	was := active
	defer func() { active = was }()
	active = v
	f()
}

// eachLevel runs f at every level of the machine, the portable one first.
func eachLevel(f func(v *level)) {
	for _, v := range available() {
		with(v, func() { f(v) })
	}
}

// onLevels returns what run gives at the portable level, and fails unless every other one
// gives the same bits.
func onLevels(t *testing.T, what string, run func() []float64) (want []float64) {
	t.Helper()
	eachLevel(func(v *level) {
		got := run()
		if v == &goLevel {
			want = got
		}
		fixture.SameBits(t, v.name+", "+what, got, want)
	})
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
func engines(b *testing.B, name string, f func(b *testing.B)) {
	eachLevel(func(v *level) {
		b.Run(name+"/engine="+v.name, func(b *testing.B) {
			b.ReportAllocs()
			f(b)
		})
	})
}

// report adds the rate of floating-point operations.
func report(b *testing.B, flops int) {
	b.ReportMetric(float64(flops)*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOP/s")
}
