package table

import (
	"math"
	"math/bits"

	"r2lmlbench/internal/text"
	"r2lmlbench/results"
	"r2lmlbench/stats"
)

// A contender is a method that takes part in the ranking of a row.
type contender struct {
	id    string
	cell  results.Cell
	right sampleSet // that it labels correctly; nil until it is ranked
	out   *Cell
}

// A sampleSet has a bit for each test sample.
type sampleSet []uint64

// newSampleSet has the samples that were given their own label.
func newSampleSet(c results.Cell) sampleSet {
	s := make(sampleSet, (len(c.Truth)+63)/64)
	for i, label := range c.Truth {
		if c.Predicted[i] == label {
			s[i/64] |= 1 << (i % 64)
		}
	}
	return s
}

// compare counts the samples that both, one or none of two methods label correctly.
func (c contender) compare(other contender) stats.Paired {
	both := 0
	for i, word := range c.right {
		both += bits.OnesCount64(word & other.right[i])
	}
	p := stats.Paired{BothRight: both, OnlyFirst: c.out.Correct - both, OnlySecond: other.out.Correct - both}
	p.BothWrong = len(c.cell.Truth) - p.BothRight - p.OnlyFirst - p.OnlySecond
	return p
}

// rank compares all pairs of methods that are present, and groups these.
func rank(spec Spec, r *Row, present []contender) {
	for i, c := range present {
		present[i].right = newSampleSet(c.cell)
	}
	var significant []bool
	r.Pairs, significant = comparePairs(spec, present)
	r.group(present, func(i, j int) bool { return significant[i*len(present)+j] })
	if len(r.Pairs) > 0 {
		if samples, ok := stats.MinGap(spec.Test, r.N, len(r.Pairs), spec.Alpha); ok {
			r.MinGap = &Gap{Samples: samples, Percent: stats.Percent(samples, r.N, 2)}
		}
	}
}

// group fills in the ranks of methods of which it is known which differ, see stats.Group.
func (r *Row) group(present []contender, differ func(i, j int) bool) {
	correct := make([]int, len(present))
	for i, c := range present {
		correct[i] = c.out.Correct
	}
	groups := stats.Group(correct, differ)
	for i, c := range present {
		c.out.Rank, c.out.Best, c.out.Letters = groups.Rank[i], groups.Rank[i] == 1, groups.Letters[i]
	}
	r.Inversions = named(groups.Inversions, present)
	r.SameRankButSignificant = named(groups.SameRankButSignificant, present)
	r.TieSensitive = groups.TieSensitive
}

// comparePairs tests every pair and adjusts the p-values of the row together.
// It returns the pairs and which of them differ: i < j at i times the methods and j.
func comparePairs(spec Spec, present []contender) (pairs []Pair, significant []bool) {
	n := len(present)
	pairs = make([]Pair, 0, n*(n-1)/2)
	var p []float64
	var index []int
	for i, a := range present {
		for j, b := range present[i+1:] {
			both := a.compare(b)
			test := stats.McNemar(spec.Test, both.OnlyFirst, both.OnlySecond)
			pairs = append(pairs, Pair{
				A: a.id, B: b.id,
				BCount: both.OnlyFirst, CCount: both.OnlySecond,
				P: text.SixDigits(test.P), Log10P: text.SixDigits(test.Log10P),
				Effect: NewEffect(both),
			})
			p = append(p, test.P)
			index = append(index, i*n+i+1+j)
		}
	}
	significant = make([]bool, n*n)
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
