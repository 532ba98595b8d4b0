package report

import (
	"strconv"
	"strings"

	"r2lmlbench/internal/text"
	"r2lmlbench/results/table"
	"r2lmlbench/stats"
)

// A WinTieLoss compares one method with another over the rows that have both: a win is
// a row where it is better by the row's test after Holm's correction, a loss where it
// is worse, all others are ties.
type WinTieLoss struct {
	Wins, Ties, Losses int
	Mean               float64 // difference of accuracy in points
}

// Rows is how many rows have both methods.
func (d WinTieLoss) Rows() int { return d.Wins + d.Ties + d.Losses }

// winTieLosses has every method (first index) against every other, by column.
func winTieLosses(t table.Table) [][]WinTieLoss {
	at := map[string]int{}
	all := make([][]WinTieLoss, len(t.Columns))
	for i, c := range t.Columns {
		at[c.ID] = i
		all[i] = make([]WinTieLoss, len(t.Columns))
	}
	for _, r := range t.Rows {
		for _, p := range r.Pairs {
			all[at[p.A]][at[p.B]].add(p.BCount, p.CCount, r.N, p.Significant)
			all[at[p.B]][at[p.A]].add(p.CCount, p.BCount, r.N, p.Significant)
		}
	}
	return all
}

// add counts a row of n test samples, of which only this method has onlyThis right and
// only the other onlyOther.
func (d *WinTieLoss) add(onlyThis, onlyOther, n int, significant bool) {
	before := float64(d.Rows())
	switch {
	case !significant || onlyThis == onlyOther:
		d.Ties++
	case onlyThis > onlyOther:
		d.Wins++
	default:
		d.Losses++
	}
	d.Mean = (d.Mean*before + 100*float64(onlyThis-onlyOther)/float64(n)) / (before + 1)
}

// pairs has every comparison of two methods on a row.
func pairs(t table.Table) table.Listing {
	l := table.Listing{
		Title: "Every pair of methods on every row",
		Head: []string{"data set", "split", "method", "against", "only the first right", "only the second right", "p", "p after Holm",
			"family", "differ", "difference in points", "95 % from", "to", "Cohen's g"},
		Notes: []string{"The interval of the difference is Newcombe's for paired samples. Cohen's g is the larger share of the samples that one of the two " +
			"has right, less one half."},
	}
	names := map[string]string{}
	for _, c := range t.Columns {
		names[c.ID] = c.Name
	}
	for _, r := range t.Rows {
		for _, p := range r.Pairs {
			effect, difference := "", p.Difference // Cohen's g is not defined where no sample tells the two apart
			if p.CohensG != nil {
				effect = text.TwoDecimals(*p.CohensG)
			}
			if difference != "0.00" && !strings.HasPrefix(difference, "-") {
				difference = "+" + difference
			}
			l.Rows = append(l.Rows, []string{
				r.Dataset, r.Split, names[p.A], names[p.B], strconv.Itoa(p.BCount), strconv.Itoa(p.CCount), stats.FormatP(p.P, 0), stats.FormatP(p.PHolm, 0),
				strconv.Itoa(p.Family), strconv.FormatBool(p.Significant), difference, p.DifferenceInterval[0], p.DifferenceInterval[1], effect,
			})
		}
	}
	return l
}
