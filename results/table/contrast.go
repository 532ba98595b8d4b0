package table

import (
	"encoding/json"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"r2lmlbench/internal/text"
	"r2lmlbench/stats"
)

// A Contrast is the difference of two methods over the splits of a pooled row: the
// accuracy of A less that of B on the splits on which both have a result, in points, each
// split counted alike. Test is nil where the row has no test or a method lacks a split.
type Contrast struct {
	A          string        `json:"a"`
	B          string        `json:"b"`
	Splits     int           `json:"splits"`
	Difference Points        `json:"difference"` // mean
	SD         Points        `json:"sd"`         // divisor Splits-1; NaN with one split
	Min        Points        `json:"min"`
	Max        Points        `json:"max"`
	Test       *ContrastTest `json:"test,omitempty"`
}

// A ContrastTest is the corrected resampled t-test of a contrast. Where the difference is
// the same on every split and not 0, one split is taken to differ by one test sample of the
// smallest one, see [stats.ResampledT].
type ContrastTest struct {
	T           Digits    `json:"t"`
	DF          int       `json:"df"`
	P           Digits    `json:"p"`
	PHolm       Digits    `json:"p_holm"`
	Family      int       `json:"family"` // pairs Holm's correction was over
	Significant bool      `json:"significant"`
	Interval    [2]Points `json:"interval"` // 95 % of the mean difference, with the same correction, cut at 100 points
}

// Points are points of accuracy, in files a text with two decimals, empty for NaN.
type Points float64

func (p Points) String() string {
	if math.IsNaN(float64(p)) {
		return ""
	}
	return text.Points(float64(p))
}

// MarshalText makes the text that stands in files.
func (p Points) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// Digits is a number that files have with six significant digits.
type Digits float64

// MarshalJSON rounds the number.
func (x Digits) MarshalJSON() ([]byte, error) { return json.Marshal(text.SixDigits(float64(x))) }

// compare adds the contrasts of all pairs and, where they have a test, the ranks of the
// methods that have a result on every split, after Holm's correction over the pairs.
func (r *Row) compare(splits []Row, alpha float64) {
	complete := func(c Cell) bool { return c.Score != nil && c.Partial == 0 }
	var tested []*ContrastTest
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
				A: a.Method, B: b.Method, Splits: len(d), Difference: Points(stat.Mean(d, nil)),
				SD: Points(math.NaN()), Min: Points(slices.Min(d)), Max: Points(slices.Max(d)),
			}
			if len(d) > 1 {
				c.SD = Points(stat.StdDev(d, nil))
			}
			if r.Pool.Test != "" && complete(a) && complete(b) {
				t := stats.ResampledT(d, r.Pool.Train, r.N, 100/float64(r.sizes()[0]))
				mean := t.Interval(Confidence)
				interval := [2]Points{Points(max(mean.Low, -100)), Points(min(mean.High, 100))}
				c.Test = &ContrastTest{T: Digits(t.T), DF: t.DF, P: Digits(t.P), Interval: interval}
				tested, p = append(tested, c.Test), append(p, t.P)
			}
			r.Contrasts = append(r.Contrasts, c)
		}
	}
	if r.Pool.Test == "" {
		return
	}
	for i, adjusted := range stats.Holm(p) {
		tested[i].PHolm, tested[i].Family, tested[i].Significant = Digits(adjusted), len(tested), adjusted <= alpha
	}
	differ := map[[2]string]bool{}
	for _, c := range r.Contrasts {
		differ[[2]string{c.A, c.B}] = c.Test != nil && c.Test.Significant
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
