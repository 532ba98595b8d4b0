package text

import "testing"

// TestWrap: lines end before the width where words allow, the first one begins later.
func TestWrap(t *testing.T) {
	if got, want := Wrap("aa bb  cc dddddddd e", 0, 6, "  "), "aa bb\n  cc\n  dddddddd\n  e"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := Wrap("aa bb", 3, 6, ""), "aa\nbb"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
