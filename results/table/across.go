package table

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/stat"

	"r2lmlbench/internal/text"
	"r2lmlbench/stats"
)

// Scores are the accuracies of methods on several data sets, for comparisons across the
// sets.
type Scores struct {
	Methods []string    // ids of the columns
	Rows    [][]float64 // of each data set, percent by method; NaN without a result
}

// Scores returns the accuracy of seed 1 of every column on every row, of a pooled row the
// mean over its splits. A column that lacks a split there has no result.
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

// Differences lists the accuracy of one method less that of another in points, by row, for
// the rows that have both. Methods are numbered by column. Differences are rounded, so that
// those of equal counts are equal.
func (s Scores) Differences(first, second int) []float64 {
	var all []float64
	for _, r := range s.Rows {
		if d := r[first] - r[second]; !math.IsNaN(d) {
			all = append(all, math.Round(1e9*d)/1e9)
		}
	}
	return all
}

// A Standing compares methods by their ranks over the data sets on which all of
// them have a result, after Demšar 2006. Methods are numbered by column.
type Standing struct {
	Rows     int // data sets with all methods
	Friedman stats.FriedmanResult
	// FriedmanP is p of Iman and Davenport's F, and at least what Friedman's exact test gives
	// to the ranks that differ most: with few data sets, F takes p to 0.
	FriedmanP float64
	CD        float64 // Nemenyi's critical difference of two average ranks
	Order     []int   // methods, the best average rank first, ties by column
	Groups    [][]int // largest groups of two or more that do not differ, best first
}

// Standing ranks the methods and compares them at the given level. Without two
// methods, two data sets that have all of them and a level between 0 and 1 there
// is none, and only Rows is filled in.
func (s Scores) Standing(level float64) (st Standing, ok bool) {
	scores := slices.DeleteFunc(slices.Clone(s.Rows), func(row []float64) bool { return slices.ContainsFunc(row, math.IsNaN) })
	st.Rows = len(scores)
	if len(s.Methods) < 2 || st.Rows < 2 || !(level > 0 && level < 1) {
		return st, false
	}
	st.Friedman = stats.Friedman(scores)
	st.FriedmanP = max(st.Friedman.FP, leastP(scores))
	st.CD = stats.CriticalDifference(level, len(s.Methods), st.Rows)
	ranks := st.Friedman.AverageRanks
	for i := range s.Methods {
		st.Order = append(st.Order, i)
	}
	slices.SortStableFunc(st.Order, func(i, j int) int { return cmp.Compare(ranks[i], ranks[j]) })
	for _, group := range stats.CDGroups(ranks, st.CD) {
		if len(group) > 1 {
			st.Groups = append(st.Groups, group)
		}
	}
	return st, true
}

// leastP is a lower bound of p in Friedman's exact test, in which the ranks of each data set
// come in all k! / Π t! orders alike often, with t methods on a shared rank: what was seen
// counts, and so does what other names of the methods would make of it. So p is at least the
// number of orders of the data set that has most of them, by the product of all.
func leastP(scores [][]float64) float64 {
	least, most := 1.0, 1.0 // most, so far, is not in the product
	for _, row := range scores {
		orders, shared := 1.0, map[float64]float64{} // of the methods so far, and how many have a score
		for i, score := range row {
			shared[score]++
			orders *= float64(i+1) / shared[score]
		}
		least, most = least/min(most, orders), max(most, orders) // orders may be +Inf, of 171 methods or more
	}
	return least
}

// An Across compares the columns of a table over its data sets, of which each counts
// once: by average ranks, and by Wilcoxon's signed-rank test of all pairs with Holm's
// correction.
type Across struct {
	Test       string       `json:"test"` // of a pair
	Correction string       `json:"correction"`
	Pairs      []AcrossPair `json:"pairs"`
	*AverageRanks
}

// AverageRanks are those of the columns over the data sets on which all have a result.
// Two columns differ by Nemenyi's test where their ranks are at least the critical
// difference apart.
type AverageRanks struct {
	Sets      int           `json:"data_sets"`
	Ranks     []AverageRank `json:"average_ranks"` // the best first
	FriedmanP float64       `json:"friedman_p"`    // of the test that all rank alike
	Critical  string        `json:"critical_difference"`
}

// An AverageRank is that of a column, 1 the best.
type AverageRank struct {
	Column string `json:"column"`
	Rank   string `json:"rank"`
}

// An AcrossPair is two columns on the data sets on which both have a result.
type AcrossPair struct {
	A           string  `json:"a"`
	B           string  `json:"b"`
	Sets        int     `json:"sets"`
	Difference  string  `json:"difference"` // mean of A less B in points
	P           float64 `json:"p"`
	PHolm       float64 `json:"p_holm"`
	Family      int     `json:"family"`
	Significant bool    `json:"significant"`
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
	a := &Across{Test: "wilcoxon-signed-rank", Correction: "holm", Pairs: []AcrossPair{}}
	scores := t.Scores()
	var raw []float64
	for i, first := range t.Columns {
		for k, second := range t.Columns[i+1:] {
			d := scores.Differences(i, i+1+k)
			if len(d) < 2 {
				continue
			}
			p := stats.Wilcoxon(d).P
			raw = append(raw, p)
			a.Pairs = append(a.Pairs, AcrossPair{
				A: first.ID, B: second.ID, Sets: len(d), Difference: text.Points(stat.Mean(d, nil)), P: text.SixDigits(p),
			})
		}
	}
	for k, adjusted := range stats.Holm(raw) {
		pair := &a.Pairs[k]
		pair.PHolm, pair.Family, pair.Significant = text.SixDigits(adjusted), len(raw), adjusted <= t.Test.Alpha
	}
	if st, ok := scores.Standing(t.Test.Alpha); ok {
		a.AverageRanks = &AverageRanks{Sets: st.Rows, FriedmanP: text.SixDigits(st.FriedmanP), Critical: text.TwoDecimals(st.CD)}
		for _, i := range st.Order {
			a.Ranks = append(a.Ranks, AverageRank{t.Columns[i].ID, text.TwoDecimals(st.Friedman.AverageRanks[i])})
		}
	}
	return a
}

// mostPairs is how many pairs over the data sets are listed; of more, those that differ.
const mostPairs = 15

// PairListings are the pairs of the rows of one split as tables, if there are few rows: all
// pairs, or of many those that differ.
func (t Table) PairListings() []Listing {
	var all []Listing
	for _, r := range t.Rows {
		if len(r.Pairs) == 0 || len(t.Rows) > mostContrasts {
			continue
		}
		l := Listing{
			Title: "Pairs on " + r.Name, Head: []string{"a", "b", "only a right", "only b right", "a minus b", "95 % interval", "p", "p after Holm"},
		}
		for _, p := range r.Pairs {
			if p.Significant || len(r.Pairs) <= mostPairs {
				l.Rows = append(l.Rows, []string{
					t.name(p.A), t.name(p.B), strconv.Itoa(p.BCount), strconv.Itoa(p.CCount), p.Difference,
					p.DifferenceInterval[0] + " to " + p.DifferenceInterval[1], stats.ShortP(p.P), stats.ShortP(p.PHolm),
				})
			}
		}
		l.Notes = unlisted(len(r.Pairs) - len(l.Rows))
		all = append(all, l)
	}
	return all
}

// unlisted is the note on pairs that a listing leaves out; none without such pairs.
func unlisted(pairs int) []string {
	if pairs == 0 {
		return nil
	}
	return []string{text.Counted(pairs, "pair") + " not listed, which do not differ (JSON has all)."}
}

// AcrossListings are the comparisons over the data sets as tables; none without average
// ranks.
func (t Table) AcrossListings() []Listing {
	a := t.Across
	if a == nil || a.AverageRanks == nil {
		return nil
	}
	ranks := Listing{
		Title: "Average ranks over " + text.Counted(a.Sets, "data set"), Head: []string{"system", "average rank"},
		Notes: []string{fmt.Sprintf("Friedman's test that all rank alike (Iman and Davenport's F): p %s. Two systems differ by Nemenyi's test (level %g) if their "+
			"ranks are at least %s apart.", stats.SayP(a.FriedmanP), t.Test.Alpha, a.Critical)},
	}
	for _, r := range a.Ranks {
		ranks.Rows = append(ranks.Rows, []string{t.name(r.Column), r.Rank})
	}
	pairs := Listing{Title: "Pairs over the data sets", Head: []string{"a", "b", "data sets", "mean of a minus b", "p", "p after Holm"}}
	for _, p := range a.Pairs {
		if p.Significant || len(a.Pairs) <= mostPairs {
			pairs.Rows = append(pairs.Rows,
				[]string{t.name(p.A), t.name(p.B), strconv.Itoa(p.Sets), p.Difference, stats.FormatP(p.P, 0), stats.FormatP(p.PHolm, 0)})
		}
	}
	pairs.Notes = append([]string{fmt.Sprintf("Wilcoxon's signed-rank test, Holm's correction over %s.", text.Counted(len(a.Pairs), "pair"))},
		unlisted(len(a.Pairs)-len(pairs.Rows))...)
	return []Listing{ranks, pairs}
}
