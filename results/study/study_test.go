package study

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"r2lmlbench/experiments/measure"
	"r2lmlbench/experiments/plan"
	"r2lmlbench/internal/fixture"
	"r2lmlbench/results"
	"r2lmlbench/results/store"
	"r2lmlbench/results/table"
)

// madeUp is a table of columns that are written as their ids, such as "e-r2lml:metrics=2".
func madeUp(columns string, rows ...table.Row) table.Table {
	t := table.Table{Rows: rows}
	for _, id := range strings.Fields(columns) {
		parts := strings.Split(id, ":")
		c := table.Column{ID: id, Method: parts[0], Swept: map[string]string{}}
		for _, part := range parts[1:] {
			name, value, _ := strings.Cut(part, "=")
			c.Swept[name] = value
		}
		t.Columns = append(t.Columns, c)
	}
	return t
}

// row has so many of 100 test samples right in each column; a negative number stands for a
// missing cell.
func row(dataset string, right ...int) table.Row {
	r := table.Row{Dataset: dataset, N: 100}
	for _, n := range right {
		c := table.Cell{Status: table.StatusMissing}
		if n >= 0 {
			c = table.Cell{Score: &table.Score{Correct: n}}
		}
		r.Cells = append(r.Cells, c)
	}
	return r
}

// measuredRow has cells with these facts and series.
func measuredRow(dataset string, cells ...measure.Measured) table.Row {
	r := row(dataset, make([]int, len(cells))...)
	for i, m := range cells {
		r.Cells[i].Facts, r.Cells[i].Series = m.Facts, m.Series
	}
	return r
}

// zeros are zero columns of all metrics at both thresholds: so many of the constant
// features, and so many of the others, which are counted at the larger threshold only.
func zeros(constant, of, others int) (m measure.Measured) {
	for metric := range LambdaMetrics {
		for i, threshold := range measure.ZeroThresholds {
			key := fmt.Sprintf("zero columns of metric %d at %g, ", metric+1, threshold)
			m.Facts = append(m.Facts, results.Fact{Name: key + "constant features", Count: constant, Of: of},
				results.Fact{Name: key + "other features", Count: i * others, Of: 60 - of})
		}
	}
	return m
}

// nearest is that so many samples have one of their class nearest.
func nearest(n int) measure.Measured {
	return measure.Measured{Facts: []results.Fact{{Name: measure.NearestFact, Count: n, Of: 4}}}
}

// raised is that one run of a block, and none of another one, raised the objective in a mode.
func raised(in string, by int) (m measure.Measured) {
	for _, mode := range measure.Modes {
		for block := 1; block <= 3; block++ {
			f := results.Fact{Name: fmt.Sprintf("%s: block %d raised the objective", mode, block), Of: 5}
			if mode == in && block == by {
				f.Count = 1
			}
			m.Facts = append(m.Facts, f)
		}
		m.Facts = append(m.Facts, results.Fact{Name: mode + ": iterations of block 1 that raised the objective", Of: 7500})
		m.Series = append(m.Series, results.NewSeries(mode+": fitted a + b/sqrt(T): a, b, R2", []float64{690, 200.5, 0.9}))
	}
	return m
}

// What the studies count, each number counted by hand.
func TestClaims(t *testing.T) {
	for _, c := range []struct {
		id   string
		made table.Table
		want []string
	}{
		// Heart has two classes, Glass six, and those of the third set are not known. One K is
		// missing of its second curve.
		{"metrics", madeUp("t-r2lml:metrics=1 t-r2lml:metrics=2 t-r2lml:metrics=3 e-r2lml:metrics=1 e-r2lml:metrics=2 e-r2lml:metrics=3",
			row("heart", 50, 70, 69, 50, 70, 70), row("glass", 60, 61, 59, 70, 70, 73), row("mine", 60, 61, 62, 70, -1, 72)),
			[]string{"class-count 2 of 4", "many-metrics 8 of 10"}},
		// With K = 1 the variants are one method; a pair of which one is missing does not count.
		{"collapse", madeUp("e-r2lml:variant=reference:metrics=1 e-r2lml:variant=reference:metrics=2 e-r2lml:variant=reference:metrics=3 "+
			"e-r2lml:variant=published:metrics=1 e-r2lml:variant=published:metrics=2 e-r2lml:variant=published:metrics=3",
			row("heart", 60, 64, 62, 58, 40, 62), row("sonar", 60, 66, 65, 58, 67, -1)),
			[]string{"published-lower 1 of 3"}},
		// The first family has no constant features. A draw without facts does not count. What
		// is counted is in the order of λ, whatever that of the columns.
		{"lambda", madeUp("e-r2lml:lambda=1e4 e-r2lml:lambda=0 e-r2lml:lambda=1e3",
			measuredRow("overlap30", zeros(0, 0, 0), zeros(0, 0, 0), zeros(0, 0, 0)),
			measuredRow("overlap60", zeros(31, 31, 1), zeros(0, 31, 0), zeros(31, 31, 0)),
			measuredRow("overlap60:2", zeros(0, 29, 0), zeros(0, 29, 0), measure.Measured{})),
			[]string{"overlap60-sparsity-1000-1e-06 1 of 1", "overlap60-sparsity-1000-0.001 1 of 1",
				"overlap60-sparsity-10000-1e-06 1 of 2", "overlap60-sparsity-10000-0.001 0 of 2"}},
		// Local metrics must be better than the global one, and than none.
		{"toy", madeUp("euclidean e-r2lml:variant=published:metrics=1 e-r2lml:variant=published:metrics=2 e-r2lml:variant=published:metrics=3 "+
			"e-r2lml:variant=reference:metrics=1 e-r2lml:variant=reference:metrics=2",
			measuredRow("toy", nearest(1), nearest(2), nearest(4), nearest(2), nearest(0), nearest(1))),
			[]string{"toy-nearest-published 1 of 2", "toy-nearest-reference 0 of 1"}},
		// Momentum may raise the objective; without it no block may.
		{"convergence", madeUp("t-r2lml:variant=reference e-r2lml:variant=published",
			measuredRow("glass", raised(measure.WithMomentum, 2), measure.Measured{}), measuredRow("heart", raised(measure.WithoutMomentum, 1), measure.Measured{}),
			measuredRow("sonar", raised(measure.WithoutMomentum, 2), measure.Measured{}), measuredRow("wpbc", raised(measure.WithoutMomentum, 3), measure.Measured{})),
			[]string{"theorem-2-published 0 of 0", "theorem-2-reference 1 of 4"}},
	} {
		var got []string
		for _, claim := range fixture.Must(Read(c.id, c.made))(t).Claims() {
			got = append(got, fmt.Sprintf("%s %d of %d", claim.ID, claim.Count, claim.Of))
		}
		fixture.EqualSlice(t, c.id, got, c.want)
	}
}

// acceptedTable is the table of a spec by the accepted cells.
func acceptedTable(t *testing.T, spec string) table.Table {
	t.Helper()
	p := fixture.Must(plan.Named(t.Context(), spec))(t)
	return fixture.Must(table.Of(p, &store.Store{Dir: "../accepted"}))(t)
}

// altered is a copy of a table whose cells with a result went through a change.
func altered(t table.Table, change func(*table.Cell)) table.Table {
	t.Rows = slices.Clone(t.Rows)
	for i := range t.Rows {
		t.Rows[i].Cells = slices.Clone(t.Rows[i].Cells)
		for j := range t.Rows[i].Cells {
			if c := &t.Rows[i].Cells[j]; c.Score != nil {
				score := *c.Score
				c.Score = &score
				change(c)
			}
		}
	}
	return t
}

func lose(c *table.Cell) { *c = table.Cell{Status: table.StatusMissing} }

// bare takes away what was measured.
func bare(c *table.Cell) { c.Score.Facts, c.Score.Series = nil, nil }

// sound fails unless a result is what a reader may rely on.
func sound(t *testing.T, id string, r Result) {
	t.Helper()
	seen := map[string]bool{}
	for _, c := range r.Claims() {
		if seen[c.ID] || c.ID == "" || c.Count < 0 || c.Count > c.Of {
			t.Errorf("%s: %+v", id, c)
		}
		seen[c.ID] = true
	}
}

// Any cells may be missing or without their measurements; also all of them. Cells
// without facts and series decide nothing that rests on them.
func TestAnyMissing(t *testing.T) {
	draw := rand.New(rand.NewPCG(1, 1))
	for _, s := range Studies {
		_, known := measure.Find(s.Measure)
		fixture.Equal(t, s.ID+": its measure is one", known, s.Measure != "")
		whole := acceptedTable(t, s.Spec)
		for range 50 {
			share := draw.Float64()
			sound(t, s.ID, fixture.Must(Read(s.ID, altered(whole, func(c *table.Cell) {
				switch at := draw.Float64(); {
				case at < share:
					lose(c)
				case at < share+0.25:
					bare(c)
				}
			})))(t))
		}
		for name, none := range map[string]table.Table{
			"no rows": {Columns: whole.Columns}, "no columns": {Rows: whole.Rows}, "empty": {}, "missing": altered(whole, lose), "bare": altered(whole, bare),
		} {
			r := fixture.Must(Read(s.ID, none))(t)
			sound(t, s.ID+", "+name, r)
			for _, c := range r.Claims() {
				if c.Of > 0 && (name != "bare" || s.Measure != "") {
					t.Errorf("%s, %s: %+v", s.ID, name, c)
				}
			}
		}
	}
}

// A series that cannot be read is an error that names the cell and the series.
func TestMalformedSeries(t *testing.T) {
	whole := map[string]table.Table{"toy": acceptedTable(t, "toy"), "convergence": acceptedTable(t, "convergence")}
	for _, c := range []struct {
		id, series string
		values     []string
		want       string
	}{
		{"toy", "embedding 1", []string{"1", "x", "2", "3"}, `study: toy, euclidean on toy: results: value 2 of series "embedding 1"`},
		{"toy", "label", []string{"?"}, `value 1 of series "label"`},
		{"toy", "share of the distances not shown", []string{""}, `value 1 of series "share of the distances not shown"`},
		{"toy", "map 1 coordinate 2", []string{"1", "2", "3"}, `series "map 1 coordinate 2" has 3 values for 4 samples`},
		{"convergence", "with momentum: iteration", []string{"x"}, "study: convergence of e-r2lml on"},
		{"convergence", "without momentum: iteration", []string{"1", "2"}, "2 iterations for"},
		{"convergence", "with momentum: objective at the start", []string{"1", "2"}, "2 starts"},
		{"convergence", "with momentum: fitted a + b/sqrt(T): a, b, R2", []string{"1"}, "1 numbers of the fitted curve"},
	} {
		made := altered(whole[c.id], func(cell *table.Cell) {
			cell.Score.Series = slices.Clone(cell.Score.Series)
			for k := range cell.Series {
				if s := &cell.Series[k]; s.Name == c.series {
					s.Values = c.values
				}
			}
		})
		fixture.Says(t, fixture.Error(Read(c.id, made)), c.want)
	}
}

// The paper's figure has no metric, the first global one and the first two local ones; the
// samples are those of the first column that has them.
func TestToyFigure(t *testing.T) {
	features := measure.Measured{Series: []results.Series{results.NewSeries("label", []float64{1, 2}), results.NewSeries("feature 1", []float64{-1, 3})}}
	made := madeUp("e-r2lml:variant=published:metrics=2 e-r2lml:variant=published:metrics=1 euclidean e-r2lml:variant=reference:metrics=1",
		measuredRow("toy", nearest(4), features, nearest(0), nearest(2)))
	toy := fixture.Must(ReadToy(made))(t).Sets[0]
	none, global, local := toy.Figure()
	type shown struct {
		method  string
		metrics int
		variant string
	}
	var got []shown
	for _, c := range []ToyColumn{none, global, local} {
		got = append(got, shown{c.Method, c.Metrics, c.Variant})
	}
	fixture.EqualSlice(t, "columns", got, []shown{{"euclidean", 0, ""}, {"e-r2lml", 1, Published}, {"e-r2lml", 2, Published}})
	fixture.Same(t, "samples", toy.Original().Features, [][]float64{{-1, 3}})
}

// TestSpeeds: means over the splits of a data set and then over the sets, small and large
// ones apart; sets that a method lacks are left out, and a method that has none is.
func TestSpeeds(t *testing.T) {
	ten := func(dataset string, right ...int) table.Row {
		r := row(dataset, right...)
		r.N = 10
		return r
	}
	made := madeUp("fast slow worse small-only", ten("a", 5, 7, 4, 9), ten("a", 7, 9, 6, 9), ten("b", 4, 8, 4, 9), ten("c", 6, 5, 5, -1), ten("d", 9, 9, -1, -1))
	var costs []Cost
	for dataset, samples := range map[string]int{"a": 100, "b": 1000, "c": 1001, "d": 5000} {
		for method, seconds := range map[string]float64{"fast": 1, "slow": 4, "worse": 2, "small-only": 8} {
			costs = append(costs, Cost{Dataset: dataset, Method: method, Samples: samples, Seconds: seconds})
		}
	}
	small, large, sets := Speeds(made, costs)
	fixture.EqualSlice(t, "small sets", small, []Speed{{"fast", 50, 1, true}, {"worse", 45, 2, false}, {"slow", 80, 4, true}, {"small-only", 90, 8, true}})
	fixture.EqualSlice(t, "large sets", large, []Speed{{"fast", 60, 1, true}, {"worse", 50, 2, false}, {"slow", 50, 4, false}})
	fixture.Equal(t, "data sets", sets, [2]int{2, 1})
}
