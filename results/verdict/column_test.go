package verdict_test

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	. "r2lmlbench/results/verdict"
)

// fitted is evidence on 50.00 with runs so many points away under choice on
// validation and on test.
func fitted(letter, column string, validation, test int) Evidence {
	e := number(letter, column, "50.00", of(Stated, "", 50+validation), of(OnTest, "", 50+test))
	e.Proposed = strings.HasPrefix(column, "new")
	return e
}

// TestColumnFit: residuals 4, -3, 2 and 1 under validation, 1, 0, -1 and 1 on test. The
// median of 48 and 60 is 54. Preferences are 3, 3, 1 and 0, of which Wilcoxon's exact p is
// 2/8. The scales of the others are (3+2+1)/3 = 2, 7/3, 8/3 and 3, and on test 2/3, 1,
// 2/3 and 2/3.
func TestColumnFit(t *testing.T) {
	first := number("A", "m", "50.00", of(Stated, "", 48, 60), of(OnTest, "", 51))
	first.Figures = runs(100, 52, 53, 90)
	first.Protocols = append(first.Protocols, of(Tied, "", 54, 56), of(Open, "a 2", 48))
	last := fitted("D", "m", 1, 1)
	last.Protocols = append(last.Protocols, of(Open, "a 2", 50), of(Open, "a 10", 47))
	evidence := []Evidence{
		first, fitted("B", "m", -3, 0), fitted("C", "m", 2, -1), last,
		number("E", "m", "50.00", of(Stated, "", 50)), number("F", "m", "50.00", of(OnTest, "", 50)), fitted("A", "single", 1, 1),
	}
	f := NewFits(evidence)
	if len(f.Columns) != 1 || f.Interaction != nil {
		t.Fatalf("%+v", f)
	}
	c := f.Columns[0]
	for _, s := range []struct {
		got  FitSummary
		want string
	}{{c.Validation, "{4 2.5 2.5 1}"}, {c.OnTest, "{4 1 0.75 4}"}, {c.Figures, "{1 3 3 0}"}} {
		if got := fmt.Sprint(s.got); got != s.want {
			t.Errorf("%s, want %s", got, s.want)
		}
	}
	if c.Method != "m" || c.Proposed || len(c.Rows) != 4 || *c.Rows[0].Figures != 3 || c.Rows[1].Figures != nil || c.Rows[0].Margin != 1 {
		t.Errorf("%+v", c)
	}
	want := []OtherFit{{2, "", FitSummary{1, 5, 5, 0}, 4, 1}, {3, "a 2", FitSummary{2, 1, 1, 1}, 2.5, 1}, {3, "a 10", FitSummary{1, 3, 3, 0}, 1, 1}}
	if !slices.Equal(c.Others, want) {
		t.Errorf("others %+v, want %+v", c.Others, want)
	}
	if c.PreferenceP != 0.25 {
		t.Errorf("p %g", c.PreferenceP)
	}
	log := func(x, b float64) float64 { return -math.Log(2*b) - math.Abs(x)/b }
	gain := log(1, 2.0/3) + log(0, 1) + log(1, 2.0/3) + log(1, 2.0/3) - log(4, 2) - log(3, 7.0/3) - log(2, 8.0/3) - log(1, 3)
	if math.Abs(c.LogLikelihood-gain) > 1e-5 || c.LogInterval[0] > c.LogLikelihood || c.LogInterval[1] < c.LogLikelihood {
		t.Errorf("gain %g in %v, want %g", c.LogLikelihood, c.LogInterval, gain)
	}
	if again := NewFits(evidence); !reflect.DeepEqual(again, f) {
		t.Error("another result for the same evidence")
	}
}

// families is evidence of two proposed methods and two baselines on eight rows, with
// such differences under choice on validation and 1 under choice on test.
func families(proposed, baseline int) []Evidence {
	var all []Evidence
	for _, letter := range strings.Split("ABCDEFGH", "") {
		for _, m := range []string{"old 1", "old 2", "new 1", "new 2"} {
			points := baseline
			if strings.HasPrefix(m, "new") {
				points = proposed
			}
			all = append(all, fitted(letter, m, points, 1))
		}
	}
	return all
}

// TestInteraction: preferences of 8 and 0 in all rows; 1 in 6^8 permutations has a
// difference as large.
func TestInteraction(t *testing.T) {
	i := NewFits(families(9, 1)).Interaction
	if i == nil || i.Rows != 8 || i.Points != 8 || i.P > 0.0001 || i.Draws != 99999 || !slices.Equal(i.Proposed, []string{"new 1", "new 2"}) ||
		!slices.Equal(i.Baselines, []string{"old 1", "old 2"}) || i.Means[0] != (Mean{"old 1", 0}) || i.Means[3] != (Mean{"new 2", 8}) {
		t.Errorf("%+v", i)
	}
	if i = NewFits(families(1, 9)).Interaction; i.Points != -8 || i.P != 1 {
		t.Errorf("the other way round: %+v", i)
	}
	if i = NewFits(families(3, 3)).Interaction; i.Points != 0 || i.P != 1 {
		t.Errorf("no difference: %+v", i)
	}
	missing := slices.DeleteFunc(families(9, 1), func(e Evidence) bool { return e.Column == "new 1" && e.Published.Letter < "D" })
	if i = NewFits(missing).Interaction; i.Rows != 5 {
		t.Errorf("%d rows that all have, want 5", i.Rows)
	}
	old := slices.DeleteFunc(families(9, 1), func(e Evidence) bool { return e.Proposed })
	if i = NewFits(old).Interaction; i != nil {
		t.Errorf("of baselines alone: %+v", i)
	}
}

// Holm's correction over three columns: p is 2/256 for the two whose eight rows all
// favour one choice and 1 for the third. The likelihoods have no part in it.
func TestFitsAfterHolm(t *testing.T) {
	f := NewFits(slices.Concat(columnOf("a", 9, 1), columnOf("b", 1, 9), columnOf("c", 2, 2)))
	want := []struct {
		holm float64
		fits string
	}{{0.0234375, FitsOnTest}, {0.0234375, FitsValidation}, {1, FitsUndecided}}
	for i, c := range f.Columns {
		if math.Abs(c.PreferenceHolm-want[i].holm) > 1e-6 || c.Fits() != want[i].fits {
			t.Errorf("%s: p %g, %s", c.Method, c.PreferenceHolm, c.Fits())
		}
	}
	if f = NewFits(columnOf("a", 9, 1)[:5]); f.Columns[0].PreferenceHolm != 0.0625 || f.Columns[0].Fits() != FitsUndecided {
		t.Errorf("5 of 5 rows: p %g, %s", f.Columns[0].PreferenceHolm, f.Columns[0].Fits())
	}
}

// columnOf is a column of eight rows with such differences under both choices.
func columnOf(column string, validation, test int) []Evidence {
	var all []Evidence
	for _, letter := range strings.Split("ABCDEFGH", "") {
		all = append(all, fitted(letter, column, validation, test))
	}
	return all
}

// The caveat is that of the grids: new 2 alone prefers choice on test, and has 63
// settings where the others have 5.
func TestInteractionOfOne(t *testing.T) {
	evidence := slices.Concat(columnOf("old 1", 1, 1), columnOf("old 2", 1, 1), columnOf("new 1", 1, 1), columnOf("new 2", 9, 1))
	for i := range evidence {
		evidence[i].Settings = 5
		if evidence[i].Column == "new 2" {
			evidence[i].Settings = 63
		}
	}
	i := NewFits(evidence).Interaction
	if len(i.Alone) != 2 || i.Alone[0].Points != 0 || i.Alone[0].P != 1 || i.Alone[1].Points != 8 || !(i.Alone[1].P < 0.001) || i.Settings != [2]int{5, 63} {
		t.Fatalf("%+v", i)
	}
	said := i.Sentences()
	if !strings.Contains(said[2], "new 1 0.00 (p = 1) and new 2 +8.00 (p = ") || !strings.HasPrefix(said[3], "But grids have 5 to 63 settings") {
		t.Errorf("%q", said)
	}
	i.Settings[1] = 5
	if said = i.Sentences(); !strings.HasPrefix(said[3], "The grids of all methods have the same size.") {
		t.Errorf("%q", said)
	}
}

// Alternatives are named only where choice on test fits better and they are farther
// from print.
func TestAlternatives(t *testing.T) {
	column := func(others ...OtherFit) Fits {
		return Fits{Columns: []ColumnFit{{Method: "m", PreferenceHolm: 0.01, RankSums: [2]float64{9, 1}, Others: others}}}
	}
	far, near := OtherFit{2, "", FitSummary{Rows: 8, Mean: 9}, 9, 3}, OtherFit{3, "a 2", FitSummary{Rows: 1, Mean: 2}, 9, 3}
	joint := OtherFit{3, "unlabeled joint", FitSummary{Rows: 6, Mean: 4}, 9, 3}
	f := column(far, near, joint)
	want := []string{
		"m, 8 rows: validation ties explain the column less well than choice on test, with a mean difference of 9.00 points instead of 3.00.",
		"m, 6 rows: joint validation (unlabeled joint) explains the column less well than choice on test, with a mean difference of 4.00 points instead of 3.00.",
	}
	if got := f.Alternatives(); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	f.Columns[0].RankSums = [2]float64{1, 9}
	if got := f.Alternatives(); got != nil {
		t.Errorf("of a column that choice on validation fits better: %q", got)
	}
}

// Sentences turn round with the numbers.
func TestFitSentences(t *testing.T) {
	const wilcoxon = " p is that of Wilcoxon's signed-rank test after Holm's correction."
	const caveat = "The grids of all methods have the same size. The test also exchanges the methods of a row, as if they were exchangeable."
	for _, c := range []struct {
		evidence []Evidence
		want     []string
	}{
		{families(9, 1), []string{
			"Choice on test fits the printed values better: new 1 (nearer on 8 of 8 rows, p = 0.031) and new 2 (nearer on 8 of 8 rows, p = 0.031)." + wilcoxon,
			"Neither choice fits significantly better (smallest p after Holm's correction = 1): old 1 and old 2.",
			"On 8 rows choice on test is nearer to print by so many points: old 1 0.00, old 2 0.00, new 1 +8.00 and new 2 +8.00.",
			"On 8 rows choice on test moves the proposed methods nearer to print by 8.00 points on average, " +
				"and the baselines with a grid nearer by 0.00. The difference, 8.00, is more than by chance (p < 0.0001).",
			"Against the same baselines each proposed method by itself has: new 1 +8.00 (p = 0.00021) and new 2 +8.00 (p = 0.00021).", caveat,
		}},
		{families(1, 9), []string{
			"Choice on test fits the printed values better: old 1 (nearer on 8 of 8 rows, p = 0.031) and old 2 (nearer on 8 of 8 rows, p = 0.031)." + wilcoxon,
			"Neither choice fits significantly better (smallest p after Holm's correction = 1): new 1 and new 2.",
			"On 8 rows choice on test is nearer to print by so many points: old 1 +8.00, old 2 +8.00, new 1 0.00 and new 2 0.00.",
			"On 8 rows choice on test moves the proposed methods nearer to print by 0.00 points on average, " +
				"and the baselines with a grid nearer by 8.00. The difference, -8.00, is no more than by chance (p = 1).",
			"Against the same baselines each proposed method by itself has: new 1 -8.00 (p = 1) and new 2 -8.00 (p = 1).", caveat,
		}},
		{columnOf("old", 1, 9), []string{"Choice on validation fits the printed values better: old (nearer on 8 of 8 rows, p = 0.0078)." + wilcoxon}},
		{nil, nil},
	} {
		if got := NewFits(c.evidence).Sentences(); !slices.Equal(got, c.want) {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
	away := Interaction{Proposed: []string{"a", "b"}, Baselines: []string{"c"}, Points: 1, P: 0.2, Rows: 1, Means: []Mean{{"a", -1}, {"b", -3}, {"c", -3}}}
	want := "On 1 row choice on test moves the proposed methods away from print by 2.00 points on average, and the baselines with a grid away by 3.00. " +
		"The difference, 1.00, is no more than by chance (p = 0.2)."
	if got := away.Sentences()[1]; got != want {
		t.Errorf("%q", got)
	}
}
