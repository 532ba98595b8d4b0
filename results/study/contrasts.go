package study

import (
	"slices"
	"strconv"

	"gonum.org/v1/gonum/stat"

	"r2lmlbench/internal/text"
	"r2lmlbench/results/table"
	"r2lmlbench/stats"
)

// fewestSplits is the number of random splits with both methods from which on their
// difference is looked at.
const fewestSplits = 10

// Contrasts has the differences of methods on random splits, of the pairs that
// McNemar's test tells apart on the split of the rule.
type Contrasts struct {
	Coverage
	Pairs []Contrast
	Few   int // pairs told apart on the rule's split with too few random splits
}

// A Contrast is two methods on one data set.
type Contrast struct {
	Set           Set
	First, Second table.Column
	Rule          float64   // accuracy of the first less the second on the rule's split, in points
	Differences   []float64 // the same on random splits
}

// ReadContrasts reads the tables of spec splits and of spec accuracy.
func ReadContrasts(t, accuracies table.Table) (Contrasts, error) {
	c := Contrasts{Coverage: coverageOf(t)}
	if c.Empty() {
		return c, nil
	}
	for _, r := range accuracies.Rows {
		for _, p := range r.Pairs {
			if !p.Significant {
				continue
			}
			one := newContrast(t, accuracies, r, p)
			if len(one.Differences) < fewestSplits {
				c.Few++
				continue
			}
			c.Pairs = append(c.Pairs, one)
		}
	}
	return c, nil
}

func newContrast(t, accuracies table.Table, r table.Row, p table.Pair) Contrast {
	c := Contrast{Set: setOf(r), First: columnByID(accuracies, p.A), Second: columnByID(accuracies, p.B), Rule: pointsOf(p.BCount-p.CCount, r.N)}
	for _, split := range t.Rows {
		a, b := columnCell(t, split, p.A).Score, columnCell(t, split, p.B).Score
		if split.Dataset == r.Dataset && a != nil && b != nil {
			c.Differences = append(c.Differences, pointsOf(a.Correct-b.Correct, split.N))
		}
	}
	return c
}

func pointsOf(correct, n int) float64 { return 100 * float64(correct) / float64(n) }

// columnByID is the column of that id.
func columnByID(t table.Table, id string) table.Column {
	i := slices.IndexFunc(t.Columns, func(c table.Column) bool { return c.ID == id })
	if i < 0 {
		return table.Column{ID: id, Name: id}
	}
	return t.Columns[i]
}

// Mean is the mean difference on the random splits, in points.
func (c Contrast) Mean() float64 { return text.SixDigits(stat.Mean(c.Differences, nil)) }

// Turned tells whether the mean difference has another sign than the difference on
// the rule's split.
func (c Contrast) Turned() bool { return c.Mean()*c.Rule < 0 }

// Agreeing counts the random splits whose difference has the sign of that on the
// rule's split.
func (c Contrast) Agreeing() int {
	n := 0
	for _, d := range c.Differences {
		n += one(d*c.Rule > 0)
	}
	return n
}

// Interval is the prediction interval for the difference on one more random split.
func (c Contrast) Interval() (low, high float64) {
	next := stats.NextRun(c.Differences, table.Confidence)
	return next.Interval.Low, next.Interval.High
}

// Open tells whether 0 is in that interval: on another split either may be ahead.
func (c Contrast) Open() bool {
	low, high := c.Interval()
	return low <= 0 && high >= 0
}

// Claims count the pairs whose difference turns round on random splits, and those
// whose difference on one more split may have either sign.
func (c Contrasts) Claims() []Claim {
	const told = "pairs of methods told apart on the rule's split "
	turned := counted("contrasts-turned", told+"that have the other order on average over random splits", 0, len(c.Pairs))
	open := counted("contrasts-open", told+"of which either may be ahead on one more random split", 0, len(c.Pairs))
	for _, p := range c.Pairs {
		turned.Count += one(p.Turned())
		open.Count += one(p.Open())
	}
	turned.Missing, open.Missing = c.Few, c.Few
	return []Claim{turned, open}
}

// Listings have a line for every data set, then one for every pair whose order is
// not sure.
func (c Contrasts) Listings() []table.Listing {
	sets := table.Listing{
		Title: "Pairs of methods told apart on the rule's split, on random splits",
		Head:  []string{"data", "pairs", "other order on average", "either may be ahead"},
	}
	pairs := table.Listing{
		Title: "Pairs of methods of which either may be ahead",
		Head:  []string{"data", "method", "against", "rule's split", "random splits", "mean", "same sign", "95 % interval"},
		Notes: []string{"Differences of accuracy in points. The interval is for the difference on one more random split, at 95 %."},
	}
	for i, p := range c.Pairs {
		if i == 0 || c.Pairs[i-1].Set.Dataset != p.Set.Dataset {
			sets.Rows = append(sets.Rows, c.setLine(p.Set))
		}
		if !p.Open() && !p.Turned() {
			continue
		}
		low, high := p.Interval()
		pairs.Rows = append(pairs.Rows, []string{
			p.Set.Name, p.First.Name, p.Second.Name, text.Signed(p.Rule), strconv.Itoa(len(p.Differences)), text.Signed(p.Mean()),
			strconv.Itoa(p.Agreeing()), text.Signed(low) + " to " + text.Signed(high),
		})
	}
	return []table.Listing{sets, pairs}
}

// setLine counts the pairs of a data set.
func (c Contrasts) setLine(set Set) []string {
	pairs, turned, open := 0, 0, 0
	for _, p := range c.Pairs {
		if p.Set.Dataset == set.Dataset {
			pairs, turned, open = pairs+1, turned+one(p.Turned()), open+one(p.Open())
		}
	}
	return []string{set.Name, strconv.Itoa(pairs), strconv.Itoa(turned), strconv.Itoa(open)}
}
