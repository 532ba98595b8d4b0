package tabular

import (
	"fmt"
	"strings"
	"testing"
)

// A column of identifiers is no column of folds. The fault stands at the row in which
// there are too many values.
func TestTooManyFolds(t *testing.T) {
	for _, c := range []struct {
		values int
		want   string
	}{{MaxFolds, ""}, {MaxFolds + 1, fmt.Sprintf("x.csv:%d: the column of folds id has more than 1000 different values", MaxFolds+2)}} {
		var b strings.Builder
		b.WriteString("a,id,class\n")
		for i := range 2 * c.values {
			fmt.Fprintf(&b, "%d,%d,%c\n", i, i%c.values, 'x'+rune(i%2))
		}
		table, err := read("x.csv", []byte(b.String()), Options{Label: Column{Name: "class"}, Fold: Column{Name: "id"}})
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%d values: %v", c.values, err)
		case c.want == "":
			if names, rows := table.FoldCounts(); len(names) != c.values || rows[0] != 2 {
				t.Errorf("%d folds, %d rows in the first, want %d and 2", len(names), rows[0], c.values)
			}
		case err == nil || !strings.Contains(err.Error(), c.want):
			t.Errorf("%d values: %v, want %q", c.values, err, c.want)
		}
	}
}
