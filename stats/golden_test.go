package stats

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"r2lmlbench/internal/fixture"
	"slices"
	"strings"
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
			for _, key := range fixture.Unread(t, path, content) {
				if unreadFields[key] == "" && !slices.Contains(fixture.Remarks, key[strings.LastIndex(key, ".")+1:]) {
					t.Errorf("no test reads %s", key)
				}
			}
			check(t, content)
		})
	}
}

// unreadFields are the keys of the files that no test reads, and why.
var unreadFields = map[string]string{
	"caveat": "text", "evidence": "text", "rule": "text", "cases[].kind": "text", "cases[].reason": "text",
	"cases[].labels": "names of columns", "rows[].dataset": "a name",
	"critical": "read by TestPowerGolden", "power": "read by TestPowerGolden",
	"rows[].bold_not_rank1": "the audit of results/published reads it", "rows[].skipped_ranks": "the same",
	"cases[].library_differences": "what other libraries do otherwise", "cases[].statsmodels_reject_005": "the same",
	"percent[].printf_half_even": "a rule of rounding that is not ours", "synthetic_tables[].printf_half_even": "the same",
	"cases[].t": "the half width holds it", "cases[].median": "not part of a prediction", "cases[].rank_p": "the same",
	"cases[].max_half_width": "limits of the reference's verdict", "cases[].min_splits": "the same",
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
