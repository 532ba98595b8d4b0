package report

import (
	"fmt"
	"slices"
	"strings"

	"r2lmlbench/results/table"
)

// A comparedView is a data set with its methods, the most accurate first.
type comparedView struct {
	Title   string
	Lines   []comparedLine
	Several bool // splits, each of which has a dot
}

// A comparedLine is a method with its difference to the most accurate one.
type comparedLine struct {
	rankLine
	SD       string
	Interval string    // 95 %, of the difference in points; empty where it is not known
	Dots     []float64 // places from 0 to 100, of the accuracies on the splits
	Range    string    // of these accuracies
	Time     string    // of a split on average
}

// compared has the data sets of a page that is not about published numbers, unless there
// are many, or a single method.
func (in Input) compared(rows []rowView) []comparedView {
	t := in.sets()
	if len(t.Rows) > mostLed || len(t.Columns) < 2 {
		return nil
	}
	var all []comparedView
	for i, r := range t.Rows {
		v := comparedView{Title: rowTitle(r), Several: r.Pool != nil}
		least, most := in.span(r.Dataset)
		best, _ := bestOn(r)
		for _, l := range ranking(r, rows[i].Cells) {
			line := comparedLine{rankLine: l, SD: deviation(r.Cells[l.Column]), Time: in.timeOf(r.Dataset, l.Column)}
			if best >= 0 && l.Column != best && l.Splits == "" {
				line.Interval = intervalTo(t, r, l.Column, best)
			}
			splits := in.accuraciesOf(r.Dataset, l.Column)
			for _, x := range splits {
				line.Dots = append(line.Dots, 100*(x-least)/max(most-least, 1e-9))
			}
			if len(splits) > 0 {
				line.Range = fmt.Sprintf("%.2f to %.2f", slices.Min(splits), slices.Max(splits))
			}
			v.Lines = append(v.Lines, line)
		}
		if len(v.Lines) > 0 {
			all = append(all, v)
		}
	}
	return all
}

// accuraciesOf are those of a column on the splits of a data set, in percent.
func (in Input) accuraciesOf(dataset string, column int) []float64 {
	var all []float64
	for _, r := range in.Table.Rows {
		if c := r.Cells[column]; r.Dataset == dataset && c.Score != nil && r.N > 0 {
			all = append(all, 100*float64(c.Correct)/float64(r.N))
		}
	}
	return all
}

// span is the range of the accuracies of all methods on the splits of a data set.
func (in Input) span(dataset string) (least, most float64) {
	least, most = 100, 0
	for j := range in.Table.Columns {
		for _, x := range in.accuraciesOf(dataset, j) {
			least, most = min(least, x), max(most, x)
		}
	}
	return least, most
}

// timeOf is what a column took on a split of a data set on average: choice of settings, fit
// and test. It is empty where that is not known of every split.
func (in Input) timeOf(dataset string, column int) string {
	sum, n := 0.0, 0
	for i, r := range in.Table.Rows {
		if r.Dataset != dataset || r.Cells[column].Score == nil {
			continue
		}
		seconds := in.Cells[i][column].Seconds
		if run := in.Cells[i][column].Run; run != nil {
			seconds = run.Seconds
		}
		if seconds <= 0 {
			return ""
		}
		sum, n = sum+seconds, n+1
	}
	if n == 0 {
		return ""
	}
	if sum < float64(n) {
		return fmt.Sprintf("%.3g ms", 1000*sum/float64(n))
	}
	return fmt.Sprintf("%.3g s", sum/float64(n))
}

// intervalTo is the interval of the difference of two columns of a row: of one split that
// of its test samples, of several that of the test over the splits.
func intervalTo(t table.Table, r table.Row, column, best int) string {
	a, b := t.Columns[column].ID, t.Columns[best].ID
	for _, p := range r.Pairs {
		if s := oriented(p.A, p.B, a, b, p.DifferenceInterval); s != "" {
			return s
		}
	}
	for _, c := range r.Contrasts {
		if c.Test == nil {
			continue
		}
		if s := oriented(c.A, c.B, a, b, c.Test.Interval); s != "" {
			return s
		}
	}
	return ""
}

// oriented is an interval of the difference of two methods as that of a less b; empty where
// it is of others.
func oriented(first, second, a, b string, interval [2]string) string {
	switch {
	case first == a && second == b:
		return minus(interval[0] + " to " + interval[1])
	case first == b && second == a:
		return minus(negative(interval[1]) + " to " + negative(interval[0]))
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
