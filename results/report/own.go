package report

import (
	"slices"

	"r2lmlbench/results/table"
)

// mostCompared is the number of data sets up to which each has a table of its methods.
const mostCompared = 6

// A Ranking has the methods of one data set, the best first. Those with a
// result on some of its splits only stand behind the others.
type Ranking struct {
	Key      string // of the data set in links
	Title    string
	Majority string // of naming the most frequent class, by the measure; empty: not known, or one of Methods
	Splits   int    // 0 for a single one
	Tested   bool   // some test compares the methods
	ToBest   bool   // the tests are those against the best method, and not of all pairs
	Methods  []Ranked
	Best     []Ranked // the first of Methods, than which no other is more accurate
	Others   int      // less accurate methods with a result on all splits
	NotWorse int      // of these, those that do not differ significantly
}

// A Ranked is a method on a data set.
type Ranked struct {
	table.Ranked
	Splits  []float64 // by the measure on every split, in percent
	Dots    []float64 // the same as places from 0 to 100
	Seconds float64   // choice of settings, fit and test on a split, on average; 0: not known of each
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
		one := Ranking{Key: r.Dataset, Title: r.Title(), Tested: len(r.Pairs) > 0 || r.Pool != nil && r.Pool.Test != ""}
		if r.Classes != nil {
			one.Majority = r.Classes.Majority.Value()
		}
		if r.Pool != nil {
			one.Splits = r.Pool.Splits
		}
		ranking, _ := t.Rank(r)
		one.ToBest = ranking.Family > 0
		least, most := 100.0, 0.0
		for _, ranked := range ranking.Ranked {
			m := Ranked{Ranked: ranked}
			m.Splits, m.Seconds = in.onSplits(r.Dataset, slices.IndexFunc(t.Columns, func(c table.Column) bool { return c.ID == m.Method }))
			for _, x := range m.Splits {
				least, most = min(least, x), max(most, x)
			}
			one.Methods = append(one.Methods, m)
		}
		for i, m := range one.Methods {
			if m.Equal() && i == len(one.Best) {
				one.Best = one.Methods[:i+1]
			} else {
				one.Others, one.NotWorse = one.Others+bit(m.Partial == 0), one.NotWorse+bit(m.NotWorse)
			}
			for _, x := range m.Splits {
				one.Methods[i].Dots = append(one.Methods[i].Dots, 100*(x-least)/max(most-least, 1e-9))
			}
		}
		if always, ok := t.Always(r, ranking.Best); ok {
			one.Methods, one.Majority = append(one.Methods, Ranked{Ranked: always}), ""
		}
		if len(ranking.Ranked) > 0 {
			all = append(all, one)
		}
	}
	return all
}

// onSplits are the numbers of a column on the splits of a data set, in percent, and
// its mean time.
func (in Input) onSplits(dataset string, column int) (scores []float64, seconds float64) {
	known := true
	for i, r := range in.Table.Rows {
		c := r.Cells[column]
		if r.Dataset != dataset || c.Score == nil || r.N == 0 {
			continue
		}
		scores = append(scores, c.Mean)
		took := in.Cells[i][column].Seconds
		if run := in.Cells[i][column].Run; run != nil {
			took = run.Seconds
		}
		seconds, known = seconds+took, known && took > 0
	}
	if !known || len(scores) == 0 {
		return scores, 0
	}
	return scores, seconds / float64(len(scores))
}
