package report

import (
	"slices"
	"strings"

	"r2lmlbench/results/table"
	"r2lmlbench/stats"
)

// mostCompared is the number of data sets up to which each has a table of its methods.
const mostCompared = 6

// A Ranking has the methods of one data set, the most accurate first. Those with a
// result on some of its splits only stand behind the others.
type Ranking struct {
	Title    string
	Majority string // accuracy of naming the most frequent class; empty: not known
	Splits   int    // 0 for a single one
	Tested   bool   // some test compares the methods
	ToBest   bool   // the tests are those against the most accurate method, and not of all pairs
	Methods  []Ranked
}

// A Ranked is a method on a data set.
type Ranked struct {
	table.Cell
	Key, Name  string
	Difference float64   // to the most accurate method, in points
	NotWorse   bool      // than the most accurate method, significantly
	P          string    // of the test against the most accurate method, after Holm; empty where there is none
	Interval   string    // of the difference, 95 %; empty where it is not known
	Splits     []float64 // accuracy on every split, in percent
	Dots       []float64 // the same as places from 0 to 100
	Seconds    float64   // choice of settings, fit and test on a split, on average; 0: not known of each
}

// Best are the methods that no other is more accurate than.
func (r Ranking) Best() []Ranked {
	n := slices.IndexFunc(r.Methods, func(m Ranked) bool { return m.Partial > 0 || m.Difference < 0 })
	if n < 0 {
		n = len(r.Methods)
	}
	return r.Methods[:n]
}

// Others is the number of less accurate methods with a result on all splits.
func (r Ranking) Others() int {
	n := 0
	for _, m := range r.Methods[len(r.Best()):] {
		n += bit(m.Partial == 0)
	}
	return n
}

// NotWorse is the number of less accurate methods that do not differ significantly.
func (r Ranking) NotWorse() int {
	n := 0
	for _, m := range r.Methods[len(r.Best()):] {
		n += bit(m.NotWorse)
	}
	return n
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

// rankings are those of the data sets of a page that is not about published numbers,
// unless these are many or there is a single method.
func (in Input) rankings() []Ranking {
	t := in.sets()
	if in.reproduces() || len(t.Rows) > mostCompared || len(t.Columns) < 2 {
		return nil
	}
	var all []Ranking
	for _, r := range t.Rows {
		one := Ranking{Title: title(r), Tested: len(r.Pairs) > 0 || r.Pool != nil && r.Pool.Test != ""}
		if r.Classes != nil {
			one.Majority = r.Classes.Majority.Accuracy
		}
		if r.Pool != nil {
			one.Splits = r.Pool.Splits
		}
		for j, c := range r.Cells {
			if c.Score != nil {
				m := Ranked{Cell: c, Key: t.Columns[j].ID, Name: t.Columns[j].Name}
				m.Splits, m.Seconds = in.onSplits(r.Dataset, j)
				one.Methods = append(one.Methods, m)
			}
		}
		ranking, ok := t.Rank(r)
		one.ToBest = ok && ranking.Family > 0
		place := func(m Ranked) int {
			return slices.IndexFunc(ranking.Ranked, func(r table.Ranked) bool { return r.Method == m.Key })
		}
		slices.SortStableFunc(one.Methods, func(a, b Ranked) int {
			if partial := bit(a.Partial > 0) - bit(b.Partial > 0); partial != 0 {
				return partial
			}
			if ok {
				return place(a) - place(b)
			}
			return b.Correct - a.Correct
		})
		if len(one.Methods) > 0 {
			one.compare(r, ranking)
			all = append(all, one)
		}
	}
	return all
}

// compare fills in how the methods stand to the first: with several splits as the ranking
// against the best has it, which is empty otherwise.
func (r *Ranking) compare(row table.Row, ranking table.Ranking) {
	least, most := 100.0, 0.0
	for _, m := range r.Methods {
		for _, x := range m.Splits {
			least, most = min(least, x), max(most, x)
		}
	}
	best := r.Methods[0]
	for i := range r.Methods {
		m := &r.Methods[i]
		for _, x := range m.Splits {
			m.Dots = append(m.Dots, 100*(x-least)/max(most-least, 1e-9))
		}
		if m.Partial == 0 && best.Partial == 0 {
			m.Difference = 100 * float64(m.Correct-best.Correct) / float64(row.N)
			m.Interval = interval(row, m.Key, best.Key)
			m.NotWorse = m.Rank == best.Rank
		}
		if of, ok := ranking.Of(m.Key); ok {
			m.NotWorse = of.NotWorse
			if of.PHolm != nil {
				m.P = stats.ShortP(*of.PHolm)
			}
			if m.Partial == 0 && best.Partial == 0 {
				m.Difference = m.Mean - best.Mean
			}
		}
	}
}

// onSplits are the accuracies of a column on the splits of a data set, in percent, and
// its mean time.
func (in Input) onSplits(dataset string, column int) (accuracies []float64, seconds float64) {
	known := true
	for i, r := range in.Table.Rows {
		c := r.Cells[column]
		if r.Dataset != dataset || c.Score == nil || r.N == 0 {
			continue
		}
		accuracies = append(accuracies, 100*float64(c.Correct)/float64(r.N))
		took := in.Cells[i][column].Seconds
		if run := in.Cells[i][column].Run; run != nil {
			took = run.Seconds
		}
		seconds, known = seconds+took, known && took > 0
	}
	if !known || len(accuracies) == 0 {
		return accuracies, 0
	}
	return accuracies, seconds / float64(len(accuracies))
}

// interval is that of the difference of a less b on a row: of one split that of its test
// samples, of several that of the test over the splits. It is empty where there is none.
func interval(r table.Row, a, b string) string {
	of := func(first, second string, ends [2]string) string {
		switch {
		case first == a && second == b:
			return ends[0] + " to " + ends[1]
		case first == b && second == a:
			return negative(ends[1]) + " to " + negative(ends[0])
		}
		return ""
	}
	for _, p := range r.Pairs {
		if s := of(p.A, p.B, p.DifferenceInterval); s != "" {
			return s
		}
	}
	for _, c := range r.Contrasts {
		if c.Test == nil {
			continue
		}
		if s := of(c.A, c.B, c.Test.Interval); s != "" {
			return s
		}
	}
	return ""
}

// negative turns the sign of a printed number.
func negative(number string) string {
	switch {
	case number == "0.00":
		return number
	case strings.HasPrefix(number, "-"):
		return number[1:]
	}
	return "-" + strings.TrimPrefix(number, "+")
}
