package baselines

import (
	"path/filepath"
	"testing"
)

// eachNamed runs test on the fixtures of a method whose file names match
// pattern: those of the reference collection or, without it, the part of them
// under testdata.
func eachNamed[F any](t *testing.T, method, pattern string, test func(t *testing.T, f F)) {
	t.Helper()
	if shared := sharedFolder(); shared != "" {
		runNamed(t, filepath.Join(shared, "golden", method, pattern), test)
		return
	}
	runNamed(t, filepath.Join("testdata", method, pattern), test)
}

func runNamed[F any](t *testing.T, pattern string, test func(t *testing.T, f F)) {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("no fixture %s (%v)", pattern, err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			var f F
			readFixture(t, file, &f)
			test(t, f)
		})
	}
}
