package answer

import (
	"fmt"
	"slices"
	"strconv"

	"r2lmlbench/datasets"
	"r2lmlbench/datasets/tabular"
	"r2lmlbench/experiments/plan"
	"r2lmlbench/internal/text"
	"r2lmlbench/results/table"
)

// rare names the classes of at most 10 % of the rows that also have less than half of their share
// if all classes were equally large.
func rare(labels []string, y []int) (all []string) {
	counts := make([]int, len(labels))
	for _, class := range y {
		counts[class-1]++ // codes start at 1
	}
	for c, n := range counts {
		if 10*n <= len(y) && 2*n*len(labels) < len(y) {
			all = append(all, fmt.Sprintf(`"%s" (%.1f %%)`, text.OneLine(labels[c]), 100*float64(n)/float64(len(y))))
		}
	}
	return all
}

// weigh adds what the accuracies are worth: what the data tell of themselves, the test rows with
// a copy among the training rows of their split, and the comparison with always answering the
// largest class of the training rows.
func (a *Answer) weigh(p plan.Plan, source *plan.Source, t table.Table) error {
	d, err := source.Data(p.Splits[0].Dataset)
	if err != nil {
		return err
	}
	same := tabular.FindCopies(len(d.Y), d.X.RawRowView)
	a.Rows, a.Remarks, a.grave = len(d.Y), d.Remarks, d.Grave
	a.rare = rare(p.Splits[0].Dataset.Labels, d.Y)
	near := make([][2]int, len(d.Y)) // family of near copies and class of every row
	for i, first := range same.Equal {
		near[i] = [2]int{same.Near[i], d.Y[i]}
		if first != i {
			a.Copies++
		}
	}
	for i, split := range p.Splits {
		parts, _, err := datasets.Divide(split.Dataset, d, split.Rule)
		if err != nil {
			return err
		}
		a.Copied = append(a.Copied, datasets.Shared(near, parts))
		if i == 0 {
			a.Choice = len(parts[1])
		}
	}
	a.versus(t, t.Rows[0])
	return nil
}

// versus takes the tests of that answer against the methods that have a result on every split.
// Where the test is not valid, the means decide alone.
func (a *Answer) versus(t table.Table, row table.Row) {
	a.always, _ = t.Always(row, a.Best)
	a.Class, a.Varies, a.Majority = row.Largest.Class, row.Largest.Varies, a.always.Accuracy
	for _, pair := range row.Largest.Pairs {
		i := slices.IndexFunc(a.Methods, func(m Method) bool { return m.Method == pair.A })
		if i < 0 || a.Methods[i].Partial > 0 {
			continue
		}
		better := pair.Difference > 0
		if pair.Tested() {
			p := table.Digits(pair.PHolm)
			a.Methods[i].PMajority, a.Methods[i].Beats = &p, better && pair.Significant
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
