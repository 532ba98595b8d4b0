package report

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"r2lmlbench/results/document"
	"r2lmlbench/results/store"
	"r2lmlbench/results/table"
)

// TestBySize: data sets are divided at the median of their training parts, whatever their
// order, and the method with the best average rank of each half comes first.
func TestBySize(t *testing.T) {
	in := newInput(t, full)
	for i := range in.Cells {
		for j := range in.Cells[i] {
			in.Cells[i][j].Split.Train = 10 * (1 + (7*i)%full.sets)
		}
	}
	said := in.bySize()
	if len(said) != 2 {
		t.Fatalf("%q, want a sentence each on small and large data sets", said)
	}
	for half, one := range said {
		sentence := one.Said
		part := in.Table
		part.Rows = nil // without those on which a method has no result
		for i, r := range in.Table.Rows {
			if large := in.Cells[i][0].Split.Train > 10*full.sets/2; large == (half == 1) && !incomplete(r) {
				part.Rows = append(part.Rows, r)
			}
		}
		scores := part.Scores()
		st, ok := scores.Standing(part.Test.Alpha)
		if !ok {
			t.Fatal("the half cannot be ranked")
		}
		best := st.Order[0]
		want := fmt.Sprintf("%s (%.2f) has the best average rank", in.Table.Columns[best].Name, st.Friedman.AverageRanks[best])
		if !strings.HasPrefix(sentence, want) || !strings.HasSuffix(one.Which, ": "+lettersOf(part)+")") {
			t.Errorf("%q of %q lacks %q or the data sets", sentence, one.Which, want)
		}
	}
	in.Cells[0][0].Split.Train = 0
	for j := range in.Cells[0] {
		in.Cells[0][j].Split.Train = 0
	}
	if said := in.bySize(); said != nil {
		t.Errorf("%q without the size of a data set", said)
	}
}

// TestBestOf: methods with the same average rank are best together.
func TestBestOf(t *testing.T) {
	in := table.Table{Columns: []table.Column{{ID: "a", Name: "A"}, {ID: "b", Name: "B"}}}
	in.Test.Alpha = 0.05
	for i, correct := range [][2]int{{60, 50}, {50, 60}} {
		r := table.Row{Dataset: fmt.Sprint("set", i), N: 100}
		for j, n := range correct {
			c := scored(n, 1)
			c.Method = in.Columns[j].ID
			r.Cells = append(r.Cells, c)
		}
		in.Rows = append(in.Rows, r)
	}
	if said, want := bestOf(in), "A and B (1.50) have the best average rank by accuracy of 2 methods; no method is significantly less accurate."; said != want {
		t.Errorf("%q, want %q", said, want)
	}
}

// TestMarkPrinted: the first figure of each family goes to paper.
func TestMarkPrinted(t *testing.T) {
	names := []string{"surfaces", "surfaces-2", "accuracy-by-split", "accuracy-by-time-1", "accuracy-by-time-2", "lambda-a", "lambda-b", "ladder"}
	var all []figureView
	for _, name := range names {
		all = append(all, figureView{Figure: Figure{Name: name}})
	}
	markPrinted(all)
	var printed []string
	for _, f := range all {
		if f.Printed {
			printed = append(printed, f.Name)
		}
	}
	if want := []string{"surfaces", "accuracy-by-split", "accuracy-by-time-1", "lambda-a", "ladder"}; !slices.Equal(printed, want) {
		t.Errorf("%q, want %q", printed, want)
	}
}

// TestBelowMajority: data sets on which no method is above the most frequent class are
// counted, those without classes are not.
func TestBelowMajority(t *testing.T) {
	row := func(letter string, majority int, correct ...int) table.Row {
		r := table.Row{Letter: letter, Classes: &table.Classes{Majority: table.Constant{Count: majority}}}
		for _, n := range correct {
			r.Cells = append(r.Cells, scored(n, 1))
		}
		return r
	}
	in := table.Table{Rows: []table.Row{row("A", 50, 40, 50), row("B", 50, 40, 51), row("C", 60, 60), {Letter: "D", Cells: []table.Cell{scored(1, 1)}}}}
	if said, want := belowMajority(in), " On 2 of the 4 data sets no method is above the most frequent class: A, C."; said != want {
		t.Errorf("%q, want %q", said, want)
	}
	in.Rows = in.Rows[1:2]
	if said := belowMajority(in); said != "" {
		t.Errorf("%q where a method is above it", said)
	}
}

// scored is a cell of so many right answers.
func scored(correct, rank int) table.Cell {
	return table.Cell{Score: &table.Score{Correct: correct, Rank: rank, Accuracy: fmt.Sprint(correct)}}
}

// TestLeaders: the most accurate methods of a row come first, and those of the same rank
// are told from the others.
func TestLeaders(t *testing.T) {
	columns := []table.Column{{ID: "a", Name: "A"}, {ID: "b", Name: "B"}, {ID: "c", Name: "C"}}
	for _, c := range []struct {
		cells  []table.Cell
		tested bool
		want   string
	}{
		{[]table.Cell{scored(90, 1), scored(80, 2), scored(70, 3)}, true,
			"X: A is the most accurate of 3 methods with 90 %; all others are significantly less accurate."},
		{[]table.Cell{scored(70, 2), scored(90, 1), scored(89, 1)}, true,
			"X: B is the most accurate of 3 methods with 90 %; all others but C are significantly less accurate."},
		{[]table.Cell{scored(90, 1), scored(90, 1), scored(89, 1)}, true,
			"X: A and B are the most accurate of 3 methods with 90 %; no method is significantly less accurate."},
		{[]table.Cell{scored(90, 1), {}, scored(80, 1)}, false, "X: A is the most accurate of 2 methods with 90 %; no test compares them."},
		{[]table.Cell{scored(90, 1), {}, {}}, false, ""},
		{[]table.Cell{partial(90), scored(20, 1), scored(10, 2)}, true,
			"X: B is the most accurate of 2 methods with 20 %; all others are significantly less accurate."},
		{[]table.Cell{partial(90), scored(20, 1), partial(95)}, false, ""},
	} {
		r := table.Row{Name: "X", N: 100, Cells: c.cells}
		if c.tested {
			r.Pairs = make([]table.Pair, 1)
		}
		if got := leaderOf(table.Table{Columns: columns}, r); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// TestOwn: a page with published numbers of few methods is about its findings, or else
// about the most accurate methods, and has no strip.
func TestOwn(t *testing.T) {
	in := newInput(t, tiny)
	if !in.reproduces() || in.own() != nil {
		t.Fatalf("%d numbers of %d methods: %q", in.Verdicts.Summary.Numbers, len(in.Table.Columns), in.own())
	}
	in.Verdicts.Summary.Numbers = 1
	in.Findings = []document.Section{{Title: "Payment", Gist: document.Plain("It pays.")}, {Title: "Other"}}
	if got := in.own(); len(got) != 1 || got[0] != "It pays." {
		t.Errorf("%q, want the finding", got)
	}
	_, files := writeReport(t, in)
	page := files["index.html"]
	if strings.Contains(page, "Does it reproduce?") || strings.Contains(page, `<div class="strip">`) || files["strip.svg"] != "" {
		t.Error("one published number makes a page about reproduction")
	}
	in.Findings = nil
	if want := in.leaders(); len(want) == 0 || strings.Join(in.own(), " ") != strings.Join(want, " ") {
		t.Errorf("%q, want %q", in.own(), want)
	}
}

// TestNewCells: a cell that only the report has shows its accuracy among the changes.
func TestNewCells(t *testing.T) {
	in := newInput(t, tiny)
	r := in.Table.Rows[1]
	c := r.Cells[0]
	place := store.Place{Dataset: r.Dataset, Split: r.Split, Method: c.Method, Seed: c.Seed}
	in.Against = &Against{Dir: "before", New: []store.AcceptedCell{{Place: place}, {Place: store.Place{Dataset: "other", Method: c.Method, Seed: 1}}}}
	l := in.changes()
	now := slices.Index(l.Head, "now")
	if len(l.Rows) != 2 || c.Accuracy == "" || l.Rows[0][now] != c.Accuracy || l.Rows[1][now] != "" {
		t.Errorf("%q, want %s and nothing", l.Rows, c.Accuracy)
	}
}

// partial is a cell with results on 2 splits of a pooled row.
func partial(correct int) table.Cell {
	c := scored(correct, 0)
	c.Partial = 2
	return c
}

// TestRanking: results on some splits stand behind those on all, and nothing is said
// of how far they are from the best.
func TestRanking(t *testing.T) {
	for _, c := range []struct {
		cells             []table.Cell
		order, gist, gaps string
	}{
		{[]table.Cell{scored(80, 2), scored(90, 1), scored(90, 1)}, "B C A", "best: B and C 90", "0.00 0.00 −10.00"},
		{[]table.Cell{partial(15), scored(80, 2), scored(90, 1)}, "C B A", "best: C 90, of 2 methods with all splits", "0.00 −10.00 "},
		{[]table.Cell{partial(15), partial(18), scored(70, 1)}, "C A B", "1 of 3 methods has results on all splits", "0.00  "},
		{[]table.Cell{partial(15), {}, partial(18)}, "A C", "0 of 2 methods have results on all splits", " "},
		{[]table.Cell{{}, {}}, "", "no result", ""},
		{[]table.Cell{scored(70, 1)}, "A", "A 70", "0.00"},
	} {
		row := table.Row{N: 100, Cells: c.cells, Pool: &table.Pool{Splits: 20}}
		var views []cellView
		for j, cell := range c.cells {
			view := cellView{Column: j, Method: string(rune('A' + j))}
			if cell.Score != nil {
				view.Value = cell.Accuracy
			}
			views = append(views, view)
		}
		lines := ranking(row, views, func(int) string { return "" })
		var order, gaps []string
		for _, l := range lines {
			order, gaps = append(order, l.Method), append(gaps, l.FromBest)
			if partly := c.cells[l.Column].Partial > 0; partly != (l.Splits == "2 of 20 splits") {
				t.Errorf("%s has the splits %q", l.Method, l.Splits)
			}
		}
		if got := strings.Join(order, " "); got != c.order {
			t.Errorf("order %q, want %q", got, c.order)
		}
		if got := strings.Join(gaps, " "); got != c.gaps {
			t.Errorf("gaps %q, want %q", got, c.gaps)
		}
		if got := gist(row, lines); got != c.gist {
			t.Errorf("%q, want %q", got, c.gist)
		}
	}
}

// TestBest: only rows count on which the method was compared.
func TestBest(t *testing.T) {
	first := scored(90, 1)
	first.Best = true
	rows := []table.Row{
		{Letter: "A", Cells: []table.Cell{first, scored(80, 2)}},
		{Letter: "B", Cells: []table.Cell{first, partial(15)}},
		{Letter: "C", Cells: []table.Cell{scored(70, 0), partial(15)}},
		{Letter: "D", Cells: []table.Cell{first, {}}},
	}
	for j, want := range []string{"in the best group on 3 of 3 rows: A, B, D", "in the best group on 0 of 1 row"} {
		if got := best(table.Table{Rows: rows}, j); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if got := best(table.Table{Rows: rows[1:3]}, 1); got != "not compared on any row" {
		t.Errorf("%q", got)
	}
}
