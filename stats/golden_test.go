package stats

import (
	"math"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"r2lmlbench/internal/fixture"
)

// eachGolden runs check on every file of the given pattern in testdata and, if
// R2LMLBENCH_SHARED names a tree of reference values, in its golden/stats.
func eachGolden[T any](t *testing.T, pattern string, check func(*testing.T, T)) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join("testdata", pattern))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no testdata/%s: %v", pattern, err)
	}
	if shared := os.Getenv("R2LMLBENCH_SHARED"); shared != "" {
		more, err := filepath.Glob(filepath.Join(shared, "golden", "stats", pattern))
		if err != nil || len(more) == 0 {
			t.Fatalf("no golden/stats/%s in R2LMLBENCH_SHARED: %v", pattern, err)
		}
		paths = append(paths, more...)
	}
	for _, path := range paths {
		t.Run(path, func(t *testing.T) {
			var content T
			fixture.Read(t, path, &content)
			check(t, content)
		})
	}
}

// eachCase runs check on every case of such files, which have nothing else.
func eachCase[C any](t *testing.T, pattern string, check func(*testing.T, C)) {
	t.Helper()
	eachGolden(t, pattern, func(t *testing.T, f struct{ Cases []C }) {
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
