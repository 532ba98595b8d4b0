package rank

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"r2lmlbench/internal/text"
	"r2lmlbench/results"
	"r2lmlbench/results/store"
	"r2lmlbench/results/table"
	"r2lmlbench/stats"
)

// cell is what a run answered on those of the items that it has answered.
func (g *group) cell(by store.Place, items []string, codes map[string]int) results.Cell {
	cell := results.Cell{Inputs: results.Inputs{
		Dataset: by.Dataset, Split: by.Split, Method: by.Method, Version: 1, Seed: by.Seed, Points: []results.Point{{Params: results.Params{}}},
	}}
	for _, item := range items {
		if a, ok := g.said[by][item]; ok {
			cell.Truth, cell.Predicted = append(cell.Truth, codes[a.truth]), append(cell.Predicted, codes[a.label])
		}
	}
	return cell
}

// numbered gives labels codes: whole numbers above 0 are their own if all labels are such,
// others are numbered from 1 in the order of their bytes.
func numbered(labels map[string]bool) map[string]int {
	order, numbers := map[string]int{}, map[string]int{}
	for _, label := range slices.Sorted(maps.Keys(labels)) {
		order[label] = len(order) + 1
		if n, err := strconv.Atoi(label); err == nil && n > 0 && strconv.Itoa(n) == label {
			numbers[label] = n
		}
	}
	if len(numbers) == len(labels) {
		return numbers
	}
	return order
}

// Table ranks the systems on every data set by a test for pairs, with Holm's correction
// at a level: a row for each data set, a column for each system. With common, items that
// not every system has answered are left out and counted; without it they are an error
// that names some.
func (f File) Table(test stats.Test, alpha float64, common bool) (t table.Table, left int, err error) {
	if n := len(f.systems); n > MaxSystems {
		return t, 0, fmt.Errorf("%s: %d systems, at most %d can be ranked since each pair is tested; leave some out", f.Name, n, MaxSystems)
	}
	spec := table.Spec{Name: f.Name, Test: test, Alpha: alpha}
	for _, system := range f.systems {
		spec.Columns = append(spec.Columns, table.Column{ID: system, Method: system, Name: system})
	}
	var rows []table.RowInput
	for _, at := range f.places {
		row, gaps, err := f.row(f.groups[at], common)
		if left += gaps; err != nil {
			return t, left, fmt.Errorf("%s: %s (%s): %w", f.Name, at.Dataset, at.Split, err)
		}
		rows = append(rows, row)
	}
	t = table.New(spec, rows).Pooled()
	if f.labels {
		return t, left, nil
	}
	for i := range t.Rows { // whether an answer is right is no class
		t.Rows[i].Classes = nil
		for _, c := range t.Rows[i].Cells {
			if c.Score != nil {
				c.Balanced, c.MacroF1 = "", ""
			}
		}
	}
	return t, left, nil
}

// row is a group as a row of the table, and how many items are left out.
func (f File) row(g *group, common bool) (row table.RowInput, left int, err error) {
	row = table.RowInput{Dataset: g.Dataset, Name: g.Dataset, Split: g.Split, Unlike: true}
	var whole, gaps []string
	for _, item := range g.items {
		lacking := slices.IndexFunc(g.runs, func(by store.Place) bool { _, ok := g.said[by][item]; return !ok })
		if lacking < 0 {
			whole = append(whole, item)
		} else {
			gaps = append(gaps, fmt.Sprintf("%s has none to item %q", g.runs[lacking].Method, item))
		}
	}
	switch {
	case len(gaps) > 0 && !common:
		return row, 0, fmt.Errorf("%d of %d items lack an answer: %s; add them, or compare common items with --common",
			len(gaps), len(g.items), strings.Join(gaps[:min(3, len(gaps))], ", "))
	case len(whole) == 0:
		return row, 0, errors.New("no item has an answer of every system")
	}
	row.N = len(whole)
	codes := numbered(g.labels)
	for _, system := range f.systems {
		var in table.CellInput
		for _, by := range g.runs {
			if by.Method == system {
				in.Cells = append(in.Cells, g.cell(by, whole, codes))
			}
		}
		if len(in.Cells) == 0 && !common {
			return row, 0, fmt.Errorf("%s has no answers; add them, or compare the other systems there with --common", system)
		}
		if len(in.Cells) == 0 {
			in.Status, in.Reason = table.StatusMissing, "no answers on this data set"
		}
		row.Cells = append(row.Cells, in)
	}
	return row, len(gaps), nil
}

// An Over compares systems over data sets: their average ranks with Friedman's test and
// Nemenyi's critical difference, and Wilcoxon's signed-rank test of every pair with Holm's
// correction.
type Over struct {
	Sets     int           `json:"data_sets"`     // with answers of all systems, those that ranks are of
	Ranks    []AverageRank `json:"average_ranks"` // the best first
	Friedman float64       `json:"friedman_p"`
	Critical string        `json:"critical_difference"`
	*table.Across
}

// An AverageRank is that of a system.
type AverageRank struct {
	System string `json:"system"`
	Rank   string `json:"rank"`
}

// NewOver compares the systems of a table; nil with fewer than two systems, or data sets
// with answers of all.
func NewOver(t table.Table) *Over {
	standing, ok := t.Scores().Standing(t.Test.Alpha)
	across := table.NewAcross(t)
	if !ok || across == nil {
		return nil
	}
	o := &Over{Sets: standing.Rows, Friedman: text.SixDigits(standing.Friedman.FP), Critical: text.TwoDecimals(standing.CD), Across: across}
	for _, i := range standing.Order {
		o.Ranks = append(o.Ranks, AverageRank{t.Columns[i].Name, text.TwoDecimals(standing.Friedman.AverageRanks[i])})
	}
	return o
}

// mostPairs is how many pairs are listed; of more, those that differ.
const mostPairs = 15

// Listings are the average ranks and the pairs as tables.
func (o *Over) Listings(alpha float64) []table.Listing {
	ranks := table.Listing{Title: "Average ranks over " + text.Counted(o.Sets, "data set"), Head: []string{"system", "average rank"}}
	for _, r := range o.Ranks {
		ranks.Rows = append(ranks.Rows, []string{r.System, r.Rank})
	}
	ranks.Notes = []string{fmt.Sprintf("Friedman's test that all rank alike: p %s. Two systems differ by Nemenyi's test (level %g) if their "+
		"ranks are at least %s apart.", stats.SayP(o.Friedman), alpha, o.Critical)}
	pairs := table.Listing{Title: "Pairs over the data sets", Head: []string{"a", "b", "data sets", "mean of a less b", "p", "p after Holm"}}
	for _, p := range o.Pairs {
		if p.Significant || len(o.Pairs) <= mostPairs {
			pairs.Rows = append(pairs.Rows, []string{p.A, p.B, strconv.Itoa(p.Sets), p.Difference, stats.FormatP(p.P, 0), stats.FormatP(p.PHolm, 0)})
		}
	}
	pairs.Notes = []string{fmt.Sprintf("Wilcoxon's signed-rank test, Holm's correction over %s; %d not listed, which do not differ (JSON has all).",
		text.Counted(len(o.Pairs), "pair"), len(o.Pairs)-len(pairs.Rows))}
	return []table.Listing{ranks, pairs}
}
