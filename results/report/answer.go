package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"r2lmlbench/internal/text"
	"r2lmlbench/results/table"
)

// fewestBySize is the number of data sets from which on small and large ones are told
// apart.
const fewestBySize = 6

// bySize says which methods rank best on the data sets with small training parts, and on
// the others: above and below the median. There is nothing to say without two methods,
// enough data sets, or all their sizes.
func (in Input) bySize() []sizeAnswer {
	t := in.sets()
	training := in.trainingSizes()
	var sizes []int
	for _, r := range t.Rows {
		if training[r.Dataset] == 0 {
			return nil
		}
		sizes = append(sizes, training[r.Dataset])
	}
	slices.Sort(sizes)
	if len(sizes) < fewestBySize {
		return nil
	}
	limit := sizes[(len(sizes)-1)/2]
	small, large := t, t
	isLarge := func(r table.Row) bool { return training[r.Dataset] > limit }
	small.Rows = slices.DeleteFunc(slices.Clone(t.Rows), isLarge)
	large.Rows = slices.DeleteFunc(slices.Clone(t.Rows), func(r table.Row) bool { return !isLarge(r) })
	var said []sizeAnswer
	for _, part := range []struct {
		rows        table.Table
		size, which string
	}{
		{small, "Small data", fmt.Sprintf("at most %d training samples", limit)},
		{large, "Larger data", "more"},
	} {
		part.rows.Rows = slices.DeleteFunc(part.rows.Rows, incomplete)
		if sentence := bestOf(part.rows); sentence != "" {
			said = append(said, sizeAnswer{part.size, fmt.Sprintf("(%s: %s)", part.which, lettersOf(part.rows)), sentence + belowMajority(part.rows)})
		}
	}
	return said
}

// incomplete tells whether a method has no result on a row that ranks could rest on.
func incomplete(r table.Row) bool {
	return slices.ContainsFunc(r.Cells, func(c table.Cell) bool { return c.Score == nil || slices.Contains(r.MissingMethods, c.Method) })
}

// A sizeAnswer says which methods rank best on data of some size, and which sets these are.
type sizeAnswer struct{ Size, Which, Said string }

// trainingSizes are the numbers of training samples of the first split, by data set.
func (in Input) trainingSizes() map[string]int {
	sizes := map[string]int{}
	for i, r := range in.Table.Rows {
		for _, x := range in.Cells[i] {
			if sizes[r.Dataset] == 0 {
				sizes[r.Dataset] = x.Split.Train
			}
		}
	}
	return sizes
}

// bestOf says which methods have the best average ranks on some rows, and which ones the
// best one can be told from.
func bestOf(t table.Table) string {
	scores := t.Scores()
	st, ok := scores.Standing(t.Test.Alpha)
	if !ok {
		return ""
	}
	name := func(i int) string {
		for _, c := range t.Columns {
			if c.ID == scores.Methods[i] {
				return c.Name
			}
		}
		return scores.Methods[i]
	}
	ranks := st.Friedman.AverageRanks
	least := ranks[st.Order[0]]
	var first, next, worse []string
	for _, i := range st.Order {
		switch {
		case ranks[i] == least:
			first = append(first, name(i))
		case len(first)+len(next) < mostRanked:
			next = append(next, fmt.Sprintf("%s %.2f", name(i), ranks[i]))
		}
		if ranks[i]-least >= st.CD {
			worse = append(worse, name(i))
		}
	}
	told := "no method is"
	if len(worse) > 0 {
		told = fmt.Sprintf("only %s %s", text.Series(worse), text.Agree(len(worse), "is", "are"))
	}
	others := ""
	if len(next) > 0 {
		others = ", before " + text.Series(next)
	}
	return fmt.Sprintf("%s (%.2f) %s the best average rank by accuracy of %d methods%s; %s significantly less accurate.",
		text.Series(first), least, text.Agree(len(first), "has", "have"), len(scores.Methods), others, told)
}

// mostRanked is how many methods are named as the best.
const mostRanked = 3

// belowMajority counts the rows on which no method is more accurate than naming the most
// frequent class of the test samples; nothing where there is none.
func belowMajority(t table.Table) string {
	var none []string
	for _, r := range t.Rows {
		if r.Classes == nil {
			continue
		}
		above := slices.ContainsFunc(r.Cells, func(c table.Cell) bool { return c.Score != nil && c.Correct > r.Classes.Majority.Count })
		if !above {
			none = append(none, cmp.Or(r.Letter, r.Name, r.Dataset))
		}
	}
	if len(none) == 0 {
		return ""
	}
	return fmt.Sprintf(" On %d of the %s no method is above the most frequent class: %s.",
		len(none), text.Counted(len(t.Rows), "data set"), strings.Join(none, ", "))
}

// lettersOf lists the data sets of a table, by letter or else by name.
func lettersOf(t table.Table) string {
	var all []string
	for _, r := range t.Rows {
		all = append(all, cmp.Or(r.Letter, r.Name, r.Dataset))
	}
	return strings.Join(all, ", ")
}

// mostLed is the number of data sets up to which the most accurate methods are named.
const mostLed = 6

// A leaderView says which methods are the most accurate on a data set, and how many others
// the test does not tell from them.
type leaderView struct {
	Set          string // empty: there is no other
	Methods      string
	Several      bool // methods
	Accuracy, SD string
	Tested       bool
	Equal, Of    int // other methods that are not significantly worse, and all others
}

// leaders names the most accurate methods of each data set, unless there are many sets.
func (in Input) leaders() []leaderView {
	t := in.sets()
	if len(t.Columns) < 2 || len(t.Rows) > mostLed {
		return nil
	}
	var all []leaderView
	for _, r := range t.Rows {
		if l, ok := leaderOf(t, r); ok {
			if len(t.Rows) > 1 {
				l.Set = rowTitle(r)
			}
			all = append(all, l)
		}
	}
	return all
}

// sets is the table in which each data set has a row, where it has several splits.
func (in Input) sets() table.Table {
	if in.Pooled != nil {
		return *in.Pooled
	}
	return in.Table
}

// bestOn is the column of the most accurate method of a row, the first of several, and the
// number of methods with a result on all of its splits; -1 without one.
func bestOn(r table.Row) (best, results int) {
	best = -1
	for j, c := range r.Cells {
		if c.Score == nil || c.Partial > 0 {
			continue
		}
		results++
		if best < 0 || c.Correct > r.Cells[best].Correct {
			best = j
		}
	}
	return best, results
}

// leaderOf is that of one row, if it has two results on all splits.
func leaderOf(t table.Table, r table.Row) (l leaderView, ok bool) {
	best, results := bestOn(r)
	if results < 2 {
		return l, false
	}
	var first []string
	for j, c := range r.Cells {
		switch {
		case c.Score == nil || c.Partial > 0:
		case c.Correct == r.Cells[best].Correct:
			first = append(first, t.Columns[j].Name)
		case c.Rank == r.Cells[best].Rank:
			l.Equal++
		}
	}
	l.Methods, l.Several, l.Of = text.Series(first), len(first) > 1, results-len(first)
	l.Accuracy, l.SD = r.Cells[best].Score.Accuracy, deviation(r.Cells[best])
	l.Tested = r.Pool == nil && len(r.Pairs) > 0 || r.Pool != nil && r.Pool.Test != ""
	return l, true
}

// deviation is the standard deviation of the runs of a cell, empty where there is one run.
func deviation(c table.Cell) string {
	if c.Spread == nil {
		return ""
	}
	return c.Spread.SD
}
