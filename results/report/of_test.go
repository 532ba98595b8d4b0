package report

import (
	"fmt"
	"math"
	"math/big"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"r2lmlbench/experiments/plan"
	"r2lmlbench/experiments/spec"
	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/testkit"
	"r2lmlbench/results"
	"r2lmlbench/results/gate"
	"r2lmlbench/results/paper"
	"r2lmlbench/results/store"
	"r2lmlbench/results/table"
	"r2lmlbench/stats"
)

func reportOf(t *testing.T, p plan.Plan, s *store.Store) Input {
	t.Helper()
	return fixture.Must(Of(t.Context(), p, "my specs/gated.yaml", s))(t)
}

func TestReport(t *testing.T) {
	p, fresh := testkit.GatedCells(t)
	in := reportOf(t, p, fresh)
	if len(in.Cells) != 2 || len(in.Cells[0]) != 3 || in.Table.Spec != "gated" || in.Verdicts.Summary.Numbers != 0 {
		t.Fatalf("%+v", in)
	}
	fixture.EqualSlice(t, "k", in.Neighbors, p.Spec.Neighbors)
	for i, row := range in.Cells {
		for j, c := range row {
			explained := fixture.Must(Explain(t.Context(), p, "my specs/gated.yaml", c.Data.ID, c.Method.Column, fresh))(t)
			if c.Result == nil || c.Result.Correct != in.Table.Rows[i].Cells[j].Correct ||
				c.Result.Interval != explained.Result.Interval || c.Run == nil || c.Seconds != 0 {
				t.Errorf("%s/%s: %+v", c.Data.ID, c.Method.Column, c)
			}
		}
	}
	fixture.Check(t, Write(t.TempDir(), in))
	_, err := Of(t.Context(), p, "gated", &store.Store{Dir: t.TempDir()})
	fixture.Is(t, err, ErrNothingStored)
	fixture.Says(t, err, "r2lmlbench run gated")
}

// TestReportOfAMeasure: a spec with a measure, and so a study, needs no printed numbers.
func TestReportOfAMeasure(t *testing.T) {
	p, fresh := testkit.Stored(t, testkit.Parse(t, "name: measured\ndatasets: [overlap30]\nmeasure: [zero-columns]\nmethods:\n  - method: euclidean\n"))
	fixture.Equal(t, "cells", len(slices.Concat(reportOf(t, p, fresh).Cells...)), 1)
}

// TestFiguresAreExplained: each figure of the accepted results has a sentence on how to read it.
func TestFiguresAreExplained(t *testing.T) {
	accepted := &store.Store{Dir: filepath.Join("..", "accepted"), Log: t.Logf}
	names := []string{"pays", "metrics", "variants", "lambda", "toy", "convergence"}
	if !fixture.LongRun() {
		names = names[1:2]
	}
	for _, name := range names {
		s := fixture.Must(spec.Load(name))(t)
		if name == "pays" { // six million predictions
			fixture.Check(t, s.Narrow([]string{"I", "L", "P"}, nil))
		}
		p := testkit.PlanFor(t, s)
		dir := t.TempDir()
		fixture.Check(t, Write(dir, fixture.Must(Of(t.Context(), p, name, accepted))(t)))
		page := fixture.Text(t, filepath.Join(dir, "index.html"))
		leadsSomewhere(t, page)
		figures := strings.Split(page, "<figure ")[1:]
		for _, f := range figures {
			explained, _, _ := strings.Cut(f, "</figure>")
			fixture.Has(t, name+": how to read a figure", explained, `<p class="note">`)
		}
		if len(figures) == 0 {
			t.Errorf("%s has no figures", name)
		}
	}
}

// leadsSomewhere fails where a point of a figure has neither a link nor its numbers as a tooltip, or its
// link leads nowhere on the page.
func leadsSomewhere(t *testing.T, page string) {
	t.Helper()
	page = strings.NewReplacer("%3d", "=", "%3a", ":").Replace(page)
	points := regexp.MustCompile(`<g class="m"(?: data-to="([^"]*)")?><title>([^<]*\d[^<]*)?</title>`).FindAllStringSubmatch(page, -1)
	fixture.Equal(t, "points with numbers", len(points), strings.Count(page, `<g class="m"`))
	for _, p := range points {
		set, method, number := strings.Cut(p[1], "/")
		there := p[1] == "" && p[2] != "" || strings.Contains(page, ` id="`+set+`"`)
		if number {
			there = strings.Contains(page, `href="#`+p[1]+`"`) || strings.Contains(page, `href="#`+set+"~1/"+method+`"`) ||
				set == "*" && strings.Contains(page, "/"+method+`"`)
		}
		if !there {
			t.Errorf("the point %q leads nowhere: %q", p[2], p[1])
		}
	}
}

// TestFactsAreOfTheirOwnNumber: on two repeats, with a grid over k and two columns that have
// nothing in common, every number comes with the k, the split, the time and the predictions of
// its own cell, and with the verdict where it is of the first repeat.
func TestFactsAreOfTheirOwnNumber(t *testing.T) {
	dir := t.TempDir()
	fixture.Write(t, filepath.Join(dir, "printed.yaml"), "name: printed\ncolumns: [euclidean, rca]\nrows:\n  - {row: overlap30, n: 320, printed: [75.0, 80.0]}\n")
	s := fixture.Must(spec.Load(fixture.Write(t, filepath.Join(dir, "glue.yaml"), "name: glue\npublished: printed.yaml\ndatasets: [overlap30]\n"+
		"split: {rule: random, repeats: 2}\nmethods:\n  - {method: euclidean, grid: {k: [1, 3, 5]}}\n  - {method: rca, grid: {k: [7, 9]}}\n")))(t)
	p, st := testkit.PlanFor(t, s), &store.Store{Dir: t.TempDir(), Log: t.Logf}
	type cell struct {
		k, right int
		seconds  float64
	}
	want := [2][2]cell{{{3, 200, 1.5}, {9, 250, 20}}, {{5, 210, 300}, {7, 270, 4000}}} // by repeat and column
	for i, row := range p.Splits {
		sizes := fixture.Must(row.Rule.PartSizes(row.Dataset))(t)
		for j, jobs := range row.Jobs {
			w := want[i][j]
			c := results.Cell{Inputs: jobs[0].Inputs, Truth: make([]int, sizes[2]), Predicted: make([]int, sizes[2])}
			c.Validation = &results.Profile{N: sizes[1], Correct: make([]int, len(c.Settings))}
			for n := range c.Truth {
				c.Truth[n], c.Predicted[n] = 1+n%2, 1+n%2
				if n >= w.right {
					c.Predicted[n] = 2 - n%2
				}
			}
			for point := range c.Settings {
				if jobs[0].Neighbors(point) == w.k {
					c.Chosen, c.Validation.Correct[point] = point, 10*i+j+1
				}
			}
			fixture.Check(t, st.Put(c, results.Run{Seconds: w.seconds}))
		}
	}
	in := reportOf(t, p, st)
	for i, row := range in.Cells {
		for j, x := range row {
			w, name := want[i][j], p.Splits[i].Jobs[j][0].Inputs
			if x.Result == nil || x.Run == nil {
				t.Fatalf("%s: no result: %+v", name.Split, x)
			}
			fixture.Equal(t, name.Split+": k, right samples, seconds", cell{x.Neighbors, x.Result.Correct, x.Run.Seconds}, w)
			fixture.Equal(t, "accuracy and p", fmt.Sprint(x.Result.Accuracy, " ", x.Result.Against[0].P),
				fmt.Sprint(stats.Percent(w.right, x.Result.N, 2), " ", in.Table.Rows[i].Pairs[0].P))
			fixture.Equal(t, "split", [3]string{x.Split.Name, x.Split.Digest, x.File}, [3]string{name.Split, name.SplitDigest, st.Where(name)})
			fixture.Equal(t, "column, and the other", [2]string{x.Method.Column, x.Result.Against[0].Method}, [2]string{s.Columns[j].ID, s.Columns[1-j].ID})
			for _, point := range x.Tried {
				fixture.Equal(t, "chosen", point.Chosen, *point.Correct > 0)
			}
			fixture.Equal(t, "has a verdict", x.Verdict != nil, i == 0)
			if i == 0 && x.Verdict != nil {
				fixture.Equal(t, "printed", x.Verdict.Published, []string{"75.0", "80.0"}[j])
			}
		}
	}
	accepted := &store.Store{Dir: t.TempDir(), Log: t.Logf}
	fixture.Must(gate.Accept(t.Context(), p, st, accepted, gate.Options{AllowOtherBuilds: true}))(t)
	for i, row := range reportOf(t, p, accepted).Cells {
		for j, x := range row {
			fixture.Equal(t, "seconds by the list of accepted cells", x.Seconds, want[i][j].seconds)
		}
	}
	for j := range s.Columns {
		accuracies, seconds := in.onSplits("overlap30", j)
		n := float64(in.Table.Rows[0].N)
		fixture.EqualSlice(t, "accuracies", accuracies, []float64{100 * float64(want[0][j].right) / n, 100 * float64(want[1][j].right) / n})
		fixture.Equal(t, "seconds", seconds, (want[0][j].seconds+want[1][j].seconds)/2)
		for i := range want { // without records of runs, by the list of accepted cells
			in.Cells[i][j].Run, in.Cells[i][j].Seconds = nil, 2*want[i][j].seconds
		}
		_, accepted := in.onSplits("overlap30", j)
		fixture.Equal(t, "seconds when accepted", accepted, 2*seconds)
		in.Cells[1][j].Seconds = 0 // not known
		_, unknown := in.onSplits("overlap30", j)
		fixture.Equal(t, "seconds when those of a split are not known", unknown, 0)
	}
	explained := fixture.Must(Explain(t.Context(), p, "glue", "overlap30", "rca", st))(t)
	fixture.Equal(t, "splits", explained.Split.Splits, 2)
	fixture.Equal(t, "explain: k, right samples, seconds", cell{explained.Neighbors, explained.Result.Correct, explained.Run.Seconds}, want[0][1])
}

// The seconds of a number are those of the first seed, whose cell is shown.
func TestSecondsOfTheFirstSeed(t *testing.T) {
	p := testkit.PlanFor(t, testkit.Parse(t, "name: x\ndatasets: [overlap30]\nseeds: 3\nmethods: [{method: euclidean}, {method: itml}]\n"))
	st, accepted := &store.Store{Dir: t.TempDir(), Log: t.Logf}, &store.Store{Dir: t.TempDir(), Log: t.Logf}
	for i, j := range p.Jobs() {
		c := results.Cell{Inputs: j.Inputs, Truth: slices.Repeat([]int{1, 2}, 160), Predicted: slices.Repeat([]int{1, 2}, 160)}
		fixture.Check(t, st.Put(c, results.Run{Seconds: float64(i + 1)}))
	}
	fixture.Must(gate.Accept(t.Context(), p, st, accepted, gate.Options{AllowOtherBuilds: true}))(t)
	fixture.Equal(t, "seconds", reportOf(t, p, accepted).Cells[0][1].Seconds, 2)
}

// The cell that is explained is that of the first store, and it is said from which accepted state
// on it predicts so, if what is accepted last predicts so.
func TestExplainSince(t *testing.T) {
	p, first := testkit.GatedCells(t)
	_, second := testkit.GatedCells(t)
	accepted := &store.Store{Dir: t.TempDir(), Log: t.Logf}
	accept := func(from *store.Store) {
		fixture.Must(gate.Accept(t.Context(), p, from, accepted, gate.Options{AllowOtherBuilds: true}))(t)
	}
	explained := func(stores ...*store.Store) Explanation {
		return fixture.Must(Explain(t.Context(), p, "gated", "overlap30", "e-r2lml", stores...))(t)
	}
	row := slices.IndexFunc(p.Splits, func(r plan.Split) bool { return r.Dataset.ID == "overlap30" })
	for _, jobs := range p.Splits[row].Jobs {
		if j := jobs[0]; j.Column.ID == "e-r2lml" {
			c, _, err := second.Find(j.Inputs)
			fixture.Check(t, err)
			c.Predicted = slices.Clone(c.Predicted)
			c.Predicted[0] = 3 - c.Predicted[0]
			fixture.Check(t, second.Put(c, results.Run{}))
		}
	}
	one, other := explained(first).Result.Correct, explained(second).Result.Correct
	fixture.Equal(t, "the cells differ", one != other, true)
	fixture.Equal(t, "the first store counts", [2]int{explained(first, second).Result.Correct, explained(second, first).Result.Correct}, [2]int{one, other})
	accept(first)
	fixture.Same(t, "since the first state", explained(first, accepted).Since, &Since{State: 1, Of: 1})
	fixture.Equal(t, "other predictions are of no state", explained(second, accepted).Since == nil, true)
	accept(second)
	if since := explained(second, accepted).Since; since == nil || since.State != 2 || since.Of != 2 {
		t.Errorf("since %+v, want state 2 of 2", since)
	}
	fixture.Equal(t, "predictions of an earlier state are not accepted now", explained(first, accepted).Since == nil, true)
}

// A ranking of splits has the share of the largest class, and its dots reach from end to end.
func TestRankingOfSplits(t *testing.T) {
	in := withPooled(newInput(t, tiny))
	in.Verdicts = paper.Verdicts{}
	r := in.rankings()[0]
	fixture.Equal(t, "share of the largest class", r.Majority, in.Pooled.Rows[0].Classes.Majority.Accuracy)
	least, most, dots, splits := 100.0, 0.0, []float64(nil), []float64(nil)
	for _, m := range r.Methods {
		for i, x := range m.Dots {
			least, most = min(least, x), max(most, x)
			dots, splits = append(dots, x), append(splits, m.Splits[i])
		}
	}
	fixture.Near(t, "least", least, 0, 1e-9)
	fixture.Near(t, "most", most, 100, 1e-9)
	for i := range dots {
		for j := range dots {
			if (dots[i] < dots[j]) != (splits[i] < splits[j]) {
				t.Errorf("dots %v of %v", dots, splits)
			}
		}
	}
}

// A method with a result on some splits only has no score by another measure to rank by.
func TestMeasureOf(t *testing.T) {
	for id, want := range map[string]float64{results.Kappa: 0.5, results.MacroF1: 50} { // of ranges to 1 and to 100
		score := &table.Score{Metrics: results.Values{id: big.NewRat(1, 2)}}
		m := measureOf(table.Table{Rows: []table.Row{{Cells: []table.Result{{Score: score}, {Score: score, Partial: 2}, {}}}}}, id)
		if row := m.Scores[0]; row[0] == nil || *row[0] != want || row[1] != nil || row[2] != nil || m.Range[1] != want*2 {
			t.Errorf("scores %v in %v", row, m.Range)
		}
	}
}

// Of four methods in the same order on all of nine data sets, two have average ranks that are less
// than the critical difference, 2.569·√(4·5/(6·9)) = 1.56, from the first. A mean time is that of
// every data set, or none.
func TestOverview(t *testing.T) {
	in := newInput(t, shape{sets: 9, methods: 4, samples: 40, classes: 3, points: 1, name: plainName})
	in.Verdicts = paper.Verdicts{}
	for i, r := range in.Table.Rows {
		for j := range r.Cells {
			if r.Cells[j].Score == nil {
				in.Table.Rows[i].Cells[j].Score = in.Table.Rows[i].Cells[0].Score
			}
			in.Table.Rows[i].Cells[j].Mean = float64(50 - j)
			in.Cells[i][j].Run, in.Cells[i][j].Seconds = nil, float64(i+1)
		}
	}
	in.Cells[4][2].Seconds = 0 // not known
	few := in
	few.Table.Rows, few.Cells = in.Table.Rows[:leastSets-1], in.Cells[:leastSets-1]
	fixture.Equal(t, "interval over few data sets", few.overview().Lines[0].Fields[0][1], "")
	o := in.overview()
	fixture.Equal(t, "data sets and critical difference", fmt.Sprint(o.Of, " ", o.CD), "9 1.56")
	rows, more := in.standingScores().Rows, *o
	st, _ := stats.NewStanding(rows, 0.05)
	more.Lines, more.Seconds = nil, append(slices.Clone(o.Seconds), o.Seconds[0])
	more.lines(append(slices.Clone(rows), []float64{1, 2, 3, math.NaN()}), st)
	fixture.Equal(t, "wins beside a data set that lacks a score", more.Lines[0].Fields[2], o.Lines[0].Fields[2])
	fixture.Near(t, "t over 2 data sets", o.T[0], 12.706, 1e-3) // R: qt(0.975, c(1, 8))
	fixture.Near(t, "t over 9 data sets", o.T[7], 2.306, 1e-3)
	for j, want := range []string{ // Wilson's interval of 9 of 9 is 0.7008 to 1
		"1.00 50.00 9 5 true", "2.00 49.00 0 5 true", "3.00 48.00 0  false", "4.00 47.00 0 5 false",
	} {
		l, half := o.Lines[j], 2.569*math.Sqrt(4*5/(6.*9))/2
		fixture.Equal(t, "line", fmt.Sprint(l.Fields[0][0], " ", l.Fields[1][0], " ", l.Fields[2][0], " ", l.Fields[3][0], " ", l.Best), want)
		fixture.Equal(t, "method", l.Name, in.Table.Columns[j].Name)
		rank, mean := float64(j+1), float64(50-j)
		fixture.EqualSlice(t, "intervals", []string{l.Fields[0][1], l.Fields[1][1], l.Fields[2][1], l.Fields[3][1]}, []string{
			upTo(max(1, rank-half), min(4, rank+half)), upTo(mean, mean),
			[]string{"6.31 to 9.00", "0.00 to 2.69"}[min(j, 1)], []string{"1 to 9", "1 to 9", "", "1 to 9"}[j],
		})
	}
}
