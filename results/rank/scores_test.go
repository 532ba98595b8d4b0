package rank

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"r2lmlbench/internal/fixture"
	"r2lmlbench/stats"
)

// demsar is Table 6 of Demšar 2006, AUC of four variants of C4.5. On voting the third and the
// fourth are printed alike and ranked 2 and 3, so that the third is a little more here.
const demsar = `dataset,C4.5,C4.5+m,C4.5+cf,C4.5+m+cf
adult,0.763,0.768,0.771,0.798
breast cancer,0.599,0.591,0.590,0.569
breast cancer wisconsin,0.954,0.971,0.968,0.967
cmc,0.628,0.661,0.654,0.657
ionosphere,0.882,0.888,0.886,0.898
iris,0.936,0.931,0.916,0.931
liver disorders,0.661,0.668,0.609,0.685
lung cancer,0.583,0.583,0.563,0.625
lymphography,0.775,0.838,0.866,0.875
mushroom,1.000,1.000,1.000,1.000
primary tumor,0.940,0.962,0.965,0.962
rheum,0.619,0.666,0.614,0.669
voting,0.972,0.981,0.9751,0.975
wine,0.957,0.978,0.946,0.970
`

func scoresOf(t testing.TB, data string, lower bool) Scores {
	t.Helper()
	s, ok, err := readScores("s.csv", []byte(data), lower)
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	return s
}

// Average ranks 3.143, 2.000, 2.893, 1.964, chi-squared 9.28, F 3.69 and the critical
// difference 1.25 are as printed there; those corrected for ties by R: friedman.test.
func TestDemsar(t *testing.T) {
	s := scoresOf(t, demsar, false)
	_, err := s.Complete(false)
	fixture.Check(t, err)
	r := s.Rank(0.05)
	got := ""
	for _, one := range r.Systems {
		got += fmt.Sprintf("%s %.3f, ", one.System, one.Rank)
	}
	fixture.Equal(t, "ranks", got, "C4.5+m+cf 1.964, C4.5+m 2.000, C4.5+cf 2.893, C4.5 3.143, ")
	f := r.Friedman
	fixture.Equal(t, "as printed", fmt.Sprintf("%.2f %.2f %.2f", f.Plain, *f.PlainF, r.Critical), "9.28 3.69 1.25")
	fixture.Near(t, "chi-squared", f.ChiSquared, 10.2283464566929, 1e-9)
	fixture.Near(t, "p", f.P, 0.0167215803284414, 1e-12)
	fixture.Equal(t, "degrees of freedom", fmt.Sprint(f.DF, f.DF2), "3 39")
	fixture.Equal(t, "groups", len(r.Groups), 1)
	if p := r.Pairs[0]; p.A != "C4.5" || p.B != "C4.5+m" || !(p.Holm >= p.Wilcoxon) || !(*p.ABetter < 0.05) {
		t.Errorf("%+v", p)
	}
	_, err = json.Marshal(r)
	fixture.Check(t, err)
}

// The three forms of one table are ranked alike, also turned round with lower as better.
func TestFormsOfScores(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		matrix, pandas, long, turned := "dataset,a,b,c\n", ",a,b,c\n", "dataset,system,score\n", "dataset,a,b,c\n"
		for i := range rapid.IntRange(2, 6).Draw(t, "sets") {
			line, back := "", ""
			for _, system := range []string{"a", "b", "c"} {
				x := float64(rapid.IntRange(2, 9).Draw(t, "score")) / 4
				line, back = line+fmt.Sprint(",", x), back+fmt.Sprint(",", -x)
				long += fmt.Sprintf("d%d,%s,%g\nd%[1]d,%[2]s,%[4]g\n", i, system, x-0.5, x+0.5) // two splits
			}
			matrix, pandas, turned = matrix+fmt.Sprint("d", i, line, "\n"), pandas+fmt.Sprint("d", i, line, "\n"), turned+fmt.Sprint("d", i, back, "\n")
		}
		rank := func(data string, lower bool) string {
			s, ok, err := readScores("s.csv", []byte(data), lower)
			if err == nil && ok {
				_, err = s.Complete(false)
			}
			if err != nil || !ok {
				t.Fatal(ok, err)
			}
			return fmt.Sprint(s.Sets, s.Systems, s.Numbers)
		}
		want := rank(matrix, false)
		for name, got := range map[string]string{"pandas": rank(pandas, false), "long": rank(long, false), "lower": rank(turned, true)} {
			fixture.Equal(t, name, got, want)
		}
	})
}

// Scores that are missing or no numbers are refused by name; with common their data sets are
// left out. Files of answers are not scores.
func TestScoresRefuse(t *testing.T) {
	for _, c := range []struct{ data, want string }{
		{"dataset,a,b\nd1,1,2\nd2,3,\n", "b has no score on d2"},
		{"dataset,a,b\nd1,1,NaN\nd2,3,4\n", "b has no score on d1"},
		{"dataset,a,b\nd1,1,2\nd2,3,x\n", `s.csv:3: b has the score "x" on d2, want a number`},
		{"dataset,a,b\nd1,1,2\nd2,3\n", "s.csv:3:4: 2 fields, want 3"},
		{"dataset,system,score\nd1,a,1\nd1,a,2\nd1,b,1\n", "b has 1 of 2 scores on d1"},
		{"dataset,a,a\nd1,1,2\n", `two columns are called "a"`},
		{"dataset,a,b\nd1,1,2\n", "1 data set of 2 systems"},
	} {
		s, _, err := readScores("s.csv", []byte(c.data), false)
		if err == nil {
			_, err = s.Complete(false)
		}
		fixture.Says(t, err, c.want)
	}
	s := scoresOf(t, "dataset,a,b\nd1,1,2\nd2,3,\nd3,1,1\n", false)
	left, err := s.Complete(true)
	fixture.Check(t, err)
	fixture.Equal(t, "left out", fmt.Sprint(left, s.Sets), "[d2] [d1 d3]")
	for _, answers := range []string{"item,a,b\n1,0,1\n", ",a,b\n0,1,0\n1,1,1\n", "item,system,correct\n1,a,1\n", `{"item": 1}`, "a,b"} {
		_, ok, err := readScores("s.csv", []byte(answers), false)
		fixture.Equal(t, answers, ok || err != nil, false)
	}
}

// A file of too many answers or scores is refused by the count of its lines, or where it has none by that of its answers.
func TestTooManyAnswers(t *testing.T) {
	defer func(n int) { maxAnswers = n }(maxAnswers)
	maxAnswers = 4
	long := "item,system,correct\n" + strings.Repeat("1,A,1\n", 5)
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	fixture.Must(io.WriteString(z, long))(t)
	fixture.Check(t, z.Close())
	for text, want := range map[string]string{
		long:                                   "more than 4 rows",
		packed.String():                        "more than 4 rows",
		strings.ReplaceAll(long, "\n", "\r"):   "more than 4 rows",
		strings.ReplaceAll(long, "\n", "\r\n"): "more than 4 rows",
		strings.Repeat(`{"item": 1, "system": "A", "correct": 1}`+"\n", 6):                   "more than 4 rows",
		"dataset,system,score\n" + strings.Repeat("d,A,1\n", 5):                              "more than 4 rows",
		"item,s,t\n1,1,1\n2,1,\n3,1,1\n":                                                     "4 rows of 2 systems are more than 4 answers",
		"dataset,s,t\nd,1,1\ne,1,1\nf,1,1\n":                                                 "4 rows of 2 systems are more than 4 answers",
		`[` + strings.Repeat(`{"item": %d, "system": "A", "correct": 1},`, 5)[:5*42-1] + `]`: "more than 20000 systems or splits, or 4 answers",
	} {
		for strings.Contains(text, "%d") {
			text = strings.Replace(text, "%d", strconv.Itoa(strings.Count(text, "%d")), 1)
		}
		in, err := Open(t.Context(), "big", []byte(text))
		if err == nil {
			var scores bool
			if _, scores, err = in.Scores(false); !scores {
				_, err = in.Answers()
			}
		}
		fixture.Says(t, err, "big:", want)
	}
	for _, text := range []string{"item,system,correct\n1,A,1\n2,A,1\n1,B,1\n2,B,1\n", "item,s,t\n1,1,1\n2,1,1\n", // just as many
		"[\n {\n  \"item\": 1,\n  \"s\": 1,\n  \"t\": 0\n }\n]\n"} { // of more lines
		_, err := readAnswers("four.csv", []byte(text))
		fixture.Check(t, err)
	}
	file := fixture.Write(t, filepath.Join(t.TempDir(), "big.csv"), long)
	fixture.Says(t, fixture.Error(ReadFile("big.csv", file)), "big.csv: more than 4 rows, and at most 4 answers or scores are read; divide it")
}

// Splits of the long form that have names are the same for all systems; others are as many.
func TestSplitsOfScores(t *testing.T) {
	for text, want := range map[string]string{
		"dataset,system,split,score\nd,a,1,0.5\nd,a,2,0.7\nd,b,1,0.4\nd,b,3,0.6\n": "s.csv: a has no score on split 3 of d, and b has one",
		"dataset,system,split,score\nd,a,1,0.5\nd,a,1,0.7\n":                       "s.csv:3: a has a score on split 1 of d already",
		"dataset,system,seed,split,score\nd,a,1,1,0.5\nd,a,1,1,0.7\n":              "s.csv:3: a has a score on split 1/1 of d already",
		"dataset,system,score\nd,a,0.5\nd,a,0.7\nd,b,0.4\n":                        "b has 1 of 2 scores on d",
	} {
		s, _, err := readScores("s.csv", []byte(text), false)
		if err == nil {
			_, err = s.Complete(false)
		}
		fixture.Says(t, err, want)
	}
}

// Where lower is better, means and differences are those of the numbers of the file.
func TestLowerScores(t *testing.T) {
	rankOf := func(data string, lower bool) Ranking {
		s := scoresOf(t, data, lower)
		_, err := s.Complete(false)
		fixture.Check(t, err)
		return s.Rank(0.05)
	}
	high := rankOf("dataset,a,b,c\nd,1,2,4\ne,2,3,1\nf,5,9,2\ng,1,1,2\n", false)
	low := rankOf("dataset,a,b,c\nd,-1,-2,-4\ne,-2,-3,-1\nf,-5,-9,-2\ng,-1,-1,-2\n", true)
	for i, s := range high.Systems {
		fixture.Near(t, s.System+": mean score", s.Mean, map[string]float64{"a": 9. / 4, "b": 15. / 4, "c": 9. / 4}[s.System], 1e-12)
		fixture.Equal(t, "system", low.Systems[i].System, s.System)
		fixture.Near(t, s.System+": mean score", low.Systems[i].Mean, -s.Mean, 1e-12)
	}
	for i, p := range high.Pairs {
		fixture.Near(t, p.A+" minus "+p.B, low.Pairs[i].Difference, -p.Difference, 1e-12)
	}
}

// The mean of some rows does not depend on their order, and all systems with the best average rank lead.
func TestScoresInAnyOrder(t *testing.T) {
	draw := rand.New(rand.NewPCG(1, 1))
	for range 50 {
		data := "dataset,system,score\n"
		for range 2 + draw.IntN(2) {
			x, y, set := float64(draw.IntN(1000))/1000, float64(draw.IntN(1000))/1000, draw.IntN(1e9)
			data += fmt.Sprintf("d%[1]d,a,%[2]v\nd%[1]d,a,%[3]v\nd%[1]d,b,%[3]v\nd%[1]d,b,%[2]v\nd%[1]d,c,-1\nd%[1]d,c,-1\n", set, x, y)
		}
		s := scoresOf(t, data, false)
		_, err := s.Complete(false)
		fixture.Check(t, err)
		fixture.EqualSlice(t, "leaders", s.ranks(0.05).Leaders(), []string{"a", "b"})
	}
}

// Lines whose cells of split and seed are empty are splits without names.
func TestSplitsWithoutNames(t *testing.T) {
	s := scoresOf(t, "dataset,system,split,seed,score\nd,a,,,1\nd,a,,,2\nd,b,,,3\nd,b,,,2\n", false)
	fixture.Equal(t, "means", fmt.Sprint(s.Numbers), "[[1.5 2.5]]")
}

// The answer in words follows the tests: whether the systems differ, and which may be the best.
func TestAnswerOfScores(t *testing.T) {
	for _, c := range []struct{ name, data, want string }{
		{"no difference", "dataset,a,b\nd,1,2\ne,2,1\nf,3,4\n", "shows no difference between the systems"},
		{"all others worse", rowsOfScores(40, "dataset,a,b\n", 1, 2), "b has the best average rank, 1.00 over 40 data sets; all others are significantly worse"},
		{"some not worse", rowsOfScores(40, "dataset,a,b,c\n", 1, 2, 2), "not significantly worse: c"},
		{"no pair", demsar, "The systems differ (Friedman's test over 14 data sets, p = 0.012)"},
	} {
		s := scoresOf(t, c.data, false)
		_, err := s.Complete(false)
		fixture.Check(t, err)
		r := s.Rank(0.05)
		fixture.Has(t, c.name, strings.Join(r.Document().Lead, "\n"), c.want)
	}
	s := scoresOf(t, rowsOfScores(2, "dataset,a,b\n", 1, 2), false)
	r := s.Rank(0.05)
	if written := string(fixture.Must(json.Marshal(r))(t)); !strings.Contains(written, `"f":null`) || !r.Bounded() {
		t.Errorf("an infinite F is written as %s", written)
	}
}

// rowsOfScores has the same scores on so many data sets.
func rowsOfScores(sets int, head string, scores ...int) string {
	var b strings.Builder
	b.WriteString(head)
	for i := range sets {
		fmt.Fprintf(&b, "d%d", i)
		for _, x := range scores {
			fmt.Fprintf(&b, ",%d", x)
		}
		b.WriteString("\n")
	}
	return b.String()
}

// Scores in the forms of other programs are those of the CSV file.
func TestFilesOfScores(t *testing.T) {
	want := scoresOf(t, "dataset,a,b\nd1,0.5,0.25\nd2,,1\n", false)
	for name, data := range map[string]string{
		"semicolons": "dataset;a;b\nd1;0,5;0,25\nd2;;1\n", "tabs": "dataset\ta\tb\nd1\t0.5\t0.25\nd2\tNA\t1\n",
		"comments": "# of May\ndataset,a,b\nd1,0.5,0.25\nd2,-,1\n", "R": "\"a\",\"b\"\n\"d1\",0.5,0.25\n\"d2\",NA,1\n",
		"records": `[{"dataset": "d1", "a": 0.5, "b": 0.25}, {"dataset": "d2", "b": 1}]`,
	} {
		got := scoresOf(t, data, false)
		fixture.Equal(t, name, fmt.Sprint(got.Sets, got.Systems, got.Numbers), fmt.Sprint(want.Sets, want.Systems, want.Numbers))
	}
}

func FuzzScores(f *testing.F) {
	f.Add([]byte(demsar), false)
	f.Add([]byte("dataset,system,score\nd,a,1\n"), true)
	f.Fuzz(func(t *testing.T, data []byte, lower bool) {
		s, ok, err := readScores("f.csv", data, lower)
		if !ok || err != nil || len(s.Systems) > 6 || len(s.Sets) > 12 {
			return
		}
		if _, err := s.Complete(true); err == nil {
			if _, ok := stats.NewStanding(s.Numbers, 0.05); !ok {
				t.Error(s)
			}
		}
	})
}

// A score in percent among shares is told with its data set and system, other numbers are not.
func TestPercentAmongShares(t *testing.T) {
	for data, want := range map[string][]string{
		"dataset,A,B\nd1,81.2,0.79\nd2,0.7,0.75\n":  {"A has 81.2 on d1", "B has 0.79 on d1"},
		"dataset,A,B\nd1,81.2,79\nd2,0.7,0.75\n":    {"B has 79 on d1", "B has 0.75 on d2"},
		"dataset,A,B\nd1,-81.2,-79\nd2,-0.7,-0.5\n": {"d1", "A has 0.7 on d2"},
		"dataset,A,B\nd1,81.2,79\nd2,70,5\n":        nil,
		"dataset,A,B\nd1,0.5,1\nd2,0,0.2\n":         nil,
		"dataset,A,B\nd1,5,0.9\nd2,2,0.8\n":         nil, // times, errors
		"dataset,A,B\nd1,2000,0.9\nd2,3000,0.8\n":   nil,
	} {
		s := scoresOf(t, data, false)
		remarks := s.Remarks()
		fixture.Equal(t, data, len(remarks) > 0, want != nil)
		fixture.Has(t, data, strings.Join(remarks, "\n"), want...)
	}
}

// Means of the same splits in another order are equal, whatever the rounding; small scores are
// tested as large ones are; and what pandas writes of right and wrong answers is no table of scores.
func TestScoresOfAnyUnit(t *testing.T) {
	same, small, large := "dataset,system,score\n", "dataset,A,B\n", "dataset,A,B\n"
	for i := range 8 {
		for _, x := range [][2]string{{"0.81", "0.81"}, {"0.79", "0.86"}, {"0.86", "0.79"}} {
			same += fmt.Sprintf("d%d,A,%s\nd%d,B,%s\n", i, x[0], i, x[1])
		}
		small += fmt.Sprintf("d%d,1e-10,%de-10\n", i, 2+i)
		large += fmt.Sprintf("d%d,1,%d\n", i, 2+i)
	}
	ranking := func(text string) Ranking {
		s, ok, err := readScores("x.csv", []byte(text), false)
		fixture.Check(t, err)
		fixture.Equal(t, "scores", ok, true)
		_, err = s.Complete(false)
		fixture.Check(t, err)
		return s.Rank(0.05)
	}
	r := ranking(same)
	fixture.Equal(t, "average ranks", [2]float64{r.Systems[0].Rank, r.Systems[1].Rank}, [2]float64{1.5, 1.5})
	a, b := ranking(small).Pairs[0], ranking(large).Pairs[0]
	fixture.Near(t, "Wilcoxon's p of 8 differences of one sign", a.Wilcoxon, 2.0/256, 1e-12)
	fixture.Equal(t, "p in another unit", a.Wilcoxon, b.Wilcoxon)
	fixture.Near(t, "difference in that unit", a.Difference*1e10, b.Difference, 1e-9)
	near := "dataset,A,B\n" // differences of a hundred-thousandth of a point are none of rounding
	for i := range 8 {
		near += fmt.Sprintf("d%d,%d,%d.0000%d\n", i, 50+i, 50+i, i+1)
	}
	fixture.Near(t, "Wilcoxon's p of 8 small differences", ranking(near).Pairs[0].Wilcoxon, 2.0/256, 1e-12)
	for _, text := range []string{",A,B\n0,True,False\n1,True,True\n", ",A,B\nq1,1,0\nq2,,1\nq3,1,1\n"} {
		if _, ok, err := readScores("x.csv", []byte(text), false); ok || err != nil {
			t.Errorf("%q is read as scores (%v)", text, err)
		}
	}
	_, _, err := readScores("x.csv", []byte("dataset,method,model,score\nd,lora,bert,1\n"), false)
	fixture.Says(t, err, "method", "model", "system")
}

// Nemenyi's p is at most the level where the average ranks are the critical difference apart, and
// the probabilities that either of two systems is better add up to 1: 1/2 each where their scores
// are equal.
func TestPairsOfScores(t *testing.T) {
	apart, draw := 0, rand.New(rand.NewPCG(1, 9))
	for range 6 {
		text, turned := "dataset,A,B,C,D\n", "dataset,D,C,B,A\n"
		for i := range 12 {
			a, more, c := 1+draw.IntN(4), draw.IntN(4), 1+draw.IntN(4)
			text += fmt.Sprintf("d%d,%d,%d,%d,%d\n", i, a, a+more, 3*c, a)
			turned += fmt.Sprintf("d%d,%d,%d,%d,%d\n", i, a, 3*c, a+more, a)
		}
		one, other := scoresOf(t, text, false).Rank(0.05), scoresOf(t, turned, false).Rank(0.05)
		ranks, better := map[string]float64{}, map[[2]string]float64{}
		for _, system := range one.Systems {
			ranks[system.System] = system.Rank
		}
		for _, p := range other.Pairs {
			better[[2]string{p.A, p.B}] = *p.ABetter
		}
		for _, p := range one.Pairs {
			difference := math.Abs(ranks[p.A] - ranks[p.B])
			if (p.Nemenyi <= 0.05) != (difference >= one.Critical) {
				t.Errorf("%s and %s: Nemenyi's p %g with ranks %g apart, critical %g", p.A, p.B, p.Nemenyi, difference, one.Critical)
			}
			if difference >= one.Critical {
				apart++
			}
			fixture.Near(t, p.A+" or "+p.B+" is better", *p.ABetter+better[[2]string{p.B, p.A}], 1, 0.03) // by random draws
			if p.A == "A" && p.B == "D" {
				fixture.Near(t, "A is better than its equal", *p.ABetter, 0.5, 0.03)
			}
		}
	}
	if apart == 0 {
		t.Error("no systems are apart")
	}
}

// Wilcoxon's test separates pairs whose differences all have one sign from Enough data sets on, and
// not from one fewer. docs/rank.md has these numbers.
func TestEnoughDataSets(t *testing.T) {
	for systems, want := range map[int]int{2: 6, 3: 7, 5: 9} {
		for _, sets := range []int{want - 1, want} {
			lines := "dataset" + strings.Repeat(",s", systems) + "\n"
			for j := range systems {
				lines = strings.Replace(lines, ",s", fmt.Sprintf(",t%d", j), 1)
			}
			for i := range sets {
				lines += fmt.Sprintf("d%d", i)
				for j := range systems {
					lines += fmt.Sprintf(",%d", (j+1)*(i+10))
				}
				lines += "\n"
			}
			r := scoresOf(t, lines, false).Rank(0.05)
			fixture.Equal(t, "data sets that are enough", r.Enough(), want)
			for _, p := range r.Pairs {
				fixture.Equal(t, fmt.Sprintf("%s and %s on %d data sets", p.A, p.B, sets), p.Significant, sets == want)
			}
		}
	}
}
