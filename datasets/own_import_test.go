package datasets

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// TestRecipeNamesItsCopy: what the library keeps beside imported data opens the copy that
// was made with it, and no other file.
func TestRecipeNamesItsCopy(t *testing.T) {
	l := Library{Dir: t.TempDir()}
	folder := filepath.Join(l.Dir, importedDir)
	if err := os.MkdirAll(folder, 0o777); err != nil {
		t.Fatal(err)
	}
	for file, fine := range map[string]bool{
		"mine": true, "mine.csv": true, "mine.data.gz": true,
		"": false, ".": false, "..": false, "/": false, "other.csv": false, "../mine.csv": false, "mine/../../x.csv": false, "mine.a/b": false, "/etc/passwd": false,
	} {
		recipe := fmt.Appendf(nil, `{"schema": 1, "file": %q, "options": {}}`, file)
		if err := os.WriteFile(filepath.Join(folder, "mine"+ownSuffix), recipe, 0o666); err != nil {
			t.Fatal(err)
		}
		o, err := l.Located(LibraryEntry("mine"))
		switch {
		case fine && (err != nil || o.File != filepath.Join(folder, file)):
			t.Errorf("%q: %v, %q", file, err, o.File)
		case !fine && !errors.Is(err, ErrCorrupt):
			t.Errorf("%q: %v, %q; want ErrCorrupt", file, err, o.File)
		}
	}
}
