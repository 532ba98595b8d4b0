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
func (a *Answer) weigh(p plan.Plan, source *plan.Source, splits table.Table) error {
	d, err := source.Data(p.Rows[0].Entry)
	if err != nil {
		return err
	}
	same := tabular.FindCopies(len(d.Y), d.X.RawRowView)
	a.Rows, a.Remarks, a.telling = len(d.Y), d.Remarks, d.Telling
	for i, first := range same.Equal {
		if first != i {
			a.Copies++
		}
	}
	constant := make([]int, len(p.Rows)) // right test rows of that answer, by split
	mean := 0.0
	for i, row := range p.Rows {
		parts, _, err := datasets.Divide(row.Entry, d, row.Rule)
		if err != nil {
			return err
		}
		a.Copied = append(a.Copied, sharing(same.Near, d.Y, parts[0], parts[2]))
		class := largest(d, parts[0])
		if i == 0 {
			a.Class = d.Labels[class-1]
		}
		for _, r := range parts[2] {
			if d.Y[r] == class {
				constant[i]++
			}
		}
		mean += 100 * float64(constant[i]) / float64(len(parts[2])) / float64(len(p.Rows))
	}
	a.Majority = text.TwoDecimals(mean)
	a.versus(splits, constant)
	return nil
}

// largest is the class with the most of some rows, the first of several.
func largest(d *datasets.Data, rows []int) (class int) {
	counts := make([]int, len(d.Labels))
	for _, r := range rows {
		counts[d.Y[r]-1]++
	}
	return slices.Index(counts, slices.Max(counts)) + 1
}

// sharing counts the test rows that have a training row of their family and class.
func sharing(family, y, train, test []int) (n int) {
	trains := map[[2]int]bool{}
	for _, r := range train {
		trains[[2]int{family[r], y[r]}] = true
	}
	for _, r := range test {
		if trains[[2]int{family[r], y[r]}] {
			n++
		}
	}
	return n
}

// versus compares the methods that have a result on every split with an answer that has so
// many right test rows of each, by the corrected resampled t-test with Holm's correction over
// these methods. Where the test is not valid, the means decide alone.
func (a *Answer) versus(splits table.Table, constant []int) {
	pool := splits.Pooled().Rows[0]
	fewest := slices.MinFunc(splits.Rows, func(a, b table.Row) int { return a.N - b.N }).N
	var p []float64
	var above []bool // by method of p
	var methods []*Method
	for i := range a.Methods {
		m := &a.Methods[i]
		j := slices.IndexFunc(splits.Columns, func(c table.Column) bool { return c.ID == m.Method })
		if m.Partial > 0 {
			continue
		}
		var d []float64 // in points
		for k, row := range splits.Rows {
			d = append(d, float64(100*(row.Cells[j].Correct-constant[k]))/float64(row.N))
		}
		methods, above = append(methods, m), append(above, stat.Mean(d, nil) > 0)
		if pool.Pool.Test != "" {
			p = append(p, stats.ResampledT(d, pool.Pool.Train, pool.N, 100/float64(fewest)).P)
		}
	}
	if pool.Pool.Test == "" {
		a.useful = slices.Contains(above, true)
		return
	}
	a.Versus = len(p)
	for i, adjusted := range stats.Holm(p) {
		rounded := text.SixDigits(adjusted)
		methods[i].PMajority, methods[i].Beats = &rounded, above[i] && adjusted <= a.Alpha
		a.useful = a.useful || methods[i].Beats
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
