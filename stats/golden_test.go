package stats

import (
	"math"
	"strconv"
	"testing"

	"r2lmlbench/internal/fixture"
)

// eachCase runs check on every case of the reference files of such a name, which have nothing else.
func eachCase[C any](t *testing.T, pattern string, check func(*testing.T, C)) {
	t.Helper()
	fixture.Each(t, "stats", pattern, func(t *testing.T, f struct{ Cases []C }) {
		if len(f.Cases) == 0 {
			t.Fatal("no cases")
		}
		for i, c := range f.Cases {
			t.Run(strconv.Itoa(i), func(t *testing.T) { check(t, c) })
		}
	})
}

// near fails unless got is want within a relative tolerance; nil wants NaN.
func near(t *testing.T, what string, got float64, want *float64, relative float64) {
	t.Helper()
	if want == nil {
		if !math.IsNaN(got) {
			t.Errorf("%s: got %v, want NaN", what, got)
		}
		return
	}
	fixture.Near(t, what, got, *want, relative*math.Abs(*want))
}

// mustPanic calls what is refused, by name.
func mustPanic(t *testing.T, calls map[string]func()) {
	t.Helper()
	for name, f := range calls {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			f()
		}()
	}
}

func upTo(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}
