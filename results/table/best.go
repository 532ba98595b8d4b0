package table

import (
	"cmp"
	"slices"
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

// A Ranked is a method of a ranking.
type Ranked struct {
	Method   string     `json:"method"` // id of the column
	Name     string     `json:"name"`
	Accuracy string     `json:"accuracy"`           // percent of the test samples; over several splits the mean
	SD       string     `json:"sd"`                 // over the splits, divisor splits - 1
	Behind   Points     `json:"behind"`             // how much less accurate than the best: 0 or more
	Interval *[2]Points `json:"interval,omitempty"` // 95 % of Behind; nil for the best and where there is no test
	PHolm    *Digits    `json:"p_holm,omitempty"`   // of the corrected resampled t-test against the best; nil likewise
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
	return (-m.Interval[1]).String() + " to " + (-m.Interval[0]).String()
}

// Rank compares the methods of a row with its most accurate one: of a pooled row by the
// corrected resampled t-test, with Holm's correction over these tests alone; of a row of one
// split by its ranks. Methods without a result on every split stand at the end and are not
// tested. Accuracies are compared by their mean over the splits, as the differences are,
// which counts when splits differ in size. It is not ok where no method has a result on
// every split.
func (t Table) Rank(row Row) (r Ranking, ok bool) {
	r = Ranking{Dataset: row.Dataset, Splits: 1, Alpha: t.Test.Alpha}
	var order, partial []int // columns
	for i, c := range row.Cells {
		switch {
		case c.Score == nil:
		case c.Partial > 0:
			partial = append(partial, i)
		default:
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(row.Cells[b].Mean, row.Cells[a].Mean) })
	ok, order = len(order) > 0, slices.Concat(order, partial)
	versus := map[string]Pair{} // the best against the others
	if ok {
		r.Best = row.Cells[order[0]].Method
		if row.Pool != nil {
			for _, p := range row.Against(row.samples[order[0]], order[1:], r.Alpha) {
				versus[p.B], r.Family = p, max(r.Family, p.Family)
			}
		}
	}
	if row.Pool != nil {
		r.Splits = row.Pool.Splits
	}
	for _, i := range order {
		c := row.Cells[i]
		one := Ranked{
			Method: c.Method, Name: t.Columns[i].Name, Accuracy: c.Accuracy, Partial: c.Partial, NotWorse: c.Method == r.Best, Rank: c.Rank,
		}
		if c.Spread != nil {
			one.SD = c.Spread.SD
		}
		if c.Partial == 0 {
			one.Difference = c.Mean - row.Cells[order[0]].Mean
		}
		p := versus[c.Method]
		switch {
		case row.Pool == nil:
			one.NotWorse = c.Rank == row.Cells[order[0]].Rank
			if p, known := row.Pair(r.Best, c.Method); known {
				interval := between(p.Interval)
				one.Behind, one.Interval = Points(p.Difference), &interval
			}
		case p.Units == 0:
		case p.Tested():
			interval, adjusted := between(p.Interval), Digits(p.PHolm)
			one.Interval, one.PHolm, one.NotWorse = &interval, &adjusted, !p.Significant
		case c.Partial > 0:
			one.Untested = "it lacks results on some splits"
		default:
			one.Untested = row.Pool.Reason
		}
		if p.Units > 0 {
			one.Behind = Points(p.Difference)
		}
		r.Ranked = append(r.Ranked, one)
	}
	return r, ok
}
