package figures

import (
	"slices"
	"strconv"

	"r2lmlbench/r2lml"
	"r2lmlbench/results"
	"r2lmlbench/results/figures/chart"
	"r2lmlbench/results/published"
	"r2lmlbench/results/study"
	"r2lmlbench/results/study/studytest"
	"r2lmlbench/results/table"
	"r2lmlbench/results/verdict"
)

// swept is a column of the method under its printed name, with swept parameters:
// name, value, ...
func swept(method string, pairs ...string) table.Column {
	c := studytest.Swept(method, pairs...)
	c.Name = published.MethodName(method)
	return c
}

// drawRanks draws the ranks of the cells of a table.
func drawRanks(t table.Table) ([]chart.Figure, error) { return CriticalDifference(t, nil) }

// An example is a constructor with a made-up table.
type example struct {
	name  string
	draw  func(table.Table) ([]chart.Figure, error)
	table table.Table
	want  []string // names of its figures
}

var madeUpClasses = map[string]int{"heart": 2, "letter": 26}

// drawn reads a table and draws the result.
func drawn[R any](read func(table.Table) (R, error), draw func(R) ([]chart.Figure, error)) func(table.Table) ([]chart.Figure, error) {
	return func(t table.Table) ([]chart.Figure, error) {
		r, err := read(t)
		if err != nil {
			return nil, err
		}
		return draw(r)
	}
}

// drawMetrics draws the figures of a table with these numbers of classes.
func drawMetrics(t table.Table, classes map[string]int) ([]chart.Figure, error) {
	return drawn(func(t table.Table) (study.Metrics, error) { return study.ReadMetrics(t, classes) }, Metrics)(t)
}

var (
	drawLambda      = drawn(study.ReadLambda, Lambda)
	drawToy         = drawn(study.ReadToy, Toy)
	drawCollapse    = drawn(study.ReadCollapse, Collapse)
	drawConvergence = drawn(study.ReadConvergence, Convergence)
)

func examples() []example {
	withClasses := func(t table.Table) ([]chart.Figure, error) { return drawMetrics(t, madeUpClasses) }
	return []example{
		{"metrics", withClasses, metricsTable(), []string{"accuracy-by-metrics-1"}},
		{"lambda", drawLambda, lambdaTable(), []string{"lambda-overlap30", "lambda-overlap60"}},
		{"toy", drawToy, toyTable(), []string{"toy"}},
		{"critical difference", drawRanks, accuracyTable(), []string{"critical-difference"}},
		{"collapse", drawCollapse, variantsTable(), []string{"collapse"}},
		{"convergence", drawConvergence, convergenceTable(), []string{"convergence-e-r2lml", "convergence-t-r2lml"}},
	}
}

// metricsTable has two data sets and K from 1 to 3.
func metricsTable() table.Table {
	t := table.Table{Spec: "metrics"}
	for _, method := range []string{study.Transductive, study.Efficient} {
		for k := 1; k <= 3; k++ {
			t.Columns = append(t.Columns, swept(method, "metrics", strconv.Itoa(k)))
		}
	}
	t.Rows = []table.Row{
		{Dataset: "heart", Letter: "M", Name: "Heart", N: 80, Cells: []table.Cell{
			studytest.Got(60, 80), studytest.Got(64, 80), studytest.Got(62, 80), studytest.Got(66, 80), studytest.Got(70, 80), studytest.Got(70, 80),
		}},
		{Dataset: "letter", Letter: "B", Name: "Letter", N: 100, Cells: []table.Cell{
			studytest.Got(50, 100), studytest.Got(49, 100), studytest.Got(48, 100), studytest.Got(30, 100), studytest.Got(31, 100), studytest.Got(32, 100),
		}},
	}
	return t
}

// lambdaTable has two draws of two families.
func lambdaTable() table.Table {
	t := table.Table{Spec: "lambda"}
	lambdas := []string{"0", "0.1", "1e3"}
	for _, l := range lambdas {
		t.Columns = append(t.Columns, swept(study.Efficient, "lambda", l))
	}
	for i, id := range []string{"overlap30", "overlap30:2", "overlap60", "overlap60:2"} {
		r := table.Row{Dataset: id, Name: id, N: 320}
		constant, other := 0, 30
		if i >= 2 {
			constant, other = 20+2*i, 40-2*i
		}
		for j := range lambdas {
			var facts []results.Fact
			for m := 1; m <= study.LambdaMetrics; m++ {
				name := "zero columns of metric " + strconv.Itoa(m) + " at 1e-06"
				facts = append(facts, results.Fact{Name: name + ", constant features", Count: constant * j / 2, Of: constant},
					results.Fact{Name: name + ", other features", Count: 0, Of: other})
			}
			r.Cells = append(r.Cells, studytest.Got(160+10*i+j, 320, facts...))
		}
		t.Rows = append(t.Rows, r)
	}
	return t
}

// toyTable has four samples, two of them in one place under the global metric.
func toyTable() table.Table {
	with := func(nearest int, series ...results.Series) table.Cell {
		c := studytest.Got(nearest, 4, results.Fact{Name: "nearest other sample of the same class", Count: nearest, Of: 4})
		c.Series = append([]results.Series{
			results.NewSeries("feature 1", []float64{-1, 1, -1, 1}), results.NewSeries("feature 2", []float64{-1, 1, 1, -1}),
			results.NewSeries("label", []float64{1, 1, 2, 2}),
		}, series...)
		return c
	}
	return table.Table{
		Spec:    "toy",
		Columns: []table.Column{swept("euclidean"), swept(study.Efficient, "metrics", "1"), swept(study.Efficient, "metrics", "2")},
		Rows: []table.Row{{Dataset: "toy", Name: "Toy", N: 4, Cells: []table.Cell{
			with(0),
			with(2, results.NewSeries("map 1 coordinate 1", []float64{0.001, -0.001, 1, -1}), results.NewSeries("map 1 coordinate 2", []float64{0, 0, 2, -2})),
			with(4, results.NewSeries("embedding 1", []float64{1, 2, -1, -2}), results.NewSeries("share of the distances not shown", []float64{0.0123})),
		}}},
	}
}

// accuracyTable has three methods on three data sets, and on a fourth two.
func accuracyTable() table.Table {
	t := table.Table{Spec: "accuracy", Test: results.TestInfo{Alpha: 0.05}, Columns: []table.Column{swept("euclidean"), swept("lmnn"), swept(study.Efficient)}}
	for i, name := range []string{"Glass", "Heart", "Sonar", "Letter"} {
		r := table.Row{Dataset: name, Name: name, N: 100, Cells: []table.Cell{studytest.Got(50+i, 100), studytest.Got(60, 100), studytest.Got(70-i, 100)}}
		if name == "Letter" {
			r.Cells[1] = table.Cell{Status: table.StatusFailed}
		}
		t.Rows = append(t.Rows, r)
	}
	return t
}

// variantsTable has one data set and K of 1 and 2.
func variantsTable() table.Table {
	t := table.Table{Spec: "variants"}
	r := table.Row{Dataset: "heart", Letter: "M", Name: "Heart", N: 80}
	for i, method := range study.PaperMethods {
		for j, variant := range study.Variants {
			for k := 1; k <= 2; k++ {
				t.Columns = append(t.Columns, swept(method, "variant", variant, "metrics", strconv.Itoa(k)))
				c := studytest.Got(60+i-10*j*(k-1), 80)
				if k > 1 {
					c.Facts = []results.Fact{{Name: r2lml.VerticesFact, Count: 58*j + i, Of: 60}}
				}
				r.Cells = append(r.Cells, c)
			}
		}
	}
	t.Rows = []table.Row{r}
	return t
}

func convergenceTable() table.Table {
	t := table.Table{Spec: "convergence"}
	for _, method := range study.PaperMethods {
		for _, variant := range study.Variants {
			t.Columns = append(t.Columns, swept(method, "variant", variant))
		}
	}
	r := table.Row{Dataset: "glass", Letter: "L", Name: "Glass", N: 50}
	for j := range t.Columns {
		c := studytest.Got(25+j, 50)
		for m, mode := range study.Modes {
			c.Series = append(c.Series,
				results.NewSeries(mode+": iteration", []float64{1, 2, 7500}),
				results.NewSeries(mode+": best objective so far", []float64{900, 800, 100 - float64(10*m)}),
				results.NewSeries(mode+": fitted a + b/sqrt(T): a, b, R2", []float64{90, 800.5, 0.85}))
		}
		r.Cells = append(r.Cells, c)
	}
	t.Rows = []table.Row{r}
	return t
}

// judged is evidence on a printed number of 100 test samples, with accuracies of ours in
// percent.
func judged(letter, dataset, method, printed string, right ...int) verdict.Evidence {
	e := verdict.Evidence{
		Published: published.Number{Letter: letter, Dataset: dataset, Method: method, Accuracy: printed}, Column: method, Samples: 100, Planned: len(right),
	}
	for _, percent := range right {
		e.Runs = append(e.Runs, verdict.Run{Correct: percent, N: 100})
	}
	return e
}

func madeUpCosts() []Cost {
	return []Cost{
		{Dataset: "robot", Letter: "A", Method: "euclidean", Seconds: 0.5, Bytes: 1 << 20}, {Dataset: "robot", Letter: "A", Method: "plml", Seconds: 50, Bytes: 0},
		{Dataset: "letter", Letter: "B", Method: "euclidean", Seconds: 5, Bytes: 3 << 20},
		{Dataset: "letter", Letter: "B", Method: "plml", Seconds: 0, Bytes: 1 << 30},
	}
}

// allFigures draws everything there is.
func allFigures() ([]chart.Figure, error) {
	var all []chart.Figure
	for _, s := range examples() {
		figures, err := s.draw(s.table)
		if err != nil {
			return nil, err
		}
		all = append(all, figures...)
	}
	costs, err := Costs(madeUpCosts())
	return slices.Concat(all, costs), err
}
