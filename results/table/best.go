package table

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/stat"

	"r2lmlbench/internal/text"
	"r2lmlbench/stats"
)

// A Ranking answers two questions about the methods of a row, each with its own family of tests
// for Holm's correction. Which may be the best: all pairs, and of them those with the most
// accurate method. Is any better than a control that was named before the results were known:
// the tests against that alone, which are fewer and so tell smaller differences.
type Ranking struct {
	Dataset string   `json:"dataset"`
	Splits  int      `json:"splits"`
	Measure string   `json:"measure,omitempty"` // metric that the methods are ranked by; empty: accuracy
	Best    string   `json:"best"`              // column of the most accurate method; the first of equally accurate ones
	Family  int      `json:"family"`            // tests of all pairs that Holm's correction is over
	Control string   `json:"control,omitempty"` // column that the others are tested against; empty: none
	Versus  int      `json:"control_family"`    // tests against it that Holm's correction is over
	Alpha   float64  `json:"alpha"`
	Ranked  []Ranked `json:"methods"` // the most accurate first
}

// Better returns the methods that are significantly more accurate than the control.
func (r Ranking) Better() (all []Ranked) {
	for _, m := range r.Ranked {
		if m.Over != nil && m.Over.Better {
			all = append(all, m)
		}
	}
	return all
}

// Of returns the method of a column.
func (r Ranking) Of(column string) Ranked {
	return r.Ranked[slices.IndexFunc(r.Ranked, func(m Ranked) bool { return m.Method == column })]
}

// Over compares a method with the control.
type Over struct {
	Points   Points    `json:"difference"` // how much more accurate than the control
	Interval [2]Points `json:"interval"`   // at 1 - alpha, with Holm's correction
	PHolm    Digits    `json:"p_holm"`
	Better   bool      `json:"better"` // significantly
}

// A Ranked is a method of a ranking.
type Ranked struct {
	Method   string     `json:"method"` // id of the column
	Name     string     `json:"name"`
	Accuracy string     `json:"accuracy"`           // percent of the test samples; over several splits the mean
	Score    string     `json:"score,omitempty"`    // by the measure of the table in percent, where that is not accuracy
	SD       string     `json:"sd"`                 // over the splits, divisor splits - 1
	Behind   Points     `json:"behind"`             // how much less accurate than the best: 0 or more
	Interval *[2]Points `json:"interval,omitempty"` // of Behind: at 95 % of one split, with Holm's correction at 1 - alpha of several; nil: no test
	PHolm    *Digits    `json:"p_holm,omitempty"`   // of the corrected resampled t-test against the best, among all pairs; nil likewise
	NotWorse bool       `json:"not_worse"`          // than the best, significantly; true for the best
	Untested string     `json:"untested,omitempty"` // why there is no test
	Partial  int        `json:"partial,omitempty"`  // splits that it has a result on, where it lacks some
	Over     *Over      `json:"over,omitempty"`     // the control; nil without a test

	Rank int `json:"-"` // by the tests of all pairs; 0: none
}

// Shown returns the score that ranks the method.
func (m Ranked) Shown() string { return cmp.Or(m.Score, m.Accuracy) }

// Between is the interval of Behind, "-1.20 to 3.40"; empty where it is not known.
func (m Ranked) Between() string {
	if m.Interval == nil {
		return ""
	}
	return m.Interval[0].String() + " to " + m.Interval[1].String()
}

// Equal reports whether a method with a result on every split has the mean of the best, but for rounding.
func (m Ranked) Equal() bool { return m.Partial == 0 && math.Abs(float64(m.Behind)) < 1e-9 }

// P is PHolm as people read it; empty where it is not known.
func (m Ranked) P() string {
	if m.PHolm == nil {
		return ""
	}
	return stats.ShortP(float64(*m.PHolm))
}

// McNemarOfAccuracy is why methods have no test on one split by another measure.
const McNemarOfAccuracy = "McNemar's test counts right and wrong answers, so it is of accuracy alone; other measures are tested over several splits"

// Rank compares the methods of a row with its most accurate one and with the control: of a pooled
// row by the corrected resampled t-test, of a row of one split by its ranks. Methods without a
// result on every split stand at the end and are not tested. Accuracies are compared by their
// mean over the splits, as the differences are, which counts when splits differ in size. It is
// not ok where no method has a result on every split.
func (t Table) Rank(row Row) (r Ranking, ok bool) {
	r = Ranking{Dataset: row.Dataset, Splits: 1, Measure: t.Measure, Alpha: t.Test.Alpha}
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
	over := map[string]*Over{}
	if ok = len(order) > 0; ok {
		r.Best = row.Cells[order[0]].Method
		over = t.over(&r, row, order)
	}
	if row.Pool != nil {
		r.Family, r.Splits = row.family(), row.Pool.Splits
	}
	for _, i := range slices.Concat(order, partial) {
		c := row.Cells[i]
		one := Ranked{
			Method: c.Method, Name: t.Columns[i].Name, Accuracy: c.Accuracy, Partial: c.Partial, NotWorse: c.Method == r.Best, Rank: c.Rank, Over: over[c.Method],
		}
		if c.Spread != nil {
			one.SD = c.Spread.SD
		}
		if t.Measure != "" {
			one.Score = c.Value()
		}
		if c.Partial == 0 {
			one.Behind = Points(row.Cells[order[0]].Mean - c.Mean)
		}
		if row.Pool == nil && ok && t.Measure == "" {
			one.NotWorse = c.Rank == row.Cells[order[0]].Rank
		}
		pair, known := row.Pair(r.Best, c.Method)
		t.Behind(&one, row, pair, known)
		r.Ranked = append(r.Ranked, one)
	}
	return r, ok
}

// Behind sets how far a method is behind the best of its row, from their pair if that is known.
func (t Table) Behind(m *Ranked, row Row, p Pair, known bool) {
	switch {
	case row.Pool == nil && t.Measure != "":
		m.Untested = McNemarOfAccuracy
	case row.Pool == nil && known:
		interval := t.between(p.Interval)
		m.Interval = &interval
	case row.Pool == nil, !known:
	case p.Tested():
		interval, adjusted := t.between(p.Adjusted(t.Test.Alpha)), Digits(p.PHolm)
		m.Interval, m.PHolm, m.NotWorse = &interval, &adjusted, !p.Significant
	case m.Partial > 0:
		m.Untested = "it lacks results on some splits"
	default:
		m.Untested = row.Pool.Reason
	}
	if known {
		m.Behind = Points(p.Difference)
	}
}

// Always places always answering the largest class behind the best method of a pooled row. It is not
// ok where the scores of that are not known.
func (t Table) Always(row Row, best string) (m Ranked, ok bool) {
	if row.Pool == nil || len(row.Largest.Scores) == 0 {
		return m, false
	}
	mean, sd := stat.MeanStdDev(row.Largest.Scores, nil)
	m = Ranked{Name: row.Largest.Name(), Accuracy: text.Points(mean), SD: text.Points(sd)}
	for _, pair := range row.Largest.Pairs {
		if pair.A == best {
			t.Behind(&m, row, pair, true)
		}
	}
	return m, true
}

// over tests the columns with a result on every split against the control of the table.
func (t Table) over(r *Ranking, row Row, complete []int) map[string]*Over {
	all := map[string]*Over{}
	control := slices.IndexFunc(complete, func(i int) bool { return row.Cells[i].Method == t.Against })
	if control < 0 || row.Pool == nil {
		return all
	}
	r.Control = t.Against
	columns := slices.Concat(complete[control:control+1], complete[:control], complete[control+1:])
	for _, p := range row.against(columns, r.Alpha) {
		if p.Tested() {
			r.Versus = p.Family
			turned := Pair{p.B, p.A, p.Turned()}
			all[p.B] = &Over{Points(turned.Difference), t.between(turned.Adjusted(t.Test.Alpha)), Digits(p.PHolm), p.Significant && turned.Difference > 0}
		}
	}
	return all
}

// Level returns the confidence of intervals with Holm's correction in percent: "95".
func (t Table) Level() string { return strconv.FormatFloat(100*(1-t.Test.Alpha), 'g', 6, 64) }

// between cuts the interval of a difference to the range of the measure.
func (t Table) between(i stats.Interval) [2]Points {
	most := float64(100 - t.By().Least)
	return between(stats.Interval{Low: max(i.Low, -most), High: min(i.High, most)})
}
