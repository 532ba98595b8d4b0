package judge_test

import (
	"slices"
	"testing"

	. "r2lmlbench/experiments/judge"
	"r2lmlbench/internal/spectest"
)

// The study of local metrics is told families, sizes and grids by the plan, and times
// by the records of runs, also where the digests of the splits are not known.
func TestCellsOfPlan(t *testing.T) {
	p, cells := runSpec(t, spectest.Parse(t, `
name: x
datasets: [overlap30]
split: {rule: random, repeats: 2, seed: 1}
methods:
  - {method: euclidean, name: euclidean-raw}
  - {method: gmml, grid: {features: [raw, zscore], t: [0, 0.5, 1]}}
`))
	for i := range p.Rows {
		for _, jobs := range p.Rows[i].Jobs {
			jobs[0].Inputs.SplitDigest = ""
		}
	}
	c, err := CellsOfPlan(NewSession(t.TempDir()), p, cells)
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"none", "global"}; !slices.Equal(c.Families, want) || !slices.Equal(c.Training, []int{80, 80}) || len(c.Table.Rows) != 2 {
		t.Errorf("families %q, training samples %v, %d rows", c.Families, c.Training, len(c.Table.Rows))
	}
	for i, row := range c.Plans {
		if len(row[0].Points) != 1 || len(row[1].Points) != 6 || row[0].Seconds <= 0 || row[1].Seconds <= 0 {
			t.Errorf("row %d: %d and %d points, %v s and %v s", i, len(row[0].Points), len(row[1].Points), row[0].Seconds, row[1].Seconds)
		}
	}
}
