package golden

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// recorder is a testing.TB that keeps failures instead of reporting them.
type recorder struct {
	testing.TB
	failures []string
}

func (r *recorder) Helper() {}

func (r *recorder) Errorf(format string, args ...any) {
	r.failures = append(r.failures, fmt.Sprintf(format, args...))
}

// setUpdate sets the flag for the length of one test.
func setUpdate(t *testing.T, value string) {
	t.Helper()
	old := flag.Lookup(updateFlag).Value.String()
	t.Cleanup(func() { flag.Set(updateFlag, old) })
	if err := flag.Set(updateFlag, value); err != nil {
		t.Fatal(err)
	}
}

func TestEqual(t *testing.T) {
	setUpdate(t, "false")
	dir := t.TempDir()
	path := filepath.Join(dir, "table.golden")
	if err := os.WriteFile(path, []byte("iris 96.7\nwine 98.1\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name, path, got string
		want            []string // parts of the only failure; none means the test passes
	}{
		{"same", path, "iris 96.7\nwine 98.1\n", nil},
		{"one line differs", path, "iris 96.7\nwine 97.0\n", []string{"table.golden differs", "98.1", "97.0"}},
		{"final newline lost", path, "iris 96.7\nwine 98.1", []string{"table.golden differs"}},
		{"no file", path + "x", "new", []string{"table.goldenx does not exist", "-update", "new"}},
		{"unreadable", dir, "new", []string{"golden: read ", dir}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := &recorder{TB: t}
			Equal(r, tt.path, []byte(tt.got))
			checkFailure(t, r.failures, tt.want)
		})
	}
}

func checkFailure(t *testing.T, failures, parts []string) {
	t.Helper()
	if len(parts) == 0 {
		if len(failures) != 0 {
			t.Fatalf("unexpected failure: %q", failures)
		}
		return
	}
	if len(failures) != 1 {
		t.Fatalf("got %d failures, want 1: %q", len(failures), failures)
	}
	for _, part := range parts {
		if !strings.Contains(failures[0], part) {
			t.Errorf("failure lacks %q:\n%s", part, failures[0])
		}
	}
}

func TestEqualUpdates(t *testing.T) {
	setUpdate(t, "true")
	path := filepath.Join(t.TempDir(), "new", "deep", "table.golden")
	for _, got := range []string{"first, longer\n", "second\n"} {
		Equal(t, path, []byte(got))
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if string(b) != got {
			t.Errorf("file holds %q, want %q", b, got)
		}
	}
}
