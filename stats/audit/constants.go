package audit

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"

	"r2lmlbench/internal/text"
	"r2lmlbench/stats"
)

// constants finds numbers that are the share of a class, which a method has that
// predicts this class every time.
func (r printedRow) constants() []Finding {
	var all []Finding
	for i, fit := range r.granularity {
		for _, class := range r.row.Classes {
			count := r.table.right(class, r.n)
			if !fit.Possible || count < fit.Low || count > fit.High {
				continue
			}
			f := r.finding(KindConstant, i)
			f.Bound = text.SixDigits(r.chance(i))
			f.Text = fmt.Sprintf("a class has %d of %d test samples, so predicting it every time prints as %s; by chance %.2g", class, r.n, f.Printed, f.Bound)
			all = append(all, f)
			break
		}
	}
	return all
}

// largest finds methods that are not more accurate than predicting the largest of the
// given classes every time.
func (r printedRow) largest() []Finding {
	if len(r.row.Classes) == 0 {
		return nil
	}
	var below []int
	for i, correct := range r.correct {
		if correct <= slices.Max(r.row.Classes) {
			below = append(below, i)
		}
	}
	if len(below) == 0 {
		return nil
	}
	f := r.finding(KindLargest, below[0])
	f.Nearest = r.table.print(r.table.right(slices.Max(r.row.Classes), r.n), r.n, r.printed(below[0]))
	who, is := r.name(below[0]), "is not"
	switch {
	case len(below) == len(r.column):
		who, is = "no method", "is"
	case len(below) > 1:
		who, is = fmt.Sprintf("%d of %d methods", len(below), len(r.column)), "are not"
	}
	if len(below) > 1 {
		f.Method, f.Printed = "", ""
	}
	f.Text = fmt.Sprintf("%s %s better than predicting the largest class every time, which prints as %s", who, is, f.Nearest)
	return []Finding{f}
}

// chance is the share of the counts within 5 % of the test set around a column's count,
// on either side, that can print as the share of a class.
func (r printedRow) chance(i int) float64 {
	around := r.granularity[i].Nearest
	low, high := max(around-r.n/20, 0), min(around+r.n/20, r.n)
	var shares [][2]int // first and last count
	for _, class := range r.row.Classes {
		reach := r.table.reach(r.table.print(r.table.right(class, r.n), r.n, r.printed(i)), r.n)
		shares = append(shares, [2]int{max(reach.Low, low), min(reach.High, high)})
	}
	slices.SortFunc(shares, func(a, b [2]int) int { return cmp.Compare(a[0], b[0]) })
	hits, next := 0, low
	for _, s := range shares {
		hits += max(0, s[1]-max(s[0], next)+1)
		next = max(next, s[1]+1)
	}
	return float64(hits) / float64(high-low+1)
}

// Remarks say what could not be checked, and how many shares of classes there would be by
// chance.
func (t *PrintedTable) Remarks() []string {
	var lines, blind []string
	count, of := 0, 0
	var chances []float64
	for _, r := range t.rows() {
		if r.blind() {
			blind = append(blind, r.row.ID)
		}
		if len(r.row.Classes) == 0 {
			continue
		}
		count, of = count+len(r.constants()), of+len(r.column)
		for i := range r.column {
			chances = append(chances, r.chance(i))
		}
	}
	if len(blind) > 0 {
		lines = append(lines, "Rows with so many test samples that a count is behind every number of these decimals: "+strings.Join(blind, ", "))
	}
	if of > 0 {
		lines = append(lines, fmt.Sprintf("Numbers that are the share of a class: %d of %d, where %.1f are to be expected by chance (p %s). "+
			"By chance: the number of right answers is uniform within 5 %% of the test set around the printed one, on either side, and independent of all others; "+
			"methods of one row are alike more often than that.", count, of, floats.Sum(chances), stats.SayP(stats.AtLeast(count, chances))))
	}
	return lines
}

// blind tells whether the steps of all numbers are no wider than their last decimal.
func (r printedRow) blind() bool {
	for i := range r.column {
		_, decimals, _ := strings.Cut(string(r.printed(i)), ".")
		steps := 1
		if r.table.Unit == percent {
			steps = 100
		}
		for range decimals {
			steps *= 10
		}
		if r.n < steps {
			return false
		}
	}
	return true
}
