package table_test

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"r2lmlbench/internal/document"
	"r2lmlbench/internal/fixture"
	. "r2lmlbench/internal/testkit"
	"r2lmlbench/results"
	. "r2lmlbench/results/table"
	"r2lmlbench/stats"
)

// asWritten leaves out what is in no file of a table, and metrics, which are there as they are
// printed.
var asWritten = cmp.Options{
	cmpopts.IgnoreTypes(results.Values{}), cmpopts.IgnoreFields(Result{}, "Trials", "Mean"), cmpopts.IgnoreFields(Constant{}, "Mean"),
	cmpopts.IgnoreFields(Row{}, "Train"), cmpopts.IgnoreUnexported(Row{}, Score{}),
}

// A and B have 50 of 70 right each, C has 40. B has ten samples more than C and
// lacks none: p = 2^-9. A and C differ 25 to 15 ways: p = 2·P(X ≤ 15) = 0.154, X ~ Bin(40, 1/2).
// With A as the leader all share rank 1; with B, C would not.
func TestTableWarnsOfRanks(t *testing.T) {
	table := bitTable(Zeros(15)+Ones(25)+Zeros(5)+Ones(25), Ones(50)+Zeros(20), Ones(40)+Zeros(30))
	row := table.Rows[0]
	fixture.Equal(t, "tie sensitive", row.TieSensitive, true)
	fixture.EqualSlice(t, "the same rank", row.SameRankButSignificant, [][2]string{{"b", "c"}})
	notes := strings.Join(table.Notes(), "\n")
	fixture.Has(t, "the notes", notes,
		"The same rank, although they differ from each other: toy Method B and Method C.",
		"Equal accuracies were ordered by column, and another order would change a rank: toy.")
}

// The variant named in the spec is the one that is used: the uncorrected
// chi-squared test tells A and C apart, 9²/19 = 4.26 with p = 0.0389, but Holm
// doubles it.
func TestTableUsesTheTestOfTheSpec(t *testing.T) {
	s := AccuracySpec(ColumnA, ColumnB, ColumnC)
	s.Test, s.Alpha = stats.ChiSquared, 0.1
	table := New(s, []RowInput{InvertedRow()})
	fixture.Equal(t, "test", table.Test, results.TestInfo{Pair: "mcnemar-chi2", Correction: "holm", Alpha: 0.1})
	p := table.Rows[0].Pairs[1]
	fixture.Near(t, "p", p.P, 0.0389, 0.0001)
	fixture.Equal(t, "significant", p.Significant, true)
	fixture.Equal(t, "rank of C", table.Rows[0].Cells[2].Rank, 2)
}

// A p-value of exactly alpha is significant: A has six samples right that B has
// wrong, p = 2^-5, in a family of one.
func TestTableAtAlpha(t *testing.T) {
	s := AccuracySpec(ColumnA, ColumnB)
	row := RowInput{Dataset: "toy", Cells: []CellInput{
		InputOf(fixture.BitCell("a", Ones(60))), InputOf(fixture.BitCell("b", Zeros(6)+Ones(54))),
	}}
	for alpha, want := range map[float64]bool{0x1p-5: true, math.Nextafter(0x1p-5, 0): false} {
		s.Alpha = alpha
		if p := New(s, []RowInput{row}).Rows[0].Pairs[0]; p.PHolm != 0x1p-5 || p.Significant != want {
			t.Errorf("alpha %v: p %v, significant %v", alpha, p.PHolm, p.Significant)
		}
	}
}

func TestTableMinGapOfTheFullFamily(t *testing.T) {
	// statistics of Table 2: 0.05/28 cannot be reached with 10 samples or
	// fewer; with 11 it is 2^-10.
	rows := New(AccuracySpec(PaperColumns...), PaperRows()).Rows
	for _, r := range rows {
		fixture.Equal(t, r.Letter+": pairs, family, smallest gap", [3]int{len(r.Pairs), r.Pairs[0].Family, r.MinGap.Samples}, [3]int{28, 28, 11})
	}
	fixture.Equal(t, "row J: 11 of 70", rows[9].MinGap.Percent, "15.71")
}

func TestTableAbsence(t *testing.T) {
	good := fixture.BitCell("a", "1110")
	other := fixture.BitCell("b", "1111")
	other.Truth = slices.Clone(other.Truth)
	other.Truth[0] = 9
	failed := fixture.BitCell("c", "1111")
	failed.Predicted, failed.Failure = nil, "child crashed"
	for _, c := range []struct {
		name           string
		column         Column
		n              int
		in             []CellInput
		status, reason string
	}{
		{"no input", ColumnC, 0, []CellInput{InputOf(good)}, "missing", "not run yet"},
		{"no cells", ColumnC, 0, []CellInput{InputOf(good), {}}, "missing", "not run yet"},
		{"missing", ColumnC, 0, []CellInput{InputOf(good), {Status: StatusMissing, Reason: "no data"}}, "missing", "no data"},
		{"failed", ColumnC, 0, []CellInput{InputOf(good), {Status: StatusFailed, Reason: "crash"}}, "failed", "crash"},
		{"failed cell", ColumnC, 0, []CellInput{InputOf(good), InputOf(failed)}, "failed", "child crashed"},
		{"other test set", ColumnC, 0, []CellInput{InputOf(good), InputOf(other)}, "failed",
			"its test labels are not those of a: one of the two was made from other data"},
		{"other size", ColumnC, 4, []CellInput{InputOf(good), InputOf(fixture.BitCell("c", "11111"))}, "failed",
			"it has 5 test samples, the split has 4"},
	} {
		t.Run(c.name, func(t *testing.T) {
			row := New(AccuracySpec(ColumnA, c.column), []RowInput{{Dataset: "toy", N: c.n, Cells: c.in}}).Rows[0]
			got, other := row.Cells[1], row.Cells[0]
			fixture.Equal(t, "status and reason", [2]string{got.Status, got.Reason}, [2]string{c.status, c.reason})
			fixture.Same(t, "score", got.Score, nil, asWritten)
			fixture.EqualSlice(t, "missing", row.MissingMethods, []string{"c"})
			if len(row.Pairs) != 0 || row.MinGap != nil || other.Rank != 1 || other.Accuracy != "75.00" {
				t.Errorf("pairs %v, gap %v, the other method %+v", row.Pairs, row.MinGap, other.Score)
			}
		})
	}
}

func TestTableNotes(t *testing.T) {
	c := fixture.GridCell()
	table := New(AccuracySpec(ColumnA), []RowInput{{Dataset: "robot", Cells: []CellInput{InputOf(c)}}})
	got := table.Rows[0].Cells[0]
	fixture.EqualSlice(t, "notes", got.Notes, []string{"stopped after 500 iterations | not converged", "the coefficients collapsed",
		"1 of 2 grid points failed, the first: step too long: <inf>"})
	c.Validation = &results.Profile{N: 240, Correct: []int{-1, 171}}
	table = New(AccuracySpec(ColumnA), []RowInput{{Dataset: "robot", Cells: []CellInput{InputOf(c)}}})
	fixture.Equal(t, "without a reason", table.Rows[0].Cells[0].Notes[2], "1 of 2 grid points failed")
	if got.Restart != 1 || got.Params["lambda"] != 1e-5 || len(got.Facts) != 1 {
		t.Errorf("score %+v", got.Score)
	}
}

func TestTableSpread(t *testing.T) {
	seeds := func(correct ...int) CellInput {
		var in CellInput
		for i, k := range correct {
			in.Cells = append(in.Cells, fixture.NewCell("toy", "b", k, 20, uint64(i+1)))
		}
		return in
	}
	rows := []RowInput{
		{Dataset: "toy", Repeat: 1, Cells: []CellInput{seeds(10), seeds(12, 14)}},
		{Dataset: "toy", Repeat: 2, Cells: []CellInput{seeds(11), seeds(16, 20)}},
		{Dataset: "other", Cells: []CellInput{seeds(10), {Status: StatusMissing}}},
	}
	got := New(AccuracySpec(ColumnA, ColumnB), rows).Rows
	// 50, 55 and 60, 70, 80, 100 percent: sqrt(12.5) = 3.54 and sqrt(875/3) = 17.08 points
	for i, want := range []*Spread{{2, "52.50", "3.54", "50.00", "55.00"}, {4, "77.50", "17.08", "60.00", "100.00"}} {
		fixture.Same(t, fmt.Sprintf("column %d", i), got[0].Cells[i].Spread, want)
	}
	for _, c := range slices.Concat(got[1].Cells, got[2].Cells) {
		fixture.Same(t, "spread on another row than the first", c.Spread, nil)
	}
	fixture.Equal(t, "right by the first seed of each repeat", [2]int{got[0].Cells[1].Correct, got[1].Cells[1].Correct}, [2]int{12, 16})
	rows[1].Cells[1].Cells[1].Predicted, rows[1].Cells[1].Cells[1].Failure = nil, "it diverged"
	rows[0].Cells[1].Seeds = 4 // two of them are not computed
	failed := New(AccuracySpec(ColumnA, ColumnB), rows)
	fixture.Same(t, "a column of which one seed failed", failed.Rows[0].Cells[1].Spread, &Spread{3, "70.00", "10.00", "60.00", "80.00"}) // of 60, 70 and 80
	pool := failed.Pooled()
	lacking := [3]int{failed.Rows[0].Cells[1].Lacking, failed.Rows[1].Cells[1].Lacking, pool.Rows[0].Cells[1].Lacking}
	fixture.Equal(t, "seeds without a result on two splits and on both", lacking, [3]int{2, 1, 3})
	var b strings.Builder
	fixture.Check(t, pool.Render(&b, "text", document.Style{}))
	fixture.Has(t, "what a terminal shows without --notes", b.String(), ColumnB.Name+" (toy, 3 of 6)")
}

// Rows by several rules are no repeats of one: they have no spread together, and
// the notes say which row is by which. What is said of the data set is said once.
func TestTableOfRules(t *testing.T) {
	row := func(split string, repeat, correct int) RowInput {
		return RowInput{
			Dataset: "toy", Letter: "K", Split: split, Repeat: repeat, Note: "made by hand",
			Cells: []CellInput{InputOf(fixture.NewCell("toy", "a", correct, 20, 1))},
		}
	}
	table := New(AccuracySpec(ColumnA), []RowInput{row("authors", 1, 10), row("authors order=reversed", 2, 11)})
	for _, r := range table.Rows {
		fixture.Same(t, r.Split+": spread", r.Cells[0].Spread, nil)
	}
	const said = "K: made by hand"
	pooled := New(AccuracySpec(ColumnA), []RowInput{row("random seed=1 repeat=1", 1, 10), row("random seed=1 repeat=2", 2, 11)}).Pooled()
	fixture.Has(t, "the notes on several splits", strings.Join(pooled.Notes(), "\n"), said)
	notes := strings.Join(table.Notes(), "\n")
	for _, want := range []string{"Split: authors (K#1); authors order=reversed (K#2).", said} {
		fixture.Equal(t, fmt.Sprintf("times that the notes say %q", want), strings.Count(notes, want), 1)
	}
}

// Reading the JSON of a table gives the table, but for the pairs, whose numbers are rounded
// there. Its members are those of the golden files.
func TestTableJSON(t *testing.T) {
	for _, table := range []Table{smallTable(), metricTable(results.BalancedAccuracy, results.Kappa)} {
		for i := range table.Rows {
			table.Rows[i].Pairs = nil
		}
		var back Table
		fixture.Check(t, json.Unmarshal(render(t, table, "json", document.Style{}), &back))
		fixture.Same(t, "after reading", back, table, asWritten, cmpopts.EquateEmpty())
	}
}

// Where nothing tells two methods apart, or all is on one side, what is not defined is left
// out of the JSON, which has no spelling for what is not a number.
func TestPairJSON(t *testing.T) {
	row := bitTable("1110", "1110", "0000").Rows[0]
	for i, sizes := range []string{"", `,"cohens_g":0.5`} {
		data, err := json.Marshal(row.Pairs[i : i+1])
		if err != nil || !strings.HasSuffix(string(data), `]`+sizes+"}]") {
			t.Errorf("pair %d: %s, %v", i, data, err)
		}
	}
}

func TestEmptyTables(t *testing.T) {
	for _, table := range []Table{
		New(Experiment{}, nil),
		New(AccuracySpec(ColumnA), nil),
		New(AccuracySpec(), []RowInput{{Dataset: "toy"}}),
		New(AccuracySpec(ColumnA, ColumnB), []RowInput{{Dataset: "toy"}}),
	} {
		for _, format := range formats {
			fixture.Equal(t, "nothing as "+format, len(render(t, table, format, document.Style{Color: true})) == 0, false)
		}
		fixture.Lacks(t, "the JSON", string(render(t, table, "json", document.Style{})), "null")
	}
}

// Whatever the predictions, a table keeps the rules of its ranks.
func TestTableProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 40).Draw(t, "n")
		columns := PaperColumns[:rapid.IntRange(1, 5).Draw(t, "methods")]
		var in RowInput
		for _, c := range columns {
			right := rapid.SliceOfN(rapid.SampledFrom([]byte("01")), n, n).Draw(t, c.ID)
			in.Cells = append(in.Cells, InputOf(fixture.BitCell(c.ID, string(right))))
		}
		row := New(AccuracySpec(columns...), []RowInput{in}).Rows[0]
		rank := map[string]*Score{}
		for _, c := range row.Cells {
			rank[c.Method] = c.Score
			if c.Best != (c.Rank == 1) || c.Letters == "" {
				t.Errorf("%+v", c.Score)
			}
		}
		for _, p := range row.Pairs {
			a, b := rank[p.A], rank[p.B]
			if p.Paired.OnlyFirst-p.Paired.OnlySecond != a.Correct-b.Correct || p.PHolm < p.P || p.Family != len(row.Pairs) {
				t.Errorf("pair %+v of %d and %d right", p, a.Correct, b.Correct)
			}
			fixture.Equal(t, fmt.Sprintf("letters in common of %+v", p), strings.ContainsAny(a.Letters, b.Letters), !p.Significant)
		}
	})
}

// The page and LaTeX have no notes on what only text and Markdown show; all others are
// the same.
func TestNotesOfRenderings(t *testing.T) {
	table := smallTable()
	only := func(note string) bool {
		return strings.HasPrefix(note, "In parentheses") || strings.HasPrefix(note, "Mean ±")
	}
	all := table.Notes()
	if n := len(all) - len(slices.DeleteFunc(slices.Clone(all), only)); n != 2 {
		t.Errorf("%d notes on parentheses and means, want 2: %q", n, all)
	}
	fixture.EqualSlice(t, "the others, on a page", table.PageNotes(true), slices.DeleteFunc(slices.Clone(all), only))
	fixture.Lacks(t, "LaTeX", string(render(t, table, "latex", document.Style{Document: true, Notes: true})), "In parentheses", "over all seeds")
}

// A column that fixes a parameter which its neighbors have other values of has no
// published number; one that has the k of the paper's rule beside other k does.
func TestSweptColumns(t *testing.T) {
	for name, want := range map[string]string{"": "44.53", "k": "44.53", "metrics": ""} {
		column := Column{ID: "itml", Method: "itml", Name: "ITML"}
		if name != "" {
			column.Swept = map[string]string{name: "5"}
		}
		table := New(AccuracySpec(column), []RowInput{{Dataset: "sonar", Letter: "P", Cells: []CellInput{
			InputOf(fixture.NewCell("sonar", "itml", 57, 128, 1)),
		}}})
		c := table.Rows[0].Cells[0]
		noted := strings.Contains(strings.Join(table.Notes(), " "), "In parentheses")
		if c.Published != want || (c.Mark != "") != (want != "") || noted != (want != "") {
			t.Errorf("swept %q: published %q, mark %q, notes %q", name, c.Published, c.Mark, table.Notes())
		}
	}
}

// Printed accuracies are compared with always answering the largest class where they are of the
// same data and split, and not elsewhere.
func TestPrintedBelow(t *testing.T) {
	spec := AccuracySpec(Column{ID: "euclidean", Method: "euclidean", Name: "Euclidean", Printed: true})
	for _, c := range []struct {
		others int // of 1000 test samples
		unlike bool
		want   bool
	}{{0, false, true}, {0, true, false}, {500, false, false}} {
		cell := fixture.NewCell("robot", "euclidean", 1000, 1000, 1)
		cell.Truth = slices.Concat(slices.Repeat([]int{1}, 1000-c.others), slices.Repeat([]int{2}, c.others))
		cell.Predicted = cell.Truth
		in := RowInput{Dataset: "robot", Letter: "A", Name: "Robot", N: 1000, Unlike: c.unlike, Cells: []CellInput{InputOf(cell)}}
		row := New(spec, []RowInput{in}).Rows[0]
		fixture.Equal(t, "published", row.Cells[0].Published != "", true)
		fixture.Equal(t, "the difference to print is marked", row.Cells[0].Mark != "", !c.unlike) // of other data it means nothing
		fixture.Equal(t, fmt.Sprintf("%+v", c), row.PrintedBelow, c.want)
	}
}

// The note on failed points of a grid counts them and has the reason of the first.
func TestGridNote(t *testing.T) {
	c := fixture.BitCell("a", "1110")
	c.Settings = make([]results.Setting, 4)
	c.Validation = &results.Profile{N: 9, Correct: []int{7, -1, 5, -1}, Failures: map[int]string{1: "first", 3: "second"}}
	notes := New(AccuracySpec(ColumnA), []RowInput{{Dataset: "toy", Cells: []CellInput{InputOf(c)}}}).Rows[0].Cells[0].Notes
	fixture.EqualSlice(t, "notes", notes, []string{"2 of 4 grid points failed, the first: first"})
}
