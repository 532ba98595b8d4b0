package verdict

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"r2lmlbench/internal/golden"
	"r2lmlbench/results"
	"r2lmlbench/results/published"
	"r2lmlbench/results/resultstest"
)

// around returns counts of right answers: 20 runs about middle, ±1.
func around(middle int) []int {
	var counts []int
	for i := range 20 {
		counts = append(counts, middle+i%3-1)
	}
	return counts
}

func TestVerdict(t *testing.T) {
	published := published.Number{Letter: "X", Dataset: "robot", Method: "itml", Accuracy: "80.00"}
	wide := slices.Repeat([]int{60, 100}, 10)
	for _, c := range []struct {
		name              string
		own, random       []results.Cell
		split             string // "", "recorded", "euclidean" or both
		deterministic     bool
		verdict, evidence string
		runs              int
		ours, says        string
	}{
		{"nothing", nil, nil, "", false, "missing", "", 0, "", "never ran; no run on a random split"},
		{"the same number on the rule's split", resultstest.RunsOf(100, 80), nil, "", false, "exact", "rule-split", 1, "80.00",
			"80 of 100, on the split of the rule"},
		{"the same number on theirs", resultstest.RunsOf(100, 80), nil, "recorded", false, "exact", "authors-split", 1, "80.00", "the authors' own split"},
		{"exact comes before an interval that is off", resultstest.RunsOf(100, append([]int{80}, around(60)...)...), nil, "euclidean", false, "exact",
			"rule-split", 1, "80.00", "same accuracy"},
		{"only another seed prints it", resultstest.RunsOf(100, 79, 80), nil, "", false, "inconclusive", "rule-split", 1, "79.00", "differs by -1.00"},
		{"seeds", resultstest.RunsOf(100, around(80)[1:]...), nil, "euclidean", false, "exact", "rule-split", 1, "80.00", ""},
		{"inside the interval of seeds", resultstest.RunsOf(100, around(80)...), nil, "euclidean", false, "reproduced", "seeds", 20, "79.00",
			"20 seeds on the split of the rule: the published value is inside"},
		{"seeds below", resultstest.RunsOf(100, around(70)...), nil, "euclidean", false, "worse", "seeds", 20, "69.00", "differs by -11.00"},
		{"seeds above", resultstest.RunsOf(100, around(90)...), nil, "euclidean", false, "better", "seeds", 20, "89.00", "differs by +9.00"},
		{"seeds on a split that may be another", resultstest.RunsOf(100, around(70)...), nil, "", false, "inconclusive", "rule-split", 1, "69.00",
			"Euclidean is not exact"},
		{"seeds on a split that they published", resultstest.RunsOf(100, around(70)...), nil, "recorded", false, "worse", "seeds", 20, "69.00",
			"20 seeds on the authors' own split"},
		{"random splits beside the paper's", resultstest.RunsOf(100, 60), resultstest.RunsOf(100, around(70)...), "recorded", true, "worse",
			"random-splits", 20, "60.00", "that split is the paper's"},
		{"random splits beside one that is exact", resultstest.RunsOf(100, 60), resultstest.RunsOf(100, around(70)...), "euclidean", true, "worse",
			"random-splits", 20, "60.00", "that split is the paper's"},
		{"a split apart", resultstest.RunsOf(100, 60), resultstest.RunsOf(100, around(70)...), "", true, "worse", "random-splits", 20, "60.00",
			"the split may explain the miss"},
		{"seeds of a deterministic method", resultstest.RunsOf(100, around(70)...), nil, "euclidean", true, "inconclusive", "rule-split", 1, "69.00",
			"draws no random numbers"},
		{"few seeds", resultstest.RunsOf(100, 70, 71), nil, "euclidean", false, "inconclusive", "seeds", 2, "70.00", "2 runs, at least 10 are needed"},
		{"seeds come before random splits", resultstest.RunsOf(100, around(70)...), resultstest.RunsOf(100, around(80)...), "euclidean", false, "worse",
			"seeds", 20, "69.00", ""},
		{"unless they are few", resultstest.RunsOf(100, 70, 71), resultstest.RunsOf(100, around(80)...), "euclidean", false, "reproduced", "random-splits",
			20, "70.00", "20 random splits: the published value is inside"},
		{"random splits", resultstest.RunsOf(100, 79), resultstest.RunsOf(100, around(80)...), "", true, "reproduced", "random-splits", 20, "79.00", ""},
		{"random splits without a cell of our own", nil, resultstest.RunsOf(100, around(90)...), "", false, "better", "random-splits", 20, "89.95",
			"never ran; 20 random splits"},
		{"few random splits", resultstest.RunsOf(100, 79), resultstest.RunsOf(100, 80, 81), "", false, "inconclusive", "random-splits", 2, "79.00", "at least 10"},
		{"a wide interval", resultstest.RunsOf(100, 79), resultstest.RunsOf(100, wide...), "", false, "inconclusive", "random-splits", 20, "79.00",
			"above the limit of 5"},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := Evidence{
				Published: published, Column: "itml", Size: 100, Stochastic: !c.deterministic,
				Recorded: c.split == "recorded", Euclidean: c.split == "euclidean", Own: c.own, Random: c.random,
			}
			if len(c.own) == 0 {
				e.Absent = "never ran"
			}
			v, err := New(e)
			if err != nil {
				t.Fatal(err)
			}
			if v.Verdict != c.verdict || v.Evidence != c.evidence || v.Runs != c.runs || v.Ours != c.ours || !strings.Contains(v.Reason, c.says) {
				t.Errorf("%+v\nwant %s by %s, %d runs, ours %q, a reason with %q", v, c.verdict, c.evidence, c.runs, c.ours, c.says)
			}
			if v.SplitApart != strings.Contains(c.name, "apart") {
				t.Errorf("apart %v", v.SplitApart)
			}
			if v.Unreachable || v.Method != "itml" || v.Letter != "X" {
				t.Errorf("%+v", v)
			}
		})
	}
}

// TestUnreachableVerdicts: the printed values that no count of right answers
// gives, with the test sizes of our splits; Sonar's is 128, not the printed 180.
func TestUnreachableVerdicts(t *testing.T) {
	var got []string
	for _, p := range published.All() {
		size := p.Test
		if p.Dataset == "sonar" {
			size = 128
		}
		v, err := New(Evidence{Published: p, Column: p.Method, Size: size, Absent: "not run"})
		if err != nil {
			t.Fatal(err)
		}
		if v.Unreachable {
			got = append(got, v.Letter+"/"+v.Method+" "+v.Nearest)
			if !strings.Contains(v.Reason, "unreachable with "+fmt.Sprint(size)+" test samples") {
				t.Errorf("reason %q", v.Reason)
			}
		}
	}
	// Granularity of Table 2 in exact rational arithmetic; nearest: 60/181 is 33.15, 66/128 is 51.56.
	want := []string{"H/t-r2lml 80.38", "K/itml 89.69", "L/e-r2lml 33.15", "P/lmnn 51.56", "P/lmnn-mm 51.56", "R/glml 53.16"}
	if !slices.Equal(got, want) {
		t.Errorf("unreachable %q, want %q", got, want)
	}
}

// evidenceOfAll imitates a run of the whole table: some exact, some judged by
// seeds, some by random splits, some with too little of either.
func evidenceOfAll() []Evidence {
	var all []Evidence
	for i, p := range published.All() {
		size := p.Test
		var percent float64
		fmt.Sscan(p.Accuracy, &percent)
		correct := int(percent*float64(size)/100 + 0.5)
		e := Evidence{Published: p, Column: p.Method, Size: size, Stochastic: i%8 > 0, Recorded: i%3 == 0, Euclidean: p.Letter < "D", Absent: "not run"}
		shift := i % 5 * size / 200
		switch i % 4 {
		case 0:
			e.Own = resultstest.RunsOf(size, correct)
		case 1:
			e.Own = resultstest.RunsOf(size, shifted(around(correct), -shift)...)
		case 2:
			e.Random = resultstest.RunsOf(size, shifted(around(correct), -shift)...)
		}
		all = append(all, e)
	}
	return all
}

func shifted(counts []int, by int) []int {
	for i := range counts {
		counts[i] += by
	}
	return counts
}

func TestVerdictsGolden(t *testing.T) {
	v, err := Judge("accuracy", evidenceOfAll())
	if err != nil {
		t.Fatal(err)
	}
	heading, lines := v.Listing()
	text := strings.Join(heading, "|") + "\n"
	for _, line := range lines {
		text += strings.Join(line, "|") + "\n"
	}
	golden.Equal(t, "testdata/verdicts.txt", []byte(text+"\n"+strings.Join(v.Notes(), "\n")+"\n"))
	v.Verdicts = v.Verdicts[:2]
	data, err := results.CanonicalJSON(v)
	if err != nil {
		t.Fatal(err)
	}
	golden.Equal(t, "testdata/verdicts.json", append(data, '\n'))
	if len(lines) != 144 || v.Clean() {
		t.Errorf("%d lines, clean %v", len(lines), v.Clean())
	}
}

// TestNoMissNoSplitToExplainIt: a number inside the interval, or one that cannot
// be told, needs no other split to explain it.
func TestNoMissNoSplitToExplainIt(t *testing.T) {
	for verdict, random := range map[string][]int{Reproduced: around(80), Inconclusive: slices.Repeat([]int{77, 83}, 10)} {
		v, err := New(Evidence{
			Published: published.Number{Letter: "X", Accuracy: "80.00"}, Column: "itml", Size: 100, Own: resultstest.RunsOf(100, 50),
			Random: resultstest.RunsOf(100, random...),
		})
		if err != nil {
			t.Fatal(err)
		}
		if v.Verdict != verdict || !v.SplitApart || strings.Contains(v.Reason, "may explain") {
			t.Errorf("%+v, want %s apart from the runs, without an excuse", v, verdict)
		}
	}
}

// TestVerdictSummary: 20 judged numbers of which 3 are outside; two of the others
// have an interval too wide to tell. P(X ≥ 3) for X ~ Bin(20, 0.05) is 0.0754837 =
// 1 - (0.358486 + 0.377354 + 0.188677). Ours is on the other side for 1 of the 3.
func TestVerdictSummary(t *testing.T) {
	var verdicts []Verdict
	for i := range 20 {
		v := Verdict{Letter: string(rune('A' + i/4)), Verdict: Reproduced, Published: "80.00", Ours: "79.00", Interval: []string{"1.00", "2.00"}, Runs: 10}
		switch i {
		case 0, 1:
			v.Verdict = Worse
		case 2, 3:
			v.Verdict = Inconclusive
		case 19:
			v.Verdict, v.Ours = Worse, "81.00"
		}
		verdicts = append(verdicts, v)
	}
	s := summarize(append(verdicts, Verdict{Letter: "Z", Verdict: Exact}, Verdict{Letter: "Z", Verdict: Missing},
		Verdict{Letter: "Z", Verdict: Inconclusive, Interval: []string{"1.00", "2.00"}, Runs: 9}))
	if s.Numbers != 23 || s.Contrary != 1 || s.Judged != 20 || s.Outside != 3 ||
		s.Expected != 1 || s.P != 0.0754837 || s.Rows != 5 || !slices.Equal(s.RowsOutside, []string{"A", "E"}) {
		t.Errorf("%+v", s)
	}
	if none := summarize(nil); none.P != 1 || none.Judged != 0 {
		t.Errorf("of nothing: %+v", none)
	}
}

func TestEveryVerdictHasItsReason(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 40).Draw(t, "n")
		counts := rapid.SliceOfN(rapid.IntRange(0, n), 0, 25)
		e := Evidence{
			Published: rapid.SampledFrom(published.All()).Draw(t, "published"), Column: "x", Size: rapid.IntRange(0, 300).Draw(t, "size"),
			Recorded: rapid.Bool().Draw(t, "recorded"), Stochastic: rapid.Bool().Draw(t, "stochastic"), Euclidean: rapid.Bool().Draw(t, "euclidean"),
			Own: resultstest.RunsOf(n, counts.Draw(t, "own")...), Random: resultstest.RunsOf(n, counts.Draw(t, "random")...), Absent: "not run",
		}
		v, err := New(e)
		if err != nil {
			t.Fatal(err)
		}
		if v.Reason == "" || (v.Evidence == "") != (v.Verdict == Missing) || (v.Runs == 0) != (v.Verdict == Missing) {
			t.Fatalf("%+v", v)
		}
		if s := summarize([]Verdict{v}); s.Exact+s.Reproduced+s.Better+s.Worse+s.Inconclusive+s.Missing != 1 {
			t.Fatalf("%+v counts as %+v", v, s)
		}
	})
}

func TestVerdictOnNoNumber(t *testing.T) {
	for _, e := range []Evidence{
		{Published: published.Number{Accuracy: "high"}, Size: 3},
		{Published: published.Number{Accuracy: "high"}, Random: resultstest.RunsOf(3, 1, 2)},
	} {
		if v, err := New(e); err == nil {
			t.Errorf("%+v", v)
		}
		if _, err := Judge("x", []Evidence{e}); err == nil {
			t.Error("no error")
		}
	}
}
