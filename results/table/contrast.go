package table

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

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
			present = append(present, contender{id: a.Method, out: &r.Cells[i]})
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
	r.group(present, func(a, b int) bool { return differ[[2]string{present[min(a, b)].id, present[max(a, b)].id}] })
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
		A: a, B: b, Splits: len(differences), Difference: points(stat.Mean(differences, nil)),
		Min: points(slices.Min(differences)), Max: points(slices.Max(differences)),
	}
	if len(differences) > 1 {
		c.SD = points(stat.StdDev(differences, nil))
	}
	return c
}

// points prints a difference with two decimals, and no sign before 0.
func points(x float64) string {
	if written := text.TwoDecimals(x); written != "-0.00" {
		return written
	}
	return "0.00"
}

// newContrastTest tests differences of splits with so many training and test samples
// in all. It returns nil where t is not defined.
func newContrastTest(differences []float64, train, test int) *ContrastTest {
	r := stats.ResampledT(differences, train, test)
	if math.IsNaN(r.P) {
		return nil
	}
	i := stats.ResampledMean(differences, train, test, Confidence)
	return &ContrastTest{T: defined(r.T), DF: r.DF, P: r.P, Interval: [2]string{points(max(i.Low, -100)), points(min(i.High, 100))}}
}

// splitTestNotes say which test the rows over several splits have, or why they have none.
func (t Table) splitTestNotes() []string {
	var ratios []string
	families, untested := newGroups(), newGroups()
	for _, r := range t.pooled() {
		switch {
		case r.Pool.Test != "" && r.family() == 0: // nothing to compare
		case r.Pool.Test != "":
			ratios = append(ratios, r.set()+" "+r.ratio())
			families.add(text.Counted(r.family(), "pair"), r.set())
		case r.Pool.Reason == reasonRatio:
			untested.add(r.Pool.Reason+"; test samples for one training sample", r.set()+" "+r.ratio())
		default:
			untested.add(r.Pool.Reason, r.set())
		}
	}
	if len(t.pooled()) == 0 {
		return nil
	}
	notes := []string{"n: splits × test samples of one, or test samples in all splits. " +
		"Percent of the test samples of all splits labelled right, ± standard deviation over the splits, " +
		"and the range; --per-split has a row for each split."}
	if len(ratios) > 0 {
		notes = append(notes, fmt.Sprintf("Raised: rank by the corrected resampled t-test over the splits (Nadeau and Bengio 2003) between all pairs of a row, "+
			"Holm's correction over %s, alpha %g; rank 1 is the best method and those not significantly different from it. "+
			"Test samples for one training sample: %s.", families.brief(), t.Test.Alpha, strings.Join(ratios, ", ")))
	}
	for _, reason := range untested.keys {
		notes = append(notes, fmt.Sprintf("No rank and no test over the splits: %s: %s. McNemar's test is for one split.",
			reason, strings.Join(untested.members[reason], ", ")))
	}
	if all := t.undefined(); len(all) > 0 {
		notes = append(notes, "No test, counted as no difference, where two methods differ by the same on every split, so that t is not defined: "+
			strings.Join(all, "; ")+".")
	}
	return append(notes, t.contrastNotes()...)
}

// undefined names the pairs of tested rows that have no test though both methods have a
// result on every split.
func (t Table) undefined() []string {
	var all []string
	for _, r := range t.Rows {
		if r.Pool == nil || r.Pool.Test == "" {
			continue
		}
		for _, c := range r.Contrasts {
			if c.Test == nil && r.ranked(c.A) && r.ranked(c.B) {
				all = append(all, fmt.Sprintf("%s, %s less %s %s", r.set(), t.name(c.A), t.name(c.B), c.Difference))
			}
		}
	}
	return all
}

// ranked tells whether a method has a rank in the row.
func (r Row) ranked(method string) bool {
	return slices.ContainsFunc(r.Cells, func(c Cell) bool { return c.Method == method && c.Rank > 0 })
}

// ratio is the number of test samples for one training sample of a pooled row.
func (r Row) ratio() string {
	return strconv.FormatFloat(float64(r.N)/float64(r.Pool.Train), 'f', 2, 64)
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

// mostContrasts is how many differences a note lists, and leastContrasted of how many
// splits: of fewer, the intervals are so wide that they say nothing.
const (
	mostContrasts   = 6
	leastContrasted = 5
)

// contrastNotes list the differences over the splits, where there are few, and those
// over the data sets.
func (t Table) contrastNotes() []string {
	var notes []string
	for _, r := range t.Rows {
		var all []string
		for _, c := range r.shownContrasts() {
			all = append(all, t.name(c.A)+" less "+t.name(c.B)+" "+c.text())
		}
		if len(all) == 0 || len(all) > 2*mostContrasts || len(t.Rows) > mostContrasts || r.Pool.Splits < leastContrasted {
			continue
		}
		notes = append(notes, fmt.Sprintf("Differences in points over the splits of %s, each split counted alike, mean ± standard deviation: %s.",
			r.set(), strings.Join(all, "; ")))
	}
	if t.Across != nil && len(t.pooled()) > 0 { // else each data set has its tests in its row
		notes = append(notes, t.acrossNote())
	}
	return notes
}

// shownContrasts are all, or of many those with the most accurate method.
func (r Row) shownContrasts() []Contrast {
	if len(r.Contrasts) <= mostContrasts {
		return r.Contrasts
	}
	correct := func(a, b Cell) int { return rightOf(a) - rightOf(b) }
	best := slices.MaxFunc(r.Cells, correct).Method
	return slices.DeleteFunc(slices.Clone(r.Contrasts), func(c Contrast) bool { return c.A != best && c.B != best })
}

// rightOf is the number of right answers, negative without a result.
func rightOf(c Cell) int {
	if c.Score == nil {
		return -1
	}
	return c.Correct
}

// text is the difference with its deviation and, where there is a test, the interval
// and p.
func (c Contrast) text() string {
	written := c.Difference
	if c.SD != "" {
		written += " ± " + c.SD
	}
	if c.Test != nil {
		written += fmt.Sprintf(" (95 %% %s to %s, p after Holm %s)", c.Test.Interval[0], c.Test.Interval[1], stats.ShortP(c.Test.PHolm))
	}
	return written
}

// acrossNote tells which methods differ over the data sets.
func (t Table) acrossNote() string {
	a := t.Across
	sets, family := 0, len(a.Pairs)
	var differing, all []string
	for _, p := range a.Pairs {
		sets = max(sets, p.Sets)
		one := fmt.Sprintf("%s less %s %s (p after Holm %s)", t.name(p.A), t.name(p.B), p.Difference, stats.ShortP(p.PHolm))
		all = append(all, one)
		if p.Significant {
			differing = append(differing, one)
		}
	}
	note := fmt.Sprintf("Over %s, each with its mean over the splits: Wilcoxon's signed-rank test between all pairs, Holm's correction over %s, alpha %g",
		text.Counted(sets, "data set"), text.Counted(family, "pair"), t.Test.Alpha)
	switch {
	case math.Ldexp(float64(family), 1-sets) > t.Test.Alpha:
		return note + "; with so few data sets no pair can differ."
	case len(differing) == 0:
		return note + "; no pair differs."
	case family <= mostContrasts:
		return note + "; in points: " + strings.Join(all, "; ") + "."
	}
	return note + "; these differ, in points: " + strings.Join(differing, "; ") + "."
}
