package figures

import (
	"fmt"
	"strings"
	"testing"

	"r2lmlbench/results/study/studytest"
	"r2lmlbench/results/table"
)

// splitTable has so many data sets with so many splits each, and two methods, of which the
// second lacks the last split.
func splitTable(sets, splits int) table.Table {
	t := table.Table{Columns: []table.Column{{ID: "euclidean", Name: "Euclidean"}, {ID: "mine", Name: "<b>Mine"}}}
	for set := range sets {
		for i := range splits {
			r := table.Row{Dataset: fmt.Sprint("set", set), Name: fmt.Sprint("Set ", set), N: 50, Repeat: i + 1}
			r.Cells = []table.Cell{studytest.Got(40+i, 50), studytest.Got(30+2*i, 50)}
			if i == splits-1 {
				r.Cells[1] = table.Cell{}
			}
			t.Rows = append(t.Rows, r)
		}
	}
	return t
}

// TestSplits: there is a mark for every split and one for every mean, and the numbers are
// those of the table.
func TestSplits(t *testing.T) {
	for _, c := range []struct{ sets, splits, marks, lines int }{
		{1, 3, 3 + 2 + 2, 5}, {2, 4, 2 * (4 + 3 + 2), 14}, {mostSplitSets, 2, mostSplitSets * (2 + 1 + 2), 3 * mostSplitSets},
	} {
		all, err := Splits(splitTable(c.sets, c.splits))
		if err != nil || len(all) != 1 {
			t.Fatalf("%d data sets: %d figures, %v", c.sets, len(all), err)
		}
		check(t, all[0])
		if s := readSVG(t, all[0]); s.marks != c.marks {
			t.Errorf("%d data sets of %d splits have %d marks, want %d", c.sets, c.splits, s.marks, c.marks)
		}
		lines := strings.Split(strings.TrimSpace(string(all[0].CSV)), "\n")
		if len(lines) != 1+c.lines || lines[1] != ",set0,euclidean,1,80" {
			t.Errorf("%d lines, the first %q", len(lines)-1, lines[1])
		}
		if want := "Euclidean 80.00 to "; !strings.Contains(all[0].Alt, want) {
			t.Errorf("%q lacks %q", all[0].Alt, want)
		}
	}
	for _, none := range []table.Table{{}, splitTable(1, 1), splitTable(mostSplitSets+1, 3)} {
		if all, err := Splits(none); err != nil || len(all) != 0 {
			t.Errorf("%d rows: %d figures, %v", len(none.Rows), len(all), err)
		}
	}
}
