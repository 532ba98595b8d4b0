package datasets

import (
	"r2lmlbench/internal/fixture"
	"testing"
)

// tissueRows are as many rows as the real sheet has.
func tissueRows() [][]any {
	rows := [][]any{{"Case #", "Class"}}
	for i := range 106 {
		row := []any{float64(i + 1), "car"}
		for j := range 9 {
			row = append(row, float64(i)+float64(j)/8)
		}
		rows = append(rows, row)
	}
	return rows
}

func TestLoadBreastTissue(t *testing.T) {
	raw := fixture.Must(breastTissue(tissueRows()))(t)
	if len(raw.X) != 106 || raw.Labels[105] != "car" {
		t.Errorf("%d rows, the last %q", len(raw.X), raw.Labels[len(raw.Labels)-1])
	}
	fixture.Same(t, "second row", raw.X[1], []float64{1, 1.125, 1.25, 1.375, 1.5, 1.625, 1.75, 1.875, 2})
}
