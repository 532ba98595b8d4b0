package figures

import (
	"fmt"
	"testing"
)

// A mark means one thing in a legend that serves both panels.
func TestLambdaLegend(t *testing.T) {
	s := lambdaSheet{zeroed: 1}
	s.Study = "sparse"
	seen := map[string]string{}
	for _, e := range s.legend() {
		look := fmt.Sprintf("%v %T %v %v", e.Look.Color, e.Look.Mark, e.Look.Mark, e.Look.Dashes)
		if other, ok := seen[look]; ok {
			t.Errorf("%q and %q look alike", other, e.Text)
		}
		seen[look] = e.Text
	}
	if len(seen) != 7 {
		t.Errorf("%d entries, want 7", len(seen))
	}
}
