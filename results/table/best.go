package table

import (
	"cmp"
	"slices"
	"strings"

	"r2lmlbench/internal/text"
	"r2lmlbench/stats"
)

// A Ranking compares the methods of a row with the most accurate of them: the answer to
// "which method is best on these data".
type Ranking struct {
	Dataset string   `json:"dataset"`
	Splits  int      `json:"splits"`
	Best    string   `json:"best"`   // column of the most accurate method; the first of equally accurate ones
	Family  int      `json:"family"` // tests against the best that Holm's correction is over
	Alpha   float64  `json:"alpha"`
	Ranked  []Ranked `json:"methods"` // the most accurate first
}

// A Ranked is a method of a ranking. Numbers are percentages of test samples, or points.
type Ranked struct {
	Method   string     `json:"method"` // id of the column
	Name     string     `json:"name"`
	Accuracy string     `json:"accuracy"`           // over the test samples of all splits
	SD       string     `json:"sd"`                 // over the splits, divisor splits - 1
	Behind   string     `json:"behind"`             // how much less accurate than the best: 0.00 or more
	Interval *[2]string `json:"interval,omitempty"` // 95 % of Behind; nil for the best and where there is no test
	PHolm    *float64   `json:"p_holm,omitempty"`   // of the corrected resampled t-test against the best; nil likewise
	NotWorse bool       `json:"not_worse"`          // than the best, significantly; true for the best
	Untested string     `json:"untested,omitempty"` // why there is no test
	Partial  int        `json:"partial,omitempty"`  // splits that it has a result on, where it lacks some

	Rank       int     `json:"-"` // by the tests of all pairs; 0: none
	Difference float64 `json:"-"` // to the best: 0 or less; 0 too where Partial is not
}

// Between is the interval of the difference to the best; empty where it is not known.
func (m Ranked) Between() string {
	if m.Interval == nil {
		return ""
	}
	return negated(m.Interval[1]) + " to " + negated(m.Interval[0])
}

// Rank compares the methods of a row with its most accurate one: of a pooled row by the
// corrected resampled t-test, with Holm's correction over these tests alone; of a row of one
// split by its ranks. Methods without a result on every split stand at the end and are not
// tested. Accuracies are compared by their mean over the splits, as the differences are,
// which counts when splits differ in size. It is not ok where no method has a result on
// every split.
func (t Table) Rank(row Row) (r Ranking, ok bool) {
	r = Ranking{Dataset: row.Dataset, Splits: 1, Alpha: t.Test.Alpha}
	if row.Pool != nil {
		r.Splits = row.Pool.Splits
	}
	var whole, partial []int
	for i, c := range row.Cells {
		switch {
		case c.Score == nil:
		case c.Partial > 0:
			partial = append(partial, i)
		default:
			whole = append(whole, i)
		}
	}
	slices.SortStableFunc(whole, func(a, b int) int { return cmp.Compare(row.Cells[b].Mean, row.Cells[a].Mean) })
	best := Cell{Score: &Score{}}
	if len(whole) > 0 {
		best = row.Cells[whole[0]]
	}
	r.Best = best.Method
	var tested []int // places in r.Ranked
	var p []float64
	for _, i := range slices.Concat(whole, partial) {
		c := row.Cells[i]
		one := Ranked{
			Method: c.Method, Name: t.Columns[i].Name, Accuracy: c.Accuracy, Partial: c.Partial, NotWorse: c.Method == r.Best, Rank: c.Rank,
		}
		if c.Spread != nil {
			one.SD = c.Spread.SD
		}
		if c.Partial == 0 {
			one.Difference = c.Mean - best.Mean
		}
		behind, known := row.versus(r.Best, c.Method)
		one.Behind = behind.difference
		switch {
		case row.Pool == nil:
			one.NotWorse = c.Rank == best.Rank
			if known {
				one.Interval = &behind.interval
			}
		case !known:
		case c.Partial > 0:
			one.Untested = "it lacks results on some splits"
		case row.Pool.Test == "":
			one.Untested = row.Pool.Reason
		default:
			one.Interval = &behind.interval
			tested, p = append(tested, len(r.Ranked)), append(p, behind.p)
		}
		r.Ranked = append(r.Ranked, one)
	}
	for k, adjusted := range stats.Holm(p) {
		rounded := text.SixDigits(adjusted)
		one := &r.Ranked[tested[k]]
		one.PHolm, one.NotWorse = &rounded, adjusted > r.Alpha
	}
	r.Family = len(tested)
	return r, len(whole) > 0
}

// A versus is the difference of two columns as it is printed.
type versus struct {
	a, b, difference string
	interval         [2]string
	p                float64 // of a pooled row with a test, unrounded
}

// versus is the difference of two columns, whichever comes first in the table: of a pooled
// row from its contrast, of a row of one split from the pair's test. It is not ok where no
// test compares the two or, of a pooled row, no split has both.
func (r Row) versus(a, b string) (v versus, ok bool) {
	var all []versus
	for _, p := range r.Pairs {
		all = append(all, versus{a: p.A, b: p.B, difference: p.Difference, interval: p.DifferenceInterval})
	}
	for _, c := range r.Contrasts {
		v = versus{a: c.A, b: c.B, difference: c.Difference.String()}
		if c.Test != nil {
			v.interval, v.p = [2]string{c.Test.Interval[0].String(), c.Test.Interval[1].String()}, float64(c.Test.P)
		}
		all = append(all, v)
	}
	i := slices.IndexFunc(all, func(v versus) bool { return v.a == a && v.b == b || v.a == b && v.b == a })
	if i < 0 {
		return versus{difference: "0.00"}, false
	}
	if v = all[i]; v.a != a { // p is the same the other way round
		v.difference, v.interval = negated(v.difference), [2]string{negated(v.interval[1]), negated(v.interval[0])}
	}
	return v, true
}

// negated changes the sign of a printed number.
func negated(number string) string {
	if positive, negative := strings.CutPrefix(number, "-"); negative || number == "0.00" {
		return positive
	}
	return "-" + number
}
