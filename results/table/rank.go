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

// rank compares all pairs of methods and groups them.
func (m *maker) rank(r *Row, present []contender) {
	correct := make([]int, len(present))
	for i, c := range present {
		correct[i] = c.out.Correct
		present[i].right = newSampleSet(c.cell)
	}
	pairs, significant := m.comparePairs(present)
	groups := stats.Group(correct, func(i, j int) bool { return significant[i*len(present)+j] })
	for i, c := range present {
		c.out.Rank = groups.Rank[i]
		c.out.Best = groups.Rank[i] == 1
		c.out.Letters = groups.Letters[i]
	}
	r.Pairs = pairs
	r.Inversions = named(groups.Inversions, present)
	r.SameRankButSignificant = named(groups.SameRankButSignificant, present)
	r.TieSensitive = groups.TieSensitive
	r.MinGap = m.minGap(len(pairs), r.N)
}

// comparePairs tests every pair and adjusts the p-values of the row together.
// It returns the pairs and which of them differ: i < j at i times the methods and j.
func (m *maker) comparePairs(present []contender) (pairs []Pair, significant []bool) {
	n := len(present)
	pairs = make([]Pair, 0, n*(n-1)/2)
	var p []float64
	var index []int
	for i, a := range present {
		for j, b := range present[i+1:] {
			both := a.compare(b)
			test := m.test(both.OnlyFirst, both.OnlySecond)
			pairs = append(pairs, Pair{
				A: a.id, B: b.id,
				BCount: both.OnlyFirst, CCount: both.OnlySecond,
				P: text.SixDigits(test.P), Log10P: text.SixDigits(test.Log10P),
				Effect: m.effect(both),
			})
			p = append(p, test.P)
			index = append(index, i*n+i+1+j)
		}
	}
	significant = make([]bool, n*n)
	for k, adjusted := range stats.Holm(p) {
		pairs[k].PHolm = text.SixDigits(adjusted)
		pairs[k].Family = len(p)
		pairs[k].Significant = adjusted <= m.spec.Alpha
		significant[index[k]] = pairs[k].Significant
	}
	return pairs, significant
}

func (m *maker) test(b, c int) stats.Result {
	return remember(m.tests, [2]int{b, c}, func() stats.Result { return stats.McNemar(m.spec.Test, b, c) })
}

func (m *maker) effect(both stats.Paired) Effect {
	return remember(m.effects, both, func() Effect { return NewEffect(both) })
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
func (m *maker) minGap(family, n int) *Gap {
	return remember(m.gaps, [2]int{family, n}, func() *Gap {
		if family == 0 {
			return nil
		}
		samples, ok := stats.MinGap(m.spec.Test, n, family, m.spec.Alpha)
		if !ok {
			return nil
		}
		return &Gap{Samples: samples, Percent: stats.Percent(samples, n, 2)}
	})
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
