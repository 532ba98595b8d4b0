package experiments

import (
	"slices"
	"testing"
)

// TestRoles: every part is played by a spec that the program carries.
func TestRoles(t *testing.T) {
	for _, name := range append([]string{Paper, Memory}, Evidence...) {
		if !slices.Contains(Names(), name) {
			t.Errorf("there is no spec %q", name)
		}
	}
}
