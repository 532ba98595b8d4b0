package table

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"r2lmlbench/stats"
)

// addSpreads puts the spread of every column over all seeds and repeats of a
// data set on its first row. Rows by another rule have a spread of their own.
func addSpreads(rows []Row, made []*madeRow) {
	first := map[[2]string]int{} // row by data set and rule
	runs := map[[2]int][]Trial{} // by row and column
	for i, m := range made {
		rule, _, _ := strings.Cut(m.row.Split, " repeat=")
		group := [2]string{m.row.Dataset, rule}
		if _, seen := first[group]; !seen {
			first[group] = i
		}
		for j := range rows[i].Cells {
			if rows[i].Cells[j].Score == nil {
				continue
			}
			at := [2]int{first[group], j}
			runs[at] = append(runs[at], m.trials[j]...)
		}
	}
	for at, r := range runs {
		rows[at[0]].Cells[at[1]].Spread = newSpread(r)
	}
}

// A Trial is the outcome of one seed on one split.
type Trial struct{ correct, n int }

// Percent is the accuracy in percent.
func (r Trial) Percent() float64 { return 100 * float64(r.correct) / float64(r.n) }

func (r Trial) text() string { return stats.Percent(r.correct, r.n, 2) }

// TrialsOf are the outcomes of the cells that have one, by seed.
func TrialsOf(in CellInput) []Trial {
	var runs []Trial
	for _, c := range in.Cells {
		if c.Failure == "" {
			runs = append(runs, Trial{c.Correct(), len(c.Truth)})
		}
	}
	return runs
}

// newSpread describes two runs or more; of fewer there is no spread.
func newSpread(runs []Trial) *Spread {
	if len(runs) < 2 {
		return nil
	}
	byAccuracy := func(a, b Trial) int { return a.correct*b.n - b.correct*a.n }
	var all Trial
	for _, r := range runs {
		all.correct += r.correct
		all.n += r.n
	}
	return &Spread{
		Runs: len(runs),
		Mean: all.text(),
		SD:   strconv.FormatFloat(Deviation(runs), 'f', 2, 64),
		Min:  slices.MinFunc(runs, byAccuracy).text(),
		Max:  slices.MaxFunc(runs, byAccuracy).text(),
	}
}

// Deviation is the standard deviation of the runs in points, divisor R-1.
func Deviation(runs []Trial) float64 {
	mean := 0.0
	for _, r := range runs {
		mean += r.Percent() / float64(len(runs))
	}
	squares := 0.0
	for _, r := range runs {
		squares += (r.Percent() - mean) * (r.Percent() - mean)
	}
	return math.Sqrt(squares / float64(len(runs)-1))
}
