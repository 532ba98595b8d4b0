package compare

import (
	"slices"
	"strconv"

	"gonum.org/v1/gonum/stat"

	"r2lmlbench/datasets"
	"r2lmlbench/datasets/tabular"
	"r2lmlbench/experiments/plan"
	"r2lmlbench/internal/text"
	"r2lmlbench/results/table"
	"r2lmlbench/stats"
)

// weigh adds what the accuracies are worth: what the data tell of themselves, the test rows with
// a copy among the training rows of their split, and the comparison with always answering the
// largest class of the training rows.
func (a *Answer) weigh(p plan.Plan, source *plan.Source, row table.Row) error {
	d, err := source.Data(p.Rows[0].Entry)
	if err != nil {
		return err
	}
	same := tabular.FindCopies(len(d.Y), d.X.RawRowView)
	a.Rows, a.Remarks, a.telling = len(d.Y), d.Remarks, d.Telling
	near := make([][2]int, len(d.Y)) // family of near copies and class of every row
	for i, first := range same.Equal {
		near[i] = [2]int{same.Near[i], d.Y[i]}
		if first != i {
			a.Copies++
		}
	}
	var constant []float64 // accuracies of that answer by split, in percent
	for i, split := range p.Rows {
		parts, _, err := datasets.Divide(split.Entry, d, split.Rule)
		if err != nil {
			return err
		}
		a.Copied = append(a.Copied, datasets.Shared(near, parts))
		class := largest(d, parts[0])
		if i == 0 {
			a.Class = d.Labels[class-1]
		}
		right := 0
		for _, r := range parts[2] {
			if d.Y[r] == class {
				right++
			}
		}
		constant = append(constant, 100*float64(right)/float64(len(parts[2])))
	}
	a.Majority = text.TwoDecimals(stat.Mean(constant, nil))
	a.versus(row, stats.Sample{Scores: constant})
	return nil
}

// largest returns the most frequent class of these rows, the first of several.
func largest(d *datasets.Data, rows []int) (class int) {
	counts := make([]int, len(d.Labels))
	for _, r := range rows {
		counts[d.Y[r]-1]++
	}
	return slices.Index(counts, slices.Max(counts)) + 1
}

// versus compares that answer with the methods that have a result on every split, as one
// family. Where the test is not valid, the means decide alone.
func (a *Answer) versus(row table.Row, constant stats.Sample) {
	columns, methods := []int{}, map[string]*Method{}
	for i := range a.Methods {
		if m := &a.Methods[i]; m.Partial == 0 {
			columns = append(columns, slices.IndexFunc(row.Cells, func(c table.Cell) bool { return c.Method == m.Method }))
			methods[m.Method] = m
		}
	}
	for _, pair := range row.Against(constant, columns, a.Alpha) {
		better := pair.Difference < 0
		if pair.Tested() {
			p, m := table.Digits(pair.PHolm), methods[pair.B]
			a.Versus, m.PMajority, m.Beats = pair.Family, &p, better && pair.Significant
		}
		a.useful = a.useful || better && (pair.Significant || !pair.Tested())
	}
}

// copied is how many test rows of a split have a copy or near copy of their class among the
// training rows on average; empty unless they are more than one in 20.
func (a Answer) copied() string {
	all := 0
	for _, n := range a.Copied {
		all += n
	}
	if 20*all <= a.Test*len(a.Copied) {
		return ""
	}
	return strconv.FormatFloat(float64(all)/float64(len(a.Copied)), 'f', 1, 64)
}
