package study

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"r2lmlbench/internal/golden"
	"r2lmlbench/results/study/studytest"
	"r2lmlbench/results/table"
)

// examples are made-up tables by study.
func examples() map[string]table.Table {
	return map[string]table.Table{
		"collapse": studytest.Variants(), "metrics": studytest.Metrics(), "lambda": studytest.Lambda(), "triangle": studytest.Triangle(),
		"toy": studytest.Toy(), "convergence": studytest.Convergence(),
	}
}

// find returns the study of an id.
func find(t testing.TB, id string) Study {
	t.Helper()
	at := slices.IndexFunc(Studies, func(s Study) bool { return s.ID == id })
	if at < 0 {
		t.Fatalf("there is no study %q", id)
	}
	return Studies[at]
}

// read reads a study from a table.
func read(t testing.TB, id string, made table.Table) Result {
	t.Helper()
	r, err := find(t, id).Read(made, studytest.Classes)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// lines writes claims one a line: id, verdict, count of all, and what else there is.
func lines(claims []Claim) []string {
	var all []string
	for _, c := range claims {
		line := fmt.Sprintf("%s: %s, %d of %d", c.ID, c.Verdict, c.Count, c.Of)
		if !math.IsNaN(c.P) {
			line += fmt.Sprintf(", p %.3g", c.P)
		}
		if c.Missing > 0 {
			line += fmt.Sprintf(", %d missing", c.Missing)
		}
		all = append(all, line)
	}
	return all
}

// expect fails unless all claims with these lines are there.
func expect(t *testing.T, claims []Claim, want ...string) {
	t.Helper()
	got := lines(claims)
	for _, line := range want {
		if !slices.Contains(got, line) {
			t.Errorf("%q is not among\n%s", line, strings.Join(got, "\n"))
		}
	}
}

// Every study has its claims and its listings in a golden file, from a complete
// table and from one of which half the cells are missing.
func TestGolden(t *testing.T) {
	for id, made := range examples() {
		for name, made := range map[string]table.Table{
			id: made, id + "-missing": studytest.Without(made, func(row, column int) bool { return (row+column)%2 == 1 }),
		} {
			var b bytes.Buffer
			r := read(t, id, made)
			for i, line := range lines(r.Claims()) {
				fmt.Fprintf(&b, "%s\n\t%s\n", line, r.Claims()[i].Statement)
			}
			for _, l := range r.Listings() {
				fmt.Fprintf(&b, "\n%s\n", l.Title)
				if err := l.Render(&b, "csv"); err != nil {
					t.Fatal(err)
				}
			}
			golden.Equal(t, "testdata/"+name+".golden", b.Bytes())
		}
	}
}

// sound fails unless a result is what a reader may rely on.
func sound(t *testing.T, id string, r Result) {
	t.Helper()
	seen := map[string]bool{}
	for _, c := range r.Claims() {
		if seen[c.ID] || c.ID == "" || c.Statement == "" {
			t.Errorf("%s: claim %q, %q", id, c.ID, c.Statement)
		}
		seen[c.ID] = true
		if !slices.Contains([]string{Holds, Fails, Undecided, Counted}, c.Verdict) || c.Count < 0 || c.Count > c.Of || c.Missing < 0 || c.P < 0 || c.P > 1 {
			t.Errorf("%s: %+v", id, c)
		}
		if c.Verdict == Holds && c.Of == 0 {
			t.Errorf("%s: %s holds for no reason", id, c.ID)
		}
	}
	for _, l := range r.Listings() {
		if l.Title == "" || len(l.Head) == 0 {
			t.Errorf("%s: a listing %q with the head %q", id, l.Title, l.Head)
		}
		for _, row := range l.Rows {
			text := strings.Join(row, "|")
			if len(row) != len(l.Head) || strings.Contains(text, "NaN") || strings.Contains(text, "Inf") || slices.Contains(row, "") {
				t.Errorf("%s: %q under %q", id, row, l.Head)
			}
		}
	}
}

// Any cells may be missing, cut off or without their measurements.
func TestAnyMissing(t *testing.T) {
	draw := rand.New(rand.NewPCG(1, 1))
	for id, made := range examples() {
		for range 50 {
			sound(t, id, read(t, id, studytest.Damaged(made, draw)))
		}
	}
}

// No cell of a table need have a result, a column or a row.
func TestNothing(t *testing.T) {
	for id, made := range examples() {
		for name, none := range map[string]table.Table{
			"no rows":    {Spec: made.Spec, Columns: made.Columns},
			"no columns": {Spec: made.Spec, Rows: made.Rows},
			"missing":    studytest.Without(made, func(int, int) bool { return true }),
			"empty":      {},
		} {
			r := read(t, id, none)
			sound(t, id+", "+name, r)
			for _, c := range r.Claims() {
				if c.Verdict == Holds || c.Verdict == Fails || c.Count > 0 {
					t.Errorf("%s, %s: %+v", id, name, c)
				}
			}
		}
	}
}

// Cells without facts and series decide nothing that rests on them.
func TestBareCells(t *testing.T) {
	for _, s := range Studies {
		made, ok := examples()[s.ID]
		if !ok || s.Measure == nil || s.Measure.Take == nil { // a measure of its own is no fact or series
			continue
		}
		for _, c := range read(t, s.ID, studytest.Bare(made)).Claims() {
			if strings.HasSuffix(c.ID, "-printed") {
				continue // of accuracies
			}
			if c.Verdict == Holds || c.Verdict == Fails || c.Count > 0 || c.Of > 0 {
				t.Errorf("%s: %+v", s.ID, c)
			}
		}
	}
}

func TestCoverage(t *testing.T) {
	made := studytest.Metrics()
	made.Rows[0].Cells[1], made.Rows[1].Cells[2] = studytest.Missing(), studytest.Failed()
	m, err := ReadMetrics(made, nil)
	if want := (Coverage{Spec: "metrics", Cells: 78, Missing: 2, Failed: 1}); err != nil || m.Coverage != want || m.Empty() {
		t.Errorf("%+v, %v, want %+v", m.Coverage, err, want)
	}
	if m, err = ReadMetrics(table.Table{}, nil); err != nil || !m.Empty() {
		t.Errorf("%+v, %v", m.Coverage, err)
	}
}

// A series that cannot be read is an error that names the cell and the series.
func TestMalformedSeries(t *testing.T) {
	for _, c := range []struct {
		id, series string
		values     []string
		want       string
	}{
		{"toy", "embedding 1", []string{"1", "x", "2", "3"}, `study: toy, euclidean on toy: results: value 2 of series "embedding 1"`},
		{"toy", "label", []string{"?"}, `study: toy, euclidean on toy: results: value 1 of series "label"`},
		{"toy", "share of the distances not shown", []string{""}, "study: toy, e-r2lml:variant=published:metrics=2 on toy: results: value 1"},
		{"toy", "map 1 coordinate 2", []string{"1", "2", "3"}, `series "map 1 coordinate 2" has 3 values for 4 samples`},
		{"toy", "coefficients of metric 2", []string{"one", "2", "3", "4"}, `value 1 of series "coefficients of metric 2"`},
		{"convergence", "with momentum: iteration", []string{"x"}, "study: convergence of e-r2lml on glass, with momentum: results: value 1 of series"},
		{"convergence", "without momentum: iteration", []string{"1", "2"},
			"without momentum: 1 starts, 3 numbers of the fitted curve and 2 iterations for 3 objectives"},
		{"convergence", "with momentum: objective at the start", []string{"1", "2"}, "with momentum: 2 starts, "},
		{"convergence", "with momentum: fitted a + b/sqrt(T): a, b, R2", []string{"1"}, "1 starts, 1 numbers of the fitted curve"},
	} {
		made := examples()[c.id]
		for _, r := range made.Rows {
			for _, cell := range r.Cells {
				for k, s := range cell.Series {
					if s.Name == c.series {
						cell.Series[k].Values = c.values
					}
				}
			}
		}
		if _, err := find(t, c.id).Read(made, nil); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s, %s: %v, want %s", c.id, c.series, err, c.want)
		}
	}
}

// The fits of the published variant that name one class are counted by what came of
// their pair.
func TestCollapseCountsConstantFits(t *testing.T) {
	pair := func(reference, published int, constant bool) VariantPair {
		cell := func(correct int, constant bool) CollapseCell {
			return CollapseCell{Cell: table.Cell{Score: &table.Score{Correct: correct, Constant: constant}}}
		}
		return VariantPair{Set: Set{N: 10}, Metrics: 2, Reference: cell(reference, false), Published: cell(published, constant)}
	}
	c := Collapse{Sets: []CollapseSet{{Methods: []CollapseMethod{{Pairs: []VariantPair{
		pair(5, 4, true), pair(5, 4, false), pair(5, 5, true), pair(5, 6, true), pair(5, 7, true), pair(5, 8, false),
	}}}}}}
	if n := c.Several(); n.Lower != 2 || n.Higher != 3 || n.Constant != 4 || n.ConstantLower != 1 || n.ConstantHigher != 2 {
		t.Errorf("%+v", n)
	}
}
