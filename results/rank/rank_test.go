package rank

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"r2lmlbench/internal/document"
	"r2lmlbench/internal/fixture"
	"r2lmlbench/results"
	"r2lmlbench/results/table"
	"r2lmlbench/stats"
)

func readAnswers(name string, data []byte) (File, error) {
	in, err := Open(context.Background(), name, data)
	if err != nil {
		return File{}, err
	}
	return in.Answers()
}

func readScores(name string, data []byte, lower bool) (Scores, bool, error) {
	in, err := Open(context.Background(), name, data)
	if err != nil {
		return Scores{}, false, err
	}
	return in.Scores(lower)
}

func ranked(name, text string, common bool) (made table.Table, left int, err error) {
	f, err := readAnswers(name, []byte(text))
	if err == nil {
		made, left, err = f.Table(stats.Exact, "", 0.05, common)
	}
	return made, left, err
}

func tableOf(t *testing.T, text string, common bool) table.Table {
	t.Helper()
	made, _, err := ranked("file", text, common)
	fixture.Check(t, err)
	return made
}

func rendered(t *testing.T, of table.Table, format string) string {
	t.Helper()
	var b bytes.Buffer
	fixture.Check(t, of.Render(&b, format, document.Style{}))
	return b.String()
}

// The same results in three forms make the same table: A has 3 of 4 right, B 1 of 4.
func TestForms(t *testing.T) {
	long := "item,system,correct\nq1,A,1\nq2,A,1\nq3,A,true\nq4,A,0\nq1,B,1\nq2,B,0\nq3,B,false\nq4,B,0\n"
	matrix := "id,A,B\nq1,1,1\nq2,1,0\nq3,1,0\nq4,0,0\n"
	var lines strings.Builder
	for _, line := range strings.Split(strings.TrimSpace(long), "\n")[1:] {
		f := strings.Split(line, ",")
		fmt.Fprintf(&lines, "{\"question\": %q, \"model\": %q, \"correct\": %s}\n", f[0], f[1], f[2])
	}
	want := rendered(t, tableOf(t, long, false), "json")
	for name, text := range map[string]string{
		"matrix of pandas": strings.Replace(matrix, "id", "", 1), "and read again": strings.Replace(matrix, "id", "Unnamed: 0", 1),
		"matrix with row names": ",id,A,B\n0,q1,1,1\n1,q2,1,0\n2,q3,1,0\n3,q4,0,0\n",
		"lm-evaluation-harness": strings.NewReplacer("question", "doc_id", "\"correct\": 1", "\"acc\": 1.0, \"target\": \"B\"", "correct", "acc").
			Replace(lines.String()),
		"matrix": matrix, "JSON lines": lines.String(), "BOM": "\ufeff" + long, "CRLF": strings.ReplaceAll(long, "\n", "\r\n"),
	} {
		fixture.Equal(t, name, rendered(t, tableOf(t, text, false), "json"), want)
	}
	cells := tableOf(t, long, false).Rows[0].Cells
	fixture.Equal(t, "right", [2]int{cells[0].Correct, cells[1].Correct}, [2]int{3, 1})
}

// Labels give the counts of their equality, and the exact p of McNemar: 6 items that only
// A has right and none that only B has, p = 2·(1/2)⁶ = 0.03125.
func TestLabels(t *testing.T) {
	text := "item,system,label,truth\n"
	for i := range 10 {
		b := "dog"
		if i < 6 {
			b = "cat"
		}
		text += fmt.Sprintf("%d,A,dog,dog\n%d,B,%s,dog\n", i, i, b)
	}
	row := tableOf(t, text, false).Rows[0]
	for _, labels := range [][]string{{"0", "1"}, {"-1", "1"}, {"1", "01"}, {"7", "2"}, {"", "b"}} { // codes are above 0, and differ
		codes := numbered(labels)
		if x, y := codes[labels[0]], codes[labels[1]]; min(x, y) < 1 || x == y || (labels[0] == "7") != (x == 7) {
			t.Errorf("labels %q have the codes %v", labels, codes)
		}
	}
	bare := fixture.Must(json.Marshal(tableOf(t, "item,A,B\n1,1,0\n2,0,0\n", false).Rows[0].Cells))(t)
	for _, m := range results.Metrics { // has its field without labels, too
		fixture.Equal(t, m.ID, bytes.Contains(bare, []byte(strconv.Quote(m.Field())+":")), m.Always || m.ID == results.Accuracy)
	}
	fixture.Equal(t, "p, only A, only B", fmt.Sprint(row.Pairs[0].P, row.Pairs[0].Paired.OnlyFirst, row.Pairs[0].Paired.OnlySecond), "0.03125 6 0")
}

// Every bad file is an error with its line, and none panics.
func TestBadFiles(t *testing.T) {
	fixture.Equal(t, "limits", [4]int{maxBytes, maxAnswers, maxSystems, maxSets}, [4]int{512 << 20, 16_000_000, 200, 2000})
	fixture.Must(readAnswers("f", []byte("[a],b,item\n1,0,1\n")))(t) // is no JSON

	for text, says := range map[string]string{
		"":                               "the file is empty",
		"item,A\n":                       "no answers",
		"item,A,A\n1,0,1\n":              "two columns",
		"item,system,correct\n1,A,0.5\n": "f:2: A has \"0.5\" for correct",
		"item,system\n1,A\n":             "f:2: no outcome",
		"item\n1\n":                      "f:1: one column",
		"system,correct\nA,1\n":          "f:2: no item; answers need a column item or",
		"item,system,correct\n1,A\n":     "f:1:1: 3 fields, while the lines after it have 2",
		"item,A\n1,2\n":                  "f:2: A has \"2\" for correct",
		"{\"item\": 1}\n{":               "f:2: unexpected EOF",
		"{\"item\": 1":                   "f:1: unexpected EOF; want an object",
		"[{\"item\": 1}]":                "f:1: one column",
		"{\"item\": 1, \"system\": \"A\", \"correct\": 1} {}":                        "f:1: no item",
		"{\"item\": 1, \"system\": \"A\", \"correct\": null}":                        "f:1: no outcome",
		"item,system,label,truth\n1,A,,x\n":                                          "f:2: label or truth is empty; leave out the line",
		"item,system,label,truth,correct\n1,A,,x,1\n":                                "f:2: label or truth is empty",
		"item,system,correct,seed\n1,A,1,\n":                                         "f:2: seed is \"\"",
		"item,A,kind\n1,1,math\n":                                                    "f:2: kind has \"math\" for correct, want 0 or 1: McNemar",
		"item,system,correct\n1,A,1\n1,A,0\n":                                        "f:3: A has answered item \"1\" already on line 2",
		"item,system,label,truth\n1,A,x,x\n1,B,x,y\n":                                "f:3: item \"1\" has the truth \"y\", and \"x\" on line 2",
		"item,system,correct,train\n1,A,1,9\n1,B,1,8\n":                              "f:3: train is \"8\"",
		"item,system,correct,train\n1,A,1,-1\n":                                      "f:2: train is \"-1\"",
		"item,A,train\n1,1,9\n":                                                      "f:1: a matrix has a column for each system and cannot have \"train\"",
		"item,system,correct,label,truth\n1,A,0,x,x\n":                               "f:2: correct is 0, and label and truth say otherwise",
		"item,system,label,prediction,truth\n1,A,x,y,x\n":                            "f:2: label is there under two names",
		"{\"item\": 1, \"system\": \"A\", \"label\": [1], \"truth\": [1]}":           "f:1: no outcome",
		"item,A,kind\n1,1,t\n":                                                       "f:2: kind has \"t\" for correct",
		"item,system,label,Label,truth\n1,A,x,y,x\n":                                 "f:1: two columns are called \"Label\"",
		"{\"item\": 1, \"system\": \"A\", \"Label\": 1, \"label\": 2, \"truth\": 1}": "f:1: two columns are called \"label\"",
		"item,system,correct,seed\n1,A,1, \n":                                        "f:2: seed is \"\"",
		"item,A,B\n1, ,0\n":                                                          "A has no answers",
		"item,system,correct,seed\n1,A,1,one\n":                                      "seed is \"one\"",
		"item,system,correct,dataset\n1,A,1,d\n1,B,1,d\n1,A,1,e\n":                   "e: B has no answers",
	} {
		_, _, err := ranked("f", text, false)
		fixture.Says(t, err, says)
	}
}

// A leaderboard of 30 systems on 500 items, five of which answer as others do: systems
// with the same answers have the same rank, and the order of the lines changes no number.
func TestLeaderboard(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	answers := make([][]bool, 30)
	for s := range answers {
		answers[s] = make([]bool, 500)
		for i := range answers[s] {
			answers[s][i] = rng.Float64() < 0.5+0.01*float64(s)
		}
		if s >= 25 {
			answers[s] = answers[s-25]
		}
	}
	var lines []string
	for i := range 500 {
		for s := range answers {
			correct := 0
			if answers[s][i] {
				correct = 1
			}
			lines = append(lines, fmt.Sprintf("%d,s%02d,%d", i, s, correct))
		}
	}
	head := "item,system,correct\n"
	made := tableOf(t, head+strings.Join(lines, "\n"), false)
	for s := 25; s < 30; s++ {
		if a, b := made.Rows[0].Cells[s], made.Rows[0].Cells[s-25]; a.Rank != b.Rank || a.Correct != b.Correct {
			t.Errorf("s%02d has rank %d with %d right, s%02d rank %d with %d", s, a.Rank, a.Correct, s-25, b.Rank, b.Correct)
		}
	}
	fixture.Equal(t, "pairs", len(made.Rows[0].Pairs), 435)
	slices.SortStableFunc(lines, func(a, b string) int { // systems one after another, in their order
		return strings.Compare(strings.Split(a, ",")[1], strings.Split(b, ",")[1])
	})
	fixture.Same(t, "in another order of the lines", rendered(t, tableOf(t, head+strings.Join(lines, "\n"), false), "json"), rendered(t, made, "json"))
}

// Splits of a data set are one row whatever they are called, of seeds the smallest is
// ranked, and a header may come again.
func TestSplits(t *testing.T) {
	text := ""
	for _, part := range []string{"a b", "c"} {
		text += "item,system,correct,split,seed,train\n"
		for i := range 6 {
			for seed := range 2 { // of the seeds 2 and 1, the last in the file is right always
				text += fmt.Sprintf("%d,A,%d,%s,%d,9\n%d,B,%d,%s,1,9\n", i, seed, part, 2-seed, 6*seed+i, i%2, part)
			}
			text += fmt.Sprintf("%d,A,1,%s,1,9\n%d,A,1,%s,2,9\n", 6+i, part, 6+i, part)
		}
	}
	made := tableOf(t, text, false)
	if len(made.Rows) != 1 || made.Rows[0].Pool == nil || made.Rows[0].Pool.Splits != 2 || made.Rows[0].Pool.Train != 18 {
		t.Fatalf("%+v", made.Rows)
	}
	a := made.Rows[0].Cells[0]
	fixture.Equal(t, "right of A, and seed", fmt.Sprint(a.Correct, a.Seed), "24 1")
}

// Labels are the same classes in all splits, names of columns may be written otherwise,
// and 1.0 is 1.
func TestClasses(t *testing.T) {
	text := "Item, System,label,truth,split\n"
	for split, truths := range []string{"abbb", "bbbc"} {
		for i, truth := range truths {
			text += fmt.Sprintf("%d,S,%c,%c,%d\n", i, truth, truth, split)
		}
	}
	row := tableOf(t, text, false).Rows[0]
	if row.Classes == nil || row.Classes.Majority.Count != 6 || row.Classes.Majority.Accuracy != "75.00" {
		t.Errorf("%+v", row.Classes)
	}
	// So they are where a split has one alone: a is right 5 times of 8.
	text = "item,system,label,truth,split\n"
	for split, truths := range []string{"aaaa", "bbab"} {
		for i, truth := range truths {
			text += fmt.Sprintf("%d,S,%c,%c,%d\n", i, truth, truth, split)
		}
	}
	if row := tableOf(t, text, false).Rows[0]; row.Classes == nil || row.Classes.Majority.Accuracy != "62.50" {
		t.Errorf("%+v", row.Classes)
	}
	fixture.Equal(t, "right where 1.0 is 1", tableOf(t, "item,system,label,truth\n1,S,1.0,1\n2,S,2.0,2\n3,S,2.5,2\n", false).Rows[0].Cells[0].Correct, 2)
	right := tableOf(t, "item,system,correct,split\n1,S,1,1\n2,S,1,1\n1,S,0,2\n2,S,1,2\n", false).Rows[0]
	if right.Classes != nil || right.Cells[0].Metrics != nil {
		t.Errorf("whether an answer is right is a class: %+v", right.Classes)
	}
}

// Over data sets the ranks are those of package stats.
func TestAcross(t *testing.T) {
	var text strings.Builder
	text.WriteString("dataset,item,A,B,C\n")
	for d := range 5 {
		for i := range 20 {
			fmt.Fprintf(&text, "d%d,%d,1,%d,%d\n", d, i, min(1, i/(d+1)), min(1, i/(d+6)))
		}
	}
	over := tableOf(t, text.String(), false).Across
	if over == nil || over.Sets != 5 {
		t.Fatalf("%+v", over)
	}
	// On every set A is best and C worst.
	fixture.EqualSlice(t, "average ranks", over.Ranks, []table.AverageRank{{Column: "A", Rank: "1.00"}, {Column: "B", Rank: "2.00"}, {Column: "C", Rank: "3.00"}})
	if got := over.Pairs[0].P; got != 0.0625 { // 2·(1/2)⁵: all five differences have one sign
		t.Errorf("p of A and B over the sets %v, want 0.0625", got)
	}
	fixture.Same(t, "a comparison over one data set", tableOf(t, "item,A,B\n1,1,0\n", false).Across, nil)
}

// Columns that are not used are told, and labels that differ by capitals alone.
func TestRemarks(t *testing.T) {
	for text, want := range map[string]string{
		"item,system,correct\n1,A,1\n":                        "",
		",item,system,correct,time\n0,1,A,1,2\n":              `2 columns not used: "", "time"`,
		",item,A\n0,1,1\n":                                    `1 column not used: ""`,
		"question,id,model,acc\nWhy?,1,A,1\n":                 `1 column not used: "question"`,
		`{"doc_id":1,"model":"A","acc":1.0,"resps":["B"]}`:    `1 column not used: "resps"`,
		"item,system,label,truth\n1,A,Cat,cat\n2,A,dog,dog\n": `labels that differ by capitals alone count as different: "cat", "Cat"`,
	} {
		f := fixture.Must(readAnswers("f", []byte(text)))(t)
		fixture.Equal(t, text, strings.Join(f.Remarks(), "; "), want)
	}
}

// An item has one truth, also where only correct counts.
func TestTwoTruths(t *testing.T) {
	for _, text := range []string{
		"item,system,label,truth\n1,A,x,x\n1,B,x,y\n",
		"item,system,correct,target\n1,A,1,x\n1,B,1,y\n",
		`{"doc_id":1,"model":"A","acc":1,"target":"x"}` + "\n" + `{"doc_id":1,"model":"B","acc":1,"target":"y"}`,
	} {
		fixture.Says(t, fixture.Error(readAnswers("f", []byte(text))), "item \"1\" has the truth \"y\", and \"x\" on", "f:")
	}
	fixture.Must(readAnswers("f", []byte("item,system,correct,target,split\n1,A,1,x,1\n1,A,1,y,2\n")))(t) // another sample
}

// A gap is found whichever system has it, and counted once an item, over all data sets.
func TestGapsOfAllSystems(t *testing.T) {
	systems := []string{"A", "B", "C"}
	for i, lacking := range systems {
		text := "dataset,item,system,correct\n"
		for item := range 8 {
			for k, system := range systems {
				if k != i || item%4 != 2 {
					text += fmt.Sprintf("d%d,q%d,%s,%d\n", item/4, item%4, system, (item+k)%2)
				}
			}
		}
		_, _, err := ranked("f", text, false)
		fixture.Says(t, err, "1 of 4 items lack an answer: "+lacking+" has none to item \"q2\"")
		made, left, err := ranked("f", text, true)
		fixture.Check(t, err)
		fixture.Equal(t, "items left out and ranked without "+lacking+"'s", [2]int{left, made.Rows[0].N}, [2]int{2, 3})
	}
}

func FuzzRead(f *testing.F) {
	f.Add("item,system,correct\n1,A,1\n")
	f.Add("{\"item\":1,\"system\":\"a\",\"label\":\"x\",\"truth\":\"y\"}\n")
	f.Add("item,A,B\n1,1,0\n2,,1\n")
	f.Fuzz(func(t *testing.T, text string) {
		made, _, err := ranked("f", text, true)
		if err != nil {
			return
		}
		for _, format := range []string{"text", "json"} {
			rendered(t, made, format)
		}
	})
}

// The systems of a table are bounded, since every pair is tested; a gate of answers is not.
func TestMostSystems(t *testing.T) {
	head, line := "item", "q"
	for i := range maxSystems + 1 {
		head, line = head+fmt.Sprintf(",s%d", i), line+",1"
	}
	if _, _, err := ranked("many.csv", head+"\n"+line+"\n", false); err == nil || !strings.Contains(err.Error(), fmt.Sprint(maxSystems)) {
		t.Errorf("%d systems: %v", maxSystems+1, err)
	}
	fixture.Equal(t, "systems of the gate", len(inputsOf(t, head+"\n"+line+"\n", head+"\n"+line+"\n")), maxSystems+1)
}

// On one data set the conclusion separates what McNemar's test separates: of 40 items A has all
// right, B all but 2 (p 0.5), C none.
func TestConclusionOnOneDataSet(t *testing.T) {
	answers := func(head string, of func(i int) string) string {
		for i := range 40 {
			head += "\n" + of(i)
		}
		return head + "\n"
	}
	right := func(b bool) int { return map[bool]int{true: 1}[b] }
	var rows strings.Builder
	rows.WriteString("item,A,B\n0,1,0\n")
	for i := range 30_000 {
		fmt.Fprint(&rows, i+1, ",1,1\n")
	}
	for _, c := range []struct {
		text string
		want []string
	}{
		{answers("item,A,B,C", func(i int) string { return fmt.Sprint(i, ",1,", right(i > 1), ",0") }),
			[]string{"No clear winner: A ", "100.00 %", "not significantly worse: B."}},
		{answers("item,dataset,A,B", func(i int) string { return fmt.Sprint(i/2, ",", i%2, ",1,0") }), []string{"over 2 data sets"}},
		{answers("item,A,C", func(i int) string { return fmt.Sprint(i, ",1,0") }), []string{"A has the highest accuracy", "significantly worse: C."}},
		{answers("item,A,B", func(i int) string { return fmt.Sprint(i, ",1,1") }), []string{"All systems have 100.00 %"}},
		{rows.String(), []string{"No clear winner: A ", "100.00 %", "not significantly worse: B."}}, // equal in two decimals alone
		{answers("item,system,correct,split,train", func(i int) string { // C lacks the split 1
			rows := fmt.Sprint(i/2, ",A,1,", i%2, ",60\n", i/2, ",B,", right(i%8 > 1), ",", i%2, ",60")
			if i%2 == 0 {
				rows += fmt.Sprint("\n", i/2, ",C,0,0,60")
			}
			return rows
		}), []string{"No clear winner: A ", "not significantly worse: B.", "No result on every split: C."}},
		{answers("item,system,label,truth", func(i int) string { // the truth is y on 3 of 4 items; S finds none of the others, T one more error
			truth := string("nyyy"[i%4])
			return fmt.Sprint(i, ",S,y,", truth, "\n", i, ",T,", map[bool]string{true: "n", false: "y"}[i == 1], ",", truth)
		}), []string{"75.00 %", "not significantly worse: T", "Always answering the most frequent label gives 75.00 %"}},
		{answers("item,system,correct,split", func(i int) string { return fmt.Sprint(i/2, ",A,1,", i%2, "\n", i/2, ",B,0,", i%2) }),
			[]string{"A has the highest accuracy", "no test compares the systems", "training samples is not known"}},
	} {
		said := strings.Join(Conclusion(tableOf(t, c.text, strings.Contains(c.text, ",C,0,0,60")), "system"), "\n")
		for _, want := range c.want {
			fixture.Has(t, c.want[0], said, want)
		}
	}
	fixture.Equal(t, "five names", fewNames(strings.Split("abcde", "")), "a, b, c, d and e")
	fixture.Equal(t, "six names", fewNames(strings.Split("abcdef", "")), "6 others")
	alone := answers("item,system,correct,split,train", func(i int) string { // B lacks the split 1, so that A has nobody to be compared with
		return fmt.Sprint(i/2, ",A,1,", i%2, ",60") + map[int]string{0: fmt.Sprint("\n", i/2, ",B,0,0,60")}[i%2]
	})
	fixture.Equal(t, "sentences on one system", len(Conclusion(tableOf(t, alone, true), "system")), 0)
}
