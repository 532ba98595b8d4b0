package study

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"r2lmlbench/results/study/studytest"
	"r2lmlbench/results/table"
	"r2lmlbench/stats"
)

// ruleRuns are two runs with every number of a table of splits: the printed
// accuracies are above their means by so many points, rounded to hundredths.
func ruleRuns(made table.Table, above func(set, method int) float64) []Runs {
	var all []Runs
	for i, printed := range table.PublishedScores().Rows {
		at := slices.IndexFunc(made.Rows, func(r table.Row) bool { return r.Letter == printed.Name })
		for j := range made.Columns {
			if at < 0 || made.Rows[at].N == 0 {
				continue
			}
			mean := printed.Right[j] - int(math.Round(100*above(i, j)))
			all = append(all, Runs{made.Rows[at].Dataset, made.Columns[j].ID, []int{2*mean - 50, 2*mean + 50}, made.Rows[at].N})
		}
	}
	return all
}

// files are the splits that authors published, one of them by a pattern of its own.
var files = []AuthorFile{{"A", "Robot", true}, {"D", "Wine Quality", false}, {"I", "Ionosphere", false}}

func readSplitRule(t *testing.T, made table.Table, above func(set, method int) float64) SplitRule {
	t.Helper()
	s, err := ReadSplitRule(Input{Table: made, Runs: ruleRuns(made, above), Files: files})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// small is a rest of at most 0.3 points without a pattern.
func small() func(int, int) float64 {
	draw := rand.New(rand.NewPCG(3, 4))
	return func(int, int) float64 { return 0.6*draw.Float64() - 0.3 }
}

func closeTo(a, b float64) bool { return math.Abs(a-b) < 1e-6 }

// The effects put in come out of both fits, and methods that are off by themselves
// move no data set.
func TestSplitRuleKnownEffects(t *testing.T) {
	s := readSplitRule(t, studytest.Splits(), func(_, method int) float64 { return studytest.SplitMethods[method] })
	if len(s.Numbers) != 40 || s.Numbers[0].Seeds != 2 || s.Numbers[0].Splits != 2 {
		t.Fatalf("%d numbers, the first %+v", len(s.Numbers), s.Numbers[0])
	}
	for i, effect := range studytest.SplitRows {
		for name, f := range map[string]stats.TwoWay{"means": s.Random.Means, "medians": s.Random.Median} {
			if !closeTo(f.Center+f.Rows[i]-effect, 0) {
				t.Errorf("random splits, %s: set %d is %g off, want %g", name, i, f.Center+f.Rows[i], effect)
			}
		}
		if f := s.Rule.Means; !closeTo(f.Center+f.Rows[i], 0) {
			t.Errorf("rule: set %d is %g off", i, f.Center+f.Rows[i])
		}
	}
	// Standard deviations with divisor n-1 of -20 0 4 -6 2 and of 1 -1 0 0 2 -2 0 0.
	if d := s.Random.Deviations(); !closeTo(d.Rows, math.Sqrt(376.0/4)) || !closeTo(d.Methods, math.Sqrt(10.0/7)) || !closeTo(d.Rest, 0) {
		t.Errorf("%+v", d)
	}
	// Distances of 20 0 4 6 2 from the median 0 have the median 4, those of the
	// methods 0.5.
	if d := s.Random.MedianDeviations(); !closeTo(d.Rows, 4*1.4826) || !closeTo(d.Methods, 0.5*1.4826) || !closeTo(d.Rest, 0) {
		t.Errorf("%+v", d)
	}
	if d := s.Rule.Deviations(); !closeTo(d.Rows, 0) || !closeTo(d.Methods, math.Sqrt(10.0/7)) {
		t.Errorf("%+v", d)
	}
	if near, far := s.Rule.Near(offBy), s.Random.Near(offBy); near != (Total{5, 5}) || far != (Total{1, 5}) {
		t.Errorf("%+v and %+v", near, far)
	}
	if rho := s.Agreement(); !closeTo(rho, 1) {
		t.Errorf("agreement %g", rho)
	}
}

// The claims hold if the split is that of the rule, and fail where it is not.
func TestSplitRuleClaims(t *testing.T) {
	made := studytest.Splits()
	expect(t, readSplitRule(t, made, small()).Claims(), "files-by-rule: counted, 2 of 3")
	claim := func(s SplitRule, id string) Claim {
		for _, c := range s.Claims() {
			if c.ID == id {
				return c
			}
		}
		t.Fatalf("no claim %s", id)
		return Claim{}
	}
	theirs := readSplitRule(t, made, small())
	for id, want := range map[string]string{
		"nearer-to-rule": Holds, "sets-nearer-to-rule": Undecided, "rows-differ-from-rule": Undecided,
	} {
		if c := claim(theirs, id); c.Verdict != want {
			t.Errorf("the rule's: %+v, want %s", c, want)
		}
	}
	if n := theirs.NearerSets(); n.Rule != 4 || n.Equal != 1 || n.P != 0.125 { // 2·(1/2)⁴; set 1 has no effect
		t.Errorf("%+v", n)
	}
	rest := small()
	others := readSplitRule(t, made, func(set, method int) float64 { return []float64{-40, 30, -25, 20, 10}[set] + rest(set, method) })
	for id, want := range map[string]string{
		"nearer-to-rule": Fails, "sets-nearer-to-rule": Undecided, "rows-differ-from-rule": Holds,
	} {
		if c := claim(others, id); c.Verdict != want {
			t.Errorf("another split: %+v, want %s", c, want)
		}
	}
}

// A method that is far off on one data set moves the fit by medians by nothing to
// speak of.
func TestSplitRuleOutlier(t *testing.T) {
	rest := small()
	s := readSplitRule(t, studytest.Splits(), func(set, method int) float64 {
		if set == 2 && method == 6 {
			return 40
		}
		return rest(set, method)
	})
	if d := s.Rule.Deviations(); d.Rows < 1.5 {
		t.Errorf("least squares: %+v", d)
	}
	if d := s.Rule.MedianDeviations(); d.Rows > 0.3 || d.Methods > 0.3 || d.Rest > 0.3 {
		t.Errorf("medians: %+v", d)
	}
	if near := s.Rule.Near(offBy); near != (Total{5, 5}) {
		t.Errorf("%+v", near)
	}
}

// Numbers without one of the references take no part, and ties are no vote.
func TestSplitRuleGaps(t *testing.T) {
	made := studytest.Splits()
	made = studytest.Without(made, func(row, column int) bool { return column == 6 && row > 1 || row == 0 && column == 0 })
	runs := ruleRuns(made, small())
	runs = slices.DeleteFunc(runs, func(r Runs) bool { return r.Dataset == "3" })
	for i := range runs {
		if runs[i].Dataset == "1" { // set 1 has no effect: the references are equal
			j := slices.IndexFunc(made.Columns, func(c table.Column) bool { return c.ID == runs[i].Method })
			mean := table.PublishedScores().Rows[1].Right[j] - int(100*studytest.SplitMethods[j])
			runs[i].Correct = []int{2 * mean}
		}
	}
	s, err := ReadSplitRule(Input{Table: made, Runs: runs})
	if err != nil {
		t.Fatal(err)
	}
	if n := len(s.Numbers); n != 4*8-3 || s.Numbers[0].Splits != 1 {
		t.Errorf("%d numbers, the first %+v", n, s.Numbers[0])
	}
	if n := s.Nearer(); n.Equal != 7 || n.Rule+n.Random != 22 {
		t.Errorf("%+v", n)
	}
	if n := s.NearerSets(); n.Equal != 1 || n.Rule != 3 {
		t.Errorf("%+v", n)
	}
	listed(t, s.SetEffects(), "D|Set|-|-|-|-|0 of 0")
	listed(t, s.MethodEffects(), "t-r2lml|")
	sound(t, "split-rule", s)
	if got := len(s.Claims()); got != 4 {
		t.Errorf("%d claims without files, want 4", got)
	}
}
