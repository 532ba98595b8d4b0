package table

import (
	"math"
	"math/big"
	"slices"

	"gonum.org/v1/gonum/stat"

	"r2lmlbench/internal/text"
	"r2lmlbench/results"
	"r2lmlbench/stats"
)

// addSpreads puts the spread of every column over all seeds and repeats of a
// data set on its first row. Rows by another rule have a spread of their own.
func (t Table) addSpreads() {
	first := map[[2]string]int{} // row by data set and rule
	runs := map[[2]int][]Trial{} // by row and column
	for i, r := range t.Rows {
		group := [2]string{r.Dataset, r.rule()}
		if _, seen := first[group]; !seen {
			first[group] = i
		}
		for j, c := range r.Cells {
			at := [2]int{first[group], j}
			runs[at] = append(runs[at], c.Trials...)
		}
	}
	for at, r := range runs {
		t.Rows[at[0]].Cells[at[1]].Spread = newSpread(r)
	}
}

// A Trial is the outcome of one seed on one split.
type Trial struct {
	Seed       uint64
	Correct, N int     // test samples
	Settings   int     // that it could choose from
	Select     string  // the metric that chose, as in results.Inputs
	Validated  float64 // accuracy of the chosen one on the validation samples, as a fraction of 1; 0 without a choice
	Score      float64 // the same by the metric of Select; -Inf where that is not defined
}

// Percent is the accuracy in percent.
func (r Trial) Percent() float64 { return 100 * float64(r.Correct) / float64(r.N) }

func (r Trial) text() string { return stats.Percent(r.Correct, r.N, 2) }

// newTrial makes the outcome of a cell.
func newTrial(c results.Cell) Trial {
	t := Trial{Seed: c.Seed, Correct: c.Correct(), N: len(c.Truth), Settings: len(c.Points), Select: c.Select}
	right := validation(c)
	if right == nil || right.Of == 0 {
		return t
	}
	t.Validated = float64(right.Correct) / float64(right.Of)
	if t.Score = t.Validated; c.Validation.Scores != nil {
		t.Score = math.Inf(-1)
		if score, ok := new(big.Rat).SetString(c.Validation.Scores[c.Chosen]); ok {
			t.Score, _ = score.Float64()
		}
	}
	return t
}

// trialsOf are the outcomes of the cells that have one, by seed.
func trialsOf(in CellInput) []Trial {
	var runs []Trial
	for _, c := range in.Cells {
		if c.Failure == "" {
			runs = append(runs, newTrial(c))
		}
	}
	return runs
}

// newSpread describes two runs or more; of fewer there is no spread.
func newSpread(runs []Trial) *Spread {
	if len(runs) < 2 {
		return nil
	}
	var all Trial
	var accuracies []float64
	for _, r := range runs {
		all.Correct, all.N = all.Correct+r.Correct, all.N+r.N
		accuracies = append(accuracies, r.Percent())
	}
	byAccuracy := func(a, b Trial) int { return a.Correct*b.N - b.Correct*a.N }
	return &Spread{
		Runs: len(runs), Mean: all.text(), SD: text.TwoDecimals(stat.StdDev(accuracies, nil)),
		Min: slices.MinFunc(runs, byAccuracy).text(), Max: slices.MaxFunc(runs, byAccuracy).text(),
	}
}
