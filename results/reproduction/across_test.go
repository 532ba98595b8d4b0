package reproduction

import (
	"math"
	"reflect"
	"strconv"
	"testing"

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
		d, ok := printedOverview().find(c.first, c.second)
		got := d.posterior
		if !ok || math.Abs(got.First-c.want.First) > 0.01 || math.Abs(got.Equal-c.want.Equal) > 0.01 || math.Abs(got.Second-c.want.Second) > 0.01 {
			t.Errorf("%s and %s: %+v, want %+v", c.first, c.second, got, c.want)
		}
	}
}

// The same table has the same comparisons in every call, and the pair of the paper's
// own methods is one of the 13, not two.
func TestOverviewIsDeterministic(t *testing.T) {
	if again := newOverview(table.PublishedScores()); len(again.comparisons) != 13 || !reflect.DeepEqual(again, printedOverview()) {
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
			case efficient:
				r.Right[i] += 100 * e
			case transductive:
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

func TestOverviewVerdict(t *testing.T) {
	if got := printedOverview().verdict(); got != byCounts {
		t.Errorf("as printed: it %s", got)
	}
	for _, c := range []struct {
		name   string
		scores table.Scores
		want   string
	}{
		{"much better", like(40, 40), supported},
		{"much worse", like(0, -40), unsupported},
		{"significantly worse is no support", like(-40, -40), unsupported},
		{"one row missing", drop(like(40, 40), "itml", 1), supported},
		{"many rows missing", drop(like(40, 40), "itml", 5), untold},
		{"missing, and refuted by what is there", drop(like(-40, 0), "itml", 5), unsupported},
		{"a method without any result", drop(like(40, 40), efficient, 10), untold},
		{"nothing", table.Scores{}, untold},
	} {
		if got := newOverview(c.scores).verdict(); got != c.want {
			t.Errorf("%s: it %s, want it %s", c.name, got, c.want)
		}
	}
}

func TestComparison(t *testing.T) {
	scores := table.Scores{Methods: []string{"e-r2lml", "x"}, Rows: []table.ScoreRow{
		{Name: "a", N: 10, Right: []int{5, 4}}, {Name: "b", N: 20, Right: []int{5, 5}}, {Name: "c", N: 40, Right: []int{5, 20}},
		{Name: "d", N: 10, Right: []int{5, 3}}, {Name: "e", N: 10, Right: []int{-1, 3}},
	}}
	d := newOverview(scores).comparisons[0]
	// +10, 0, -37.5 and +20 points: rank sums 3 and 3 of three differences.
	if d.wins != 2 || d.ties != 1 || d.losses != 1 || d.median != 5 || d.p != 1 || d.holm != 1 || d.significant() {
		t.Errorf("%+v", d)
	}
	if holds, refuted := d.most(5); holds || refuted {
		t.Errorf("2 of 5 rows, one of them open: holds %v, refuted %v", holds, refuted)
	}
	if holds, refuted := d.most(4); holds || !refuted {
		t.Errorf("2 of 4 rows: holds %v, refuted %v", holds, refuted)
	}
}

// The section has the values that R gives for the printed table, and rows with
// a missing cell are named.
func TestAcross(t *testing.T) {
	table := clone(acrossTable())
	table.Rows[1].Name = "Gap & Co"
	table.Rows[1].Cells[0] = failed()
	s := across(table)
	check(t, s.markdown(),
		"| printed | 18 | 44.453 | 7 | 1.75e-07 | 9.267 | 7, 119 | 4.03e-09 | 2.4747 |",
		"| ours | 4 |",
		"The ranks of ours leave out 1 row on which a method has no result: B Gap &amp; Co.",
		"| e-r2lml | euclidean | 18/0/0 | +9.03 | 7.63e-06 | 9.92e-05 | 1.00/0.00/0.00 | 4/0/0 |",
	)
	if want := "Of 4 statements about the methods 0 hold here, 2 do not and 2 cannot be told."; s.gist != want {
		t.Errorf("gist %q, want %q", s.gist, want)
	}
}

// Eighteen rows on which E-R2LML is ahead, and of rank 1 on all but a few; one of
// T-R2LML is level with LMNN-MM.
func TestAcrossClaims(t *testing.T) {
	ranked := table.Table{Spec: "accuracy", Columns: []table.Column{swept("lmnn-mm"), swept(transductive), swept(efficient)}}
	for i := range 18 {
		row := table.Row{Dataset: strconv.Itoa(i), Name: "Set", N: 100, Cells: []table.Cell{got(50, 100), got(51+i, 100), got(60+2*i, 100)}}
		row.Cells[2].Best = i < 14
		row.Cells[1].Best = i < 8
		ranked.Rows = append(ranked.Rows, row)
	}
	text := across(ranked).markdown()
	check(t, text,
		"e-r2lml achieves the best performance for 14 out of the 18 data sets. Here it has rank 1 on 14 of 18 (14): **holds**.",
		"t-r2lml achieves the best performance for 9 out of the 18 data sets. Here it has rank 1 on 8 of 18 (9): **does not hold**.",
		"e-r2lml outperforms t-r2lml. Here it is the more accurate one on 18 of 18, p = ",
		"after Holm's correction (12 of 18, p = 0.407): **holds**.",
		"Here e-r2lml is the more accurate one on 18 of 18 and t-r2lml is the more accurate one on 18 of 18 (15 of 18 and 12 of 18): **holds**.",
		"Of 4 statements about the methods 3 hold here, 1 do not and 0 cannot be told.")
	ranked.Rows[3].Cells[1] = got(50, 100)
	ranked.Rows[0].Cells[2], ranked.Rows[1].Cells[1] = missing(), missing()
	check(t, across(ranked).markdown(),
		"Here it has rank 1 on 13 of 17 (14): **cannot be told (1 cell without a result)**.",
		"Here it has rank 1 on 6 of 17 (9): **does not hold**.",
		"t-r2lml is the more accurate one on 16 of 17 (15 of 18 and 12 of 18): **does not hold**.")
}

// All data sets agree on one order of two methods: F is infinite.
func TestAcrossAgreed(t *testing.T) {
	table := table.Table{Spec: "accuracy", Columns: []table.Column{swept(transductive), swept(efficient)}, Rows: []table.Row{
		{Name: "A", N: 10, Cells: []table.Cell{got(5, 10), got(6, 10)}},
		{Name: "B", N: 10, Cells: []table.Cell{got(5, 10), got(7, 10)}},
	}}
	check(t, across(table).markdown(), "| ours | 2 | 2.000 | 1 | 0.157 | ∞ | 1, 1 | 0 | 1.3859 |", "it **cannot be told**.")
}

func TestNumbers(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{number(math.NaN(), 'f', 2), "-"},
		{number(math.Inf(1), 'f', 2), "∞"},
		{number(0.000123456, 'g', 3), "0.000123"},
		{signed(-0.001), "0.00"},
		{signed(1), "+1.00"},
		{signed(-2.5), "-2.50"},
		{orNone(""), "none"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}
