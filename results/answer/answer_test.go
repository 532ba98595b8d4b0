package answer

import (
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
	"pgregory.net/rapid"

	"r2lmlbench/datasets"
	"r2lmlbench/datasets/tabular"
	"r2lmlbench/experiments/compare"
	"r2lmlbench/experiments/method"
	"r2lmlbench/experiments/plan"
	"r2lmlbench/internal/document"
	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/testkit"
	"r2lmlbench/results"
	"r2lmlbench/results/store"
	"r2lmlbench/results/table"
	"r2lmlbench/stats"
)

// twoScales writes a file of two classes that differ in the first feature only, beside a
// feature of noise a thousand times larger: scaling decides.
func twoScales(t *testing.T) string {
	t.Helper()
	rng := rand.New(rand.NewPCG(7, 7))
	text := "a,b,class\n"
	for i := range 120 {
		text += fmt.Sprintf("%.4f,%.2f,c%d\n", float64(i%2)*4+rng.NormFloat64(), 1000*rng.NormFloat64(), i%2)
	}
	return fixture.Write(t, filepath.Join(t.TempDir(), "two.csv"), text)
}

func options(file string, methods ...string) compare.Inputs {
	return compare.Inputs{
		Files: []compare.File{{ID: "two", Path: file, Data: tabular.Layout{Label: tabular.ColumnRef{Name: "class"}}}}, Methods: methods,
		Splits: 5, Train: 0.5, Validation: 0.2, Neighbors: 5, Seed: 1,
	}
}

// On features of different scales raw Euclidean k-NN guesses, and no learned metric is
// needed: standardized features are enough.
func TestAnswer(t *testing.T) {
	p, st := testkit.Stored(t, testkit.Parse(t, fixture.Must(compare.Spec(options(twoScales(t), "euclidean", "kissme")))(t)))
	a := fixture.Must(Read(p, plan.NewSource(t.TempDir()), st, nil))(t)
	of := map[string]Method{}
	for _, m := range a.Methods {
		of[m.Method] = m
	}
	raw, scaled := of[compare.Raw], of[compare.Scaled]
	if raw.Over.Better || float64(raw.Over.PHolm) > 0.05 || scaled.Over != nil || !scaled.NotWorse || scaled.Accuracy < "90" || raw.Accuracy > "70" ||
		len(a.Methods) != 4 || a.Family != 10 || a.Control != compare.Scaled || a.Versus != 4 { // the largest class is a member of both families
		t.Errorf("raw %+v\nscaled %+v\n%+v", raw, scaled, a)
	}
	for _, m := range a.Methods {
		if want := map[string]string{compare.Raw: "raw", compare.Scaled: "standardized", "euclidean": "standardized"}[m.Method]; want != "" && m.Features != want {
			t.Errorf("%s: features %q, want %q", m.Method, m.Features, want)
		}
	}
	fixture.Has(t, "sentences", strings.Join(a.Sentences(), " "), scaled.Accuracy)
	l := a.Document().Tables[0]
	low := slices.IndexFunc(l.Columns, func(h document.Heading) bool { return h.Name == "low" })
	for i, m := range a.Methods {
		if m.Interval != nil {
			fixture.Equal(t, m.Name+": interval", [2]string{l.Rows[i][low].Text, l.Rows[i][low+1].Text}, [2]string{m.Interval[0].String(), m.Interval[1].String()})
		}
	}
	d := fixture.Must(plan.NewSource("").Data(p.Splits[0].Dataset))(t)
	parts, _, err := datasets.Divide(p.Splits[0].Dataset, d, p.Splits[0].Rule)
	fixture.Check(t, err)
	fixture.Equal(t, "training and test rows of a split", [2]int{a.Train, a.Test}, [2]int{len(parts[0]), len(parts[2])})
}

// The advised number of splits would tell 1 point from the best with the spread that was seen,
// after Bonferroni's correction over the family, and one split less would not.
func TestNeeded(t *testing.T) {
	advised := 0
	rapid.Check(t, func(t *rapid.T) {
		splits, train, test := rapid.IntRange(2, 30).Draw(t, "splits"), rapid.IntRange(50, 500).Draw(t, "train"), rapid.IntRange(1, 50).Draw(t, "test")
		a := Answer{Ranking: table.Ranking{Best: "b", Family: rapid.IntRange(1, 20).Draw(t, "family"), Alpha: 0.05}}
		row := table.Row{N: splits*test + 1, Pool: &table.Pool{Splits: splits, Train: splits*train + 1}} // splits of unequal size
		sd := rapid.Float64Range(0.3, 6).Draw(t, "sd")
		for pair, spread := range map[[2]string]float64{{"a", "b"}: sd, {"b", "e"}: 3 * sd, {"f", "b"}: sd / 2, {"a", "c"}: 99, {"c", "d"}: 99, {"a", "d"}: 99} {
			row.Contrasts = append(row.Contrasts, table.Pair{A: pair[0], B: pair[1], Outcome: stats.Outcome{SD: spread, Min: -1, Max: 1}}) // of the median
		}
		row.Contrasts = append(row.Contrasts, table.Pair{A: "b", B: "d"}) // the same on every split: tells nothing of the spread
		corrected := func(splits int) float64 {
			t := 1 / (sd * math.Sqrt(1/float64(splits)+float64(row.N)/float64(row.Pool.Train)))
			return 2 * float64(a.Family) * distuv.StudentsT{Sigma: 1, Nu: float64(splits - 1)}.CDF(-t)
		}
		n, least := a.power(row)
		for i, r := range []int{splits, 10_000} { // a difference as large has the corrected p 0.05
			t0 := float64(least[i]) / (sd * math.Sqrt(1/float64(r)+float64(row.N)/float64(row.Pool.Train)))
			p := 2 * float64(a.Family) * distuv.StudentsT{Sigma: 1, Nu: float64(r - 1)}.CDF(-t0)
			if least[i] < 100 && math.Abs(p-0.05) > 1e-6 || p < 0.05-1e-6 { // it is at most 100
				t.Errorf("%d splits show %v points: p %v", r, least[i], p)
			}
		}
		switch {
		case n == 0 && corrected(10_000) <= 0.05:
			t.Errorf("no number of splits, and 10,000 give p %v", corrected(10_000))
		case n > 0:
			advised++
			if corrected(n) > 0.05*(1+1e-9) || n > 2 && corrected(n-1) <= 0.05*(1-1e-9) {
				t.Errorf("%d splits: p %v, with one less %v", n, corrected(n), corrected(n-1))
			}
		}
	})
	if advised < 3 { // of 20 draws under -short
		t.Errorf("%d numbers advised", advised)
	}
}

// Numbers stay numbers until they are printed: no source here and in the packages of results
// reads one back from a text, but for those whose texts are other people's.
func TestNumbersStayNumbers(t *testing.T) {
	texts := map[string]string{ // what the texts are
		"../published/lambda.go": "a paper's table, as printed",
		"../report/studies.go":   "values of a spec",
		"../cell.go":             "series of a stored cell",
		"../report/chart.go":     "rounds a number",
	}
	files := 0
	for _, root := range []string{"../../experiments/compare", ".."} {
		fixture.Check(t, filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
			path = filepath.ToSlash(path)
			if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || strings.Contains(path, "/rank/") || strings.Contains(path, "/audit/") {
				return err
			}
			files++
			if strings.Contains(string(fixture.Must(os.ReadFile(path))(t)), "ParseFloat(") && texts[path] == "" {
				t.Errorf("%s reads a number from a text; keep the number", path)
			}
			return err
		}))
	}
	if files < 50 {
		t.Errorf("%d files searched", files)
	}
}

// answered compares methods on rows of which draw says the features and the class, over 5 splits.
func answered(t *testing.T, rows int, draw func(i int) (x [2]float64, class string), methods ...string) Answer {
	t.Helper()
	text := "a,b,class\n"
	for i := range rows {
		x, class := draw(i)
		text += fmt.Sprintf("%.6f,%.6f,%s\n", x[0], x[1], class)
	}
	file := fixture.Write(t, filepath.Join(t.TempDir(), "two.csv"), text)
	p, st := testkit.Stored(t, testkit.Parse(t, fixture.Must(compare.Spec(options(file, methods...)))(t)))
	return fixture.Must(Read(p, plan.NewSource(t.TempDir()), st, nil))(t)
}

const nothingShown = "No method is shown to be better than always answering"

// With drawn labels, balanced and not, nothing is better than the largest class, and that is
// said first; with classes apart it is never said, and the counts of that answer are right.
func TestMajority(t *testing.T) {
	runs := 4
	if fixture.LongRun() {
		runs = 60
	}
	said := 0
	for seed := range uint64(runs) {
		rng := rand.New(rand.NewPCG(seed, 3))
		share := []float64{0.5, 0.9}[seed%2]
		for shift, want := range []bool{true, false} {
			a := answered(t, 100, func(i int) (x [2]float64, class string) {
				class = "big"
				if rng.Float64() > share || i < 5 {
					class = "small"
				}
				x = [2]float64{rng.NormFloat64(), rng.NormFloat64()}
				if class == "small" {
					x[0] += 8 * float64(shift)
				}
				return x, class
			}, "euclidean")
			fixture.Equal(t, "methods tested against the class", a.Versus, 3)
			switch first := a.Sentences()[0]; {
			case want && strings.HasPrefix(first, nothingShown+` "`+a.Class+`" (`+a.Majority+" %)"):
				said++
			case !want && strings.Contains(strings.Join(a.Sentences(), " "), nothingShown):
				t.Errorf("seed %d: with classes apart: %q", seed, first)
			}
			for _, m := range a.Methods {
				if m.Beats != (float64(*m.PMajority) <= a.Alpha && fmt.Sprintf("%6s", m.Accuracy) > fmt.Sprintf("%6s", a.Majority)) {
					t.Errorf("%+v beside %s", m, a.Majority)
				}
			}
		}
	}
	if 100*said < 85*runs {
		t.Errorf("with drawn labels: said in %d of %d runs", said, runs)
	}
}

// Differences that are the same on every split are told where they are large: a column that is
// the class gives 100 % on all.
func TestMajorityBeatenAlike(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	a := answered(t, 61, func(i int) ([2]float64, string) {
		class := (i + i/60) % 2 // 30 and 31 rows, of which 15 and 16 train and 9 each test
		return [2]float64{float64(100 * class), rng.NormFloat64()}, fmt.Sprint("c", class)
	}, "euclidean")
	fixture.Equal(t, "the largest class of the training rows", a.Class, "c1")
	text := strings.Join(a.Sentences(), " ")
	if strings.Contains(text, nothingShown) || !strings.Contains(text, "100.00 %") || !strings.Contains(text, `column "a" alone gives the class`) {
		t.Error(text)
	}
	if len(a.Remarks) == 0 || !a.Methods[0].Beats {
		t.Errorf("%+v", a)
	}
}

// Methods are tested against the 18 right answers of a split that one class gives, with Holm's
// correction over all pairs; significantly worse is not better.
func TestTestsAgainstMajority(t *testing.T) {
	right := [][]int{{24, 27, 25, 26, 24}, {20, 23, 19, 21, 20}, {4, 6, 5, 5, 4}}
	for first := range right { // without the better ones before it
		a := stored(t, func(k, i int) int { return right[max(i, first)][k] }, "kissme")
		samples := []stats.Sample{{Scores: slices.Repeat([]float64{50}, 5)}}
		for i := range right {
			one := stats.Sample{}
			for k := range 5 {
				one.Scores = append(one.Scores, 100*float64(right[max(i, first)][k])/36)
			}
			samples = append(samples, one)
		}
		p := stats.Compare(stats.Resampled{Sizes: slices.Repeat([][2]int{{60, 36}}, 5), Step: 100. / 36}, 0.05, samples, stats.AllPairs(4))
		for _, m := range a.Methods {
			i := slices.Index([]string{compare.Raw, compare.Scaled, "kissme"}, m.Method)
			fixture.Near(t, m.Method+": p", float64(*m.PMajority), p[i].PHolm, 1e-6) // the first pairs are those of the class
			fixture.Equal(t, m.Method+" is better", m.Beats, max(i, first) == 0)
		}
		fixture.Equal(t, "nothing is shown", strings.HasPrefix(a.Sentences()[0], nothingShown+` "c0" (50.00 %)`), first > 0)
	}
}

// Test rows with a copy or near copy in training are counted by split, as comparing all pairs does.
func TestCopiedTestRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	var last [2]float64
	a := answered(t, 90, func(i int) ([2]float64, string) {
		if i%3 == 0 {
			last = [2]float64{rng.NormFloat64(), rng.NormFloat64()}
		}
		return [2]float64{last[0] + 1e-6*float64(i%3/2), last[1]}, fmt.Sprint("c", rng.IntN(2))
	}, "euclidean")
	fixture.Equal(t, "rows", a.Rows, 90)
	fixture.Equal(t, "equal rows", a.Copies, 30)
	all := 0
	for _, n := range a.Copied {
		all += n
	}
	// Each of two others trains and has the same class in one of four cases: 1 - (3/4)².
	fixture.Near(t, "share of test rows", float64(all)/float64(5*a.Test), 0.4375, 0.1)
	fixture.Has(t, "sentences", strings.Join(a.Sentences(), " "), fmt.Sprintf("On average %.1f of the %d test rows", float64(all)/5, a.Test))
	fixture.Equal(t, "splits", len(a.Copied), 5)
}

// Copies are told of if and only if they are more than one in 20 test rows, over all splits.
func TestManyCopies(t *testing.T) {
	told := 0
	rapid.Check(t, func(t *rapid.T) {
		a := Answer{Test: rapid.IntRange(1, 60).Draw(t, "test rows")}
		a.Copied = rapid.SliceOfN(rapid.IntRange(0, max(1, a.Test/8)), 2, 9).Draw(t, "copied")
		all := 0.0
		for _, n := range a.Copied {
			all += float64(n)
		}
		mean := all / float64(len(a.Copied))
		want := ""
		if mean > float64(a.Test)/20 {
			want = fmt.Sprintf("%.1f", mean)
			told++
		}
		if got := a.copied(); got != want && math.Abs(mean-float64(a.Test)/20) > 1e-9 {
			t.Errorf("%d test rows, copied %d: %q, want %q", a.Test, a.Copied, got, want)
		}
	})
	if told == 0 {
		t.Error("nothing was told")
	}
}

// stored plans a comparison on two.csv and stores cells of its own making: right says how many
// of its 36 test rows column i has right on split k, -1 for no cell.
func stored(t *testing.T, right func(k, i int) int, methods ...string) Answer {
	t.Helper()
	return storedIn(t, right, &plan.Plan{}, new(*store.Store), methods...)
}

// storedIn is stored, and returns the plan and the store.
func storedIn(t *testing.T, right func(k, i int) int, in *plan.Plan, to **store.Store, methods ...string) Answer {
	t.Helper()
	p := testkit.PlanFor(t, testkit.Parse(t, fixture.Must(compare.Spec(options(twoScales(t), methods...)))(t)))
	st := &store.Store{Dir: t.TempDir(), Log: t.Logf}
	*in, *to = p, st
	for k, row := range p.Splits {
		for i, jobs := range row.Jobs {
			n := right(k, i)
			if n < 0 {
				continue
			}
			c := results.Cell{Inputs: jobs[0].Inputs, Truth: slices.Repeat([]int{1}, 36)}
			c.Predicted = slices.Concat(slices.Repeat([]int{1}, n), slices.Repeat([]int{2}, 36-n))
			if points := len(c.Settings); points > 1 {
				c.Validation = &results.Profile{N: 24, Correct: make([]int, points)}
			}
			fixture.Check(t, st.Put(c, results.Run{}))
		}
	}
	return fixture.Must(Read(p, plan.NewSource(t.TempDir()), st, nil))(t)
}

// The headline says what the tests carry: of the method that leads, of the control, and of the
// methods that may be as good.
func TestHeadline(t *testing.T) {
	columns := []string{compare.Raw, compare.Scaled, "euclidean", "kissme", "rca"}
	for _, c := range []struct {
		name        string
		right       [5]int // of 36 on a split, by column; 1 more on every second
		spread      int    // of the columns by split
		says, never string
		next        string // the last sentence begins so
		always      string // standing of always answering one class
	}{
		{"clear winner", [5]int{18, 22, 22, 34, 26}, 0,
			"KISSME is the most accurate, 95.56 % ± 1.52 over 5 splits: all 4 other k-NN methods are significantly worse.", "No clear winner",
			"KISSME beats", "worse"},
		{"beats plain k-NN", [5]int{20, 20, 20, 34, 34}, 0, "beats plain k-NN (euclidean-scaled) by 38.89 points", "No clear winner",
			"Use KISSME.", "worse"},
		{"no clear winner", [5]int{30, 30, 30, 31, 30}, 4, "and none of the 4 other k-NN methods is significantly worse", "beats",
			"Until more splits (--splits 20) or rows decide, keep k-NN on standardized features: it has nothing to train", "worse"},
		{"standardizing is enough", [5]int{20, 34, 34, 34, 34}, 0, "Standardizing the features gives plain k-NN 38.89 points more", "beats",
			"Until more splits (--splits 20) or rows decide, keep k-NN on standardized features", "worse"},
		{"standardizing harms", [5]int{34, 20, 20, 20, 20}, 0, "euclidean-raw beats plain k-NN (euclidean-scaled) by 38.89 points", "Standardizing",
			"euclidean-raw beats", "worse"},
		{"noise", [5]int{18, 18, 18, 18, 18}, 5, "No method is shown to be better than always answering \"c0\" (50.00 %)", "winner",
			"Run more splits first", "undecided"},
		{"worse than the class", [5]int{8, 8, 8, 8, 8}, 0, "No method is shown to be better than always answering \"c0\" (50.00 %)", "beats",
			"Run more splits first", "better"},
	} {
		right := func(k, i int) int { return c.right[i] + k%2 + c.spread*((k*(i+2)+i)%3-1)/2 }
		a := stored(t, right, columns[2:]...)
		text := strings.Join(a.Sentences(), "\n")
		last := a.Sentences()[len(a.Sentences())-1]
		if !strings.Contains(text, c.says) || strings.Contains(text, c.never) || !strings.HasPrefix(last, c.next) {
			t.Errorf("%s: %s", c.name, text)
		}
		if lead, _, ok := strings.Cut(text, " has the highest mean"); ok {
			named := strings.FieldsFunc(lead, func(r rune) bool { return strings.ContainsRune(" ,():\n", r) })
			for _, m := range a.Methods {
				fixture.Equal(t, c.name+": a highest mean of "+m.Name, slices.Contains(named, m.Name), m.Behind == 0)
			}
		}
		rows := a.Document().Tables[0].Rows
		fixture.Equal(t, c.name+": always answering one class", rows[len(rows)-1][8].Text, c.always)
	}
}

// The table of the spec that a comparison wrote says of the same cells what the comparison says:
// who may be the best, by all pairs, and who is better than the control.
func TestAnswerAndTableAgree(t *testing.T) {
	rapid.Check(t, func(t2 *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t2, "seed"), 2))
		gain, p, st := rapid.IntRange(0, 14).Draw(t2, "gain"), plan.Plan{}, (*store.Store)(nil)
		a := storedIn(t, func(k, i int) int { return 16 + gain*(i%2) + rng.IntN(5) }, &p, &st, "kissme", "rca")
		made := fixture.Must(table.Of(p, st))(t).Pooled()
		for _, m := range a.Methods {
			i := slices.IndexFunc(made.Columns, func(c table.Column) bool { return c.ID == m.Method })
			if first := made.Rows[0].Cells[i].Rank == 1; first != m.NotWorse {
				t2.Errorf("%s: rank %d in the table, not worse %t", m.Method, made.Rows[0].Cells[i].Rank, m.NotWorse)
			}
			if m.Interval != nil && m.NotWorse != (m.Interval[0] <= 0 && m.Interval[1] >= 0) {
				t2.Errorf("%s: not worse %t with the interval %v", m.Method, m.NotWorse, *m.Interval)
			}
		}
		note := strings.Join(made.Notes(), "\n")
		for _, m := range a.Better() {
			if !strings.Contains(note, "Better than euclidean-scaled, the control") || !strings.Contains(note, m.Name+" (+"+m.Over.Points.String()) {
				t2.Errorf("%s is better than the control: %s", m.Name, note)
			}
		}
	})
}

// A method without a result on some splits is told with their number and is none of those that have one on each.
func TestSplitsWithoutResult(t *testing.T) {
	for lacking := range 6 {
		a := stored(t, func(k, i int) int {
			if i == 2 && k < lacking {
				return -1
			}
			return 30 - i + k%2
		}, "kissme")
		text := strings.Join(a.Sentences(), " ")
		fixture.Equal(t, "methods with every split", a.Versus, 3-min(lacking, 1))
		fixture.Equal(t, "of them, learning", a.learned, 1-min(lacking, 1))
		fixture.Equal(t, "methods that learn", a.asked, 1)
		told := map[int]string{0: "", 5: "KISSME has no result: it failed on all 5 splits"}
		want, ok := told[lacking]
		if !ok {
			want = fmt.Sprintf("KISSME has no result on %d of the 5 splits", lacking)
		}
		if !strings.Contains(text, want) || strings.Contains(text, "KISSME has no result") != (lacking > 0) || len(a.Failed) != min(lacking, 1) {
			t.Errorf("%d splits without a result: %s", lacking, text)
		}
		fixture.Has(t, "the others that are compared", text, fmt.Sprintf(" of %d other k-NN methods ", 2-min(lacking, 1)))
		if strings.Contains(text, "no test") {
			t.Errorf("%d splits without a result are told as no test, too: %s", lacking, text)
		}
		if strings.Contains(text, "No learned metric has a result on every split") != (lacking > 0) {
			t.Errorf("%d splits without a result: %s", lacking, text)
		}
	}
}

// TestFirstReason: of several splits without a result the first gives the reason.
func TestFirstReason(t *testing.T) {
	var p plan.Plan
	var st *store.Store
	storedIn(t, func(k, i int) int { return map[bool]int{true: -1, false: 30 - i + k%2}[i == 2 && k > 1] }, &p, &st, "kissme")
	for k, row := range p.Splits[2:] {
		fixture.Check(t, st.Put(results.Cell{Inputs: row.Jobs[2][0].Inputs, Failure: fmt.Sprint("fault ", k)}, results.Run{}))
	}
	splits, reason, err := failures(p, 2, st)
	fixture.Check(t, err)
	fixture.Equal(t, "splits", splits, 3)
	fixture.Equal(t, "reason", reason, "fault 0")
}

// More splits are advised only where more are needed, and none where nothing was tested.
func TestAdvice(t *testing.T) {
	for _, c := range []struct {
		splits, needed, family int
		want                   string
	}{
		{20, 21, 3, "--splits 21"}, {20, 20, 3, ""}, {20, 19, 3, ""}, {20, 0, 3, "more splits lower that to"}, {20, 21, 0, ""}, {20, 0, 0, ""},
	} {
		ranked := []table.Ranked{{Method: "rca", Name: "RCA", Accuracy: "80"}, {Method: compare.Raw, Accuracy: "79", NotWorse: true}}
		a := Answer{
			Ranking: table.Ranking{Best: "rca", Ranked: ranked, Splits: c.splits, Family: c.family}, Needed: c.needed,
			Methods: []Method{{Ranked: ranked[0]}, {Ranked: ranked[1]}}, useful: true,
		}
		text := strings.Join(a.Sentences(), " ")
		advised := strings.Contains(text, "--splits") || strings.Contains(text, "more splits lower that to")
		if !strings.Contains(text, c.want) || advised != (c.want != "") {
			t.Errorf("%+v: %s", c, text)
		}
	}
}

// Where nothing is better than the largest class, more splits are advised below 10 of them, and other rows from there on.
func TestAdviceWithoutUse(t *testing.T) {
	for splits := 2; splits < 25; splits++ {
		ranked := []table.Ranked{{Method: "rca", Name: "RCA", Accuracy: "80"}}
		a := Answer{Ranking: table.Ranking{Best: "rca", Ranked: ranked, Splits: splits, Family: 1}, Methods: []Method{{Ranked: ranked[0]}}}
		said := a.Sentences()
		fixture.Equal(t, fmt.Sprint(splits, " splits: more are advised first"), strings.Contains(said[len(said)-1], "--splits"), splits < 10)
	}
}

// A method is useful if its difference to the largest class is above 0, and significant where there is a test.
func TestUseful(t *testing.T) {
	for _, difference := range []float64{-1, 0, 1} {
		for p, significant := range map[float64]bool{math.NaN(): false, 0.2: false, 0.01: true} {
			a, row := Answer{Methods: []Method{{Ranked: table.Ranked{Method: "rca"}}}}, table.Row{}
			o := stats.Outcome{Difference: difference, P: p, PHolm: p, Significant: significant}
			row.Largest = table.Largest{Class: "x", Scores: []float64{50, 50}, Pairs: []table.Pair{{A: "rca", Outcome: o}}}
			a.versus(table.Table{}, row)
			fixture.Equal(t, fmt.Sprint(difference, " with p ", p), a.useful, difference > 0 && (significant || math.IsNaN(p)))
		}
	}
}

// The cells of a split come before those of the next, so that a ranking over finished splits
// exists early. It has the numbers of the answer over the same splits.
func TestStanding(t *testing.T) {
	p := testkit.PlanFor(t, testkit.Parse(t, fixture.Must(compare.Spec(options(twoScales(t), "kissme", "rca")))(t)))
	place := map[string]int{} // of a cell: its split
	for k, row := range p.Splits {
		for _, jobs := range row.Jobs {
			place[jobs[0].Inputs.Key()] = k
		}
	}
	last := 0
	for _, j := range p.Jobs() {
		if k := place[j.Inputs.Key()]; k < last {
			t.Fatalf("a cell of split %d comes after one of split %d", k, last)
		} else {
			last = k
		}
	}
	st := &store.Store{Dir: t.TempDir(), Log: t.Logf}
	for k, row := range p.Splits[:4] {
		for i, jobs := range row.Jobs {
			c := results.Cell{Inputs: jobs[0].Inputs, Truth: slices.Repeat([]int{1}, 36)}
			n := 20 + 3*i + (k*i)%4
			c.Predicted = slices.Concat(slices.Repeat([]int{1}, n), slices.Repeat([]int{2}, 36-n))
			if points := len(c.Settings); points > 1 {
				c.Validation = &results.Profile{N: 24, Correct: make([]int, points)}
			}
			fixture.Check(t, st.Put(c, results.Run{}))
		}
	}
	finished := Finished(p, func(j plan.Job) bool {
		return place[j.Inputs.Key()] >= 4 || j.Column.ID == "rca" && place[j.Inputs.Key()] == 1
	})
	fixture.Equal(t, "finished splits", len(finished.Splits), 3)
	for _, open := range p.Jobs() { // whichever cell of a split it is
		rest := Finished(p, func(j plan.Job) bool { return j.Inputs.Key() == open.Inputs.Key() }).Splits
		fixture.Equal(t, "splits without one that has an open cell", len(rest), len(p.Splits)-1)
	}
	fixture.Equal(t, "splits of the plan", len(p.Splits), 5)
	answer := fixture.Must(Read(finished, plan.NewSource(t.TempDir()), st, nil))(t)
	fixture.Equal(t, "splits of the answer", answer.Splits, 3)
	shown := fixture.Must(Standing(finished, st, 5))(t)
	fixture.Equal(t, "methods", len(shown.Rows), len(answer.Methods))
	for i, m := range answer.Methods {
		for column, want := range map[int]string{0: m.Name, 1: m.Accuracy, 3: m.Behind.String()} {
			fixture.Equal(t, m.Name+": column of the ranking", shown.Rows[i][column].Text, want)
		}
	}
}

// A doubt is told once, with its methods and the splits of each.
func TestDoubts(t *testing.T) {
	a := Answer{Ranking: table.Ranking{Splits: 5}}
	a.doubt("A", []table.Doubt{{Text: "learned little", Splits: 3}})
	a.doubt("B", []table.Doubt{{Text: "learned little", Splits: 2}, {Text: "did not settle", Splits: 1}})
	fixture.Same(t, "doubts", a.Doubts, []Doubted{
		{[]string{"A (3 of 5 splits)", "B (2 of 5 splits)"}, "learned little"}, {[]string{"B (1 of 5 splits)"}, "did not settle"},
	})
	a.Doubts = nil // advice that compare follows by itself is left out
	a.doubt("C", []table.Doubt{{Text: "hidden; " + method.AdviceStandardize}, {Text: "flat; " + method.AdviceStandardize + ", or other parameters", Splits: 2},
		{Text: "flat; try other parameters, or another method", Splits: 1}})
	fixture.Equal(t, "doubts that differ in their advice alone are one", len(a.Doubts), 2)
	fixture.EqualSlice(t, "methods", a.Doubts[1].Methods, []string{"C (3 of 5 splits)"})
	for _, d := range a.Doubts {
		fixture.Lacks(t, "advice", d.Reason, "zscore", "standardized")
	}
	fixture.Equal(t, "a doubt without advice", a.Doubts[0].Reason, "hidden")
	fixture.Has(t, "a doubt with other advice", a.Doubts[1].Reason, "flat; ", "parameters", "--spec")
}

// What standardizing gives is told where it is significantly better than raw features.
func TestScaling(t *testing.T) {
	for _, c := range []struct {
		control string
		points  float64 // of raw features above the control
		p       float64
		want    string
	}{
		{compare.Scaled, -3, 0.01, "3.00"}, {compare.Scaled, -3, 0.05, "3.00"}, {compare.Scaled, -3, 0.06, ""}, {compare.Scaled, 3, 0.01, ""}, {"rca", -3, 0.01, ""},
	} {
		raw := Method{Ranked: table.Ranked{Method: compare.Raw, Over: &table.Over{Points: table.Points(c.points), PHolm: table.Digits(c.p)}}}
		a := Answer{Methods: []Method{{Ranked: table.Ranked{Method: compare.Scaled}}, raw}, Ranking: table.Ranking{Control: c.control, Alpha: 0.05}}
		fixture.Equal(t, "points", a.scaling(), c.want)
	}
}

// The features that a method chose are told with numbers of splits where they vary.
func TestChosenFeatures(t *testing.T) {
	for zscore, want := range []string{"raw", "raw 4, standardized 1", "raw 3, standardized 2", "raw 2, standardized 3", "raw 1, standardized 4", "standardized"} {
		p, st := plan.Plan{}, (*store.Store)(nil)
		storedIn(t, func(k, i int) int { return 30 - i - k%2 }, &p, &st, "kissme")
		for k, row := range p.Splits {
			c, _, err := st.Find(row.Jobs[2][0].Inputs)
			fixture.Check(t, err)
			c.Chosen = slices.IndexFunc(c.Settings, func(point results.Setting) bool { return (point.Params["features"] == "zscore") == (k < zscore) })
			fixture.Check(t, st.Put(c, results.Run{}))
		}
		fixture.Equal(t, "features", fixture.Must(features(p, 2, st))(t), want)
	}
}

// The method to use is the first of those that beat the control and are not worse than the best.
func TestUse(t *testing.T) {
	over := &table.Over{Better: true}
	first, worse, second, control := table.Ranked{Method: "first"}, table.Ranked{Method: "worse", Over: over},
		table.Ranked{Method: "second", Over: over, NotWorse: true}, table.Ranked{Method: "control", NotWorse: true}
	for want, ranked := range map[string][]table.Ranked{
		"second": {first, worse, second, second, control}, "first": {first, worse, control}, "control": {first, control},
	} {
		a := Answer{Ranking: table.Ranking{Ranked: ranked, Control: "control"}, Methods: []Method{{Ranked: ranked[0]}}}
		fixture.Equal(t, "method to use", a.use().Method, want)
	}
}

// All methods are called equal if none differs in the mean, the spread, the difference to the best and the splits.
func TestEqual(t *testing.T) {
	first := table.Ranked{Accuracy: "80.00", SD: "1.00"}
	for what, second := range map[string]table.Ranked{
		"":       first,
		"mean":   {Accuracy: "79.00", SD: "1.00"},
		"spread": {Accuracy: "80.00", SD: "2.00"},
		"behind": {Accuracy: "80.00", SD: "1.00", Behind: 0.001},
		"splits": {Accuracy: "80.00", SD: "1.00", Partial: 3},
	} {
		a := Answer{Methods: []Method{{Ranked: first}, {Ranked: second}}}
		fixture.Equal(t, "equal but for "+what, a.equal(), what == "")
	}
}

// The standing has one word for each outcome of the tests.
func TestStandings(t *testing.T) {
	significant, not := table.Digits(0.01), table.Digits(0.3)
	for want, m := range map[string]table.Ranked{
		"highest": {Method: "best", NotWorse: true}, "undecided": {NotWorse: true, PHolm: &not}, "worse": {PHolm: &significant, Behind: 2},
		"better": {PHolm: &significant, Behind: -2}, "3 of 5 splits": {Partial: 3, Untested: "why"}, "no test": {Untested: "why"},
	} {
		fixture.Equal(t, fmt.Sprintf("%+v", m), standing(m, table.Ranking{Best: "best", Alpha: 0.05, Splits: 5}), want)
	}
	ahead := table.Ranked{PHolm: &not, NotWorse: true, Behind: -2}
	fixture.Equal(t, "ahead without significance", standing(ahead, table.Ranking{Best: "best", Alpha: 0.05, Splits: 5}), "undecided")
}

// A class is rare with at most a tenth of the rows, and less than half of its share of equal classes.
func TestRare(t *testing.T) {
	for n := 1; n < 30; n++ {
		for classes, most := range map[int]int{2: 10, 3: 10, 4: 10, 6: 8, 9: 5} {
			y := slices.Repeat([]int{1}, n)
			for i := range 100 - n {
				y = append(y, 2+i%(classes-1))
			}
			told := slices.Contains(rare(slices.Repeat([]string{"x"}, classes), y), fmt.Sprintf(`"x" (%d.0 %%)`, n))
			fixture.Equal(t, fmt.Sprintf("%d of 100 rows, %d classes: rare", n, classes), told, n <= most)
		}
	}
}

// Rare classes are told where accuracy decides, not where the measure counts every class alike.
func TestRareByMeasure(t *testing.T) {
	a := stored(t, func(k, i int) int { return 30 - i + k%2 })
	a.rare = []string{`"x" (3.0 %)`}
	fixture.Has(t, "by accuracy", strings.Join(a.Sentences(), " "), "the rare class \"x\" (3.0 %)")
	a.Measure = results.MacroF1
	fixture.Lacks(t, "by macro-F1", strings.Join(a.Sentences(), " "), "rare")
}

// Below the table of several files stands the first result that is missing, with its reason.
func TestSeveralWithoutResult(t *testing.T) {
	several := table.Table{Columns: []table.Column{{Name: "A"}, {Name: "B"}}, Rows: []table.Row{
		{Dataset: "one", Cells: []table.Result{{Score: &table.Score{}}, {Reason: "first"}}},
		{Dataset: "two", Cells: []table.Result{{Reason: "second"}, {Reason: "third"}}},
	}}
	said := strings.Join(Several(several, nil)[0].Notes, " ")
	fixture.Has(t, "the notes", said, "B on one: first")
	fixture.Lacks(t, "the notes", said, "second", "third")
}
