package datasets

import (
	"errors"
	"testing"

	"r2lmlbench/internal/fixture"
)

// TestIncluded: what is part of the program has the bytes that the catalogue knows, and
// loads where there is no directory of data.
func TestIncluded(t *testing.T) {
	nowhere := Library{Dir: t.TempDir()}
	for _, id := range []string{"ionosphere", "glass", "sonar"} {
		e := fixture.Must(Find(id))(t)
		for _, f := range e.Files {
			if b, err := nowhere.Read(e, f); err != nil || !f.matches(b) {
				t.Errorf("%s: %s has not the SHA-256 of the catalogue (%v)", id, f.Name, err)
			}
		}
		fixture.Must(nowhere.Load(e))(t)
	}
	if _, err := nowhere.Load(fixture.Must(Find("wpbc"))(t)); !errors.Is(err, ErrMissing) {
		t.Errorf("wpbc: %v", err)
	}
}
