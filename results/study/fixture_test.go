package study

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"

	"r2lmlbench/results"
	"r2lmlbench/results/table"
	"r2lmlbench/stats"
)

const (
	efficient    = "e-r2lml"
	transductive = "t-r2lml"
)

// swept makes a column of the method with swept parameters: name, value, ...
func swept(method string, pairs ...string) table.Column {
	c := table.Column{ID: method, Method: method, Name: method}
	for i := 0; i < len(pairs); i += 2 {
		if c.Swept == nil {
			c.Swept = map[string]string{}
		}
		c.Swept[pairs[i]] = pairs[i+1]
		c.ID += ":" + pairs[i] + "=" + pairs[i+1]
	}
	return c
}

// got makes a cell with that many right answers of n.
func got(correct, n int, facts ...results.Fact) table.Cell {
	return table.Cell{Score: &table.Score{Correct: correct, Accuracy: stats.Percent(correct, n, 2), Facts: facts}}
}

// missing is a cell without a result.
func missing() table.Cell { return table.Cell{Status: table.StatusMissing} }

// without returns a copy of the table in which the cells that drop picks are missing.
func without(t table.Table, drop func(row, column int) bool) table.Table {
	rows := make([]table.Row, len(t.Rows))
	for i, r := range t.Rows {
		cells := make([]table.Cell, len(r.Cells))
		for j, c := range r.Cells {
			cells[j] = c
			if drop(i, j) {
				cells[j] = missing()
			}
		}
		r.Cells = cells
		rows[i] = r
	}
	t.Rows = rows
	return t
}

// bareTable returns a copy of the table whose cells have no facts and no series.
func bareTable(t table.Table) table.Table {
	t = without(t, func(int, int) bool { return false })
	for _, r := range t.Rows {
		for j, c := range r.Cells {
			if c.Score != nil {
				r.Cells[j] = bare(c)
			}
		}
	}
	return t
}

// bare is a cell with a score, less its facts and series.
func bare(c table.Cell) table.Cell {
	score := *c.Score
	score.Facts, score.Series = nil, nil
	c.Score = &score
	return c
}

// damaged returns a copy of the table in which some cells, drawn at random, are
// missing or without their measurements.
func damaged(t table.Table, draw *rand.Rand) table.Table {
	share := draw.Float64()
	t = without(t, func(int, int) bool { return draw.Float64() < share })
	for i := range t.Rows {
		r := &t.Rows[i]
		for j, c := range r.Cells {
			if c.Score != nil && draw.IntN(4) == 0 {
				r.Cells[j] = bare(c)
			}
		}
	}
	return t
}

// variantsTable has two data sets, K = 1, 2 and 3.
func variantsTable() table.Table {
	t := table.Table{Spec: "variants"}
	for _, method := range []string{efficient, transductive} {
		for _, variant := range []string{"reference", "published"} {
			for k := 1; k <= 3; k++ {
				t.Columns = append(t.Columns, swept(method, "variant", variant, "metrics", strconv.Itoa(k)))
			}
		}
	}
	at := func(count int) results.Fact {
		return results.Fact{Name: "coefficients at vertices", Count: count, Of: 60}
	}
	t.Rows = []table.Row{
		{Dataset: "heart", Name: "Heart", N: 80, Cells: []table.Cell{
			got(60, 80), got(64, 80, at(0)), got(62, 80, at(1)),
			got(61, 80), got(40, 80, at(60)), got(40, 80, at(59)),
			got(60, 80), got(66, 80, at(0)), got(65, 80, at(2)),
			got(58, 80), got(41, 80, at(50)), got(40, 80, at(55)),
		}},
		{Dataset: "sonar", Name: "Sonar", N: 40, Cells: []table.Cell{
			got(20, 40), got(21, 40, at(0)), got(19, 40, at(0)),
			got(20, 40), got(22, 40, at(57)), got(19, 40, at(58)),
			got(20, 40), got(30, 40, at(3)), got(31, 40, at(0)),
			got(20, 40), got(18, 40, at(60)), got(18, 40, at(60)),
		}},
	}
	return t
}

// metricsTable has the paper's data sets of which it speaks, K = 1, 2 and 3.
func metricsTable() table.Table {
	t := table.Table{Spec: "metrics"}
	for _, method := range []string{transductive, efficient} {
		for k := 1; k <= 3; k++ {
			t.Columns = append(t.Columns, swept(method, "metrics", strconv.Itoa(k)))
		}
	}
	for _, r := range []struct {
		id, name string
		correct  [6]int // T with K = 1, 2, 3, E with K = 1, 2, 3
	}{
		{"pendigits", "Pendigits", [6]int{60, 70, 70, 80, 81, 82}},
		{"winequality", "Wine Quality", [6]int{60, 70, 69, 80, 79, 78}},
		{"telescope", "Telescope", [6]int{50, 70, 69, 50, 69, 68}},
		{"twonorm", "Two Norm", [6]int{60, 70, 69, 80, 79, 78}},
		{"ringnorm", "Ring Norm", [6]int{70, 65, 65, 80, 79, 80}},
		{"ionosphere", "Ionosphere", [6]int{50, 70, 69, 50, 60, 61}},
		{"breasttissue", "Breast Tissue", [6]int{70, 69, 68, 50, 51, 52}},
		{"glass", "Glass", [6]int{60, 61, 62, 70, 70, 73}},
		{"heart", "Heart", [6]int{50, 70, 69, 50, 69, 68}},
		{"isolet", "Isolet", [6]int{60, 70, 69, 70, 69, 68}},
		{"optdigits", "Optdigits", [6]int{60, 70, 69, 70, 71, 68}},
		{"usps", "USPS", [6]int{60, 70, 69, 70, 71, 70}},
		{"wpbc", "WPBC", [6]int{50, 70, 69, 50, 71, 68}},
	} {
		row := table.Row{Dataset: r.id, Name: r.name, N: 100}
		for _, correct := range r.correct {
			row.Cells = append(row.Cells, got(correct, 100))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// lambdaTable has two draws of two families and three of the third.
func lambdaTable() table.Table {
	t := table.Table{Spec: "lambda"}
	lambdas := []string{"0", "0.1", "1e3", "1e4"}
	for _, l := range lambdas {
		t.Columns = append(t.Columns, swept(efficient, "lambda", l))
	}
	draw := func(id string, constant, d int, correct ...int) {
		row := table.Row{Dataset: id, Name: id, N: 320}
		for i, c := range correct {
			row.Cells = append(row.Cells, got(c, 320, zeroFacts(i, constant, d)...))
		}
		t.Rows = append(t.Rows, row)
	}
	draw("overlap30", 0, 30, 170, 175, 180, 160)
	draw("overlap30:2", 0, 30, 178, 174, 172, 165)
	draw("overlap60", 31, 60, 230, 240, 300, 280)
	draw("overlap60:2", 29, 60, 236, 260, 310, 290)
	draw("overlap60-13", 13, 60, 230, 261, 311, 280)
	draw("overlap60-13:2", 12, 60, 231, 260, 311, 290)
	draw("overlap60-13:3", 14, 60, 232, 259, 312, 300)
	return t
}

// zeroFacts makes the facts on zero columns: none below the third lambda, then
// the constant features alone, then one of the others, too, at the larger level.
func zeroFacts(lambda, constant, d int) []results.Fact {
	var all []results.Fact
	for metric := 1; metric <= 3; metric++ {
		for i, level := range []string{"1e-06", "0.001"} {
			c, o := 0, 0
			if lambda >= 2 {
				c = constant
			}
			if lambda == 3 {
				o = i
			}
			name := fmt.Sprintf("zero columns of metric %d at %s", metric, level)
			all = append(all,
				results.Fact{Name: name + ", constant features", Count: c, Of: constant},
				results.Fact{Name: name + ", other features", Count: o, Of: d - constant})
		}
	}
	return all
}

// toyTable has one data set under no metric, a global one and two local ones.
func toyTable() table.Table {
	with := func(nearest int, series ...results.Series) table.Cell {
		c := got(nearest, 4, results.Fact{Name: "nearest other sample of the same class", Count: nearest, Of: 4})
		c.Series = append([]results.Series{
			results.NewSeries("feature 1", []float64{-1, 1, -1, 1}), results.NewSeries("feature 2", []float64{-1, 1, 1, -1}),
			results.NewSeries("label", []float64{1, 1, 2, 2}),
		}, series...)
		return c
	}
	four := func(name string, values ...float64) results.Series { return results.NewSeries(name, values) }
	return table.Table{
		Spec: "toy",
		Columns: []table.Column{
			swept("euclidean"), swept(efficient, "variant", "published", "metrics", "1"), swept(efficient, "variant", "published", "metrics", "2"),
		},
		Rows: []table.Row{{Dataset: "toy", Name: "Toy", N: 4, Cells: []table.Cell{
			with(0, four("embedding 1", 1, 2, 3, 4)),
			with(2, four("map 1 coordinate 1", 0.5, 0.25, 1.0/3, 0), four("map 1 coordinate 2", 1, 2, 3, 4)),
			with(4, four("map 1 coordinate 1", 0, 0, 1, -1), four("map 1 coordinate 2", 0, 0, 2, -2),
				four("map 2 coordinate 1", 3, -3, 1e-7, 0), four("map 2 coordinate 2", 4, -4, 0, 0),
				four("coefficients of metric 1", 1, 1, 0, 0), four("coefficients of metric 2", 0, 0, 1, 1),
				four("embedding 1", 1, 1, 2, 2), four("embedding 2", 0, 0, 0, 0),
				four("share of the distances not shown", 0.0123456)),
		}}},
	}
}

// convergenceTable has two data sets. T-R2LML has a third block.
func convergenceTable() table.Table {
	t := table.Table{Spec: "convergence"}
	for _, method := range []string{efficient, transductive} {
		for _, variant := range []string{"reference", "published"} {
			t.Columns = append(t.Columns, swept(method, "variant", variant))
		}
	}
	for i, name := range []string{"Glass", "Heart"} {
		row := table.Row{Dataset: strings.ToLower(name), Name: name, N: 50}
		for j := range t.Columns {
			row.Cells = append(row.Cells, traced(10*i+j, j >= 2))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// traced makes a cell of spec convergence whose numbers follow from a seed.
func traced(seed int, third bool) table.Cell {
	c := got(25+seed, 50)
	for m, mode := range []string{"with momentum", "without momentum"} {
		raised := []int{seed % 2 * m, seed % 3 * (1 - m), 0}
		for b, of := range []int{15, 5, 5} {
			if b < 2 || third {
				c.Facts = append(c.Facts, results.Fact{Name: fmt.Sprintf("%s: block %d raised the objective", mode, b+1), Count: raised[b], Of: of})
			}
		}
		c.Facts = append(c.Facts, results.Fact{Name: mode + ": runs of block 1 that follow a + b/sqrt(T) with R2 of 0.9 or more", Count: 7, Of: 15})
		c.Facts = append(c.Facts, results.Fact{Name: mode + ": iterations of block 1 that raised the objective", Count: 100 * raised[0], Of: 7500})
		c.Series = append(c.Series,
			results.NewSeries(mode+": objective at the start", []float64{1000 + float64(seed)}),
			results.NewSeries(mode+": iteration", []float64{1, 2, 7500}),
			results.NewSeries(mode+": best objective so far", []float64{900, 800, 700 - float64(10*m)}),
			results.NewSeries(mode+": fitted a + b/sqrt(T): a, b, R2", []float64{690, 200.5, 0.85 + 0.01*float64(seed)}))
	}
	return c
}

// cellOf makes a cell with so many right answers of n.
func cellOf(seed uint64, correct, n int) results.Cell {
	c := results.Cell{Inputs: results.Inputs{Dataset: "made", Seed: seed, Points: []results.Point{{}}}, Truth: make([]int, n), Predicted: make([]int, n)}
	for i := range n {
		c.Truth[i] = 1
		if i < correct {
			c.Predicted[i] = 1
		}
	}
	return c
}

// chosen makes the cell one of two settings, of which the chosen one had so many right
// validation samples of n.
func chosen(c results.Cell, right, n int) results.Cell {
	c.Points = []results.Point{{}, {Restart: 1}}
	c.Chosen, c.Validation = 1, &results.Profile{N: n, Correct: []int{0, right}}
	return c
}

// splitOf makes a row of a table from the cells of every column, with twice as many
// training as test samples.
func splitOf(dataset string, n int, columns ...[]results.Cell) table.RowInput {
	r := table.RowInput{Dataset: dataset, Name: dataset, N: n, Train: 2 * n}
	for _, cells := range columns {
		r.Cells = append(r.Cells, table.CellInput{Cells: cells})
	}
	return r
}
