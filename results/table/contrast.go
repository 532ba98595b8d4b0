package table

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"r2lmlbench/internal/text"
	"r2lmlbench/stats"
)

// A Contrast is the difference of two methods over the splits of a pooled row: the
// accuracy of A less that of B on the splits on which both have a result, in points.
// Test is nil where the row has no test, a method lacks a split, or the differences of
// all splits are the same and not 0, for which t is not defined.
type Contrast struct {
	A          string        `json:"a"`
	B          string        `json:"b"`
	Splits     int           `json:"splits"`
	Difference string        `json:"difference"` // mean
	SD         string        `json:"sd"`         // divisor Splits-1; empty with one split
	Min        string        `json:"min"`
	Max        string        `json:"max"`
	Test       *ContrastTest `json:"test,omitempty"`
}

// A ContrastTest is the corrected resampled t-test of a contrast.
type ContrastTest struct {
	T           *float64  `json:"t,omitempty"`
	DF          int       `json:"df"`
	P           float64   `json:"p"`
	PHolm       float64   `json:"p_holm"`
	Family      int       `json:"family"` // pairs Holm's correction was over
	Significant bool      `json:"significant"`
	Interval    [2]string `json:"interval"` // 95 % of the mean difference, with the same correction, cut at 100 points
}

// compare adds the contrasts of all pairs and, where they have a test, the ranks of the
// methods that have a result on every split, after Holm's correction over the pairs.
func (r *Row) compare(splits []Row, alpha float64) {
	complete := func(c Cell) bool { return c.Score != nil && c.Partial == 0 }
	var tested []int // contrasts
	var p []float64
	var present []contender
	for i, a := range r.Cells {
		if complete(a) {
			present = append(present, contender{out: &r.Cells[i]})
		}
		for k, b := range r.Cells[i+1:] {
			// The differences of seed 1 by split, in points.
			var d []float64
			for _, one := range splits {
				if x, y := one.Cells[i].Score, one.Cells[i+1+k].Score; x != nil && y != nil {
					d = append(d, float64(100*(x.Correct-y.Correct))/float64(one.N))
				}
			}
			if len(d) == 0 {
				continue
			}
			c := Contrast{
				A: a.Method, B: b.Method, Splits: len(d), Difference: text.Points(stat.Mean(d, nil)),
				Min: text.Points(slices.Min(d)), Max: text.Points(slices.Max(d)),
			}
			if len(d) > 1 {
				c.SD = text.Points(stat.StdDev(d, nil))
			}
			if r.Pool.Test != "" && complete(a) && complete(b) {
				t, mean := stats.ResampledT(d, r.Pool.Train, r.N), stats.ResampledMean(d, r.Pool.Train, r.N, Confidence)
				if !math.IsNaN(t.P) { // t is defined
					interval := [2]string{text.Points(max(mean.Low, -100)), text.Points(min(mean.High, 100))}
					c.Test = &ContrastTest{T: defined(t.T), DF: t.DF, P: text.SixDigits(t.P), Interval: interval}
					tested, p = append(tested, len(r.Contrasts)), append(p, t.P)
				}
			}
			r.Contrasts = append(r.Contrasts, c)
		}
	}
	if r.Pool.Test == "" {
		return
	}
	differ := map[[2]string]bool{}
	for i, adjusted := range stats.Holm(p) {
		c := r.Contrasts[tested[i]]
		c.Test.PHolm, c.Test.Family, c.Test.Significant = text.SixDigits(adjusted), len(tested), adjusted <= alpha
		differ[[2]string{c.A, c.B}] = c.Test.Significant
	}
	r.group(present, differ)
}

// family is the number of tested contrasts.
func (r Row) family() int {
	n := 0
	for _, c := range r.Contrasts {
		if c.Test != nil {
			n++
		}
	}
	return n
}
