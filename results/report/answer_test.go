package report

import (
	"fmt"
	"slices"
	"strings"
	"testing"

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
	names := []string{"surfaces", "surfaces-2", "accuracy-by-split", "accuracy-by-time-1", "accuracy-by-time-2", "lambda-a", "lambda-b", "pays"}
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
	if want := []string{"surfaces", "accuracy-by-split", "accuracy-by-time-1", "lambda-a", "pays"}; !slices.Equal(printed, want) {
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
		want   leaderView
	}{
		{[]table.Cell{scored(90, 1), scored(80, 2), scored(70, 3)}, true, leaderView{Methods: "A", Accuracy: "90", Tested: true, Of: 2}},
		{[]table.Cell{scored(70, 2), scored(90, 1), scored(89, 1)}, true, leaderView{Methods: "B", Accuracy: "90", Tested: true, Equal: 1, Of: 2}},
		{[]table.Cell{scored(90, 1), scored(90, 1), scored(89, 1)}, true,
			leaderView{Methods: "A and B", Several: true, Accuracy: "90", Tested: true, Equal: 1, Of: 1}},
		{[]table.Cell{scored(90, 1), {}, scored(80, 1)}, false, leaderView{Methods: "A", Accuracy: "90", Equal: 1, Of: 1}},
		{[]table.Cell{scored(90, 1), {}, {}}, false, leaderView{}},
		{[]table.Cell{partial(90), scored(20, 1), scored(10, 2)}, true, leaderView{Methods: "B", Accuracy: "20", Tested: true, Of: 1}},
		{[]table.Cell{partial(90), scored(20, 1), partial(95)}, false, leaderView{}},
	} {
		r := table.Row{Name: "X", N: 100, Cells: c.cells}
		if c.tested {
			r.Pairs = make([]table.Pair, 1)
		}
		if got, ok := leaderOf(table.Table{Columns: columns}, r); got != c.want || ok != (c.want != leaderView{}) {
			t.Errorf("%+v, %v, want %+v", got, ok, c.want)
		}
	}
}

// TestLeaderSentences: the sentence on the most accurate methods, by what the test says.
func TestLeaderSentences(t *testing.T) {
	for want, l := range map[string]leaderView{
		"Iris: <b>A</b> is the most accurate, 95.90 ± 1.20; 6 of 16 other methods are not significantly worse.": {
			Set: "Iris", Methods: "A", Accuracy: "95.90", SD: "1.20", Tested: true, Equal: 6, Of: 16},
		"<b>A</b> is the most accurate, 95.90; 1 of 2 other methods is not significantly worse.": {Methods: "A", Accuracy: "95.90", Tested: true, Equal: 1, Of: 2},
		"<b>A and B</b> are the most accurate, 95.90; all 2 other methods are significantly worse.": {
			Methods: "A and B", Several: true, Accuracy: "95.90", Tested: true, Of: 2},
		"<b>A</b> is the most accurate, 95.90; no other method is significantly worse.": {Methods: "A", Accuracy: "95.90", Tested: true, Equal: 2, Of: 2},
		"<b>A</b> is the most accurate, 95.90; no test compares the methods.":           {Methods: "A", Accuracy: "95.90", Of: 2},
		"<b>A and B</b> are the most accurate, 95.90.":                                  {Methods: "A and B", Several: true, Accuracy: "95.90"},
	} {
		var b strings.Builder
		if err := pageTemplate.ExecuteTemplate(&b, "leader", l); err != nil || b.String() != "<p>"+want+"</p>" {
			t.Errorf("%s, %v, want %s", b.String(), err, want)
		}
	}
}

// TestOwn: a page with published numbers of few methods is about the most accurate methods
// and compares them. It has no strip, and does not answer whether the paper reproduces.
func TestOwn(t *testing.T) {
	in := withAll(newInput(t, tiny), tiny)
	if !in.reproduces() {
		t.Fatalf("%d numbers of %d methods", in.Verdicts.Summary.Numbers, len(in.Table.Columns))
	}
	_, files := writeReport(t, in)
	if page := files["index.html"]; strings.Contains(page, `id="compared"`) || !strings.Contains(page, "<strong>Partly.</strong>") {
		t.Error("the page about the paper compares methods, or lacks the answer")
	}
	in.Verdicts.Summary.Numbers = 1
	_, files = writeReport(t, in)
	page := files["index.html"]
	if strings.Contains(page, "Does it reproduce?") || strings.Contains(page, "Partly.") || strings.Contains(page, `<div class="strip">`) {
		t.Error("one published number makes a page about reproduction")
	}
	section := between(page, `<section id="compared"`, "</section>")
	if n, want := strings.Count(section, "<table"), tiny.sets; n != want {
		t.Errorf("%d data sets are compared, want %d", n, want)
	}
	best, worst := strings.Index(section, "Method1"), strings.Index(section, "Method0")
	if best < 0 || worst < best || !strings.Contains(section, `<td class="num">0.00</td><td class="num"></td>`) {
		t.Errorf("methods are not in the order of their accuracy: %s", section)
	}
}

// TestIntervalTo: the interval of a difference is told from either side.
func TestIntervalTo(t *testing.T) {
	columns := []table.Column{{ID: "a"}, {ID: "b"}}
	pair := table.Row{Pairs: []table.Pair{{A: "a", B: "b", Effect: table.Effect{DifferenceInterval: [2]string{"-1.50", "4.00"}}}}}
	splits := table.Row{Contrasts: []table.Contrast{{A: "a", B: "b"}, {A: "a", B: "b", Test: &table.ContrastTest{Interval: [2]string{"0.00", "4.00"}}}}}
	for _, c := range []struct {
		row          table.Row
		column, best int
		want         string
	}{
		{pair, 0, 1, "−1.50 to 4.00"}, {pair, 1, 0, "−4.00 to 1.50"}, {splits, 0, 1, "0.00 to 4.00"}, {splits, 1, 0, "−4.00 to 0.00"}, {table.Row{}, 0, 1, ""},
	} {
		if got := intervalTo(table.Table{Columns: columns}, c.row, c.column, c.best); got != c.want {
			t.Errorf("%d to %d: %q, want %q", c.column, c.best, got, c.want)
		}
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
		lines := ranking(row, views)
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
