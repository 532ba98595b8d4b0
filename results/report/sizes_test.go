package report

import (
	"fmt"
	"strings"
	"testing"
)

// TestBySize: data sets are divided at the median of their training parts, whatever their
// order, and the method with the best average rank of each half comes first.
func TestBySize(t *testing.T) {
	in := newInput(t, full)
	for i := range in.Cells {
		for j := range in.Cells[i] {
			in.Cells[i][j].Split.Train = 10 * (1 + (7*i)%full.sets)
		}
	}
	said := in.bySize()
	if len(said) != 2 {
		t.Fatalf("%q, want a sentence each on small and large data sets", said)
	}
	for half, sentence := range said {
		part := in.Table
		part.Rows = nil
		for i, r := range in.Table.Rows {
			if large := in.Cells[i][0].Split.Train > 10*full.sets/2; large == (half == 1) {
				part.Rows = append(part.Rows, r)
			}
		}
		scores := part.Scores()
		st, ok := scores.Standing(part.Test.Alpha)
		if !ok {
			t.Fatal("the half cannot be ranked")
		}
		best := st.Order[0]
		want := fmt.Sprintf("are %s %.2f", in.Table.Columns[best].Name, st.Friedman.AverageRanks[best])
		if !strings.Contains(sentence, want) || !strings.HasPrefix(sentence, fmt.Sprintf("On the %d data sets with", st.Rows)) {
			t.Errorf("%q lacks %q or %d data sets", sentence, want, st.Rows)
		}
	}
	in.Cells[0][0].Split.Train = 0
	for j := range in.Cells[0] {
		in.Cells[0][j].Split.Train = 0
	}
	if said := in.bySize(); said != nil {
		t.Errorf("%q without the size of a data set", said)
	}
}
