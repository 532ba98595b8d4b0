package study

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"r2lmlbench/results/study/studytest"
	"r2lmlbench/results/table"
	"r2lmlbench/stats"
)

// 400000 draws of the posterior in NumPy, which baycomp agrees with: Table 2, a
// rope of one point, prior strength 0.5.
func TestPrintedPosterior(t *testing.T) {
	for _, c := range []struct {
		first, second string
		want          stats.Regions
	}{
		{"e-r2lml", "plml", stats.Regions{First: 0.9911875, Equal: 0.0088, Second: 1.25e-05}},
		{"e-r2lml", "t-r2lml", stats.Regions{First: 0.7621975, Equal: 0.0804775, Second: 0.157325}},
	} {
		d, ok := printedOverview().Find(c.first, c.second)
		got := d.Posterior
		if !ok || math.Abs(got.First-c.want.First) > 0.01 || math.Abs(got.Equal-c.want.Equal) > 0.01 || math.Abs(got.Second-c.want.Second) > 0.01 {
			t.Errorf("%s and %s: %+v, want %+v", c.first, c.second, got, c.want)
		}
	}
}

// The same table has the same comparisons in every call, and the pair of the paper's
// own methods is one of the 13, not two.
func TestOverviewIsDeterministic(t *testing.T) {
	if again := newOverview(table.PublishedScores()); len(again.Comparisons) != 13 || !reflect.DeepEqual(again, printedOverview()) {
		t.Errorf("%+v", again)
	}
}

// like returns ten rows of the printed table with the accuracies of the paper's
// methods moved by so many points.
func like(e, t int) table.Scores {
	s := table.PublishedScores()
	s.Rows = s.Rows[:10]
	for _, r := range s.Rows {
		for i, id := range s.Methods {
			switch id {
			case Efficient:
				r.Right[i] += 100 * e
			case Transductive:
				r.Right[i] += 100 * t
			}
		}
	}
	return s
}

// drop takes the results of a method away on the first rows.
func drop(s table.Scores, method string, rows int) table.Scores {
	for _, r := range s.Rows[:rows] {
		for i, id := range s.Methods {
			if id == method {
				r.Right[i] = -1
			}
		}
	}
	return s
}

func TestSupport(t *testing.T) {
	if got := printedOverview().Support(); got != ByCounts {
		t.Errorf("as printed: %v", got)
	}
	for _, c := range []struct {
		name   string
		scores table.Scores
		want   Support
	}{
		{"much better", like(40, 40), Supported},
		{"much worse", like(0, -40), Unsupported},
		{"significantly worse is no support", like(-40, -40), Unsupported},
		{"one row missing", drop(like(40, 40), "itml", 1), Supported},
		{"many rows missing", drop(like(40, 40), "itml", 5), Unknown},
		{"missing, and refuted by what is there", drop(like(-40, 0), "itml", 5), Unsupported},
		{"a method without any result", drop(like(40, 40), Efficient, 10), Unknown},
		{"nothing", table.Scores{}, Unknown},
	} {
		if got := newOverview(c.scores).Support(); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestComparison(t *testing.T) {
	scores := table.Scores{Methods: []string{"e-r2lml", "x"}, Rows: []table.ScoreRow{
		{Name: "a", N: 10, Right: []int{5, 4}}, {Name: "b", N: 20, Right: []int{5, 5}}, {Name: "c", N: 40, Right: []int{5, 20}},
		{Name: "d", N: 10, Right: []int{5, 3}}, {Name: "e", N: 10, Right: []int{-1, 3}},
	}}
	c := newOverview(scores).Comparisons[0]
	// +10, 0, -37.5 and +20 points: rank sums 3 and 3 of three differences.
	if c.Wins != 2 || c.Ties != 1 || c.Losses != 1 || c.Median != 5 || c.P != 1 || c.Holm != 1 || c.Significant() {
		t.Errorf("%+v", c)
	}
	if holds, refuted := c.Most(5); holds || refuted {
		t.Errorf("2 of 5 rows, one of them open: holds %v, refuted %v", holds, refuted)
	}
	if holds, refuted := c.Most(4); holds || !refuted {
		t.Errorf("2 of 4 rows: holds %v, refuted %v", holds, refuted)
	}
}

func readAcross(t *testing.T, made table.Table, runs ...Runs) Across {
	t.Helper()
	a, err := ReadAcross(made, runs)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// The tables have the values that R gives for the printed one, and rows with a
// missing cell are named.
func TestAcrossListings(t *testing.T) {
	made := studytest.Across()
	made.Rows[1].Name = "Gap"
	made.Rows[1].Cells[0] = studytest.Failed()
	a := readAcross(t, made)
	if want := []string{"B Gap"}; !slices.Equal(a.Ours.Standing.Omitted, want) {
		t.Errorf("left out: %q, want %q", a.Ours.Standing.Omitted, want)
	}
	tests := a.Tests().Rows
	if got, want := strings.Join(tests[0], "|"), "printed|18|44.453|7|<0.0001|9.267|7, 119|<0.0001|2.4747"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if tests[1][0] != "ours" || tests[1][1] != "4" {
		t.Errorf("%q", tests[1])
	}
	if got, want := strings.Join(a.Comparisons().Rows[0][:8], "|"), "e-r2lml|euclidean|18/0/0|+9.03|<0.0001|<0.0001|1.00/0.00/0.00|4/0/0"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	expect(t, a.Claims(),
		"first-rank-e-r2lml: does not hold, 0 of 5, 13 missing", "first-rank-t-r2lml: cannot be told, 0 of 5, 13 missing",
		"e-r2lml-ahead-of-t-r2lml: cannot be told, 4 of 5, p 1, 13 missing", "everywhere-ahead-of-lmnn-mm: does not hold, 9 of 10, 26 missing")
}

// Eighteen rows on which E-R2LML is ahead, and of rank 1 on all but a few; one of
// T-R2LML is level with LMNN-MM.
func TestAcrossClaims(t *testing.T) {
	made := table.Table{Spec: "accuracy", Columns: []table.Column{studytest.Swept("lmnn-mm"), studytest.Swept(Transductive), studytest.Swept(Efficient)}}
	for i := range 18 {
		row := table.Row{Dataset: strconv.Itoa(i), Name: "Set", N: 100, Cells: []table.Cell{got(50, 100), got(51+i, 100), got(60+2*i, 100)}}
		row.Cells[2].Best = i < 14
		row.Cells[1].Best = i < 8
		made.Rows = append(made.Rows, row)
	}
	a := readAcross(t, made)
	expect(t, a.Claims(), "first-rank-e-r2lml: holds, 14 of 18", "first-rank-t-r2lml: does not hold, 8 of 18", "everywhere-ahead-of-lmnn-mm: holds, 36 of 36",
		"most-sets-printed: cannot be told, 12 of 12", "most-sets-ours: cannot be told, 2 of 12")
	best, ahead, everywhere := a.Stated()
	var printed []string
	for _, b := range best {
		printed = append(printed, fmt.Sprintf("%s %d", b.Reading, b.Printed))
	}
	// Counted by hand in Table 2: E-R2LML is highest on A B E F J K L M, T-R2LML on G I M P R.
	if want := []string{"rank 1 14", "rank 1 9", "the highest accuracy 8", "the highest accuracy 5"}; !slices.Equal(printed, want) {
		t.Errorf("printed: %q, want %q", printed, want)
	}
	if p := ahead.Printed; ahead.Verdict != Holds || ahead.Ours.Wins != 18 || p.Wins != 12 || p.Rows() != 18 || math.Abs(p.Holm-0.407) > 5e-4 || ahead.P > Level {
		t.Errorf("%+v", ahead)
	}
	if p := everywhere.Printed; p[0].Wins != 15 || p[1].Wins != 12 {
		t.Errorf("%+v", everywhere)
	}
	made.Rows[3].Cells[1] = got(50, 100)
	made.Rows[0].Cells[2], made.Rows[1].Cells[1] = missing(), missing()
	expect(t, readAcross(t, made).Claims(), "first-rank-e-r2lml: cannot be told, 13 of 17, 1 missing", "first-rank-t-r2lml: does not hold, 6 of 17, 1 missing",
		"everywhere-ahead-of-lmnn-mm: does not hold, 33 of 34, 2 missing")
}

// Means over seeds decide, whatever their number: seed 1 of E-R2LML is behind on A,
// its mean is ahead; on B means of one, two and three seeds are equal.
func TestAcrossMeans(t *testing.T) {
	made := table.Table{Spec: "accuracy", Columns: []table.Column{studytest.Swept("lmnn-mm"), studytest.Swept(Transductive), studytest.Swept(Efficient)}}
	made.Rows = []table.Row{
		{Dataset: "a", Letter: "A", Name: "Set", N: 70, Cells: []table.Cell{got(50, 70), got(51, 70), got(49, 70)}},
		{Dataset: "b", Letter: "B", Name: "Set", N: 70, Cells: []table.Cell{got(60, 70), got(60, 70), got(58, 70)}},
		{Dataset: "c", Letter: "C", Name: "Set", N: 70, Cells: []table.Cell{got(60, 70), missing(), got(58, 70)}},
	}
	a := readAcross(t, made, Runs{"a", Efficient, []int{49, 53, 54}, 70}, Runs{"a", Transductive, []int{51, 50}, 70},
		Runs{"b", Efficient, []int{58, 61, 61}, 70}, Runs{"b", Transductive, []int{60, 60}, 70}, Runs{"c", Transductive, []int{61}, 70})
	if got, want := a.Ours.Scores.Rows, []table.ScoreRow{
		{Name: "A Set", N: 420, Right: []int{300, 303, 312}}, {Name: "B Set", N: 420, Right: []int{360, 360, 360}},
		{Name: "C Set", N: 70, Right: []int{60, 61, 58}},
	}; !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	if c, _ := a.Ours.Find(Efficient, Transductive); c.Wins != 1 || c.Ties != 1 || c.Losses != 1 {
		t.Errorf("%+v", c)
	}
	expect(t, a.Claims(), "highest-e-r2lml: cannot be told, 2 of 3, 15 missing", "highest-t-r2lml: cannot be told, 2 of 3, 15 missing")
	listed(t, a.Ranks(), "lmnn-mm|4.75|2.33|1")      // 3, 2 and 2
	listed(t, a.Ranks(), "t-r2lml|3.50|1.67|1 to 2") // 2, 2 and 1
	listed(t, a.Ranks(), "e-r2lml|2.11|2.00|1 to 3") // 1, 2 and 3
}

// Numbers of seeds with a large common multiple are rounded, not overflown.
func TestMeanScoresOfManySeeds(t *testing.T) {
	made := table.Table{Columns: []table.Column{studytest.Swept("x"), studytest.Swept("y")}, Rows: []table.Row{
		{Dataset: "a", N: 10000, Cells: []table.Cell{got(1, 10000), got(1, 10000)}},
	}}
	scores, _ := meanScores(made, []Runs{
		{"a", "x", slices.Repeat([]int{9999}, 1021), 10000}, {"a", "y", append(slices.Repeat([]int{1}, 1030), 2032), 10000}, // sum 3062
	})
	if r := scores.Rows[0]; r.N != 10000*finest || r.Right[0] != 9999*finest || math.Abs(float64(r.Right[1])/finest-3062.0/1031) > 1e-6 {
		t.Errorf("%+v", r)
	}
}

// All data sets agree on one order of two methods: F is infinite.
func TestAcrossAgreed(t *testing.T) {
	a := readAcross(t, table.Table{Spec: "accuracy", Columns: []table.Column{studytest.Swept(Transductive), studytest.Swept(Efficient)}, Rows: []table.Row{
		{Name: "A", N: 10, Cells: []table.Cell{got(5, 10), got(6, 10)}},
		{Name: "B", N: 10, Cells: []table.Cell{got(5, 10), got(7, 10)}},
	}})
	if got, want := strings.Join(a.Tests().Rows[1], "|"), "ours|2|2.000|1|0.16|∞|1, 1|<0.0001|1.3859"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got := a.Ours.Support(); got != Unknown {
		t.Errorf("%v", got)
	}
}

// Any cells may be missing, and all of them.
func TestAcrossAnyMissing(t *testing.T) {
	made := studytest.Across()
	for share := range 4 {
		a := readAcross(t, studytest.Without(made, func(row, column int) bool { return (row*7+column)%4 < share }))
		sound(t, "across", a)
	}
	none := readAcross(t, table.Table{})
	sound(t, "across", none)
	if !none.Empty() || none.Ours.Ranked {
		t.Errorf("%+v", none.Coverage)
	}
}
