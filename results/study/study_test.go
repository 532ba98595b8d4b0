package study

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"r2lmlbench/experiments/measure"
	"r2lmlbench/internal/fixture"
	"r2lmlbench/results/table"
)

// examples are made-up tables by study.
func examples() map[string]table.Table {
	return map[string]table.Table{
		"collapse": variantsTable(), "metrics": metricsTable(), "lambda": lambdaTable(),
		"toy": toyTable(), "convergence": convergenceTable(),
	}
}

// cellsOf returns the cells of a data set.
func cellsOf(t *testing.T, made table.Table, dataset string) []table.Cell {
	t.Helper()
	i := slices.IndexFunc(made.Rows, func(r table.Row) bool { return r.Dataset == dataset })
	if i < 0 {
		t.Fatalf("no row %s", dataset)
	}
	return made.Rows[i].Cells
}

// What the studies count, each number recounted by hand in the made-up tables.
func TestClaims(t *testing.T) {
	for _, c := range []struct {
		name, id string
		change   func(made *table.Table)
		want     []string
	}{
		{"all", "metrics", nil, []string{"class-count 9 of 26", "many-metrics 37 of 52"}},
		{"a missing cell takes its curve away", "metrics", func(made *table.Table) { cellsOf(t, *made, "usps")[4] = missing() },
			[]string{"class-count 9 of 25", "many-metrics 36 of 50"}},
		{"one metric is best", "metrics", func(made *table.Table) {
			for _, r := range made.Rows {
				r.Cells[0], r.Cells[3] = got(99, 100), got(99, 100)
			}
		}, []string{"many-metrics 0 of 52"}},
		{"all", "collapse", nil, []string{"published-lower 6 of 8"}},
		{"published best", "collapse", func(made *table.Table) {
			for _, r := range made.Rows {
				for j := range r.Cells {
					if made.Columns[j].Swept["variant"] == Published {
						r.Cells[j] = got(r.N, r.N)
					}
				}
			}
		}, []string{"published-lower 0 of 8"}},
		{"outside and not known", "lambda", func(made *table.Table) {
			for _, id := range []string{"overlap30", "overlap30:2"} {
				cellsOf(t, *made, id)[2] = got(320, 320) // printed: 0.534
				cellsOf(t, *made, id)[3] = missing()
			}
			cellsOf(t, *made, "overlap60")[2] = got(300, 320) // no facts
			cellsOf(t, *made, "overlap60:2")[3] = got(290, 320, zeroFacts(0, 29, 60)...)
		}, []string{
			"overlap60-sparsity-1000-1e-06 1 of 1", "overlap60-sparsity-1000-0.001 1 of 1",
			"overlap60-sparsity-10000-1e-06 1 of 2", "overlap60-sparsity-10000-0.001 0 of 2",
		}},
		{"two metrics", "toy", nil, []string{"toy-nearest-published 1 of 1", "toy-nearest-reference 0 of 0"}},
		{"global as good", "toy", func(made *table.Table) { made.Rows[0].Cells[1] = made.Rows[0].Cells[2] }, []string{"toy-nearest-published 0 of 1"}},
		{"nothing raised", "convergence", func(made *table.Table) {
			made.Columns = made.Columns[:1]
			for i := range made.Rows {
				made.Rows[i].Cells = []table.Cell{traced(6, false)}
			}
		}, []string{"theorem-2-published 0 of 0", "theorem-2-reference 2 of 2"}},
		{"raised", "convergence", func(made *table.Table) {
			made.Columns = made.Columns[:1]
			made.Rows[0].Cells, made.Rows[1].Cells = []table.Cell{traced(1, false)}, []table.Cell{traced(6, false)}
		}, []string{"theorem-2-reference 1 of 2"}},
	} {
		made := examples()[c.id]
		if c.change != nil {
			c.change(&made)
		}
		var got []string
		for _, claim := range fixture.Must(Read(c.id, made))(t).Claims() {
			got = append(got, fmt.Sprintf("%s %d of %d", claim.ID, claim.Count, claim.Of))
		}
		for _, want := range c.want {
			if !slices.Contains(got, want) {
				t.Errorf("%s, %s: %q is not among %q", c.id, c.name, want, got)
			}
		}
	}
}

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
	measured := map[string]bool{"toy": true, "convergence": true}
	draw := rand.New(rand.NewPCG(1, 1))
	for id, made := range examples() {
		for range 50 {
			sound(t, id, fixture.Must(Read(id, damaged(made, draw)))(t))
		}
		for name, none := range map[string]table.Table{
			"no rows":    {Spec: made.Spec, Columns: made.Columns},
			"no columns": {Spec: made.Spec, Rows: made.Rows},
			"missing":    without(made, func(int, int) bool { return true }),
			"empty":      {},
			"bare":       bareTable(made),
		} {
			r := fixture.Must(Read(id, none))(t)
			sound(t, id+", "+name, r)
			for _, c := range r.Claims() {
				if c.Of > 0 && (name != "bare" || measured[id]) {
					t.Errorf("%s, %s: %+v", id, name, c)
				}
			}
		}
	}
}

// A series that cannot be read is an error that names the cell and the series.
func TestMalformedSeries(t *testing.T) {
	for _, c := range []struct {
		id, series string
		values     []string
		want       string
	}{
		{"toy", "embedding 1", []string{"1", "x", "2", "3"}, `study: toy, euclidean on toy: results: value 2 of series "embedding 1"`},
		{"toy", "label", []string{"?"}, `value 1 of series "label"`},
		{"toy", "share of the distances not shown", []string{""}, "study: toy, e-r2lml:variant=published:metrics=2 on toy"},
		{"toy", "map 1 coordinate 2", []string{"1", "2", "3"}, `series "map 1 coordinate 2" has 3 values for 4 samples`},
		{"convergence", "with momentum: iteration", []string{"x"}, "study: convergence of e-r2lml on glass, with momentum"},
		{"convergence", "without momentum: iteration", []string{"1", "2"}, "2 iterations for 3 objectives"},
		{"convergence", "with momentum: objective at the start", []string{"1", "2"}, "2 starts"},
		{"convergence", "with momentum: fitted a + b/sqrt(T): a, b, R2", []string{"1"}, "1 numbers of the fitted curve"},
	} {
		made := examples()[c.id]
		for _, r := range made.Rows {
			for _, cell := range r.Cells {
				for k, s := range cell.Series {
					if s.Name == c.series {
						cell.Series[k].Values = c.values
					}
				}
			}
		}
		fixture.Says(t, fixture.Error(Read(c.id, made)), c.want)
	}
}

func TestToyPlaces(t *testing.T) {
	toy := fixture.Must(ReadToy(toyTable()))(t)
	none, global, local := toy.Sets[0].Figure()
	if none.Metrics != 0 || global.Metrics != 1 || local.Metrics != 2 || local.Variant != Published || local.Nearest.Count != 4 {
		t.Errorf("%+v, %+v, %+v", none, global, local)
	}
	if len(none.Features) != 2 || len(none.Maps) != 0 || len(none.Embedding) != 1 || !math.IsNaN(none.Lost) {
		t.Errorf("%+v", none.Places)
	}
	if len(local.Maps) != 2 || local.Maps[1][0][0] != 3 || local.Maps[1][1][1] != -4 || local.Coefficients[0][1] != 1 || local.Lost != 0.0123456 {
		t.Errorf("%+v", local.Places)
	}
	if o := toy.Sets[0].Original(); !slices.Equal(o.Features[1], []float64{-1, 1, 1, -1}) || !slices.Equal(o.Labels, []float64{1, 1, 2, 2}) {
		t.Errorf("%+v", o)
	}
}

// The settings of a family are in the order of λ, whatever that of the columns.
func TestLambdaOrder(t *testing.T) {
	made := lambdaTable()
	made.Columns[0], made.Columns[3] = made.Columns[3], made.Columns[0]
	l, err := ReadLambda(made)
	if err != nil || l.Families[0].Settings[0].Lambda != 0 || l.Families[0].Settings[3].Lambda != 1e4 {
		t.Errorf("%+v, %v", l.Families[0], err)
	}
}

// Every line of the registry has an id of its own, and a measure that is one.
func TestStudies(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range Studies {
		if s.ID == "" || seen[s.ID] {
			t.Errorf("%+v", s)
		}
		seen[s.ID] = true
		if _, ok := measure.Find(s.Measure); !ok && s.Measure != "" {
			t.Errorf("%s: there is no measure %s", s.ID, s.Measure)
		}
	}
}

// TestSpeeds: means over the splits of a data set and then over the sets, small and large
// ones apart; sets that a method lacks are left out, and a method that has none is.
func TestSpeeds(t *testing.T) {
	tab := table.Table{Columns: []table.Column{{ID: "fast"}, {ID: "slow"}, {ID: "worse"}, {ID: "small-only"}}}
	row := func(dataset string, correct ...int) {
		r := table.Row{Dataset: dataset, N: 10, Cells: make([]table.Cell, 4)}
		for i, n := range correct {
			r.Cells[i].Score = &table.Score{Correct: n}
		}
		tab.Rows = append(tab.Rows, r)
	}
	row("a", 5, 7, 4, 9)
	row("a", 7, 9, 6, 9)
	row("b", 4, 8, 4, 9)
	row("c", 6, 5, 5)
	row("d", 9, 9) // worse has no result
	var costs []Cost
	for dataset, samples := range map[string]int{"a": 100, "b": 1000, "c": 1001, "d": 5000} {
		for method, seconds := range map[string]float64{"fast": 1, "slow": 4, "worse": 2, "small-only": 8} {
			costs = append(costs, Cost{Dataset: dataset, Method: method, Samples: samples, Seconds: seconds})
		}
	}
	small, large, sets := Speeds(tab, costs)
	if want := []Speed{{"fast", 50, 1, true}, {"worse", 45, 2, false}, {"slow", 80, 4, true}, {"small-only", 90, 8, true}}; !slices.Equal(small, want) {
		t.Errorf("small sets: %v, want %v", small, want)
	}
	fixture.EqualSlice(t, "large sets", large, []Speed{{"fast", 60, 1, true}, {"worse", 50, 2, false}, {"slow", 50, 4, false}})
	fixture.Equal(t, "data sets", sets, [2]int{2, 1})
}
