package stats

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"testing"
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
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			var content T
			if err := json.Unmarshal(data, &content); err != nil {
				t.Fatal(err)
			}
			check(t, content)
		})
	}
}

// near reports whether got is want within a relative tolerance; nil wants NaN.
func near(got float64, want *float64, relative float64) bool {
	if want == nil {
		return math.IsNaN(got)
	}
	return math.Abs(got-*want) <= relative*math.Abs(*want)
}

func show(want *float64) any {
	if want == nil {
		return "NaN"
	}
	return *want
}
