package published

import (
	"fmt"
	"testing"
)

func TestAllLambda(t *testing.T) {
	all := AllLambda()
	if len(all) != 14 {
		t.Fatalf("%d columns, want 6 of the first table and 8 of the second", len(all))
	}
	// paper, tables of accuracy against lambda: the first one's 100, the second one's 10000
	for i, want := range map[int]string{4: "{overlap 30 320 100 0.563 []}", 12: "{sparse 60 320 10000 0.916 [13 13 14]}"} {
		if got := fmt.Sprint(all[i]); got != want {
			t.Errorf("column %d is %s, want %s", i, got, want)
		}
	}
	all[12].Zeros[0] = 99
	if again := AllLambda()[12].Zeros[0]; again != 13 {
		t.Errorf("%d zero columns after a caller changed its copy", again)
	}
}
