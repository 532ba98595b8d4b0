package figures

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"r2lmlbench/results"
	"r2lmlbench/results/figures/chart"
	"r2lmlbench/results/study/studytest"
	"r2lmlbench/results/table"
	"r2lmlbench/results/verdict"
)

// manyRows has a row for each of 8 data sets: the first method has i+2 more right than
// the second on set i, and the third as many as the second.
func manyRows(extra int) table.Table {
	t := table.Table{Spec: "accuracy", Test: results.TestInfo{Alpha: 0.05}, Columns: []table.Column{
		swept("e-r2lml"), swept("itml"), swept("lmnn"),
	}}
	for range extra {
		c := swept("lmnn")
		c.ID = fmt.Sprintf("lmnn:%d", len(t.Columns))
		t.Columns = append(t.Columns, c)
	}
	for i := range 8 {
		r := table.Row{Dataset: fmt.Sprintf("set%d", i), Letter: string(rune('A' + i)), Name: fmt.Sprintf("Set %d", i), N: 100}
		r.Cells = []table.Cell{studytest.Got(62+i, 100), studytest.Got(60, 100), studytest.Got(60, 100)}
		for range extra {
			r.Cells = append(r.Cells, studytest.Got(50, 100))
		}
		t.Rows = append(t.Rows, r)
	}
	return t
}

// lines reads a figure's numbers by the names of their columns.
func lines(t *testing.T, f chart.Figure) []map[string]string {
	t.Helper()
	all, err := csv.NewReader(bytes.NewReader(f.CSV)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var named []map[string]string
	for _, line := range all[1:] {
		one := map[string]string{}
		for i, name := range all[0] {
			one[name] = line[i]
		}
		named = append(named, one)
	}
	return named
}

func TestComparisons(t *testing.T) {
	figures, err := Comparisons(manyRows(0))
	if err != nil || len(figures) != 1 {
		t.Fatalf("%d figures, %v", len(figures), err)
	}
	check(t, figures[0])
	got := lines(t, figures[0])
	// All 8 differences have one sign: p = 2/2^8; two of three pairs have it, and Holm
	// multiplies it by 3 and keeps the second at that.
	want := map[string]string{
		"method": "e-r2lml", "against": "itml", "datasets": "8", "mean_difference": "5.5", "wins": "8", "ties": "0", "losses": "0",
		"p": "0.0078125", "p_holm": "0.0234375",
	}
	for name, value := range want {
		if got[0][name] != value {
			t.Errorf("%s is %s, want %s", name, got[0][name], value)
		}
	}
	if last := got[3]; last["method"] != "itml" || last["against"] != "lmnn" || last["ties"] != "8" || last["p_holm"] != "1" {
		t.Errorf("%v", last)
	}
	if back := got[2]; back["losses"] != "8" || back["mean_difference"] != "-5.5" {
		t.Errorf("%v", back)
	}
	s := readSVG(t, figures[0])
	if s.marks != 6 || !strings.Contains(strings.Join(s.texts, " "), "−5.50 0/0/8 0.023") {
		t.Errorf("%d marks, texts %q", s.marks, s.texts)
	}
}

// With more methods a field has less in it, but its title has all.
func TestManyComparisons(t *testing.T) {
	for _, extra := range []int{9, 20} {
		figures, err := Comparisons(manyRows(extra))
		if err != nil || len(figures) != 1 {
			t.Fatalf("%d figures, %v", len(figures), err)
		}
		check(t, figures[0])
		n := extra + 3
		s, text := readSVG(t, figures[0]), string(figures[0].SVG)
		if s.marks != n*(n-1) || !slices.Contains(s.texts, strconv.Itoa(n)) || slices.Contains(s.texts, "8/0/0") || strings.Contains(text, "−0.0") {
			t.Errorf("%d methods: %d marks, texts %q", n, s.marks, s.texts)
		}
	}
}

func TestNoComparisons(t *testing.T) {
	one := manyRows(0)
	one.Rows = one.Rows[:1]
	alone := manyRows(0)
	alone.Columns = alone.Columns[:1]
	for i := range alone.Rows {
		alone.Rows[i].Cells = alone.Rows[i].Cells[:1]
	}
	for _, tbl := range []table.Table{{}, one, alone} {
		if figures, err := Comparisons(tbl); len(figures) != 0 || err != nil {
			t.Errorf("%d figures, %v", len(figures), err)
		}
	}
}

// The front has what nothing is faster than and as accurate as.
func TestTimes(t *testing.T) {
	tbl := manyRows(0)
	var costs []Cost
	for _, r := range tbl.Rows[:2] {
		for _, took := range []Cost{{Method: "itml", Seconds: 1}, {Method: "lmnn", Seconds: 2}, {Method: "e-r2lml", Seconds: 5}} {
			took.Dataset, took.Letter = r.Dataset, r.Letter
			costs = append(costs, took)
		}
	}
	costs[5].Seconds = 0 // unknown
	costs = append(costs, Cost{Dataset: "set2", Letter: "C", Method: "itml", Seconds: 3, Bytes: 0})
	figures, err := Times(costs, tbl)
	if err != nil || len(figures) != 1 {
		t.Fatalf("%d figures, %v", len(figures), err)
	}
	check(t, figures[0])
	var front []string
	all := lines(t, figures[0])
	for _, one := range all {
		if one["front"] == "true" {
			front = append(front, one["letter"]+" "+one["method"])
		}
	}
	if got := strings.Join(front, ", "); got != "A itml, A e-r2lml, B itml" || len(all) != 5 {
		t.Errorf("%d points, front %s", len(all), got)
	}
	if s := readSVG(t, figures[0]); s.marks != 5 {
		t.Errorf("%d marks", s.marks)
	}
	for i := range costs {
		costs[i].Seconds *= 1.01
	}
	exact, err := Times(costs, tbl)
	if err != nil || strings.Contains(exact[0].See, "whole seconds") || !strings.Contains(figures[0].See, "whole seconds") {
		t.Errorf("%q of whole seconds, %q of others, %v", figures[0].See, exact[0].See, err)
	}
	if none, err := Times(costs[6:], tbl); len(none) != 0 || err != nil {
		t.Errorf("%d figures of a single point, %v", len(none), err)
	}
}

// Every method on a front has its name in the panel, also where marks crowd, beside the legend.
func TestNamesOnTheFront(t *testing.T) {
	var costs []Cost
	r := table.Row{Dataset: "coil20", Letter: "K", Name: "COIL20", N: 10000}
	var tbl table.Table
	for _, m := range []struct {
		method  string
		seconds float64
		correct int
	}{
		{"glml", 1, 8828}, {"lmnn", 1, 8734}, {"lmnn-mm", 1, 8734}, {"itml", 2, 8687}, {"euclidean", 2, 8578}, {"t-r2lml", 55, 7265},
		{"plml", 87, 8830}, {"e-r2lml", 99, 8468},
	} {
		tbl.Columns = append(tbl.Columns, swept(m.method))
		r.Cells = append(r.Cells, studytest.Got(m.correct, r.N))
		costs = append(costs, Cost{Dataset: r.Dataset, Letter: "K", Method: m.method, Seconds: m.seconds})
	}
	tbl.Rows = []table.Row{r}
	figures, err := Times(costs, tbl)
	if err != nil || len(figures) != 1 {
		t.Fatalf("%d figures, %v", len(figures), err)
	}
	check(t, figures[0])
	said := map[string]int{}
	for _, text := range readSVG(t, figures[0]).texts {
		said[text]++
	}
	for method, want := range map[string]int{"GLML": 2, "PLML": 2, "ITML": 1, "LMNN": 1} {
		if said[method] != want {
			t.Errorf("%s stands %d times, want %d", method, said[method], want)
		}
	}
	if s := string(figures[0].SVG); strings.Index(s, "GLML: 88.28") < strings.Index(s, "E-R2LML: 84.68") {
		t.Error("a mark of the front is under another one")
	}
}

// Means over the seeds are ranked where they are known of all columns, in their order.
func TestRanksOfMeans(t *testing.T) {
	made := accuracyTable()
	means := verdict.Ranks{Scores: made.Scores()}
	for i, row := range means.Scores.Rows {
		for j := range row.Right {
			means.Scores.Rows[i].Right[j] = 10 - j // the first is the best on every set
		}
	}
	other := verdict.Ranks{Scores: table.Scores{Methods: []string{"itml"}}}
	for _, c := range []struct {
		means *verdict.Ranks
		best  string
		said  bool
	}{{nil, "e-r2lml", false}, {&other, "e-r2lml", false}, {&means, made.Columns[0].ID, true}} {
		figures, err := CriticalDifference(made, c.means)
		if err != nil || len(figures) != 1 {
			t.Fatalf("%d figures, %v", len(figures), err)
		}
		best := lines(t, figures[0])[0]["method"]
		if said := strings.Contains(figures[0].See, "Means over the seeds are ranked."); best != c.best || said != c.said {
			t.Errorf("best is %s, want %s: %s", best, c.best, figures[0].See)
		}
	}
}
