package table_test

import (
	"cmp"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat"
	"pgregory.net/rapid"

	experiments "r2lmlbench/experiments/spec"
	"r2lmlbench/internal/document"
	"r2lmlbench/internal/fixture"
	. "r2lmlbench/internal/testkit"
	"r2lmlbench/results"
	. "r2lmlbench/results/table"
	"r2lmlbench/stats"
)

// plainScore is a metric of labels 1 to classes in percent, by its definition; NaN where it has none.
func plainScore(metric string, truth, given []int, classes int) float64 {
	share := func(holds func(i int) bool) float64 {
		n := 0
		for i := range truth {
			if holds(i) {
				n++
			}
		}
		return float64(n) / float64(len(truth))
	}
	right := share(func(i int) bool { return truth[i] == given[i] })
	var recalls, f1s []float64
	chance := 0.0
	for k := 1; k <= classes; k++ {
		of, said := share(func(i int) bool { return truth[i] == k }), share(func(i int) bool { return given[i] == k })
		both := share(func(i int) bool { return truth[i] == k && given[i] == k })
		if chance += of * said; of > 0 {
			recalls, f1s = append(recalls, both/of), append(f1s, 2*both/(of+said))
		}
	}
	switch metric {
	case results.BalancedAccuracy:
		return 100 * stat.Mean(recalls, nil)
	case results.MacroF1:
		return 100 * stat.Mean(f1s, nil)
	case results.Kappa:
		if chance > 1-1e-12 {
			return math.NaN()
		}
		return 100 * (right - chance) / (1 - chance)
	}
	return 100 * right
}

// drawnSplits are splits with drawn answers of three columns.
func drawnSplits(t *rapid.T, classes int) []RowInput {
	label := rapid.IntRange(1, classes)
	var rows []RowInput
	for k := range rapid.IntRange(2, 5).Draw(t, "splits") {
		n := rapid.IntRange(2, 12).Draw(t, "n")
		truth := rapid.SliceOfN(label, n, n).Draw(t, "truth")
		row := splitRow("x", fmt.Sprintf("random seed=1 repeat=%d", k+1), 2*n, n)
		row.Repeat = k + 1
		for _, c := range poolColumns {
			cell := fixture.NewCell("x", c.ID, n, n, 1)
			cell.Truth, cell.Predicted = truth, rapid.SliceOfN(label, n, n).Draw(t, c.ID)
			row.Cells = append(row.Cells, InputOf(cell))
		}
		row.Class, row.Label, row.Tested = "one", 1, results.CountClasses(truth)
		rows = append(rows, row)
	}
	return rows
}

// By every metric the means, deviations, differences and p are those of the plain definitions on
// each split. A split on which a metric is not defined counts as one without a result.
func TestRankedByAnyMetric(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		classes := rapid.IntRange(1, 4).Draw(t, "classes")
		rows := drawnSplits(t, classes)
		metric := rapid.SampledFrom(results.MetricIDs()).Draw(t, "metric")
		spec := AccuracySpec(poolColumns...)
		spec.Measure, spec.Against, spec.Alpha = metric, "a", rapid.SampledFrom([]float64{0.05, 0.2}).Draw(t, "alpha")
		table := New(spec, rows).Pooled()
		row := table.Rows[0]
		scores, sizes, least := make([][]float64, len(poolColumns)), 0, 1000
		for _, in := range rows {
			sizes, least = sizes+in.N, min(least, in.N)
			for i, c := range in.Cells {
				scores[i] = append(scores[i], plainScore(metric, c.Cells[0].Truth, c.Cells[0].Predicted, classes))
			}
		}
		undefined := func(i int) bool { return slices.ContainsFunc(scores[i], math.IsNaN) }
		r, ok := table.Rank(row)
		for i, c := range row.Cells {
			if undefined(i) {
				if c.Score != nil && c.Partial == 0 {
					t.Errorf("%s of %v: %v", metric, scores[i], c.Mean)
				}
				continue
			}
			fixture.Near(t, metric, c.Mean, stat.Mean(scores[i], nil), 1e-9)
			one := r.Of(c.Method)
			if sd := stat.StdDev(scores[i], nil); math.Abs(sd-parsed(t, one.SD)) > 0.00501 {
				t.Errorf("sd of %v: %s", scores[i], one.SD)
			}
			if (one.Score == "") != (metric == results.Accuracy) || math.Abs(parsed(t, one.Shown())-c.Mean) > 0.00501 {
				t.Errorf("%s: %q and %q for %v", metric, one.Score, one.Accuracy, c.Mean)
			}
			if pair, known := row.Pair(r.Best, c.Method); known && one.Interval != nil { // which no difference of two values can leave
				most, raw := fixture.Must(widest(metric))(t), pair.Adjusted(spec.Alpha)
				fixture.Near(t, "low", float64(one.Interval[0]), max(raw.Low, -most), 1e-9)
				fixture.Near(t, "high", float64(one.Interval[1]), min(raw.High, most), 1e-9)
				fixture.Equal(t, "0 is in the interval", one.Interval[0] <= 0 && one.Interval[1] >= 0, one.NotWorse)
			}
			if best := row.Cells[slices.IndexFunc(row.Cells, func(c Result) bool { return c.Method == r.Best })]; !ok || c.Mean > best.Mean {
				t.Errorf("best is %s with %v, %s has %v", r.Best, best.Mean, c.Method, c.Mean)
			}
		}
		for _, p := range row.Contrasts {
			a, b := int(p.A[0]-'a'), int(p.B[0]-'a')
			if undefined(a) || undefined(b) {
				fixture.Equal(t, "tested", p.Tested(), false)
				continue
			}
			want := stats.ResampledT(stats.Differences(scores[a], scores[b]), 2*sizes, sizes, 100/float64(least))
			fixture.Near(t, "difference", p.Difference, want.Mean, 1e-8)
			fixture.Near(t, "p", p.P, want.P, 1e-6)
		}
		if undefined(0) {
			return
		}
		versus := len(r.Ranked) - 1 // and always answering the largest class
		for _, m := range r.Ranked {
			if m.Partial > 0 {
				versus--
			}
		}
		if len(row.Largest.Scores) > 0 {
			versus++
		}
		if row.Pool.Test != "" {
			fixture.Equal(t, "tests against the control", r.Versus, versus)
		}
		if undefined(1) {
			return
		}
		contrast := NewComparisons([]experiments.Pairing{{A: []string{"a"}, B: []string{"b"}}}, New(spec, rows))[0]
		fixture.Near(t, "difference of a contrast", contrast.Sets[0].Points, stat.Mean(stats.Differences(scores[0], scores[1]), nil), 1e-8)
	})
}

// widest is the largest difference of two values of a metric in percent, by their definitions.
func widest(metric string) (float64, error) {
	most, ok := map[string]float64{results.Accuracy: 100, results.BalancedAccuracy: 100, results.MacroF1: 100, results.Kappa: 200}[metric]
	if !ok {
		return 0, fmt.Errorf("no range of %s is known here", metric)
	}
	return most, nil
}

// CSV and JSON have what methods are ranked by of every cell, and of the most frequent class.
func TestFilesHaveTheMeasure(t *testing.T) {
	for _, m := range results.Metrics[1:] {
		row := splitRow("x", "random", 60, 30)
		for i, c := range poolColumns {
			cell := fixture.NewCell("x", c.ID, 30, 30, 1)
			for k := range cell.Truth {
				cell.Truth[k], cell.Predicted[k] = 1+k%3, 1+(k+k/(7+i))%3
			}
			row.Cells = append(row.Cells, InputOf(cell))
		}
		spec := AccuracySpec(poolColumns...)
		spec.Measure = m.ID
		made := New(spec, []RowInput{row})
		var written strings.Builder
		fixture.Check(t, made.Render(&written, "csv", document.Style{}))
		lines := fixture.Must(csv.NewReader(strings.NewReader(written.String())).ReadAll())(t)
		field := func(line int, name string) string { return lines[line][slices.Index(lines[0], name)] }
		written.Reset()
		fixture.Check(t, made.Render(&written, "json", document.Style{}))
		var data struct {
			Rows []struct {
				Cells   []map[string]any
				Classes struct {
					Metrics map[string]string `json:"majority_metrics"`
				}
			}
		}
		fixture.Check(t, json.Unmarshal([]byte(written.String()), &data))
		for i, in := range row.Cells {
			want := m.Print(m.Exact(results.CountResults(in.Cells[0].Truth, in.Cells[0].Predicted)))
			fixture.Equal(t, m.ID+" in CSV", field(1+i, m.Field()), want)
			fixture.Equal(t, "measure in CSV", field(1+i, "measure"), m.ID)
			fixture.Equal(t, m.ID+" in JSON", data.Rows[0].Cells[i][m.Field()], any(want))
		}
		most := m.Print(m.Exact(results.ConstantResults(results.CountClasses(row.Cells[0].Cells[0].Truth), 1)))
		fixture.Equal(t, "most frequent class in CSV", field(1, "majority_"+m.Field()), most)
		fixture.Equal(t, "most frequent class in JSON", data.Rows[0].Classes.Metrics[m.ID], most)
	}
}

func parsed(t rapid.TB, text string) float64 {
	t.Helper()
	var x float64
	if _, err := fmt.Sscan(text, &x); err != nil {
		t.Fatalf("%q is no number", text)
	}
	return x
}

// One split has no test by another metric than accuracy, and says why; over data sets it counts.
func TestNoTestOfOneSplitByAnotherMetric(t *testing.T) {
	spec := AccuracySpec(poolColumns...)
	spec.Measure = results.MacroF1
	var rows []RowInput
	for i, set := range []string{"x", "y", "z"} {
		row := splitRow(set, "random", 60, 30, 25-i, 20-i, 15-i)
		rows = append(rows, row)
	}
	table := New(spec, rows)
	for _, row := range table.Rows {
		r, ok := table.Rank(row)
		if !ok || len(row.Pairs) > 0 || row.MinGap != nil || r.Measure != results.MacroF1 {
			t.Fatalf("%+v", row)
		}
		for _, m := range r.Ranked {
			if m.Method != r.Best && (m.Untested != McNemarOfAccuracy || m.NotWorse || m.Interval != nil) {
				t.Errorf("%+v", m)
			}
		}
	}
	fixture.Has(t, "notes", strings.Join(table.Notes(), "\n"), McNemarOfAccuracy, "Macro-F1 in percent")
	for i, row := range table.Scores().Rows {
		for j := range row {
			fixture.Equal(t, "score over data sets", cmp.Compare(row[j], table.Rows[i].Cells[j].Mean), 0)
		}
	}
}

// Where groups make the largest class vary, every one is named.
func TestLargestClassVaries(t *testing.T) {
	var rows []RowInput
	for k, class := range []string{"b", "a", "b"} {
		row := splitRow("x", fmt.Sprintf("random seed=1 repeat=%d", k+1), 8, 4, 4)
		row.Class, row.Label, row.Tested = class, 1, []results.ClassCount{{Label: 1, Count: 4}}
		rows = append(rows, row)
	}
	largest := New(AccuracySpec(poolColumns[:1]...), rows).Pooled().Rows[0].Largest
	fixture.Equal(t, "classes", largest.Class, "a on 1 split, b on 2 splits")
	fixture.Equal(t, "splits, and that it varies", fmt.Sprint(len(largest.Scores), largest.Varies), "3 true")
}

// The largest class is scored by the metric, too: balanced accuracy 1/2 of two classes, kappa 0.
func TestLargestClassByAnotherMetric(t *testing.T) {
	for metric, want := range map[string]float64{results.Accuracy: 75, results.BalancedAccuracy: 50, results.Kappa: 0, results.MacroF1: 300 / 7.0} {
		spec := AccuracySpec(poolColumns[:1]...)
		spec.Measure = metric
		var rows []RowInput
		for k := range 2 {
			row := splitRow("x", fmt.Sprintf("random seed=1 repeat=%d", k+1), 8, 4)
			cell := fixture.NewCell("x", "a", 4, 4, 1)
			cell.Truth, cell.Predicted = []int{1, 1, 1, 2}, []int{1, 1, 1, 2}
			row.Cells = []CellInput{InputOf(cell)}
			row.Class, row.Label, row.Tested = "one", 1, results.CountClasses(cell.Truth)
			rows = append(rows, row)
		}
		table := New(spec, rows).Pooled()
		for _, score := range table.Rows[0].Largest.Scores {
			fixture.Near(t, metric, score, want, 1e-12)
		}
		fixture.Near(t, metric+" of the majority", table.Rows[0].Classes.Majority.Mean, want, 1e-12)
	}
}
