package rank

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"r2lmlbench/results"
	"r2lmlbench/results/store"
	"r2lmlbench/results/table"
	"r2lmlbench/stats"
)

// answersOf tells of an item what a run said and what is true; empty without an answer.
func (f File) answersOf(by store.Key) func(item string) (label, truth string) {
	g := cmp.Or(f.groups[store.Key{Dataset: by.Dataset, Split: by.Split}], &group{})
	said := g.said[by]
	return func(item string) (label, truth string) {
		n, there := g.items.numbers[item]
		if a, ok := said[n]; there && ok {
			label, truth = f.labels.texts[a.label], f.labels.texts[g.truth[n].label]
		}
		return label, truth
	}
}

// cell is what a run answered on those of the items that it has answered.
func (f File) cell(by store.Key, items []string, codes map[string]int) results.Cell {
	cell := results.Cell{Inputs: results.Inputs{Dataset: by.Dataset, Method: by.Method, Seed: by.Seed, Settings: []results.Setting{{Params: results.Params{}}}}}
	answer := f.answersOf(by)
	for _, item := range items {
		if label, truth := answer(item); truth != "" {
			cell.Truth, cell.Predicted = append(cell.Truth, codes[truth]), append(cell.Predicted, codes[label])
		}
	}
	return cell
}

// numbered gives labels codes: whole numbers above 0 are their own if all labels are such,
// others are numbered from 1 in the order of their bytes.
func numbered(labels []string) map[string]int {
	codes, whole := map[string]int{}, true
	for _, label := range labels {
		n, err := strconv.Atoi(label)
		whole = whole && err == nil && n > 0 && strconv.Itoa(n) == label
	}
	for i, label := range slices.Sorted(slices.Values(labels)) {
		if codes[label] = i + 1; whole {
			codes[label], _ = strconv.Atoi(label)
		}
	}
	return codes
}

// Table ranks the systems on every data set by a test for pairs, with Holm's correction
// at a level: a row for each data set, a column for each system. With common, items that
// not every system has answered are left out and counted; without it they are an error
// that names some. A measure other than accuracy takes labels.
func (f File) Table(test stats.Variant, measure string, alpha float64, common bool) (t table.Table, left int, err error) {
	if n := len(f.systems); n > maxSystems {
		return t, 0, fmt.Errorf("%s: %d systems, at most %d can be ranked since each pair is tested; leave some out", f.Name, n, maxSystems)
	}
	if measure != "" && measure != results.Accuracy && f.unlabelled {
		return t, 0, fmt.Errorf("%s: %s takes label and truth of every answer, and the file says only which are correct", f.Name, measure)
	}
	spec, rows := table.Experiment{Name: f.Name, Test: test, Measure: measure, Alpha: alpha, Answers: true}, []table.RowInput{}
	for _, system := range f.systems {
		spec.Columns = append(spec.Columns, table.Column{ID: system, Method: system, Name: system})
	}
	codes, splits := numbered(f.labels.texts), map[string]int{} // of a data set
	for _, at := range f.places {
		splits[at.Dataset]++
	}
	for _, at := range f.places {
		row, gaps, err := f.row(at, common, codes)
		if left += gaps; err != nil {
			if at.Split != anySplit {
				err = fmt.Errorf("split %s: %w", at.Split, err)
			}
			return t, left, fmt.Errorf("%s: %s: %w", f.Name, at.Dataset, err)
		}
		if splits[at.Dataset] > 1 && !table.OneOfSeveral(at.Split) {
			row.Split = anySplit // of one kind with the others
		}
		rows = append(rows, row)
	}
	t = table.New(spec, rows).Pooled()
	t.Across = table.NewAcross(t)
	return t, left, nil
}

// row is a split as a row of the table, and how many items are left out.
func (f File) row(at store.Key, common bool, codes map[string]int) (row table.RowInput, left int, err error) {
	g := f.groups[at]
	var whole, gaps []string
	for n, item := range g.items.texts {
		lacking := slices.IndexFunc(g.runs, func(by store.Key) bool { _, ok := g.said[by][int32(n)]; return !ok })
		if lacking < 0 {
			whole = append(whole, item)
		} else {
			gaps = append(gaps, fmt.Sprintf("%s has none to item %q", g.runs[lacking].Method, item))
		}
	}
	switch {
	case len(gaps) > 0 && !common:
		return row, 0, fmt.Errorf("%d of %d items lack an answer: %s; add them, or compare common items with --common",
			len(gaps), len(g.items.texts), strings.Join(gaps[:min(3, len(gaps))], ", "))
	case len(whole) == 0:
		return row, 0, errors.New("no item has an answer of every system")
	}
	row = table.RowInput{Dataset: at.Dataset, Name: at.Dataset, Split: at.Split, N: len(whole), Train: g.train, Unlike: true}
	for _, system := range f.systems {
		var in table.CellInput
		for _, by := range g.runs {
			if by.Method == system {
				in.Cells = append(in.Cells, f.cell(by, whole, codes))
			}
		}
		slices.SortFunc(in.Cells, func(a, b results.Cell) int { return cmp.Compare(a.Seed, b.Seed) })
		switch {
		case len(in.Cells) > 0:
		case common:
			in.Status, in.Reason = table.StatusMissing, "no answers on this data set"
		default:
			return row, 0, fmt.Errorf("%s has no answers; add them, or compare the other systems there with --common", system)
		}
		row.Cells = append(row.Cells, in)
	}
	return row, len(gaps), nil
}
