package results

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"r2lmlbench/stats"
)

// addSpreads puts the spread of every column over all seeds and repeats of a
// data set on its first row. Rows by another rule have a spread of their own.
func addSpreads(rows []Row, inputs []RowInput) {
	first := map[[2]string]int{} // row by data set and rule
	runs := map[[2]int][]trial{} // by row and column
	for i, in := range inputs {
		rule, _, _ := strings.Cut(in.Split, " repeat=")
		group := [2]string{in.Dataset, rule}
		if _, seen := first[group]; !seen {
			first[group] = i
		}
		for j := range rows[i].Cells {
			if rows[i].Cells[j].Score == nil {
				continue
			}
			at := [2]int{first[group], j}
			runs[at] = append(runs[at], trialsOf(in.Cells[j])...)
		}
	}
	for at, r := range runs {
		rows[at[0]].Cells[at[1]].Spread = newSpread(r)
	}
}

// A trial is the outcome of one seed on one split.
type trial struct{ correct, n int }

func (r trial) percent() float64 { return 100 * float64(r.correct) / float64(r.n) }

func (r trial) text() string { return stats.Percent(r.correct, r.n, 2) }

func trialsOf(in CellInput) []trial {
	var runs []trial
	for _, c := range in.Cells {
		if c.Failure == "" {
			runs = append(runs, trial{c.Correct(), len(c.Truth)})
		}
	}
	return runs
}

// newSpread describes two runs or more; of fewer there is no spread.
func newSpread(runs []trial) *Spread {
	if len(runs) < 2 {
		return nil
	}
	byAccuracy := func(a, b trial) int { return a.correct*b.n - b.correct*a.n }
	var all trial
	for _, r := range runs {
		all.correct += r.correct
		all.n += r.n
	}
	return &Spread{
		Runs: len(runs),
		Mean: all.text(),
		SD:   strconv.FormatFloat(deviation(runs), 'f', 2, 64),
		Min:  slices.MinFunc(runs, byAccuracy).text(),
		Max:  slices.MaxFunc(runs, byAccuracy).text(),
	}
}

// deviation is the standard deviation of the runs in points, divisor R-1.
func deviation(runs []trial) float64 {
	mean := 0.0
	for _, r := range runs {
		mean += r.percent() / float64(len(runs))
	}
	squares := 0.0
	for _, r := range runs {
		squares += (r.percent() - mean) * (r.percent() - mean)
	}
	return math.Sqrt(squares / float64(len(runs)-1))
}
