package table_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp/cmpopts"

	"r2lmlbench/experiments/published"
	"r2lmlbench/internal/fixture"
	. "r2lmlbench/internal/testkit"
	. "r2lmlbench/results/table"
	"r2lmlbench/stats"
)

// publishedScores are the paper's accuracies.
func publishedScores() Scores {
	var s Scores
	for i, p := range published.Of(published.Table()) {
		if i%8 == 0 {
			s.Rows = append(s.Rows, nil)
		}
		if i < 8 {
			s.Methods = append(s.Methods, p.Method)
		}
		row := &s.Rows[len(s.Rows)-1]
		*row = append(*row, p.Percent)
	}
	return s
}

// R 4.2.2 on the paper's Table 2: friedman.test, ptukey and qtukey; F from χ² by
// the formula of Iman and Davenport.
func TestPublishedStanding(t *testing.T) {
	scores := publishedScores()
	s, ok := stats.NewStanding(scores.Rows, 0.05)
	if !ok || s.Rows != 18 {
		t.Fatalf("%+v", s)
	}
	near := func(what string, got, want, relative float64) {
		t.Helper()
		fixture.Near(t, what, got, want, relative*math.Abs(want))
	}
	for i, want := range []struct {
		method string
		rank   float64
	}{
		{"euclidean", 6.75}, {"itml", 77.0 / 18}, {"lmnn", 75.5 / 18}, {"lmnn-mm", 4.75},
		{"glml", 110.5 / 18}, {"plml", 77.0 / 18}, {"t-r2lml", 3.5}, {"e-r2lml", 38.0 / 18},
	} {
		fixture.Equal(t, fmt.Sprintf("method %d", i), scores.Methods[i], want.method)
		near("average rank of "+want.method, s.Friedman.AverageRanks[i], want.rank, 1e-12)
	}
	near("chi-squared", s.Friedman.ChiSquared, 44.45303131245836, 1e-9)
	near("p", s.Friedman.P, 1.746058426818856e-07, 1e-6)
	near("F", s.Friedman.F, 9.26707079949674, 1e-9)
	near("p of F", s.Friedman.FP, 4.0252294263010645e-09, 1e-6)
	near("critical difference", s.CD, 2.474701950906258, 4e-7) // absolute 1e-6
	fixture.Equal(t, "degrees of freedom", [2]int{s.Friedman.DF, s.Friedman.DF2}, [2]int{7, 119})
	fixture.EqualSlice(t, "order", s.Order, []int{7, 6, 2, 1, 5, 3, 4, 0})
	// ptukey: of the 28 p-values those of 7 with 3, 4 and 0, of 6 with 4 and 0 and
	// of 2 with 0 are below 0.05; those of 1 and 5 with 0 are 0.0504.
	fixture.Same(t, "groups", s.Groups, [][]int{{7, 6, 2, 1, 5}, {6, 2, 1, 5, 3}, {2, 1, 5, 3, 4}, {1, 5, 3, 4, 0}})
}

func columnOf(s Scores, method string) (scores []float64) {
	for _, row := range s.Rows {
		scores = append(scores, row[slices.Index(s.Methods, method)])
	}
	return scores
}

// exactRankTests::wilcox.exact of R on column differences of Table 2.
func TestPublishedDifferences(t *testing.T) {
	for _, c := range []struct {
		first, second string
		plus, minus   float64
		p             float64
	}{
		{"e-r2lml", "plml", 151, 20, 0.0028076171875},
		{"e-r2lml", "t-r2lml", 103, 50, 0.2246856689453125},
		{"lmnn", "lmnn-mm", 49, 17, 0.1748046875},
	} {
		scores := publishedScores()
		d := stats.Differences(columnOf(scores, c.first), columnOf(scores, c.second))
		got, pair := stats.Wilcoxon(d), c.first+" and "+c.second
		fixture.Equal(t, pair+": rows", len(d), 18)
		fixture.Equal(t, pair+": W", [2]float64{got.WPlus, got.WMinus}, [2]float64{c.plus, c.minus})
		fixture.Near(t, pair+": p", got.P, c.p, 1e-9*c.p)
	}
}

// Rows without a result of every method are named and left out, and a difference
// needs only its two.
func TestScores(t *testing.T) {
	table := New(AccuracySpec(ColumnA, ColumnB, ColumnC), []RowInput{
		{Dataset: "x", Letter: "X", Name: "Ex", Cells: []CellInput{InputOf(fixture.BitCell("a", "1111")),
			InputOf(fixture.BitCell("b", "1110")), InputOf(fixture.BitCell("c", "1100"))}},
		{Dataset: "y", Name: "Why", Cells: []CellInput{InputOf(fixture.BitCell("a", "110")), InputOf(fixture.BitCell("b", "111"))}},
		{Dataset: "z", Name: "Zed", Cells: []CellInput{InputOf(fixture.BitCell("a", "10000000")),
			InputOf(fixture.BitCell("b", "00000000")), InputOf(fixture.BitCell("c", "00000000"))}},
	})
	got := table.Scores()
	fixture.Same(t, "scores", got, Scores{Methods: []string{"a", "b", "c"}, Rows: [][]float64{
		{100, 75, 50}, {200.0 / 3, 100, math.NaN()}, {12.5, 0, 0},
	}}, cmpopts.EquateNaNs())
	fixture.EqualSlice(t, "differences", stats.Differences(columnOf(got, "a"), columnOf(got, "b")), []float64{25, -33.333333333, 12.5})
	fixture.EqualSlice(t, "differences", stats.Differences(columnOf(got, "a"), columnOf(got, "c")), []float64{50, 12.5})
	s, _ := stats.NewStanding(got.Rows, 0.05)
	fixture.Equal(t, "rows", s.Rows, 2)
	fixture.EqualSlice(t, "average ranks", s.Friedman.AverageRanks, []float64{1, 2.25, 2.75})
}

// With few data sets F takes p to 0, or below that of data sets that all agree: it is never
// below what the exact test can give. Of two methods that is the sign test.
func TestFriedmanOfFew(t *testing.T) {
	for _, c := range []struct {
		rows [][]float64
		p    float64
	}{
		{slices.Repeat([][]float64{{9, 8}}, 2), 0.5},
		{slices.Repeat([][]float64{{9, 8}}, 5), 0.0625},
		{append(slices.Repeat([][]float64{{9, 8}}, 4), []float64{8, 8}), 0.125},
	} {
		st, _ := stats.NewStanding(c.rows, 0.05)
		fixture.Equal(t, fmt.Sprintf("p of %d data sets", len(c.rows)), st.FriedmanP, c.p)
	}
	// 171! is more than a float64 holds.
	var many [][]float64
	for range 3 {
		many = append(many, make([]float64, 200))
		for i := range 200 {
			many[len(many)-1][i] = float64(i)
		}
	}
	if st, ok := stats.NewStanding(many, 0.05); !ok || st.FriedmanP != 0 {
		t.Errorf("200 methods: p %v, want 0", st.FriedmanP)
	}
}

func TestNoStanding(t *testing.T) {
	row := []float64{1, 2}
	for name, rows := range map[string][][]float64{
		"nothing": nil, "one row": {row}, "one method": {{1}, {1}}, "no results": {{1, math.NaN()}, {math.NaN(), 1}},
	} {
		if st, ok := stats.NewStanding(rows, 0.05); ok {
			t.Errorf("%s: %+v", name, st)
		}
	}
	for _, level := range []float64{0, 1, math.NaN()} {
		if st, ok := stats.NewStanding([][]float64{row, row}, level); ok {
			t.Errorf("level %v: %+v", level, st)
		}
	}
}
