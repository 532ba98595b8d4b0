package accepted

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// TestFiles: every file of the directory is in the program, byte for byte. What
// is embedded by the name of its folder lacks files that begin with . or _.
func TestFiles(t *testing.T) {
	n := 0
	for _, folder := range []string{"gates", "packs"} {
		err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			want, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			if got, err := Files.ReadFile(filepath.ToSlash(path)); err != nil || !bytes.Equal(got, want) {
				t.Errorf("%s: %v, want its %d bytes", path, err, len(want))
			}
			n++
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if n < 200 {
		t.Errorf("%d files", n)
	}
}
