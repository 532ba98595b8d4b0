package table

import (
	"math"

	"r2lmlbench/internal/text"
	"r2lmlbench/results"
	"r2lmlbench/stats"
)

// A contender is a method that takes part in the ranking of a row.
type contender struct {
	id   string
	cell results.Cell
	out  *Cell
}

// rank compares all pairs of methods and groups them.
func (r *Row) rank(spec Spec, present []contender) {
	pairs, significant := comparePairs(spec, present)
	correct := make([]int, len(present))
	for i, m := range present {
		correct[i] = m.out.Correct
	}
	groups := stats.Group(correct, func(i, j int) bool { return significant[[2]int{i, j}] })
	for i, m := range present {
		m.out.Rank = groups.Rank[i]
		m.out.Best = groups.Rank[i] == 1
		m.out.Letters = groups.Letters[i]
	}
	r.Pairs = pairs
	r.Inversions = named(groups.Inversions, present)
	r.SameRankButSignificant = named(groups.SameRankButSignificant, present)
	r.TieSensitive = groups.TieSensitive
	r.MinGap = minGap(spec, len(pairs), r.N)
}

// comparePairs tests every pair and adjusts the p-values of the row together.
// It returns the pairs and which of them differ, by indices i < j.
func comparePairs(spec Spec, present []contender) ([]Pair, map[[2]int]bool) {
	pairs := []Pair{}
	var p []float64
	var index [][2]int
	for i, a := range present {
		for j, b := range present[i+1:] {
			both := stats.ComparePredictions(a.cell.Truth, a.cell.Predicted, b.cell.Predicted)
			test := stats.McNemar(spec.Test, both.OnlyFirst, both.OnlySecond)
			pairs = append(pairs, Pair{
				A: a.id, B: b.id,
				BCount: both.OnlyFirst, CCount: both.OnlySecond,
				P: text.SixDigits(test.P), Log10P: text.SixDigits(test.Log10P),
				Effect: NewEffect(both),
			})
			p = append(p, test.P)
			index = append(index, [2]int{i, i + 1 + j})
		}
	}
	significant := map[[2]int]bool{}
	for k, adjusted := range stats.Holm(p) {
		pairs[k].PHolm = text.SixDigits(adjusted)
		pairs[k].Family = len(p)
		pairs[k].Significant = adjusted <= spec.Alpha
		significant[index[k]] = pairs[k].Significant
	}
	return pairs, significant
}

// NewEffect is the size of the effect behind a 2×2 table.
func NewEffect(both stats.Paired) Effect {
	n := both.BothRight + both.OnlyFirst + both.OnlySecond + both.BothWrong
	return Effect{
		Difference:         stats.Percent(both.OnlyFirst-both.OnlySecond, n, 2),
		DifferenceInterval: PercentInterval(stats.Newcombe(both, Confidence)),
		OddsRatio:          defined(both.OddsRatio()),
		CohensG:            defined(both.CohensG()),
	}
}

// defined rounds x to six significant digits, nil if it is not a number.
func defined(x float64) *float64 {
	if math.IsNaN(x) {
		return nil
	}
	x = text.SixDigits(x)
	return &x
}

// minGap finds the smallest difference of two methods, all one way, that the
// test can tell apart as the first of a family of comparisons.
func minGap(spec Spec, family, n int) *Gap {
	if family == 0 {
		return nil
	}
	samples, ok := stats.MinGap(spec.Test, n, family, spec.Alpha)
	if !ok {
		return nil
	}
	return &Gap{Samples: samples, Percent: stats.Percent(samples, n, 2)}
}

func named(pairs [][2]int, present []contender) [][2]string {
	names := [][2]string{}
	for _, p := range pairs {
		names = append(names, [2]string{present[p[0]].id, present[p[1]].id})
	}
	return names
}

// PercentInterval prints an interval of proportions in percent: low, high.
func PercentInterval(i stats.Interval) [2]string {
	return [2]string{text.TwoDecimals(100 * i.Low), text.TwoDecimals(100 * i.High)}
}

// Confidence of the intervals of accuracies and of their differences.
const Confidence = 0.95
