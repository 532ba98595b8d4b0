package rank

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"r2lmlbench/internal/text"
	"r2lmlbench/results"
	"r2lmlbench/results/table"
	"r2lmlbench/stats"
)

// Results are what systems answered, as rows of a ranked table: a row for each data set
// and split, a column for each system.
type Results struct {
	Name    string // of the file, for the table
	Columns []table.Column
	Rows    []table.RowInput
	Left    int  // items that some system has no answer to, left out for all
	Labels  bool // labels are known, and not only whether an answer is right
}

// Read reads the results in a file, see the package comment. With common, items that not
// every system has answered are left out; without it they are an error that names some.
func Read(file string, r io.Reader, common bool) (Results, error) {
	answers, err := read(file, r)
	if err != nil {
		return Results{}, err
	}
	out := Results{Name: file}
	var groups []string // data set and split
	byGroup := map[string][]answer{}
	for _, a := range answers {
		if !slices.ContainsFunc(out.Columns, func(c table.Column) bool { return c.ID == a.system }) {
			out.Columns = append(out.Columns, table.Column{ID: a.system, Method: a.system, Name: a.system})
		}
		key := a.dataset + "\x00" + a.split
		if byGroup[key] == nil {
			groups = append(groups, key)
		}
		byGroup[key] = append(byGroup[key], a)
		out.Labels = out.Labels || a.label != "0" && a.label != "1" || a.truth != "1"
	}
	for _, key := range groups {
		row, left, err := newRow(file, byGroup[key], out.Columns, common)
		if err != nil {
			return Results{}, err
		}
		out.Left += left
		out.Rows = append(out.Rows, row)
	}
	return out, nil
}

// newRow gathers the answers on one split of a data set.
func newRow(file string, answers []answer, columns []table.Column, common bool) (row table.RowInput, left int, err error) {
	first := answers[0]
	row = table.RowInput{Dataset: first.dataset, Name: first.dataset, Split: first.split, Unlike: true}
	type run struct {
		system string
		seed   uint64
	}
	var items []string
	truth := map[string]answer{}        // first answer on an item
	said := map[run]map[string]answer{} // by item
	seeds := map[string][]uint64{}      // of a system, in order
	for _, a := range answers {
		known, there := truth[a.item]
		if !there {
			items = append(items, a.item)
			truth[a.item] = a
		} else if known.truth != a.truth {
			return row, 0, fmt.Errorf("%s:%d: item %q has the truth %q, and %q on line %d", file, a.line, a.item, a.truth, known.truth, known.line)
		}
		at := run{a.system, a.seed}
		if said[at] == nil {
			said[at] = map[string]answer{}
			seeds[a.system] = append(seeds[a.system], a.seed)
		}
		if twice, there := said[at][a.item]; there {
			return row, 0, fmt.Errorf("%s:%d: %s has answered item %q already on line %d", file, a.line, a.system, a.item, twice.line)
		}
		said[at][a.item] = a
	}
	var whole, gaps []string
	for _, item := range items {
		missing := ""
		for _, c := range columns {
			if len(seeds[c.ID]) == 0 && !common {
				missing = c.ID
			}
			for _, seed := range seeds[c.ID] {
				if _, ok := said[run{c.ID, seed}][item]; !ok {
					missing = c.ID
				}
			}
		}
		if missing == "" {
			whole = append(whole, item)
		} else {
			gaps = append(gaps, fmt.Sprintf("%s has none to item %q", missing, item))
		}
	}
	switch {
	case len(gaps) > 0 && !common:
		return row, 0, fmt.Errorf("%s: %s (%s): %d of %d items lack an answer: %s; add them, or compare common items with --common",
			file, row.Dataset, row.Split, len(gaps), len(items), strings.Join(gaps[:min(3, len(gaps))], ", "))
	case len(whole) == 0:
		return row, 0, fmt.Errorf("%s: %s (%s): no item has an answer of every system", file, row.Dataset, row.Split)
	}
	codes := newCodes(answers)
	row.N = len(whole)
	for _, c := range columns {
		var in table.CellInput
		for _, seed := range seeds[c.ID] {
			cell := results.Cell{Inputs: results.Inputs{
				Dataset: row.Dataset, Split: row.Split, Method: c.ID, Version: 1, Seed: seed, Points: []results.Point{{Params: results.Params{}}},
			}}
			for _, item := range whole {
				a := said[run{c.ID, seed}][item]
				cell.Truth, cell.Predicted = append(cell.Truth, codes[a.truth]), append(cell.Predicted, codes[a.label])
			}
			in.Cells = append(in.Cells, cell)
		}
		if len(in.Cells) == 0 {
			in.Status, in.Reason = table.StatusMissing, "no answers on this data set"
		}
		row.Cells = append(row.Cells, in)
	}
	return row, len(gaps), nil
}

// newCodes numbers the labels from 1: whole numbers above 0 are their own codes if all
// labels are such, others are numbered by first appearance among the truths.
func newCodes(answers []answer) map[string]int {
	codes := map[string]int{}
	numbers := true
	for _, a := range answers {
		for _, label := range []string{a.truth, a.label} {
			n, err := strconv.Atoi(label)
			numbers = numbers && err == nil && n > 0 && strconv.Itoa(n) == label
			codes[label] = n
		}
	}
	if numbers {
		return codes
	}
	clear(codes)
	for _, of := range []func(answer) string{func(a answer) string { return a.truth }, func(a answer) string { return a.label }} {
		for _, a := range answers {
			if _, known := codes[of(a)]; !known {
				codes[of(a)] = len(codes) + 1
			}
		}
	}
	return codes
}

// Table ranks the systems on every data set by a test for pairs, with Holm's correction
// at a level.
func (r Results) Table(test stats.Test, alpha float64) (table.Table, error) {
	t, err := table.Pooled(table.Spec{Name: r.Name, Test: test, Alpha: alpha, Columns: r.Columns}, func(yield func(table.RowInput, error) bool) {
		for _, row := range r.Rows {
			if !yield(row, nil) {
				return
			}
		}
	})
	if !r.Labels {
		for i := range t.Rows {
			t.Rows[i].Classes = nil // whether an answer is right is no class
		}
	}
	return t, err
}

// Across compares the systems over the data sets: average ranks with Friedman's test and
// Nemenyi's critical difference, and Wilcoxon's signed-rank test of every pair with Holm's
// correction. There is nothing to compare with fewer than two data sets or systems.
func Across(t table.Table, level float64) []table.Listing {
	scores := t.Scores()
	standing, ok := scores.Standing(level)
	if !ok {
		return nil
	}
	ranks := table.Listing{
		Title: fmt.Sprintf("Average ranks over %s", text.Counted(standing.Rows, "data set")), Head: []string{"system", "average rank"},
		Notes: []string{fmt.Sprintf("Friedman's test that all rank alike: %s. Two systems differ by Nemenyi's test (level %g) if their ranks are at least %s apart.",
			stats.SayP(standing.Friedman.FP), level, text.TwoDecimals(standing.CD))},
	}
	for i, c := range t.Columns {
		ranks.Rows = append(ranks.Rows, []string{c.Name, text.TwoDecimals(standing.Friedman.AverageRanks[i])})
	}
	pairs := table.Listing{
		Title: "Pairs over the data sets", Head: []string{"a", "b", "data sets", "mean of a less b", "p", "p after Holm"},
		Notes: []string{"Wilcoxon's signed-rank test, Holm's correction over all pairs."},
	}
	var p []float64
	for i, a := range t.Columns {
		for _, b := range t.Columns[i+1:] {
			d := scores.Differences(a.ID, b.ID)
			if len(d) < 2 {
				continue
			}
			mean := 0.0
			for _, x := range d {
				mean += x / float64(len(d)) / 100
			}
			w := stats.Wilcoxon(d)
			p = append(p, w.P)
			pairs.Rows = append(pairs.Rows, []string{a.Name, b.Name, strconv.Itoa(len(d)), text.Signed(mean), stats.FormatP(w.P, 0)})
		}
	}
	for i, adjusted := range stats.Holm(p) {
		pairs.Rows[i] = append(pairs.Rows[i], stats.FormatP(adjusted, 0))
	}
	return []table.Listing{ranks, pairs}
}
