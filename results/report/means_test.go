package report

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/testkit"
	"r2lmlbench/results"
	"r2lmlbench/results/table"
)

// drawnTable has five splits of one data set with 100 test samples, on which three methods have
// numbers right that are drawn around their means, and its largest class has 20.
func drawnTable(t *rapid.T) table.Table {
	spec := testkit.AccuracySpec(table.Column{ID: "a", Name: "A"}, table.Column{ID: "b", Name: "B"}, table.Column{ID: "c", Name: "C"})
	spec.Against = "b"
	var means [3]int
	for i := range means {
		means[i] = rapid.IntRange(10, 90).Draw(t, "mean")
	}
	var rows []table.RowInput
	for fold := 1; fold <= 5; fold++ {
		row := table.RowInput{Dataset: "d", Name: "D", Split: fmt.Sprintf("cv folds=5 seed=1 repeat=1 fold=%d", fold), Repeat: 1, Train: 400, N: 100, Unlike: true,
			Class: "most", Label: 2, Tested: []results.ClassCount{{Label: 1, Count: 40}, {Label: 2, Count: 60}}}
		for i, mean := range means {
			right := mean + rapid.IntRange(-9, 9).Draw(t, "right")
			row.Cells = append(row.Cells, testkit.InputOf(fixture.NewCell("d", spec.Columns[i].ID, right, 100, uint64(fold))))
		}
		rows = append(rows, row)
	}
	return table.New(spec, rows).Pooled()
}

// The axis names what the methods are ranked by.
func TestMeansOfAnotherMeasure(t *testing.T) {
	data := rapid.Custom(drawnTable).Example(1)
	for measure, want := range map[string]string{"": "accuracy, %", results.Kappa: "Cohen's kappa, %"} {
		data.Measure = measure
		chart, _ := Means(data)
		fixture.Has(t, "axis", chart.Panels[0].X.Label, want)
	}
}

// An interval reaches the highest mean exactly where the method is not significantly worse, and dots
// are the means.
func TestMeans(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		data := drawnTable(t)
		ranking, _ := data.Rank(data.Rows[0])
		chart, ok := Means(data)
		if !ok || len(chart.Panels[0].Names) != 3 {
			t.Fatalf("the chart is %+v", chart)
		}
		p := chart.Panels[0]
		high := p.Lines[0].X
		for _, q := range present(p.Series) {
			m := ranking.Ranked[int(q.Y)]
			fixture.Equal(t, "name", p.Names[int(q.Y)], m.Name)
			if want := high - float64(m.Behind); math.Abs(q.X-want) > 1e-9 {
				t.Fatalf("%s is at %g, want %g", m.Name, q.X, want)
			}
			if q.Low < q.High && m.Method != ranking.Best {
				fixture.Equal(t, m.Name+" reaches the highest mean", q.Low <= high && high <= q.High, m.NotWorse)
			}
		}
		control := slices.ContainsFunc(p.Lines[1:len(p.Lines)-1], func(r Reference) bool { return math.Abs(high-r.X-float64(ranking.Of("b").Behind)) < 1e-9 })
		fixture.Equal(t, "a line of the control", control, ranking.Best != "b")
		fixture.Equal(t, "the line of always answering the largest class", p.Lines[len(p.Lines)-1].Name, "always most 60.00")
		if _, drawn := chart.Figure(); !drawn {
			t.Fatal("nothing is drawn")
		}
	})
}

// A line that is far from the rows does not press them together.
func TestReach(t *testing.T) {
	p := Panel{Lines: []Reference{{X: 33}, {X: 92}, {X: 1, To: 2}}}
	fixture.EqualSlice(t, "numbers of the axis", p.reach([]float64{94, 98}), []float64{94, 98, 92, 92})
	fixture.Equal(t, "of nothing", len(p.reach(nil)), 0)
}
