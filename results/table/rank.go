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
	out   *Cell
	right sampleSet // that it labels correctly; nil of a pooled row
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

// compare counts the samples that both, one or none of two methods label correctly, of n.
func (c contender) compare(other contender, n int) stats.Paired {
	both := 0
	for i, word := range c.right {
		both += bits.OnesCount64(word & other.right[i])
	}
	p := stats.Paired{BothRight: both, OnlyFirst: c.out.Correct - both, OnlySecond: other.out.Correct - both}
	p.BothWrong = n - p.BothRight - p.OnlyFirst - p.OnlySecond
	return p
}

// testPairs tests every pair of methods that are present, adjusts the p-values of the row
// together, and groups the methods.
func (r *Row) testPairs(spec Spec, present []contender) {
	r.Pairs = []Pair{}
	var p []float64
	for i, a := range present {
		for _, b := range present[i+1:] {
			both := a.compare(b, r.N)
			test := stats.McNemar(spec.Test, both.OnlyFirst, both.OnlySecond)
			r.Pairs = append(r.Pairs, Pair{
				A: a.out.Method, B: b.out.Method,
				BCount: both.OnlyFirst, CCount: both.OnlySecond,
				P: text.SixDigits(test.P), Log10P: text.SixDigits(test.Log10P),
				Effect: NewEffect(both),
			})
			p = append(p, test.P)
		}
	}
	differ := map[[2]string]bool{}
	for k, adjusted := range stats.Holm(p) {
		pair := &r.Pairs[k]
		pair.PHolm, pair.Family, pair.Significant = text.SixDigits(adjusted), len(p), adjusted <= spec.Alpha
		differ[[2]string{pair.A, pair.B}] = pair.Significant
	}
	r.group(present, differ)
	if len(r.Pairs) > 0 {
		if samples, ok := stats.MinGap(spec.Test, r.N, len(r.Pairs), spec.Alpha); ok {
			r.MinGap = &Gap{Samples: samples, Percent: stats.Percent(samples, r.N, 2)}
		}
	}
}

// group fills in the ranks of methods, see stats.Group. differ tells of two columns, in the
// order of the table, whether they do.
func (r *Row) group(present []contender, differ map[[2]string]bool) {
	better, names := make([]int, len(present)), make([]string, len(present)) // better: than so many others
	for i, c := range present {
		names[i] = c.out.Method
		for _, other := range present {
			if c.out.Mean > other.out.Mean {
				better[i]++
			}
		}
	}
	groups := stats.Group(better, func(i, j int) bool { return differ[[2]string{names[min(i, j)], names[max(i, j)]}] })
	for i, c := range present {
		c.out.Rank, c.out.Best, c.out.Letters = groups.Rank[i], groups.Rank[i] == 1, groups.Letters[i]
	}
	named := func(pairs [][2]int) [][2]string {
		all := [][2]string{}
		for _, p := range pairs {
			all = append(all, [2]string{names[p[0]], names[p[1]]})
		}
		return all
	}
	r.Inversions, r.SameRankButSignificant = named(groups.Inversions), named(groups.SameRankButSignificant)
	r.TieSensitive = groups.TieSensitive
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

// PercentInterval prints an interval of proportions in percent: low, high.
func PercentInterval(i stats.Interval) [2]string {
	return [2]string{text.TwoDecimals(100 * i.Low), text.TwoDecimals(100 * i.High)}
}

// Confidence of the intervals of accuracies and of their differences.
const Confidence = 0.95
