package datasets

import "testing"

// TestIncluded: what is part of the program has the bytes that the catalogue knows, and
// loads where there is no directory of data.
func TestIncluded(t *testing.T) {
	nowhere := Library{Dir: t.TempDir()}
	for _, id := range []string{"ionosphere", "glass", "sonar"} {
		e, err := Find(id)
		if err != nil || !e.Included() {
			t.Fatalf("%s: included %t (%v)", id, e.Included(), err)
		}
		for _, f := range e.Files {
			if b, err := nowhere.Read(e, f); err != nil || !f.matches(b) {
				t.Errorf("%s: %s has not the SHA-256 of the catalogue (%v)", id, f.Name, err)
			}
		}
		if _, err := nowhere.Load(e); err != nil {
			t.Error(err)
		}
	}
	if e, err := Find("wpbc"); err != nil || e.Included() {
		t.Errorf("wpbc: included %t (%v)", e.Included(), err)
	}
}
