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
	mean := func(i int) float64 {
		if row.Pool == nil {
			return 100 * float64(row.Cells[i].Correct) / float64(row.N)
		}
		return row.Cells[i].Mean
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
	slices.SortStableFunc(whole, func(a, b int) int { return cmp.Compare(mean(b), mean(a)) })
	compared := row.compared()
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
			one.Difference = mean(i) - mean(whole[0])
		}
		behind, test, known := behind(compared, r.Best, c.Method)
		one.Behind = behind
		switch {
		case row.Pool == nil:
			one.NotWorse = c.Rank == best.Rank
			if known {
				one.Interval = &test.Interval
			}
		case !known:
		case c.Partial > 0:
			one.Untested = "it lacks results on some splits"
		case test == nil:
			one.Untested = cmp.Or(row.Pool.Reason, "the difference is the same on every split")
		default:
			one.Interval = &test.Interval
			tested, p = append(tested, len(r.Ranked)), append(p, test.P)
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

// compared are the pairs of columns that have a difference: of a row of one split those of
// its tests, with the interval alone.
func (r Row) compared() []Contrast {
	all := slices.Clone(r.Contrasts)
	for _, p := range r.Pairs {
		all = append(all, Contrast{A: p.A, B: p.B, Difference: p.Difference, Test: &ContrastTest{Interval: p.DifferenceInterval}})
	}
	return all
}

// behind tells how much less accurate another column is than the best, in points, with the
// interval of that and, of a pooled row, the test; ok is false where no test compares the
// two or, of a pooled row, no split has both.
func behind(compared []Contrast, best, other string) (difference string, test *ContrastTest, ok bool) {
	for _, c := range compared {
		switch {
		case c.A == best && c.B == other:
			return c.Difference, c.Test, true
		case c.A == other && c.B == best && c.Test == nil:
			return negated(c.Difference), nil, true
		case c.A == other && c.B == best:
			turned := *c.Test // p is the same the other way round
			turned.Interval = [2]string{negated(c.Test.Interval[1]), negated(c.Test.Interval[0])}
			return negated(c.Difference), &turned, true
		}
	}
	return "0.00", nil, false
}

// negated changes the sign of a printed number.
func negated(number string) string {
	if positive, negative := strings.CutPrefix(number, "-"); negative || number == "0.00" {
		return positive
	}
	return "-" + number
}

// Of returns a method of the ranking by the id of its column.
func (r Ranking) Of(column string) (Ranked, bool) {
	i := slices.IndexFunc(r.Ranked, func(one Ranked) bool { return one.Method == column })
	if i < 0 {
		return Ranked{}, false
	}
	return r.Ranked[i], true
}
