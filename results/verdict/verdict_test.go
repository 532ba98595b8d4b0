package verdict_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"r2lmlbench/internal/golden"
	"r2lmlbench/results"
	"r2lmlbench/results/published"
	. "r2lmlbench/results/verdict"
	"r2lmlbench/results/verdict/verdicttest"
)

// runs returns runs of n samples with so many right, seeds 1, 2, ...
func runs(n int, correct ...int) []Run {
	var all []Run
	for i, k := range correct {
		in := results.Inputs{Dataset: "toy", Method: "itml", Seed: uint64(i + 1), Points: []results.Point{{Params: results.Params{}}}}
		all = append(all, Run{Inputs: in, Correct: k, N: n})
	}
	return all
}

// of makes a protocol of runs with 100 samples.
func of(rung Rung, setting string, correct ...int) Protocol {
	return Protocol{Rung: rung, Setting: setting, Runs: runs(100, correct...)}
}

func TestVerdict(t *testing.T) {
	for _, c := range []struct {
		name          string
		printed       string
		protocols     []Protocol
		slack         float64
		deterministic bool
		want          string // verdict, setting, range, runs and gap
		says          string
	}{
		{"nothing", "80.00", nil, 0, false, "untested||[] 0 ", "never ran"},
		{"other protocols only", "80.00", []Protocol{of(OnTest, "", 80)}, 0, false, "untested||[] 0 ", "never ran"},
		{"equal", "80.00", []Protocol{of(Stated, "", 80)}, 0, true, "equal||[80.00 80.00] 1 0.00",
			"ours is 80.00, printed 80.00: 0.00 points, 0 samples; rung 0, the stated protocol, " +
				"with the printed number of samples right in every run, gives 80.00 in a single run"},
		{"equal with all seeds alike", "80.00", []Protocol{of(Stated, "", 80, 80, 80)}, 0, false, "equal||[80.00 80.00] 3 0.00", "80.00 in all of 3 runs"},
		{"one seed cannot tell that all are alike", "80.00", []Protocol{of(Stated, "", 80)}, 0, false, "reproduced||[80.00 80.00] 1 0.00",
			"that is the printed value"},
		{"seeds that differ are not equal", "80.00", []Protocol{of(Stated, "", 80, 81)}, 0, false, "reproduced||[80.00 81.00] 2 0.00", "is inside"},
		{"a deterministic method has a number and a difference", "80.90", []Protocol{of(Stated, "", 80)}, 0, true, "reproduced||[80.00 80.00] 1 0.90",
			"-0.90 points, -1 sample; rung 1, the stated protocol, gives 80.00 in a single run; the gap of 0.90 is within the margin of 1.00"},
		{"as far as the margin", "81.00", []Protocol{of(Stated, "", 80)}, 0, true, "reproduced||[80.00 80.00] 1 1.00",
			"the gap of 1.00 is within the margin of 1.00"},
		{"as far as the margin and half of the last digit", "81.05", []Protocol{of(Stated, "", 80)}, 0.045, true, "reproduced||[80.00 80.00] 1 1.05",
			"the gap of 1.05 is within the margin of 1.04 (0.005 allowed for rounding of the printed value)"},
		{"half of the last digit counts", "81.0", []Protocol{of(Stated, "", 80)}, 0, true, "reproduced||[80.00 80.00] 1 1.00", ""},
		{"beyond the margin", "81.01", []Protocol{of(Stated, "", 80)}, 0, true, "printed above||[80.00 80.00] 1 1.01", "beyond the margin of 1.00"},
		{"the row slack widens it", "82.50", []Protocol{of(Stated, "", 80)}, 1.5, true, "reproduced||[80.00 80.00] 1 2.50", "within the margin of 2.50"},
		{"an unknown slack does not", "82.50", []Protocol{of(Stated, "", 80)}, math.NaN(), true, "printed above||[80.00 80.00] 1 2.50", ""},
		{"inside the range of seeds", "85.00", []Protocol{of(Stated, "", 80, 90)}, 0, false, "reproduced||[80.00 90.00] 2 0.00", "80.00 to 90.00 in 2 runs"},
		{"a wide range", "85.00", []Protocol{of(Stated, "", 80, 91)}, 0, false, "reproduced wide||[80.00 91.00] 2 0.00", ""},
		{"ties", "70.00", []Protocol{of(Stated, "", 80, 81), of(Tied, "", 80, 69, 81), of(Open, "shrinkage 1", 70), of(OnTest, "", 90, 91)}, 0, false,
			"reproduced, ties wide||[69.00 81.00] 3 0.00", "rung 2, any setting that ties on the validation samples, gives"},
		{"an open setting", "70.00", []Protocol{of(Stated, "", 80), of(Open, "shrinkage 1", 69), of(OnTest, "", 70), of(OpenOnTest, "shrinkage 1", 70)}, 0, true,
			"reproduced, open setting|shrinkage 1|[69.00 69.00] 1 1.00", "rung 3, another value of an open parameter (shrinkage 1), gives 69.00"},
		{"the nearest of several", "70.00", []Protocol{of(Stated, "", 80), of(Open, "shrinkage 1", 69), of(Open, "shrinkage 2", 70), of(Open, "shrinkage 3", 71)}, 0,
			true, "reproduced, open setting|shrinkage 2|[70.00 70.00] 1 0.00", ""},
		{"the narrowest of those as near", "70.00", []Protocol{of(Stated, "", 80), of(Open, "a 1", 60, 75), of(Open, "a 2", 69, 72), of(Open, "a 3", 69, 72)}, 0,
			false, "reproduced, open setting|a 2|[69.00 72.00] 2 0.00", ""},
		{"the best on test", "90.00", []Protocol{of(Stated, "", 80), of(Open, "a 1", 70), of(OnTest, "", 90), of(OpenOnTest, "a 1", 90)}, 0, true,
			"reproduced by choice on test||[90.00 90.00] 1 0.00", "rung 4, the best setting on the test samples, gives"},
		{"the best on test with an open setting", "95.00", []Protocol{of(Stated, "", 80), of(OnTest, "", 90), of(OpenOnTest, "a 1", 94), of(OpenOnTest, "a 2", 97)},
			0, true, "reproduced by choice on test, open setting|a 1|[94.00 94.00] 1 1.00", "(a 1)"},
		{"above all", "99.00", []Protocol{of(Stated, "", 80, 81), of(OnTest, "", 90, 91)}, 0, false, "printed above||[80.00 81.00] 2 18.00",
			"the gap of 18.00 is beyond the margin of 1.00; nearest is rung 4, the best setting on the test samples, with 90.00 to 91.00 in 2 runs"},
		{"below the stated runs", "60.00", []Protocol{of(Stated, "", 80, 81), of(OnTest, "", 90, 91)}, 0, false, "printed below||[80.00 81.00] 2 20.00",
			"no other protocol comes nearer"},
		{"below the stated runs, above others", "60.00", []Protocol{of(Stated, "", 80), of(Open, "a 1", 50)}, 0, true, "printed below||[80.00 80.00] 1 20.00",
			"nearest is rung 3, another value of an open parameter (a 1), with 50.00 in a single run"},
		{"between", "85.00", []Protocol{of(Stated, "", 80, 81), of(OnTest, "", 90, 91)}, 0, false, "between||[80.00 81.00] 2 4.00", ""},
		{"seed 1 is missing", "80.00", []Protocol{{Rung: Stated, Runs: runs(100, 70, 80)[1:]}}, 0, false, "reproduced||[80.00 80.00] 1 0.00",
			"no run of ours with seed 1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := Evidence{
				Published: published.Number{Letter: "X", Dataset: "toy", Method: "itml", Accuracy: c.printed}, Column: "itml", Size: 100,
				Stochastic: !c.deterministic, Slack: c.slack, Protocols: c.protocols, Absent: "never ran",
			}
			v, err := New(e)
			if err != nil {
				t.Fatal(err)
			}
			if got := fmt.Sprint(v.Verdict, "|", v.Setting, "|", v.Range, " ", v.Runs, " ", v.Gap); got != c.want || !strings.Contains(v.Reason, c.says) {
				t.Errorf("%s: %s\nwant %s: %s", got, v.Reason, c.want, c.says)
			}
			if err := verdicttest.Check(e, v); err != nil {
				t.Error(err)
			}
		})
	}
}

// The margin is a sample where that is more than a point.
func TestMargin(t *testing.T) {
	for _, c := range []struct {
		size  int
		slack float64
		want  float64
	}{{0, 0, 1}, {1000, 0, 1}, {100, 0, 1}, {70, 0, 100.0 / 70}, {70, 5.71, 100.0/70 + 5.71}, {100, math.NaN(), 1}} {
		if got := (Evidence{Size: c.size, Slack: c.slack}).Margin(); got != c.want {
			t.Errorf("%+v: %g", c, got)
		}
	}
}

// The run of seed 1 under the stated protocol decides whether a number is marked.
// A number needs the row slack if the margin without it does not reach it. Which
// numbers do is counted by rung, and noted.
func TestRowSlackIsCounted(t *testing.T) {
	slack := func(letter, printed string, protocols ...Protocol) Evidence {
		e := number(letter, "m", printed, protocols...)
		e.Slack = 1.5
		return e
	}
	v, err := Judge("accuracy", []Evidence{
		slack("A", "82.40", of(Stated, "", 80)), slack("B", "80.90", of(Stated, "", 80)),
		slack("C", "82.00", of(Stated, "", 70), of(OnTest, "", 80)), slack("D", "90.00", of(Stated, "", 80)),
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(v.Summary.Slackened); got != "[{0 0} {1 2} {0 0} {0 0} {1 1} {0 0}]" ||
		!v.Verdicts[0].Slackened || v.Verdicts[1].Slackened || v.Verdicts[3].Slackened {
		t.Errorf("%s", got)
	}
	want := "Numbers that need the row slack in their margin: 1 of 2 that the stated protocol gives, and 1 of 1 that other rungs give."
	if !slices.Contains(v.Notes(), want) {
		t.Errorf("%q", v.Notes())
	}
	v, err = Judge("accuracy", []Evidence{slack("B", "80.90", of(Stated, "", 80))})
	if err != nil || strings.Contains(strings.Join(v.Notes(), " "), "need the row slack") {
		t.Errorf("none needs it: %q, %v", v.Notes(), err)
	}
}

func TestConstantPredictions(t *testing.T) {
	e := Evidence{Published: published.Number{Letter: "X", Accuracy: "80.00"}, Column: "x", Protocols: []Protocol{of(Stated, "", 50, 80), of(OnTest, "", 90)}}
	for i, want := range []bool{true, false, false} {
		e.Protocols[0].Runs[0].Constant, e.Protocols[0].Runs[1].Constant, e.Protocols[1].Runs[0].Constant = i == 0, i == 1, i == 2
		all, err := Judge("x", []Evidence{e})
		if err != nil || all.Verdicts[0].Constant != want || (all.Summary.Constant == 1) != want {
			t.Errorf("%v: %+v, %+v", err, all.Verdicts, all.Summary)
		}
		if said := strings.Contains(strings.Join(all.Notes(), "\n"), "the same label: X x."); said != want {
			t.Errorf("%q", all.Notes())
		}
	}
}

// TestUnreachableVerdicts: the printed values that no count of right answers
// gives, with the test sizes of our splits; Sonar's is 128, not the printed 180.
func TestUnreachableVerdicts(t *testing.T) {
	var got []string
	for _, p := range published.All() {
		v, err := New(Evidence{Published: p, Column: p.Method, Size: testSize(p), Absent: "not run"})
		if err != nil {
			t.Fatal(err)
		}
		if v.Unreachable {
			got = append(got, v.Letter+"/"+v.Method+" "+v.Nearest)
			if !strings.Contains(v.Reason, "impossible with "+fmt.Sprint(testSize(p))+" test samples") {
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

func testSize(p published.Number) int {
	if p.Dataset == "sonar" {
		return 128
	}
	return p.Test
}

// evidenceOfAll imitates a run of the whole table with numbers of every word: the
// counts of a number differ from the printed one by what its place in the table says.
func evidenceOfAll() []Evidence {
	var all []Evidence
	for i, p := range published.All() {
		size := testSize(p)
		var percent float64
		fmt.Sscan(p.Accuracy, &percent)
		right := int(percent*float64(size)/100 + 0.5)
		e := Evidence{
			Published: p, Column: p.Method, Size: size, Stochastic: i%8 > 0 && p.Method != "glml", Proposed: strings.HasSuffix(p.Method, "r2lml"), Absent: "not run",
		}
		shift := func(points int) int { return min(max(right+points*size/100, 0), size) }
		put := func(rung Rung, setting string, points ...int) {
			var counts []int
			for _, d := range points {
				counts = append(counts, shift(d))
			}
			e.Protocols = append(e.Protocols, Protocol{Rung: rung, Setting: setting, Runs: runs(size, counts...)})
		}
		switch i % 7 {
		case 0:
			put(Stated, "", 0)
		case 1:
			put(Stated, "", -3, -1, 2)
		case 2:
			put(Stated, "", -9, -6)
			put(Tied, "", -12, 1)
			put(OnTest, "", -2, 4)
		case 3:
			put(Stated, "", -9, -6)
			put(Open, "shrinkage 0.1", -8)
			put(Open, "shrinkage 0.5", 0)
			put(OnTest, "", -4, -3)
		case 4:
			put(Stated, "", -9, -6)
			put(OnTest, "", 0, 1)
		case 5:
			put(Stated, "", 9, 6, 7)
			put(OnTest, "", 12, 12, 15)
		}
		all = append(all, e)
	}
	return all
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
	text += "\n" + strings.Join(v.Notes(), "\n") + "\n"
	for _, l := range v.Tables() {
		text += "\n" + l.Title + "\n"
		for _, line := range slices.Concat([][]string{l.Head}, l.Rows) {
			text += strings.Join(line, "|") + "\n"
		}
		text += strings.Join(l.Notes, "\n") + "\n"
	}
	golden.Equal(t, "testdata/verdicts.txt", []byte(text))
	few, err := Judge("accuracy", evidenceOfAll()[:8])
	if err != nil {
		t.Fatal(err)
	}
	few.Verdicts = few.Verdicts[:3]
	data, err := results.CanonicalJSON(few)
	if err != nil {
		t.Fatal(err)
	}
	golden.Equal(t, "testdata/verdicts.json", append(data, '\n'))
	if len(lines) != 144 || v.Clean() {
		t.Errorf("%d lines, clean %v", len(lines), v.Clean())
	}
}

// Sentences of notes are short enough to be read once.
func TestShortSentences(t *testing.T) {
	v, err := Judge("accuracy", evidenceOfAll())
	if err != nil {
		t.Fatal(err)
	}
	notes := v.Notes()[1:] // the first counts words
	for _, l := range v.Tables() {
		notes = append(notes, l.Notes...)
	}
	for _, note := range notes {
		for _, sentence := range strings.Split(note, ". ") {
			if n := len(strings.Fields(sentence)); n > 30 {
				t.Errorf("%d words: %s", n, sentence)
			}
		}
	}
}

func TestClean(t *testing.T) {
	evidence := func(printed string, protocols ...Protocol) Evidence {
		return Evidence{Published: published.Number{Accuracy: printed}, Protocols: protocols}
	}
	equal, reproduced := evidence("80.00", of(Stated, "", 80)), evidence("80.50", of(Stated, "", 80))
	for _, c := range []struct {
		all  []Evidence
		want bool
	}{
		{nil, false},
		{[]Evidence{equal, reproduced}, true},
		{[]Evidence{equal, evidence("90.00", of(Stated, "", 80), of(Tied, "", 80, 90))}, false},
		{[]Evidence{equal, evidence("90.00", of(Stated, "", 80))}, false},
		{[]Evidence{equal, evidence("90.00")}, false},
	} {
		if v, err := Judge("x", c.all); err != nil || v.Clean() != c.want {
			t.Errorf("%v: clean %v of %+v", err, v.Clean(), v.Verdicts)
		}
	}
}

// TestSummary: ours are 0.4, 0.9, 3 and 6 points off, and in the order of the printed
// values but for the last two.
func TestSummary(t *testing.T) {
	var all []Evidence
	for i, printed := range []string{"50.40", "60.90", "77.00", "76.00"} {
		all = append(all, Evidence{Published: published.Number{Accuracy: printed}, Column: "m", Protocols: []Protocol{of(Stated, "", []int{50, 60, 74, 82}[i])}})
	}
	v, err := Judge("x", append(all, Evidence{Published: published.Number{Accuracy: "1.00"}, Column: "n", Absent: "not run"}))
	if err != nil {
		t.Fatal(err)
	}
	s := v.Summary
	if s.Numbers != 5 || s.Close.Numbers != 4 || fmt.Sprint(s.Close.Within) != "[{0.5 1} {1 2} {2 2} {5 3}]" || *s.Close.Mean != 2.575 {
		t.Errorf("%+v", s.Close)
	}
	if m := s.Methods[0]; m.Method != "m" || *m.Spearman != 0.8 || m.Close.Numbers != 4 { // 1 - 6·2/(4·15)
		t.Errorf("%+v", m)
	}
	if n := s.Methods[1]; n.Spearman != nil || n.Close.Mean != nil || n.Words[len(n.Words)-1] != (WordCount{Untested, 1}) {
		t.Errorf("%+v", n)
	}
}

// drawEvidence draws any evidence that cells can give.
func drawEvidence(t *rapid.T) Evidence {
	n := rapid.IntRange(1, 300).Draw(t, "n")
	e := Evidence{
		Published: rapid.SampledFrom(published.All()).Draw(t, "published"), Column: "x", Size: rapid.SampledFrom([]int{0, n}).Draw(t, "size"),
		Stochastic: rapid.Bool().Draw(t, "stochastic"), Slack: rapid.SampledFrom([]float64{0, 0.02, 5.71, math.NaN()}).Draw(t, "slack"), Absent: "not run",
	}
	if rapid.Bool().Draw(t, "possible") {
		e.Published.Accuracy = fmt.Sprintf("%.2f", 100*float64(rapid.IntRange(0, n).Draw(t, "right"))/float64(n))
	}
	for _, p := range []Protocol{
		{Rung: Stated}, {Rung: Tied}, {Rung: Open, Setting: "a 1"}, {Rung: Open, Setting: "a 2"}, {Rung: OnTest}, {Rung: OpenOnTest, Setting: "a 1"},
	} {
		counts := rapid.SliceOfN(rapid.IntRange(0, n), 1, 12).Draw(t, "counts")
		if p.Runs = runs(n, counts...); rapid.IntRange(0, 3).Draw(t, "ran") > 0 {
			e.Protocols = append(e.Protocols, p)
		}
	}
	return e
}

func TestVerdictsDoNotContradict(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := drawEvidence(t)
		v, err := New(e)
		if err != nil {
			t.Fatal(err)
		}
		if err := verdicttest.Check(e, v); err != nil {
			t.Fatalf("%v\n%+v", err, v)
		}
	})
}

func TestImitatedVerdictsDoNotContradict(t *testing.T) {
	for _, e := range evidenceOfAll() {
		v, err := New(e)
		if err != nil {
			t.Fatal(err)
		}
		if err := verdicttest.Check(e, v); err != nil {
			t.Error(err)
		}
	}
}

func TestVerdictOnNoNumber(t *testing.T) {
	for _, e := range []Evidence{
		{Published: published.Number{Accuracy: "high"}, Size: 3},
		{Published: published.Number{Accuracy: "NaN"}, Protocols: []Protocol{of(Stated, "", 1, 2)}},
	} {
		if v, err := New(e); err == nil {
			t.Errorf("%+v", v)
		}
		if _, err := Judge("x", []Evidence{e}); err == nil {
			t.Error("no error")
		}
	}
}

// Differences and gaps are those of the printed numbers beside them: 86.875 prints as
// 86.88, which is 2.82 below 89.70, and 81.05 is 4.21 above 76.84 = 146 of 190.
func TestPlainNumbers(t *testing.T) {
	for _, c := range []struct {
		printed         string
		correct, size   int
		difference, gap string
	}{
		{"89.70", 556, 640, "-2.82", "2.82"}, {"81.05", 146, 190, "-4.21", "4.21"}, {"86.88", 556, 640, "0.00", "0.00"}, {"86.87", 556, 640, "+0.01", "0.01"},
		{"87", 556, 640, "-0.12", "0.00"}, {"86.9", 556, 640, "-0.02", "0.00"}, {"86.8785", 556, 640, "0.00", "0.00"}, {"86.875", 556, 640, "+0.01", "0.01"},
	} {
		v, err := New(number("A", "x", c.printed, Protocol{Rung: Stated, Runs: runs(c.size, c.correct)}))
		if err != nil || v.Difference != c.difference || v.Gap != c.gap || v.Ladder[0].Gap != c.gap {
			t.Errorf("%s: difference %s, gap %s, %s, %v", c.printed, v.Difference, v.Gap, v.Reason, err)
		}
	}
}
