package figures

import (
	"fmt"
	"math"
	"regexp"
	"slices"
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

// Splits of equal accuracy are told apart: their rings stand above each other, inside their line.
func TestStackedSplits(t *testing.T) {
	for _, c := range []struct{ equal, other int }{{1, 0}, {2, 1}, {9, 3}, {100, 2}} {
		var of []float64
		for range c.equal {
			of = append(of, 90)
		}
		for i := range c.other {
			of = append(of, float64(i))
		}
		most := tallest([]splitSet{{accuracies: [][]float64{of}}})
		if most != c.equal {
			t.Errorf("%d are equal, want %d", most, c.equal)
		}
		apart := stacked(of, most)
		for i, y := range apart[:c.equal] {
			if room := 0.5 - 4/float64(rowHeight(most)); math.Abs(y) > room {
				t.Errorf("ring %d of %d is %g lines away", i, c.equal, y)
			}
			if i > 0 && y <= apart[i-1] {
				t.Errorf("ring %d of %d is not below the one before", i, c.equal)
			}
			if i > 0 && c.equal < 10 && (y-apart[i-1])*float64(rowHeight(most)) < 4 {
				t.Errorf("rings %d of %d are %g lines apart", i, c.equal, y-apart[i-1])
			}
		}
		for _, y := range apart[c.equal:] {
			if y != 0 {
				t.Errorf("a lone ring is %g lines away", y)
			}
		}
	}
}

// Every ring of a figure has a place of its own.
func TestRingsApart(t *testing.T) {
	tbl := splitTable(2, 12)
	for i := range tbl.Rows {
		tbl.Rows[i].Cells[0] = studytest.Got(40+i%3, 50)
	}
	all, err := Splits(tbl)
	if err != nil || len(all) != 1 {
		t.Fatalf("%d figures, %v", len(all), err)
	}
	rings := regexp.MustCompile(`cx="[0-9.]+" cy="[0-9.]+"`).FindAllString(string(all[0].SVG), -1)
	slices.Sort(rings)
	if n := len(slices.Compact(slices.Clone(rings))); n != len(rings) || n < 2*23 {
		t.Errorf("%d places of %d rings", n, len(rings))
	}
	if !strings.HasSuffix(all[0].See, "stand above each other.") {
		t.Errorf("caption %q", all[0].See)
	}
}
