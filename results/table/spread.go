package table

import (
	"math"
	"math/big"
	"slices"

	"gonum.org/v1/gonum/stat"

	"r2lmlbench/internal/text"
	"r2lmlbench/results"
)

// addSpreads puts the spread of every column over all seeds and repeats of a data set on its
// first row: none of fewer than two runs. Rows by another rule have a spread of their own.
func (t Table) addSpreads() {
	byValue := func(a, b Trial) int { return a.Value.Cmp(b.Value) }
	for _, group := range t.groups() {
		for j := range t.Columns {
			var runs []Trial
			var shares []*big.Rat
			var scores []float64
			for _, r := range group {
				for _, run := range r.Cells[j].Trials {
					runs, shares, scores = append(runs, run), append(shares, run.Value), append(scores, percent(run.Value))
				}
			}
			if mean := results.MeanValue(shares); len(runs) > 1 && mean != nil { // nil too where one is not defined
				group[0].Cells[j].Spread = &Spread{
					Runs: len(runs), Mean: results.InPercent(mean), SD: text.TwoDecimals(stat.StdDev(scores, nil)),
					Min: results.InPercent(slices.MinFunc(runs, byValue).Value), Max: results.InPercent(slices.MaxFunc(runs, byValue).Value),
				}
			}
		}
	}
}

// groups returns the rows of each data set and rule, in the order of their first rows.
func (t Table) groups() [][]Row {
	var groups [][]Row
	at := map[[2]string]int{}
	for _, r := range t.Rows {
		key := [2]string{r.Dataset, r.rule()}
		i, there := at[key]
		if !there {
			i, at[key] = len(groups), len(groups)
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], r)
	}
	return groups
}

// A Trial is the outcome of one seed on one split.
type Trial struct {
	Seed      uint64
	Value     *big.Rat // by the measure of the table, as a fraction of 1; nil: not defined
	Settings  int      // that it could choose from
	Select    string   // the metric that chose, as in results.Inputs
	Validated float64  // accuracy of the chosen one on the validation samples, as a fraction of 1; 0 without a choice
	Score     float64  // the same by the metric of Select; -Inf where that is not defined
}

// share is the accuracy on one test set as a fraction of 1; nil without samples. The mean
// over several, [results.MeanValue], counts each alike, whatever its size.
func share(correct, n int) *big.Rat {
	if n == 0 {
		return nil
	}
	return big.NewRat(int64(correct), int64(n))
}

// percent is a share, or a mean of shares, in percent: equal ones have equal numbers.
func percent(share *big.Rat) float64 {
	if share == nil {
		return math.NaN()
	}
	number, _ := new(big.Rat).Mul(share, big.NewRat(100, 1)).Float64()
	return number
}

// accuracy prints shares rounded half up, as [stats.Percent] does.
var accuracy = results.MetricOf(results.Accuracy)

// By returns the metric that ranks methods.
func (t Table) By() results.Metric { return results.MetricOf(t.Measure) }

// Names returns the headings of the columns.
func (t Table) Names() []string {
	names := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		names[i] = c.Name
	}
	return names
}

// newTrial makes the outcome of a cell, of which value is the measure.
func newTrial(c results.Cell, value *big.Rat) Trial {
	t := Trial{Seed: c.Seed, Value: value, Settings: len(c.Settings), Select: c.Select}
	right := validation(c)
	if right == nil || right.Of == 0 {
		return t
	}
	t.Validated = float64(right.Correct) / float64(right.Of)
	if t.Score = t.Validated; c.Validation.Scores != nil {
		t.Score = math.Inf(-1)
		if score := c.Validation.Value(c.Chosen); score != nil {
			t.Score, _ = score.Float64()
		}
	}
	return t
}
