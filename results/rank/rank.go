package rank

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"r2lmlbench/internal/text"
	"r2lmlbench/results"
	"r2lmlbench/results/table"
	"r2lmlbench/stats"
)

// A run is one system with one seed.
type run struct {
	system string
	seed   uint64
}

// A group is the answers on one split of a data set.
type group struct {
	dataset, split string
	answers        []answer
	items          []string          // in the order of the file
	truth          map[string]answer // an answer on each item
	runs           []run             // in the order of the file
	said           map[run]map[string]answer
}

// grouped divides the answers of a file by data set and split, in its order.
func grouped(file string, answers []answer) ([]*group, error) {
	var all []*group
	at := map[[2]string]*group{}
	for _, a := range answers {
		g := at[[2]string{a.dataset, a.split}]
		if g == nil {
			g = &group{dataset: a.dataset, split: a.split, truth: map[string]answer{}, said: map[run]map[string]answer{}}
			at[[2]string{a.dataset, a.split}], all = g, append(all, g)
		}
		known, there := g.truth[a.item]
		if !there {
			g.items, g.truth[a.item] = append(g.items, a.item), a
		} else if known.truth != a.truth {
			return nil, fmt.Errorf("%s:%d: item %q has the truth %q, and %q on line %d", file, a.line, a.item, a.truth, known.truth, known.line)
		}
		by := run{a.system, a.seed}
		if g.said[by] == nil {
			g.said[by], g.runs = map[string]answer{}, append(g.runs, by)
		}
		if twice, there := g.said[by][a.item]; there {
			return nil, fmt.Errorf("%s:%d: %s has answered item %q already on line %d", file, a.line, a.system, a.item, twice.line)
		}
		g.said[by][a.item] = a
		g.answers = append(g.answers, a)
	}
	return all, nil
}

// cell is what a run answered on items.
func (g *group) cell(by run, items []string, codes map[string]int) results.Cell {
	cell := results.Cell{Inputs: results.Inputs{
		Dataset: g.dataset, Split: g.split, Method: by.system, Version: 1, Seed: by.seed, Points: []results.Point{{Params: results.Params{}}},
	}}
	for _, item := range items {
		a := g.said[by][item]
		cell.Truth, cell.Predicted = append(cell.Truth, codes[a.truth]), append(cell.Predicted, codes[a.label])
	}
	return cell
}

// newCodes numbers the labels from 1: whole numbers above 0 are their own codes if all
// labels are such, others are numbered by first appearance, those of truths first.
func newCodes(answers []answer) map[string]int {
	codes := map[string]int{}
	numbers := true
	for _, of := range []func(answer) string{func(a answer) string { return a.truth }, func(a answer) string { return a.label }} {
		for _, a := range answers {
			if label := of(a); codes[label] == 0 {
				n, err := strconv.Atoi(label)
				numbers = numbers && err == nil && n > 0 && strconv.Itoa(n) == label
				codes[label] = len(codes) + 1
			}
		}
	}
	for label := range codes {
		if numbers {
			codes[label], _ = strconv.Atoi(label)
		}
	}
	return codes
}

// Table ranks the systems on every data set by a test for pairs, with Holm's correction
// at a level: a row for each data set, a column for each system. With common, items that
// not every system has answered are left out and counted; without it they are an error
// that names some.
func (f File) Table(test stats.Test, alpha float64, common bool) (t table.Table, left int, err error) {
	spec := table.Spec{Name: f.Name, Test: test, Alpha: alpha}
	labels := false // are known, and not only whether an answer is right
	for _, a := range f.answers {
		if !slices.ContainsFunc(spec.Columns, func(c table.Column) bool { return c.ID == a.system }) {
			spec.Columns = append(spec.Columns, table.Column{ID: a.system, Method: a.system, Name: a.system})
		}
		if len(spec.Columns) > MaxSystems {
			return t, 0, fmt.Errorf("%s:%d: more than %d systems, each pair of which is tested; leave some out", f.Name, a.line, MaxSystems)
		}
		labels = labels || a.label != "0" && a.label != "1" || a.truth != "1"
	}
	var rows []table.RowInput
	for _, g := range f.groups {
		row, gaps, err := g.row(f.Name, spec.Columns, common)
		if left += gaps; err != nil {
			return t, left, err
		}
		rows = append(rows, row)
	}
	t = table.New(spec, rows).Pooled()
	for i := range t.Rows {
		if labels {
			break
		}
		t.Rows[i].Classes = nil // whether an answer is right is no class
		for _, c := range t.Rows[i].Cells {
			if c.Score != nil {
				c.Balanced, c.MacroF1 = "", ""
			}
		}
	}
	return t, left, nil
}

// row is a group as a row of the table, and how many items are left out.
func (g *group) row(file string, columns []table.Column, common bool) (row table.RowInput, left int, err error) {
	row = table.RowInput{Dataset: g.dataset, Name: g.dataset, Split: g.split, Unlike: true}
	wanted := slices.Clone(g.runs)
	for _, c := range columns {
		if !common && !slices.ContainsFunc(g.runs, func(r run) bool { return r.system == c.ID }) {
			wanted = append(wanted, run{system: c.ID})
		}
	}
	var whole, gaps []string
	for _, item := range g.items {
		lacking := slices.IndexFunc(wanted, func(by run) bool { _, ok := g.said[by][item]; return !ok })
		if lacking < 0 {
			whole = append(whole, item)
		} else {
			gaps = append(gaps, fmt.Sprintf("%s has none to item %q", wanted[lacking].system, item))
		}
	}
	switch {
	case len(gaps) > 0 && !common:
		return row, 0, fmt.Errorf("%s: %s (%s): %d of %d items lack an answer: %s; add them, or compare common items with --common",
			file, g.dataset, g.split, len(gaps), len(g.items), strings.Join(gaps[:min(3, len(gaps))], ", "))
	case len(whole) == 0:
		return row, 0, fmt.Errorf("%s: %s (%s): no item has an answer of every system", file, g.dataset, g.split)
	}
	row.N = len(whole)
	codes := newCodes(g.answers)
	for _, c := range columns {
		var in table.CellInput
		for _, by := range g.runs {
			if by.system == c.ID {
				in.Cells = append(in.Cells, g.cell(by, whole, codes))
			}
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
