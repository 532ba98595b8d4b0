package experiments

import (
	"slices"
	"testing"
)

// TestPaper: the program carries the spec of the paper's table.
func TestPaper(t *testing.T) {
	if !slices.Contains(Names(), Paper) {
		t.Errorf("there is no spec %q", Paper)
	}
}
