package results_test

import (
	"io/fs"
	"path"
	"path/filepath"
	"testing"

	"r2lmlbench/internal/fixture"
	"r2lmlbench/results"
)

// TestAccepted: every file of the directory is in the program, byte for byte. What
// is embedded by the name of its folder lacks files that begin with . or _.
func TestAccepted(t *testing.T) {
	n := 0
	for _, folder := range []string{"gates", "packs"} {
		for name, want := range fixture.Contents(t, filepath.Join("accepted", folder), "") {
			got := fixture.Must(fs.ReadFile(results.Accepted(), path.Join(folder, name)))(t)
			fixture.Equal(t, name+" is the same", string(got) == want, true)
			n++
		}
	}
	if n < 200 {
		t.Errorf("%d files", n)
	}
}
