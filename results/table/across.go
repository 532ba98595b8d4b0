package table

import (
	"fmt"
	"math"
	"slices"

	"r2lmlbench/internal/document"
	"r2lmlbench/internal/text"
	"r2lmlbench/stats"
)

// Scores are the accuracies of methods on several data sets, for comparisons across the
// sets.
type Scores struct {
	Methods []string    // ids of the columns
	Rows    [][]float64 // of each data set, percent by method; NaN without a result
}

// Scores returns the accuracy of every column on every row for seed 1; of a pooled row, the mean
// over its splits, NaN for a column that lacks a split.
func (t Table) Scores() Scores {
	var s Scores
	for _, c := range t.Columns {
		s.Methods = append(s.Methods, c.ID)
	}
	for _, r := range t.Rows {
		row := slices.Repeat([]float64{math.NaN()}, len(t.Columns))
		for i, c := range r.Cells {
			if c.Score != nil && c.Partial == 0 {
				row[i] = c.Mean
			}
		}
		s.Rows = append(s.Rows, row)
	}
	return s
}

// An Across compares the columns of a table over its data sets, of which each counts
// once: by average ranks, and by Wilcoxon's signed-rank test of all pairs with Holm's
// correction.
type Across struct {
	Test       string   `json:"test"` // of a pair
	Correction string   `json:"correction"`
	Pairs      SetPairs `json:"pairs"`
	*AverageRanks
}

// AverageRanks are those of the columns over the data sets on which all have a result.
// Two columns differ by Nemenyi's test where their ranks are at least the critical
// difference apart.
type AverageRanks struct {
	Sets      int           `json:"data_sets"`
	Ranks     []AverageRank `json:"average_ranks"` // the best first
	FriedmanP Digits        `json:"friedman_p"`    // of the test that all rank alike
	Critical  string        `json:"critical_difference"`
}

// An AverageRank is that of a column, 1 the best.
type AverageRank struct {
	Column string `json:"column"`
	Rank   string `json:"rank"`
}

// NewAcross compares the methods over the rows of a table; nil with fewer than two data
// sets or methods, and where rows of one data set differ in more than the split.
func NewAcross(t Table) *Across {
	sets := map[string]bool{}
	for _, r := range t.Rows {
		sets[r.Dataset] = true
	}
	if len(sets) < 2 || len(sets) < len(t.Rows) || len(t.Columns) < 2 {
		return nil
	}
	test := t.acrossTest()
	a := &Across{Test: test.String(), Correction: "holm", Pairs: SetPairs{}}
	scores, samples := t.Scores(), make([]stats.Sample, len(t.Columns))
	for _, row := range scores.Rows {
		for i := range samples {
			samples[i].Scores = append(samples[i].Scores, row[i])
		}
	}
	pairs := stats.AllPairs(len(samples))
	for i, o := range stats.Compare(test, t.Test.Alpha, samples, pairs) {
		if o.Tested() {
			a.Pairs = append(a.Pairs, newPair(t.Columns[pairs[i][0]].ID, t.Columns[pairs[i][1]].ID, o))
		}
	}
	if st, ok := stats.NewStanding(scores.Rows, t.Test.Alpha); ok {
		a.AverageRanks = &AverageRanks{Sets: st.Rows, FriedmanP: Digits(st.FriedmanP), Critical: text.TwoDecimals(st.CD)}
		for _, i := range st.Order {
			a.Ranks = append(a.Ranks, AverageRank{t.Columns[i].ID, text.TwoDecimals(st.Friedman.AverageRanks[i])})
		}
	}
	return a
}

// acrossTest returns the test over data sets.
func (t Table) acrossTest() stats.Test {
	test, _ := stats.SetTest(t.Test.Across) // specs are checked
	return test
}

// mostPairs is the largest number of pairs that are all listed; a longer list has those that
// differ.
const mostPairs = 15

// PairListings makes a table of the pairs of each row of one split, if there are few rows.
func (t Table) PairListings() []document.Table {
	var all []document.Table
	for _, r := range t.Rows {
		if len(r.Pairs) == 0 || len(t.Rows) > mostContrasts {
			continue
		}
		l := document.New("Pairs on "+r.Name, "a", "b", "only a right", "only b right", "a minus b", "95 % interval", "p", "p after Holm")
		for _, p := range r.Pairs {
			if e := p.Effect(); p.Significant || len(r.Pairs) <= mostPairs {
				l.Add(t.name(p.A), t.name(p.B), p.Paired.OnlyFirst, p.Paired.OnlySecond, e.Difference,
					e.DifferenceInterval[0]+" to "+e.DifferenceInterval[1], stats.ShortP(p.P), stats.ShortP(p.PHolm))
			}
		}
		l.Notes = append(unlisted(len(r.Pairs)-len(l.Rows)), "Intervals are approximate and of one pair alone; p after Holm's correction decides.")
		all = append(all, l)
	}
	return all
}

// unlisted returns the note on pairs that a listing leaves out, if there are any.
func unlisted(pairs int) []string {
	if pairs == 0 {
		return nil
	}
	return []string{text.Counted(pairs, "pair") + " not listed, which do not differ (JSON has all)."}
}

// AcrossListings makes tables of the comparisons over the data sets; none without average ranks.
func (t Table) AcrossListings() []document.Table {
	a := t.Across
	if a == nil || a.AverageRanks == nil {
		return nil
	}
	ranks := document.New("Average ranks over "+text.Counted(a.Sets, "data set"), "system", "average rank")
	ranks.Notes = []string{fmt.Sprintf("Friedman's test that all rank alike (Iman and Davenport's F): p %s. Two systems differ by Nemenyi's test (level %g) "+
		"if their ranks are at least %s apart.", stats.SayP(float64(a.FriedmanP)), t.Test.Alpha, a.Critical)}
	for _, r := range a.Ranks {
		ranks.Add(t.name(r.Column), r.Rank)
	}
	pairs := document.New("Pairs over the data sets", "a", "b", "data sets", "mean of a minus b", "p", "p after Holm")
	for _, p := range a.Pairs {
		if p.Significant || len(a.Pairs) <= mostPairs {
			pairs.Add(t.name(p.A), t.name(p.B), p.Units, Points(p.Difference), stats.ShortP(p.P), stats.ShortP(p.PHolm))
		}
	}
	test, family := t.acrossTest().Title(), text.Counted(len(a.Pairs), "pair")
	switch {
	case len(a.Pairs) == 0:
		return []document.Table{ranks}
	case len(pairs.Rows) == 0:
		ranks.Notes = append(ranks.Notes, fmt.Sprintf("No pair differs by %s, Holm's correction over %s (JSON has all).", test, family))
		return []document.Table{ranks}
	}
	pairs.Notes = append([]string{fmt.Sprintf("%s, Holm's correction over %s; p after Holm decides.", test, family)}, unlisted(len(a.Pairs)-len(pairs.Rows))...)
	return []document.Table{ranks, pairs}
}
