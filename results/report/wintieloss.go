package report

import (
	"fmt"
	"strconv"

	"r2lmlbench/internal/text"
	"r2lmlbench/results/explain"
	"r2lmlbench/results/table"
	"r2lmlbench/stats"
)

// A winTieLoss compares one method with another over the rows that have both: a
// win is a row where it is better by the row's test after Holm's correction, a
// loss where it is worse, all others are ties.
type winTieLoss struct {
	Wins, Ties, Losses int
	sum                float64 // of the differences of accuracy, in points
}

// rows is how many rows have both methods.
func (d winTieLoss) rows() int { return d.Wins + d.Ties + d.Losses }

// Mean is the mean difference of accuracy in points, with its sign.
func (d winTieLoss) Mean() string {
	return text.Signed(d.sum / float64(d.rows()))
}

// Counts is "3/14/1": wins, ties and losses.
func (d winTieLoss) Counts() string {
	return fmt.Sprintf("%d/%d/%d", d.Wins, d.Ties, d.Losses)
}

// winTieLosses lists every method (first index) against every other, by column.
func winTieLosses(t table.Table) [][]winTieLoss {
	at := map[string]int{}
	all := make([][]winTieLoss, len(t.Columns))
	for i, c := range t.Columns {
		at[c.ID] = i
		all[i] = make([]winTieLoss, len(t.Columns))
	}
	for _, r := range t.Rows {
		for _, p := range r.Pairs {
			a, b := at[p.A], at[p.B]
			all[a][b].add(p.BCount, p.CCount, r.N, p.Significant)
			all[b][a].add(p.CCount, p.BCount, r.N, p.Significant)
		}
	}
	return all
}

// add counts a row of n test samples, of which only this method has onlyThis right
// and only the other onlyOther.
func (d *winTieLoss) add(onlyThis, onlyOther, n int, significant bool) {
	switch {
	case !significant || onlyThis == onlyOther:
		d.Ties++
	case onlyThis > onlyOther:
		d.Wins++
	default:
		d.Losses++
	}
	d.sum += 100 * float64(onlyThis-onlyOther) / float64(n)
}

// winTieLossListing is the matrix as lines.
func winTieLossListing(t table.Table, several bool) table.Listing {
	l := table.Listing{
		Title: "Wins, ties and losses",
		Head:  []string{"method", "against", "wins", "ties", "losses", "mean difference in points"},
		Notes: []string{winTieLossNote(t, several)},
	}
	for i, row := range winTieLosses(t) {
		for j, d := range row {
			if d.rows() > 0 {
				l.Rows = append(l.Rows, []string{
					t.Columns[i].Name, t.Columns[j].Name, strconv.Itoa(d.Wins), strconv.Itoa(d.Ties), strconv.Itoa(d.Losses), d.Mean(),
				})
			}
		}
	}
	return l
}

// winTieLossNote says what is counted, of several splits of a data set or of one.
func winTieLossNote(t table.Table, several bool) string {
	row, more := "row of the table", ""
	if several {
		row, more = "split of a data set", " Splits of a data set share samples, so that their counts are not independent."
	}
	return fmt.Sprintf("A win or a loss is a %s where the two differ by %s after Holm's correction over all pairs of the row, alpha %g; "+
		"all others are ties.%s",
		row, pairTest(t.Test.Pair), t.Test.Alpha, more)
}

// pairTest is a variant of McNemar's test in words; a name of none is left as it is.
func pairTest(name string) string {
	if test, err := stats.ParseTest(name); err == nil {
		return test.Title()
	}
	return name
}

// pairListing has every comparison of two methods on a row.
func pairListing(in Input) table.Listing {
	l := table.Listing{
		Title: "Every pair of methods on every row",
		Head: []string{"data set", "split", "method", "against", "only the first right", "only the second right", "p", "p after Holm",
			"family", "differ", "difference in points", "95 % from", "to", "Cohen's g"},
		Notes: []string{"The interval of the difference is Newcombe's for paired samples. Cohen's g is the larger share of the samples that one of the two " +
			"has right, less one half."},
	}
	for r, row := range in.Table.Rows {
		for _, d := range in.rowPairs(r) {
			l.Rows = append(l.Rows, []string{
				row.Dataset, row.Split, in.Table.Columns[d.a].Name, in.Table.Columns[d.b].Name, strconv.Itoa(d.OnlyThis), strconv.Itoa(d.OnlyOther),
				stats.FormatP(d.P, 0), stats.FormatP(d.PHolm, 0), strconv.Itoa(d.Family), strconv.FormatBool(d.Significant),
				plus(d.Difference), d.DifferenceInterval[0], d.DifferenceInterval[1], d.effect(),
			})
		}
	}
	return l
}

// A rowPair is a comparison of the columns a < b on one row.
type rowPair struct {
	a, b int
	explain.Adversary
}

// rowPairs lists the comparisons of a row, each once.
func (in Input) rowPairs(r int) []rowPair {
	at := map[string]int{}
	for i, c := range in.Table.Columns {
		at[c.ID] = i
	}
	var all []rowPair
	for a, cell := range in.Cells[r] {
		if cell.Result == nil {
			continue
		}
		for _, other := range cell.Result.Against {
			if b := at[other.Method]; a < b {
				all = append(all, rowPair{a, b, other})
			}
		}
	}
	return all
}

// effect is Cohen's g, nothing where no sample tells the two apart.
func (p rowPair) effect() string {
	if p.CohensG == nil {
		return ""
	}
	return strconv.FormatFloat(*p.CohensG, 'f', 2, 64)
}
