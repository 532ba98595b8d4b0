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
	var tested []int // contrasts
	var p []float64
	var present []contender
	for i, a := range r.Cells {
		complete := func(c Cell) bool { return c.Score != nil && c.Partial == 0 }
		if complete(a) {
			present = append(present, contender{out: &r.Cells[i]})
		}
		for k, b := range r.Cells[i+1:] {
			differences := differences(splits, i, i+1+k)
			if len(differences) == 0 {
				continue
			}
			c := newContrast(a.Method, b.Method, differences)
			if r.Pool.Test != "" && complete(a) && complete(b) {
				if c.Test = newContrastTest(differences, r.Pool.Train, r.N); c.Test != nil {
					tested, p = append(tested, len(r.Contrasts)), append(p, c.Test.P)
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
		c.Test.P, c.Test.PHolm, c.Test.Family = text.SixDigits(c.Test.P), text.SixDigits(adjusted), len(tested)
		c.Test.Significant = adjusted <= alpha
		differ[[2]string{c.A, c.B}] = c.Test.Significant
	}
	r.group(present, differ)
}

// differences are those of seed 1 of two columns, in points, by split.
func differences(splits []Row, i, j int) []float64 {
	var all []float64
	for _, r := range splits {
		if a, b := r.Cells[i].Score, r.Cells[j].Score; a != nil && b != nil {
			all = append(all, float64(100*(a.Correct-b.Correct))/float64(r.N))
		}
	}
	return all
}

func newContrast(a, b string, differences []float64) Contrast {
	c := Contrast{
		A: a, B: b, Splits: len(differences), Difference: text.Points(stat.Mean(differences, nil)),
		Min: text.Points(slices.Min(differences)), Max: text.Points(slices.Max(differences)),
	}
	if len(differences) > 1 {
		c.SD = text.Points(stat.StdDev(differences, nil))
	}
	return c
}

// newContrastTest tests differences of splits with so many training and test samples
// in all. It returns nil where t is not defined.
func newContrastTest(differences []float64, train, test int) *ContrastTest {
	r := stats.ResampledT(differences, train, test)
	if math.IsNaN(r.P) {
		return nil
	}
	i := stats.ResampledMean(differences, train, test, Confidence)
	return &ContrastTest{T: defined(r.T), DF: r.DF, P: r.P, Interval: [2]string{text.Points(max(i.Low, -100)), text.Points(min(i.High, 100))}}
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
